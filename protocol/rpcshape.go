package protocol

import "encoding/json"

// RPCNothing is the params of methods that take none.
type RPCNothing struct{}

// RPCInSession is the params of methods that take a session only.
type RPCInSession struct {
	SessionID string `json:"sessionId" jsonschema:"maxLength=256"`
}

// RPCSessionsCreate makes a session: one tab group.
type RPCSessionsCreate struct {
	// An address to open in it. Default about:blank.
	URL   string `json:"url,omitempty" jsonschema:"maxLength=65536"`
	Title string `json:"title,omitempty" jsonschema:"maxLength=256"`
	// The tab group's colour.
	Color string `json:"color,omitempty" jsonschema:"enum=grey,enum=blue,enum=red,enum=yellow,enum=green,enum=pink,enum=purple,enum=cyan,enum=orange"`
	// Out of the user's sight: in the agent window. Default true.
	Background *bool `json:"background,omitempty"`
}

// RPCSessionsAttachCurrent makes a session of the user's active tab.
type RPCSessionsAttachCurrent struct {
	Title string `json:"title,omitempty" jsonschema:"maxLength=256"`
	// The tab group's colour.
	Color string `json:"color,omitempty" jsonschema:"enum=grey,enum=blue,enum=red,enum=yellow,enum=green,enum=pink,enum=purple,enum=cyan,enum=orange"`
}

// RPCSessionsRename gives a session another title.
type RPCSessionsRename struct {
	SessionID string `json:"sessionId" jsonschema:"maxLength=256"`
	Title     string `json:"title" jsonschema:"maxLength=256"`
}

// RPCTabsOpen opens a tab in a session.
type RPCTabsOpen struct {
	SessionID string `json:"sessionId" jsonschema:"maxLength=256"`
	URL       string `json:"url" jsonschema:"maxLength=65536"`
	// Show it in its window. Default false.
	Active bool `json:"active,omitempty"`
}

// RPCTabsSearch looks for tabs by title and address.
type RPCTabsSearch struct {
	// A part of the title or address, in any case.
	Query string `json:"query,omitempty" jsonschema:"maxLength=1024"`
	// Only those that their window shows.
	ActiveOnly bool `json:"activeOnly,omitempty"`
	// At most this many.
	Limit int `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000"`
}

// RPCTabOfSession names a tab and the session that it belongs to, or shall.
type RPCTabOfSession struct {
	SessionID string `json:"sessionId" jsonschema:"maxLength=256"`
	TabID     int64  `json:"tabId" jsonschema:"minimum=1,maximum=9007199254740991"`
}

// RPCPagesSnapshot asks for the current tab's accessibility tree.
type RPCPagesSnapshot struct {
	SessionID   string `json:"sessionId" jsonschema:"maxLength=256"`
	Interactive bool   `json:"interactive,omitempty"`
	Compact     bool   `json:"compact,omitempty"`
	Cursor      bool   `json:"cursor,omitempty"`
	URLs        bool   `json:"urls,omitempty"`
	Depth       int    `json:"depth,omitempty" jsonschema:"minimum=1,maximum=1000"`
	Selector    string `json:"selector,omitempty" jsonschema:"maxLength=4096"`
}

// RPCPagesRef names an element of the current tab.
type RPCPagesRef struct {
	SessionID string `json:"sessionId" jsonschema:"maxLength=256"`
	Ref       string `json:"ref" jsonschema:"pattern=^e[0-9]+$,maxLength=16"`
}

// RPCPagesText gives text to an element.
type RPCPagesText struct {
	SessionID string `json:"sessionId" jsonschema:"maxLength=256"`
	Ref       string `json:"ref" jsonschema:"pattern=^e[0-9]+$,maxLength=16"`
	Text      string `json:"text" jsonschema:"maxLength=1000000"`
}

// RPCPagesSelect chooses one option, by value or visible label.
type RPCPagesSelect struct {
	SessionID string `json:"sessionId" jsonschema:"maxLength=256"`
	Ref       string `json:"ref" jsonschema:"pattern=^e[0-9]+$,maxLength=16"`
	Value     string `json:"value" jsonschema:"maxLength=65536"`
}

