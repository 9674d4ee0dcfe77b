package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/drawbridge-browser/drawbridge/internal/render"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// bytesPerToken turns a budget of tokens into the bytes that a browser is asked for.
const bytesPerToken = 4

// lookTokens is how much of the page an open_tab or navigate brings along.
const lookTokens = 600

// tool is the browser tool of one agent.
type tool struct {
	// fixed at creation
	desk       Desk
	tokens     int
	structured bool
	rests      *shelf
}

func newTool(desk Desk, o Options) *tool {
	return &tool{desk: desk, tokens: o.Tokens, structured: o.Structured, rests: newShelf()}
}

// call performs one tools/call, whose input read understands. Whatever goes wrong with the action is an
// answer for the model, never an error of the protocol.
func (t *tool) call(ctx context.Context, arguments json.RawMessage, read func(json.RawMessage) (input, error)) Said {
	in, err := read(arguments)
	if err != nil {
		return t.failed(nil, err, nil)
	}
	if in.more != "" {
		return t.more(ctx, in.more)
	}
	return t.act(ctx, in.call)
}

// act performs one action and writes its answer.
func (t *tool) act(ctx context.Context, call Call) Said {
	sized, tokens := t.sized(call.Action)
	reply, err := t.desk.Act(ctx, Call{Action: sized, Browser: call.Browser})
	if err != nil {
		return t.failed(call.Action, err, reply.Events)
	}
	told := &structured{Result: lean(reply.Result)}
	answer := render.Result(call.Action, reply.Result)
	from := answer.More
	if look, ok := lookAfter(call.Action, reply.Result); ok {
		// Not being able to look is no fault of the action: the model sees no refs and takes a snapshot.
		if seen, err := t.desk.Act(ctx, Call{Action: look, Browser: call.Browser}); err == nil {
			if snapshot, ok := seen.Result.(protocol.SnapshotResult); ok {
				answer.Page, from = render.Result(look, snapshot).Page, snapshot.Next
				told.Page = &snapshot
				call.Action = look
			}
			reply.Events = append(reply.Events, seen.Events...)
		}
	}
	answer.More = ""
	if from != "" {
		answer.More = t.rests.put(rest{next: &Call{Action: continued(call.Action, from), Browser: call.Browser}})
	}
	told.More, told.Events = answer.More, protocol.AnyEvents(reply.Events)
	return t.with(told, t.answered(answer, tokens, reply.Events))
}

// more goes on with an earlier answer.
func (t *tool) more(ctx context.Context, word string) Said {
	kept, ok := t.rests.get(word)
	if !ok {
		return t.failed(nil, invalid("nothing is kept under more %q: it is too old, or was never given; make the call again", word), nil)
	}
	if kept.next != nil {
		return t.act(ctx, *kept.next)
	}
	return t.answered(kept.cut, t.tokens, nil)
}

// answered cuts an answer to the budget and keeps the rest.
func (t *tool) answered(answer render.Answer, tokens int, events []protocol.Event) Said {
	if short, cut, ok := answer.Cut(tokens); ok {
		short.More = t.rests.put(rest{cut: cut})
		answer = short
	}
	return Said{Text: withEvents(answer, events), File: answer.Attachment}
}

func (t *tool) failed(action protocol.Action, err error, events []protocol.Event) Said {
	known := asProtocol(err).Complete()
	said := Said{Text: withEvents(render.Failure(action, known), events), Failed: true}
	return t.with(&structured{Error: known, Events: protocol.AnyEvents(events)}, said)
}

// Said is what a model hears of its call.
type Said struct {
	// Text is for the model, errors too: what happened, and what to do next.
	Text string
	// File is the picture or the file that came of the call; nil for none.
	File *render.Attachment
	// Failed tells that the action failed.
	Failed bool

	structured *structured // what the text was written from; nil where nobody asked for it
}

// result is what was said in MCP's form.
func (s Said) result() *mcp.CallToolResult {
	result := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s.Text}}, IsError: s.Failed}
	if s.File != nil {
		result.Content = append(result.Content, attached(*s.File))
	}
	if s.structured != nil {
		result.StructuredContent = s.structured
	}
	return result
}

func withEvents(answer render.Answer, events []protocol.Event) string {
	return strings.Join(append([]string{answer.String()}, render.Events(events)...), "\n")
}

func attached(file render.Attachment) mcp.Content {
	if strings.HasPrefix(file.MIMEType, "image/") {
		return &mcp.ImageContent{Data: file.Data, MIMEType: file.MIMEType}
	}
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{
		URI: "drawbridge:///" + file.Name, MIMEType: file.MIMEType, Blob: file.Data,
	}}
}

// sized asks for no more than an answer can show, unless the model said how much it wants,
// and returns the budget of the answer.
func (t *tool) sized(action protocol.Action) (protocol.Action, int) {
	tokens := t.tokens
	switch a := action.(type) {
	case protocol.Extract:
		if len(a.Parts) == 0 {
			a.Parts = []string{"markdown", "elements"} // text says the same as markdown
		}
		if a.MaxBytes == 0 {
			a.MaxBytes = tokens * bytesPerToken * 3 / 4 // the refs want their part
		} else {
			tokens = max(tokens, 2*a.MaxBytes/bytesPerToken)
		}
		return a, tokens
	case protocol.Snapshot:
		if a.MaxBytes == 0 {
			a.MaxBytes = tokens * bytesPerToken
		} else {
			tokens = max(tokens, 2*a.MaxBytes/bytesPerToken)
		}
		return a, tokens
	}
	return action, tokens
}

// continued is the same look at a page, from where the last answer ended.
func continued(action protocol.Action, from string) protocol.Action {
	switch a := action.(type) {
	case protocol.Extract:
		a.From = from
		return a
	case protocol.Snapshot:
		a.From = from
		return a
	}
	return action
}

// lookAfter is the look at a page that has just been loaded: most models take it next anyway.
func lookAfter(action protocol.Action, result protocol.Result) (protocol.Action, bool) {
	look := protocol.Snapshot{Interactive: true, Compact: true, MaxBytes: lookTokens * bytesPerToken}
	switch r := result.(type) {
	case protocol.OpenTabResult:
		look.TabID = r.TabID
	case protocol.NavigateResult:
		if r.Download != nil {
			return nil, false
		}
		look.TabID = protocol.TabOf(action)
	default:
		return nil, false
	}
	return look, true
}

// asProtocol makes an error that a model can read of any.
func asProtocol(err error) *protocol.Error {
	var known *protocol.Error
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, context.Canceled):
		return protocol.Errorf(protocol.CodeCancelled, "the call was cancelled").WithOutcome(protocol.Unknown)
	case errors.Is(err, context.DeadlineExceeded):
		return protocol.Errorf(protocol.CodeTimeout, "no answer in time").WithOutcome(protocol.Unknown)
	}
	return protocol.Errorf(protocol.CodeInternal, "%v", err).WithOutcome(protocol.Unknown)
}
