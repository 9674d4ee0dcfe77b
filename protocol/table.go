package protocol

import (
	"reflect"
	"slices"
	"time"
	"unicode/utf8"
)

// ActionType is an action's tag.
type ActionType string

// Method is one row of the method table: an action, its result and how it is run.
type Method struct {
	Type ActionType
	// Params and Result are the structs of action.go and result.go.
	Params, Result reflect.Type
	// Timeout is how long a caller waits that says nothing else, waiting in the tab's queue included.
	Timeout time.Duration
	// OnPage is true for actions on a tab's page: they take tabId, belong to a session and wait
	// their turn in the tab's queue.
	OnPage bool
	// Bypass is true for actions that never wait in a tab's queue, since they end what holds it up.
	Bypass bool
	// Reads is true for actions that leave the page as it was.
	Reads bool
	// Extended is true for actions beyond plain version 4.
	Extended bool
}

func method[P Action, R Result](t ActionType, timeout time.Duration, flags ...func(*Method)) Method {
	m := Method{Type: t, Params: reflect.TypeFor[P](), Result: reflect.TypeFor[R](), Timeout: timeout}
	for _, f := range flags {
		f(&m)
	}
	return m
}

func onPage(m *Method)   { m.OnPage = true }
func bypass(m *Method)   { m.Bypass = true }
func reads(m *Method)    { m.Reads = true }
func extended(m *Method) { m.Extended = true }

// Methods is the one table of actions. Dispatch, the MCP tool, the command line, the reference
// page and the TypeScript types range over it.
var Methods = []Method{
	method[OpenTab, OpenTabResult]("open_tab", 30*time.Second),
	method[Navigate, NavigateResult]("navigate", 30*time.Second, onPage),
	method[CloseTab, CloseTabResult]("close_tab", 5*time.Second),
	method[ActivateTab, ActivateTabResult]("activate_tab", 5*time.Second, extended),
	method[ListTabs, ListTabsResult]("list_tabs", 5*time.Second, reads),
	method[AttachTab, AttachTabResult]("attach_tab", 5*time.Second, extended),
	method[Click, ClickResult]("click", 15*time.Second, onPage),
	method[Hover, HoverResult]("hover", 15*time.Second, onPage),
	method[Type, TypeResult]("type", 15*time.Second, onPage),
	method[Fill, FillResult]("fill", 15*time.Second, onPage, extended),
	method[Download, DownloadResult]("download", 60*time.Second, reads, extended),
	method[Select, SelectResult]("select", 15*time.Second, onPage),
	method[Press, PressResult]("press", 15*time.Second, onPage),
	method[Scroll, ScrollResult]("scroll", 15*time.Second, onPage),
	method[Mouse, MouseResult]("mouse", 15*time.Second, onPage),
	method[Drag, DragResult]("drag", 15*time.Second, onPage),
	method[Upload, UploadResult]("upload", 60*time.Second, onPage),
	method[WaitFor, WaitForResult]("wait_for", 30*time.Second, onPage, reads),
	method[Extract, ExtractResult]("extract", 30*time.Second, onPage, reads),
	method[Snapshot, SnapshotResult]("snapshot", 30*time.Second, onPage, reads),
	method[Find, FindResult]("find", 15*time.Second, onPage, reads, extended),
	method[Get, GetResult]("get", 15*time.Second, onPage, reads),
	method[Evaluate, EvaluateResult]("evaluate", 15*time.Second, onPage),
	method[Screenshot, ScreenshotResult]("screenshot", 30*time.Second, onPage, reads),
	method[PDF, PDFResult]("pdf", 60*time.Second, onPage, reads),
	method[Dialog, DialogResult]("dialog", 5*time.Second, onPage, bypass, extended),
	method[Console, ConsoleResult]("console", 15*time.Second, onPage, reads, extended),
	method[Network, NetworkResult]("network", 15*time.Second, onPage, reads, extended),
	method[Handoff, HandoffResult]("handoff", 45*time.Second+TimeoutSlack, onPage, bypass, extended),
	method[Session, SessionResult]("session", 5*time.Second, extended),
}