// RPCPagesPress presses a key or a combination.
type RPCPagesPress struct {
	SessionID string `json:"sessionId" jsonschema:"maxLength=256"`
	Key       string `json:"key" jsonschema:"minLength=1,maxLength=64"`
}

// RPCPagesScroll scrolls the page.
type RPCPagesScroll struct {
	SessionID string `json:"sessionId" jsonschema:"maxLength=256"`
	Direction string `json:"direction" jsonschema:"enum=up,enum=down"`
	// CSS pixels.
	Pixels int `json:"pixels" jsonschema:"minimum=1,maximum=1000000"`
}

// RPCPagesMouse dispatches one mouse event.
type RPCPagesMouse struct {
	SessionID string `json:"sessionId" jsonschema:"maxLength=256"`
	Action    string `json:"action" jsonschema:"enum=move,enum=down,enum=up,enum=wheel"`
	// CSS pixels of the viewport.
	X *float64 `json:"x,omitempty" jsonschema:"minimum=0,maximum=1000000"`
	// CSS pixels of the viewport.
	Y      *float64 `json:"y,omitempty" jsonschema:"minimum=0,maximum=1000000"`
	Button Button   `json:"button,omitempty"`
	// CSS pixels.
	DeltaX float64 `json:"deltaX,omitempty" jsonschema:"minimum=-1000000,maximum=1000000"`
	// CSS pixels.
	DeltaY float64 `json:"deltaY,omitempty" jsonschema:"minimum=-1000000,maximum=1000000"`
}

// RPCPagesGet reads one thing of the page or of an element.
type RPCPagesGet struct {
	SessionID string `json:"sessionId" jsonschema:"maxLength=256"`
	What      string `json:"what" jsonschema:"enum=text,enum=value,enum=html,enum=title,enum=url,enum=box"`
	Ref       string `json:"ref,omitempty" jsonschema:"pattern=^e[0-9]+$,maxLength=16"`
}

// RPCPagesScreenshot takes a picture.
type RPCPagesScreenshot struct {
	SessionID string `json:"sessionId" jsonschema:"maxLength=256"`
	FullPage  bool   `json:"fullPage,omitempty"`
	Format    string `json:"format,omitempty" jsonschema:"enum=png,enum=jpeg,enum=webp"`
	Quality   int    `json:"quality,omitempty" jsonschema:"minimum=1,maximum=100"`
}

// RPCPagesWait waits for a time or a state of loading.
type RPCPagesWait struct {
	SessionID string `json:"sessionId" jsonschema:"maxLength=256"`
	MS        int    `json:"ms,omitempty" jsonschema:"minimum=1,maximum=600000"`
	Load      string `json:"load,omitempty" jsonschema:"enum=load,enum=domcontentloaded,enum=networkidle"`
}

// RPCPagesEval runs a script in the page; its value is that of its last expression.
type RPCPagesEval struct {
	SessionID string `json:"sessionId" jsonschema:"maxLength=256"`
	Script    string `json:"script" jsonschema:"minLength=1,maxLength=1100000"`
	// Wait for the promise that the script gives.
	AwaitPromise bool `json:"awaitPromise,omitempty"`
}

// RPCPagesUpload gives files of the browser's own machine to a file input.
type RPCPagesUpload struct {
	SessionID string `json:"sessionId" jsonschema:"maxLength=256"`
	Ref       string `json:"ref" jsonschema:"pattern=^e[0-9]+$,maxLength=16"`
	// Paths on the browser's machine.
	Files []string `json:"files" jsonschema:"minItems=1,maxItems=50"`
}

// RPCPagesSavePDF prints the page.
type RPCPagesSavePDF struct {
	SessionID   string `json:"sessionId" jsonschema:"maxLength=256"`
	PaperFormat string `json:"paperFormat,omitempty" jsonschema:"enum=a3,enum=a4,enum=a5,enum=letter,enum=legal,enum=tabloid"`
	Landscape   bool   `json:"landscape,omitempty"`
	// A path on the browser's machine. Absent: the bytes are in the result.
	Path string `json:"path,omitempty" jsonschema:"maxLength=4096"`
}

