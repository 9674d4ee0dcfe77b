package protocol

import "encoding/json"

// Result is what an action gave: the structs of this file, one for each action (Methods).
type Result interface{ isResult() }

// Noted is what any result may carry besides.
type Noted struct {
	// What the agent should know of what happened on the way, one sentence each.
	Notes []string `json:"notes,omitempty" jsonschema:"maxItems=20"`
}

// Changed is what an action brought about, each field only if it happened.
type Changed struct {
	Noted
	// The tab's new address.
	URL string `json:"url,omitempty"`
	// The tab's new title.
	Title string `json:"title,omitempty"`
	// The dialog that opened.
	Dialog *DialogInfo `json:"dialog,omitempty"`
	// The tab that opened.
	TabOpened *TabInfo `json:"tabOpened,omitempty"`
	// The download that began.
	Download *DownloadInfo `json:"download,omitempty"`
	// The element that now has the focus.
	Focus *Element `json:"focus,omitempty"`
	// Interactive elements that appeared.
	Appeared []Element `json:"appeared,omitempty"`
	// Interactive elements that changed name, value or state.
	Altered []Element `json:"altered,omitempty"`
	// The uids of interactive elements that are gone.
	Gone []string `json:"gone,omitempty"`
	// More changed than the budget let through.
	Partial bool `json:"partial,omitempty"`
	// The page had not come to rest when the result left.
	StillLoading bool `json:"stillLoading,omitempty"`
}

// DialogInfo describes an open dialog.
type DialogInfo struct {
	// What kind of dialog.
	Kind string `json:"kind" jsonschema:"enum=alert,enum=confirm,enum=prompt,enum=beforeunload"`
	// What it says.
	Message string `json:"message"`
	// What a prompt is filled with.
	Default string `json:"default,omitempty"`
}

// DownloadInfo describes a download.
type DownloadInfo struct {
	// Its id, for the download action.
	ID int64 `json:"id"`
	// The file's name.
	Name string `json:"name"`
	// How far it is.
	State string `json:"state" jsonschema:"enum=in_progress,enum=complete,enum=interrupted,enum=dangerous,enum=blocked,enum=waiting"`
}

// Element is one interactive element, as told to an agent.
type Element struct {
	// Its uid, for the next action.
	UID string `json:"uid" jsonschema:"pattern=^e[0-9]+$,maxLength=16"`
	// Its role.
	Role string `json:"role"`
	// Its accessible name.
	Name string `json:"name,omitempty"`
	// Its value; never of a password field.
	Value string `json:"value,omitempty"`
	// Whether it is in view. Absent: true.
	Visible *bool `json:"visible,omitempty"`
	// Its states, such as checked, disabled, expanded, required, focused.
	States []string `json:"states,omitempty"`
}

// OpenTabResult is open_tab's.
type OpenTabResult struct {
	Noted
	OK bool `json:"ok"`
	// The new tab.
	TabID int64  `json:"tabId"`
	URL   string `json:"url"`
	Title string `json:"title"`
	// The document had not finished loading when the result left.
	StillLoading bool `json:"stillLoading,omitempty"`
}

// NavigateResult is navigate's.
type NavigateResult struct {
	Noted
	OK    bool   `json:"ok"`
	URL   string `json:"url"`
	Title string `json:"title"`
	// The download that the address turned out to be; the page stayed.
	Download *DownloadInfo `json:"download,omitempty"`
	// The document had not finished loading when the result left.
	StillLoading bool `json:"stillLoading,omitempty"`
}

// CloseTabResult is close_tab's.
type CloseTabResult struct {
	Noted
	OK bool `json:"ok"`
}

// ActivateTabResult is activate_tab's.
type ActivateTabResult struct {
	Noted
	OK bool `json:"ok"`
}

// ListTabsResult is list_tabs'.
type ListTabsResult struct {
	Noted
	Tabs []TabInfo `json:"tabs"`
}

// AttachTabResult is attach_tab's.
type AttachTabResult struct {
	Noted
	OK    bool   `json:"ok"`
	TabID int64  `json:"tabId"`
	URL   string `json:"url"`
	Title string `json:"title"`
}

// ClickResult is click's.
type ClickResult struct {
	Changed
	OK bool `json:"ok"`
}

// HoverResult is hover's.
type HoverResult struct {
	Changed
	OK bool `json:"ok"`
}

// TypeResult is type's.
type TypeResult struct {
	Changed
	OK bool `json:"ok"`
	// The value read back; absent for password fields.
	Value *string `json:"value,omitempty"`
}

// FillResult is fill's.
type FillResult struct {
	Changed
	OK bool `json:"ok"`
	// The value read back; absent for password fields.
	Value *string `json:"value,omitempty"`
}