// TimeoutSlack is what an action that waits by itself gets on top, to answer in time.
const TimeoutSlack = 5 * time.Second

// timeoutPerCharacter is what type and fill get on top, for each character.
const timeoutPerCharacter = 5 * time.Millisecond

// MethodOf returns the table's row for an action type.
func MethodOf(t ActionType) (Method, bool) {
	i := slices.IndexFunc(Methods, func(m Method) bool { return m.Type == t })
	if i < 0 {
		return Method{}, false
	}
	return Methods[i], true
}

// TypeOf returns an action's tag, "" for nil.
func TypeOf(a Action) ActionType { return ActionType(Actions.Tag(a)) }

// DefaultTimeout is how long a caller waits for a that says nothing else.
func DefaultTimeout(a Action) time.Duration {
	m, _ := MethodOf(TypeOf(a))
	switch a := a.(type) {
	case Type:
		return m.Timeout + textTimeout(a.Text)
	case Fill:
		return m.Timeout + textTimeout(a.Text)
	case WaitFor:
		if a.TimeoutMS > 0 {
			return min(time.Duration(a.TimeoutMS)*time.Millisecond+TimeoutSlack, MaxTimeout)
		}
		return max(m.Timeout, time.Duration(a.MS)*time.Millisecond) + TimeoutSlack
	case Session:
		if a.Op == "create" { // it opens a tab
			open, _ := MethodOf("open_tab")
			return open.Timeout
		}
	}
	return m.Timeout
}

func textTimeout(text *string) time.Duration {
	if text == nil {
		return 0
	}
	return time.Duration(utf8.RuneCountInString(*text)) * timeoutPerCharacter
}

// TabOf returns the tab that an action names, 0 if it names none.
func TabOf(a Action) int64 {
	if t, ok := a.(interface{ Tab() int64 }); ok {
		return t.Tab()
	}
	return 0
}

// Rule says which of some members an object must have, beyond what a struct can say. It is part
// of the schema itself, and so holds on both sides.
type Rule struct {
	// OneOf names members of which exactly one must be there; AtMost1 allows none as well.
	OneOf   []string
	AtMost1 bool
}

var exactTarget = Rule{OneOf: []string{"uid", "selector"}}

var maybeTarget = Rule{OneOf: []string{"uid", "selector"}, AtMost1: true}

var textOrSecret = Rule{OneOf: []string{"text", "secret"}}

// Constraints holds the rules of each struct that has any.
var Constraints = map[reflect.Type][]Rule{
	reflect.TypeFor[Target]():     {exactTarget},
	reflect.TypeFor[Click]():      {exactTarget},
	reflect.TypeFor[Hover]():      {exactTarget},
	reflect.TypeFor[Select]():     {exactTarget},
	reflect.TypeFor[Upload]():     {exactTarget},
	reflect.TypeFor[Type]():       {exactTarget, textOrSecret},
	reflect.TypeFor[Fill]():       {exactTarget, textOrSecret},
	reflect.TypeFor[Press]():      {maybeTarget},
	reflect.TypeFor[Get]():        {maybeTarget},
	reflect.TypeFor[Screenshot](): {maybeTarget},
	reflect.TypeFor[Scroll]():     {maybeTarget, {OneOf: []string{"direction", "to"}}},
	reflect.TypeFor[Navigate]():   {{OneOf: []string{"url", "to"}}},
	reflect.TypeFor[Drag]():       {{OneOf: []string{"to", "point"}}},
	reflect.TypeFor[WaitFor]():    {{OneOf: []string{"uid", "selector", "text", "textGone", "url", "load", "ms"}}},
	reflect.TypeFor[Response]():   {{OneOf: []string{"result", "error"}}},
}