// RPCNetworkDetail names a recorded request.
type RPCNetworkDetail struct {
	SessionID string `json:"sessionId" jsonschema:"maxLength=256"`
	RequestID string `json:"requestId" jsonschema:"minLength=1,maxLength=256"`
}

// RPCTab is a tab.
type RPCTab struct {
	TabID    int64  `json:"tabId"`
	WindowID int64  `json:"windowId,omitempty"`
	GroupID  int64  `json:"groupId,omitempty"`
	URL      string `json:"url,omitempty"`
	Title    string `json:"title,omitempty"`
	// Its window shows it.
	Active bool `json:"active,omitempty"`
}

// RPCSession is a session: one Chrome tab group.
type RPCSession struct {
	SessionID  string `json:"sessionId"`
	Title      string `json:"title,omitempty"`
	WindowID   int64  `json:"windowId,omitempty"`
	GroupID    int64  `json:"groupId,omitempty"`
	GroupTitle string `json:"groupTitle,omitempty"`
	Color      string `json:"color,omitempty"`
	// The session's own current tab.
	ActiveTabID int64    `json:"activeTabId,omitempty"`
	Tabs        []RPCTab `json:"tabs"`
}

// RPCSessionsCreateResult is sessions.create's.
type RPCSessionsCreateResult struct {
	Created bool       `json:"created,omitempty"`
	Session RPCSession `json:"session"`
}

// RPCSessionsAttachCurrentResult is sessions.attachCurrent's.
type RPCSessionsAttachCurrentResult struct {
	Attached      bool       `json:"attached,omitempty"`
	Session       RPCSession `json:"session"`
	AttachedTabID int64      `json:"attachedTabId,omitempty"`
}

// RPCSessionsListResult is sessions.list's.
type RPCSessionsListResult struct {
	Sessions []RPCSession `json:"sessions"`
}

// RPCSessionsRenameResult is sessions.rename's.
type RPCSessionsRenameResult struct {
	Renamed bool       `json:"renamed,omitempty"`
	Session RPCSession `json:"session"`
}

// RPCSessionsReleaseResult is sessions.release's.
type RPCSessionsReleaseResult struct {
	Released  bool   `json:"released,omitempty"`
	SessionID string `json:"sessionId,omitempty"`
}

// RPCSessionsCloseResult is sessions.close's.
type RPCSessionsCloseResult struct {
	Closed       bool    `json:"closed,omitempty"`
	SessionID    string  `json:"sessionId,omitempty"`
	ClosedTabIDs []int64 `json:"closedTabIds,omitempty"`
}

// RPCTabsOpenResult is tabs.open's.
type RPCTabsOpenResult struct {
	Opened    bool   `json:"opened,omitempty"`
	SessionID string `json:"sessionId,omitempty"`
	Tab       RPCTab `json:"tab"`
}

// RPCTabsListResult is tabs.list's.
type RPCTabsListResult struct {
	SessionID string   `json:"sessionId,omitempty"`
	Tabs      []RPCTab `json:"tabs"`
}

// RPCTabsUserListResult is tabs.userList's.
type RPCTabsUserListResult struct {
	Tabs []RPCTab `json:"tabs"`
}

// RPCTabsSearchResult is tabs.search's.
type RPCTabsSearchResult struct {
	Query     string   `json:"query,omitempty"`
	Scanned   int      `json:"scanned,omitempty"`
	Total     int      `json:"total,omitempty"`
	Matches   []RPCTab `json:"matches"`
	Truncated bool     `json:"truncated,omitempty"`
}

// RPCTabsAttachResult is tabs.attach's.
type RPCTabsAttachResult struct {
	Attached  bool   `json:"attached,omitempty"`
	SessionID string `json:"sessionId,omitempty"`
	Tab       RPCTab `json:"tab"`
	// The session that it was taken from.
	ReleasedFrom string `json:"releasedFrom,omitempty"`
}