// DownloadResult is download's.
type DownloadResult struct {
	Noted
	Name     string `json:"name"`
	MimeType string `json:"mimeType"`
	// Bytes of the whole file.
	Size  int64  `json:"size"`
	State string `json:"state"`
	// The bytes, base64, from the action's from.
	Data string `json:"data"`
	// Where the rest begins, if there is more.
	Next int64 `json:"next,omitempty"`
}

// SelectResult is select's.
type SelectResult struct {
	Changed
	OK bool `json:"ok"`
	// The labels that are now selected.
	Selected []string `json:"selected"`
}

// PressResult is press's.
type PressResult struct {
	Changed
	OK bool `json:"ok"`
}

// ScrollResult is scroll's.
type ScrollResult struct {
	Changed
	OK bool `json:"ok"`
	// How far the container is scrolled to the right, in CSS pixels.
	X float64 `json:"x"`
	// How far it is scrolled down, in CSS pixels.
	Y float64 `json:"y"`
	// It cannot be scrolled further that way.
	AtEnd bool `json:"atEnd"`
}

// MouseResult is mouse's.
type MouseResult struct {
	Changed
	OK bool `json:"ok"`
}

// DragResult is drag's.
type DragResult struct {
	Changed
	OK bool `json:"ok"`
}

// UploadedFile is a file as the page has it.
type UploadedFile struct {
	Name string `json:"name"`
	// In bytes.
	Size int64 `json:"size"`
}

// UploadResult is upload's.
type UploadResult struct {
	Changed
	OK    bool           `json:"ok"`
	Files []UploadedFile `json:"files"`
}

// WaitForResult is wait_for's.
type WaitForResult struct {
	Changed
	OK bool `json:"ok"`
	// How long it took, in milliseconds.
	WaitedMS int64 `json:"waitedMs"`
}

// ExtractResult is extract's.
type ExtractResult struct {
	Noted
	// What the page says, for verbatim quotes, at most 50 KB.
	Text string `json:"text"`
	// The page as Markdown, at most 30 KB. Read this first.
	Markdown string `json:"markdown"`
	// What can be acted on, in document order, at most 200.
	Elements []Element `json:"elements"`
	// What keeps the agent from the page.
	Obstacle *Obstacle `json:"obstacle,omitempty"`
	URL      string    `json:"url"`
	Title    string    `json:"title"`
	// Something was cut; next says where to go on.
	Truncated bool `json:"truncated,omitempty"`
	// How many pieces were left out because no person can see them.
	HiddenDropped int `json:"hiddenDropped,omitempty"`
	// Where to go on: the next call's from.
	Next string `json:"next,omitempty"`
}

// Obstacle is what keeps an agent from a page.
type Obstacle struct {
	Type string `json:"type" jsonschema:"enum=auth_wall,enum=captcha,enum=access_denied"`
	// high is final for the agent's plan; low is a hint.
	Confidence string `json:"confidence" jsonschema:"enum=low,enum=high"`
	// Why, for people.
	Message string `json:"message"`
}

// Ref is one entry of a snapshot's refs.
type Ref struct {
	Ref  string `json:"ref" jsonschema:"pattern=^e[0-9]+$,maxLength=16"`
	Role string `json:"role"`
	Name string `json:"name,omitempty"`
	// Which of those of the same role and name, from 0, where there are several.
	Nth int `json:"nth,omitempty"`
}

// Viewport is what of the page is in view.
type Viewport struct {
	// In CSS pixels.
	Width float64 `json:"width"`
	// In CSS pixels.
	Height float64 `json:"height"`
	// How far the page is scrolled, in CSS pixels.
	ScrollX float64 `json:"scrollX,omitempty"`
	// How far the page is scrolled, in CSS pixels.
	ScrollY float64 `json:"scrollY,omitempty"`
}

// SnapshotResult is snapshot's.
type SnapshotResult struct {
	Noted
	// The tree as indented text.
	Snapshot string `json:"snapshot"`
	// What the refs in it stand for.
	Refs map[string]Ref `json:"refs"`
	// The origin of the page.
	Origin   string   `json:"origin"`
	Viewport Viewport `json:"viewport"`
	// How many elements the whole page has that can be acted on.
	Elements int    `json:"elements"`
	URL      string `json:"url,omitempty"`
	Title    string `json:"title,omitempty"`
	// Names this snapshot, for since.
	ID string `json:"id,omitempty"`
	// Where to go on: the next call's from.
	Next string `json:"next,omitempty"`
	// How many pieces were left out because no person can see them.
	HiddenDropped int `json:"hiddenDropped,omitempty"`
}

// FindResult is find's.
type FindResult struct {
	Noted
	Elements []Element `json:"elements"`
	// How many matched, shown or not.
	Total int `json:"total"`
}

// Box is a rectangle in the viewport, in CSS pixels.
type Box struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// GetResult is get's: value, or box for what=box.
type GetResult struct {
	Noted
	Value *string `json:"value,omitempty"`
	Box   *Box    `json:"box,omitempty"`
}

