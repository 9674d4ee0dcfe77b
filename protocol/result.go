package protocol

import "encoding/json"

// Result is what an action gave: the structs of this file, one for each action (Methods).
type Result interface{ isResult() }

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
	// Where the browser saved it: in place of data, where onDisk asked for that.
	Path string `json:"path,omitempty"`
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
	// It has more content than before: scrolling made it load more.
	Grew bool `json:"grew,omitempty"`
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
	Changed
	Elements []Element `json:"elements"`
	// How many matched, shown or not.
	Total int `json:"total"`
}

// GetResult is get's: value, or box for what=box.
type GetResult struct {
	Changed
	Value *string `json:"value,omitempty"`
	Box   *Box    `json:"box,omitempty"`
}

// EvaluateResult is evaluate's.
type EvaluateResult struct {
	Changed
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
	Changed
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
	Changed
	// The document, base64.
	Data     string `json:"data"`
	MimeType string `json:"mimeType"`
}

// DialogResult is dialog's.
type DialogResult struct {
	Changed
	OK bool `json:"ok"`
}

// ConsoleResult is console's.
type ConsoleResult struct {
	Changed
	OK      bool           `json:"ok"`
	Entries []ConsoleEntry `json:"entries,omitempty"`
}

// NetworkResult is network's.
type NetworkResult struct {
	Changed
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