// Enums holds the values of each named string type that has a closed set of them.
var Enums = map[reflect.Type][]string{
	reflect.TypeFor[Button]():     {"left", "middle", "right"},
	reflect.TypeFor[Modifier]():   {"Alt", "Control", "Meta", "Shift"},
	reflect.TypeFor[Outcome]():    names(Outcomes),
	reflect.TypeFor[Retryable]():  names(Retryables),
	reflect.TypeFor[EndReason]():  names(EndReasons),
	reflect.TypeFor[NoticeKind](): names([]NoticeKind{NoticeEvent, NoticeConnected, NoticeDisconnected}),
	reflect.TypeFor[AuditKind]():  names([]AuditKind{AuditIntent, AuditOutcome, AuditEvent, AuditPaired, AuditRules, AuditMinted, AuditRevoked, AuditSecret, AuditRenamed}),
}

func names[S ~string](values []S) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

func variant[T any](tag string) Variant { return Variant{Tag: tag, Type: reflect.TypeFor[T]()} }

func extendedVariant[T any](tag string) Variant {
	return Variant{Tag: tag, Type: reflect.TypeFor[T](), Extended: true}
}

// Actions is the union of actions, tagged by type.
var Actions = newUnion[Action]("type", func() (vs []Variant) {
	for _, m := range Methods {
		vs = append(vs, Variant{Tag: string(m.Type), Type: m.Params, Extended: m.Extended})
	}
	return vs
}())

// Events is the union of events, tagged by type.
var Events = newUnion[Event]("type", []Variant{
	variant[SessionStarted]("session_started"),
	variant[SessionEnded]("session_ended"),
	variant[DomainBlocked]("domain_blocked"),
	variant[GlobalStop]("global_stop"),
	extendedVariant[ObstacleMet]("obstacle"),
	extendedVariant[HandoffDone]("handoff_done"),
	extendedVariant[DialogOpened]("dialog_opened"),
	extendedVariant[DownloadChanged]("download"),
	extendedVariant[TabOpened]("tab_opened"),
})

// Frames is the union of the bridge dialect's frames, tagged by type.
var Frames = newUnion[Frame]("type", []Variant{
	variant[Hello]("hello"),
	variant[Ack]("ack"),
	variant[Reject]("reject"),
	extendedVariant[State]("state"),
	variant[Request]("request"),
	variant[Response]("response"),
	variant[EventFrame]("event"),
	extendedVariant[Ping]("ping"),
	extendedVariant[Pong]("pong"),
	extendedVariant[Cancel]("cancel"),
	extendedVariant[Policy]("policy"),
	extendedVariant[Chunk]("chunk"),
})

// AnyAction carries an Action as a struct field.
type AnyAction struct{ Action }

// MarshalJSON writes the action with its tag.
func (a AnyAction) MarshalJSON() ([]byte, error) { return Actions.Marshal(a.Action) }

// UnmarshalJSON validates and reads a tagged action; an error is an *Error of code invalid_action.
func (a *AnyAction) UnmarshalJSON(b []byte) (err error) {
	a.Action, err = DecodeAction(b)
	return err
}

// AnyEvent carries an Event as a struct field. Event is nil for a type that this version does
// not know, which is no error: it is logged and ignored.
type AnyEvent struct{ Event }

// AnyEvents wraps events for a JSON document; nil stays nil.
func AnyEvents(events []Event) []AnyEvent {
	var all []AnyEvent
	for _, e := range events {
		all = append(all, AnyEvent{Event: e})
	}
	return all
}

// MarshalJSON writes the event with its tag.
func (e AnyEvent) MarshalJSON() ([]byte, error) { return Events.Marshal(e.Event) }

// UnmarshalJSON validates and reads a tagged event.
func (e *AnyEvent) UnmarshalJSON(b []byte) (err error) {
	e.Event, err = decodeEvent(b)
	return err
}