// EvaluateResult is evaluate's.
type EvaluateResult struct {
	Noted
	// JavaScript's type of the value, or the class of an object that has no JSON form.
	Type string `json:"type"`
	// The value, if it has a JSON form of at most 8 KB.
	Value json.RawMessage `json:"value,omitempty"`
	// What it is, if it has no JSON form.
	Description string `json:"description,omitempty"`
	// The value was larger than 8 KB.
	Truncated bool `json:"truncated,omitempty"`
	// Its beginning, then "…[truncated N chars]".
	Preview string `json:"preview,omitempty"`
}

// ScreenshotResult is screenshot's.
type ScreenshotResult struct {
	Noted
	// The picture, base64.
	Data     string `json:"data"`
	MimeType string `json:"mimeType"`
	// Of the picture, in its own pixels.
	Width int `json:"width"`
	// Of the picture, in its own pixels.
	Height int `json:"height"`
	// Picture pixels for one CSS pixel. Absent: 1.
	Scale float64 `json:"scale,omitempty"`
}

// PDFResult is pdf's.
type PDFResult struct {
	Noted
	// The document, base64.
	Data     string `json:"data"`
	MimeType string `json:"mimeType"`
}

// DialogResult is dialog's.
type DialogResult struct {
	Changed
	OK bool `json:"ok"`
}

// ConsoleEntry is one line that the page logged.
type ConsoleEntry struct {
	Level string `json:"level"`
	Text  string `json:"text"`
	// Epoch milliseconds.
	At int64 `json:"at"`
	// Address and line that logged it.
	Source string `json:"source,omitempty"`
}

// ConsoleResult is console's.
type ConsoleResult struct {
	Noted
	OK      bool           `json:"ok"`
	Entries []ConsoleEntry `json:"entries,omitempty"`
}

// NetworkEntry is one request of the page.
type NetworkEntry struct {
	RequestID string `json:"requestId"`
	Method    string `json:"method"`
	URL       string `json:"url"`
	// HTTP status; absent while none came.
	Status int `json:"status,omitempty"`
	// What the page asked for it as: document, script, xhr, …
	Kind string `json:"kind,omitempty"`
	// Milliseconds from request to end.
	DurationMS float64 `json:"durationMs,omitempty"`
	// Why it failed.
	Error string `json:"error,omitempty"`
	// Headers, with Cookie, Authorization and Set-Cookie masked; for op=detail.
	RequestHeaders map[string]string `json:"requestHeaders,omitempty"`
	// Headers, masked likewise; for op=detail.
	ResponseHeaders map[string]string `json:"responseHeaders,omitempty"`
	// The body as text, cut at 64 KB; for op=detail.
	Body string `json:"body,omitempty"`
}

// NetworkResult is network's.
type NetworkResult struct {
	Noted
	OK      bool           `json:"ok"`
	Entries []NetworkEntry `json:"entries,omitempty"`
}

// HandoffResult is handoff's.
type HandoffResult struct {
	Noted
	// waiting: 45 s passed, call again to go on waiting.
	State string `json:"state" jsonschema:"enum=waiting,enum=done,enum=gone,enum=refused"`
}

// SessionResult is session's.
type SessionResult struct {
	Noted
	OK bool `json:"ok"`
	// The sessions that the operation is about; all of the caller's for list.
	Sessions []SessionInfo `json:"sessions,omitempty"`
	// Tabs that were closed.
	ClosedTabIDs []int64 `json:"closedTabIds,omitempty"`
}

func (OpenTabResult) isResult()     {}
func (NavigateResult) isResult()    {}
func (CloseTabResult) isResult()    {}
func (ActivateTabResult) isResult() {}
func (ListTabsResult) isResult()    {}
func (AttachTabResult) isResult()   {}
func (ClickResult) isResult()       {}
func (HoverResult) isResult()       {}
func (TypeResult) isResult()        {}
func (FillResult) isResult()        {}
func (DownloadResult) isResult()    {}
func (SelectResult) isResult()      {}
func (PressResult) isResult()       {}
func (ScrollResult) isResult()      {}
func (MouseResult) isResult()       {}
func (DragResult) isResult()        {}
func (UploadResult) isResult()      {}
func (WaitForResult) isResult()     {}
func (ExtractResult) isResult()     {}
func (SnapshotResult) isResult()    {}
func (FindResult) isResult()        {}
func (GetResult) isResult()         {}
func (EvaluateResult) isResult()    {}
func (ScreenshotResult) isResult()  {}
func (PDFResult) isResult()         {}
func (DialogResult) isResult()      {}
func (ConsoleResult) isResult()     {}
func (NetworkResult) isResult()     {}
func (HandoffResult) isResult()     {}
func (SessionResult) isResult()     {}