// RPCTabsActiveResult is tabs.active's.
type RPCTabsActiveResult struct {
	SessionID string `json:"sessionId,omitempty"`
	Tab       RPCTab `json:"tab"`
}

// RPCTabsActivateResult is tabs.activate's.
type RPCTabsActivateResult struct {
	Activated bool   `json:"activated,omitempty"`
	SessionID string `json:"sessionId,omitempty"`
	Tab       RPCTab `json:"tab"`
}

// RPCTabsCloseResult is tabs.close's.
type RPCTabsCloseResult struct {
	Closed      bool   `json:"closed,omitempty"`
	SessionID   string `json:"sessionId,omitempty"`
	ClosedTabID int64  `json:"closedTabId,omitempty"`
	// It was the session's last.
	SessionClosed bool `json:"sessionClosed,omitempty"`
}

// RPCPage is the page that a pages method acted on.
type RPCPage struct {
	URL   string `json:"url"`
	Title string `json:"title"`
}

// RPCPagesResult is what every pages method gives.
type RPCPagesResult struct {
	OK        bool    `json:"ok"`
	SessionID string  `json:"sessionId,omitempty"`
	TabID     int64   `json:"tabId"`
	Page      RPCPage `json:"page"`
	// The coordinates that any box or point is in: viewport-css-pixel.
	CoordinateSpace string `json:"coordinateSpace,omitempty"`
}

// RPCPagesSnapshotResult is pages.snapshot's.
type RPCPagesSnapshotResult struct {
	RPCPagesResult
	Snapshot string         `json:"snapshot"`
	Refs     map[string]Ref `json:"refs"`
	Origin   string         `json:"origin,omitempty"`
	Viewport *Viewport      `json:"viewport,omitempty"`
	// How many elements the whole page has that can be acted on.
	Elements int `json:"elements,omitempty"`
}

// RPCPagesGetResult is pages.get's: value, or box for what=box.
type RPCPagesGetResult struct {
	RPCPagesResult
	What  string  `json:"what,omitempty"`
	Value *string `json:"value,omitempty"`
	Box   *Box    `json:"box,omitempty"`
}

// RPCPicture is a screenshot.
type RPCPicture struct {
	// Base64.
	Data     string `json:"data"`
	MimeType string `json:"mimeType"`
	Format   string `json:"format,omitempty"`
	Width    int    `json:"width"`
	Height   int    `json:"height"`
	FullPage bool   `json:"fullPage,omitempty"`
}

// RPCPagesScreenshotResult is pages.screenshot's.
type RPCPagesScreenshotResult struct {
	RPCPagesResult
	Screenshot RPCPicture `json:"screenshot"`
	Viewport   *Viewport  `json:"viewport,omitempty"`
}

// RPCPagesWaitResult is pages.wait's.
type RPCPagesWaitResult struct {
	RPCPagesResult
	// Milliseconds.
	WaitedMS int64  `json:"waitedMs,omitempty"`
	Load     string `json:"load,omitempty"`
}

// RPCPagesEvalResult is pages.eval's.
type RPCPagesEvalResult struct {
	RPCPagesResult
	Origin string `json:"origin,omitempty"`
	// The script's value, as JSON; absent for undefined.
	Result json.RawMessage `json:"result,omitempty"`
}

// RPCPagesSavePDFResult is pages.savePdf's: the bytes, or the path that they were written to.
type RPCPagesSavePDFResult struct {
	RPCPagesResult
	// Base64.
	Data     string `json:"data,omitempty"`
	MimeType string `json:"mimeType,omitempty"`
	Path     string `json:"path,omitempty"`
}

// RPCNetworkResult is that of the network methods.
type RPCNetworkResult struct {
	SessionID string `json:"sessionId,omitempty"`
	TabID     int64  `json:"tabId,omitempty"`
	Recording bool   `json:"recording,omitempty"`
	// What was recorded, for list; the one that was asked for, for detail.
	Requests []NetworkEntry `json:"requests,omitempty"`
}
