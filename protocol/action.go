package protocol

// Action is one thing that a browser can be asked to do. The variants are the structs of this
// file; their tags, results and timeouts stand in Methods.
type Action interface{ isAction() }

// Page is what every action on a page has.
type Page struct {
	// The tab to act on. Absent: the caller's own most recent agent tab, else its only user tab.
	TabID int64 `json:"tabId,omitempty" jsonschema:"minimum=1,maximum=9007199254740991"`
}

// Tab returns the tab that the action names, 0 if none.
func (p Page) Tab() int64 { return p.TabID }

// Button is a mouse button.
type Button string

// Modifier is a key held during a click.
type Modifier string

// OpenTab opens an address in a new tab of the agent window, without taking the user's focus.
type OpenTab struct {
	// Absolute address: http, https, about:blank.
	URL string `json:"url" jsonschema:"minLength=1,maxLength=65536"`
	// Bring the tab to the front. Only when the user asked to see it. Default false.
	Focus bool `json:"focus,omitempty"`
}

// Navigate loads an address in a tab, or goes back, forward or reloads.
type Navigate struct {
	Page
	// Absolute address. Exactly one of url and to.
	URL string `json:"url,omitempty" jsonschema:"minLength=1,maxLength=65536"`
	// Where to go in the tab's history. Exactly one of url and to.
	To string `json:"to,omitempty" jsonschema:"enum=back,enum=forward,enum=reload"`
	// The name of a secret in the server's store, of the form user:password, for a server that asks for them (HTTP
	// authentication), on the secret's own origins only.
	Secret string `json:"secret,omitempty" jsonschema:"minLength=1,maxLength=256"`
	// User and password, as user:password, in place of secret.
	Credentials string `json:"credentials,omitempty" jsonschema:"minLength=1,maxLength=65536"`
	// Give the credentials to a server of one of these origins only. Without it they are given to none.
	OnlyOn []string `json:"onlyOn,omitempty" jsonschema:"minItems=1,maxItems=20"`
}

// CloseTab closes a tab.
type CloseTab struct {
	// The tab to close.
	TabID int64 `json:"tabId" jsonschema:"minimum=1,maximum=9007199254740991"`
}

// ActivateTab shows a tab in its window. It does not raise the window.
type ActivateTab struct {
	// The tab to show.
	TabID int64 `json:"tabId" jsonschema:"minimum=1,maximum=9007199254740991"`
}

// Tab returns the tab to close.
func (a CloseTab) Tab() int64 { return a.TabID }

// Tab returns the tab to show.
func (a ActivateTab) Tab() int64 { return a.TabID }

// ListTabs lists tabs.
type ListTabs struct {
	// Whose: the caller's own (session), the user's, or all. Default session.
	Scope string `json:"scope,omitempty" jsonschema:"enum=session,enum=user,enum=all"`
	// Only tabs whose title or address contains this, in any case.
	Query string `json:"query,omitempty" jsonschema:"maxLength=1024"`
}

// AttachTab borrows a tab of the user's for the caller.
type AttachTab struct {
	Page
}

// Click clicks an element, with trusted input, where a person would.
type Click struct {
	Page
	Target
	// Which button. Default left.
	Button Button `json:"button,omitempty"`
	// How many times: 2 is a double click. Default 1.
	Count int `json:"count,omitempty" jsonschema:"minimum=1,maximum=3"`
	// Keys held meanwhile.
	Modifiers []Modifier `json:"modifiers,omitempty" jsonschema:"maxItems=4"`
}

// Hover moves the pointer onto an element and leaves it there.
type Hover struct {
	Page
	Target
}

// Type types text into an element, as the user would, and reads the value back.
type Type struct {
	Page
	Target
	// The text. Exactly one of text and secret.
	Text *string `json:"text,omitempty" jsonschema:"maxLength=1000000"`
	// The name of a secret in the server's store, typed in place of text, on the secret's own origins only.
	Secret string `json:"secret,omitempty" jsonschema:"minLength=1,maxLength=256"`
	// Enter the text only in a document of one of these origins, and tell nothing of what the field holds.
	OnlyOn []string `json:"onlyOn,omitempty" jsonschema:"minItems=1,maxItems=20"`
	// Empty the control first. Default false: the text is added at the end.
	Clear bool `json:"clear,omitempty"`
	// Press Enter afterwards. Default false.
	Submit bool `json:"submit,omitempty"`
}

// Fill sets a control's whole value, whatever kind of control it is.
type Fill struct {
	Page
	Target
	// The value: text; for a date YYYY-MM-DD, for a colour #rrggbb, for a checkbox true or false.
	// Exactly one of text and secret.
	Text *string `json:"text,omitempty" jsonschema:"maxLength=1000000"`
	// The name of a secret in the server's store, entered in place of text, on the secret's own origins only.
	Secret string `json:"secret,omitempty" jsonschema:"minLength=1,maxLength=256"`
	// Enter the text only in a document of one of these origins, and tell nothing of what the field holds.
	OnlyOn []string `json:"onlyOn,omitempty" jsonschema:"minItems=1,maxItems=20"`
	// Press Enter afterwards. Default false.
	Submit bool `json:"submit,omitempty"`
}

// Download returns the bytes of a download that an earlier result named.
type Download struct {
	// The download's id.
	ID int64 `json:"id" jsonschema:"minimum=0,maximum=9007199254740991"`
	// The byte to start from, for the rest of a large one. Default 0.
	From int64 `json:"from,omitempty" jsonschema:"minimum=0,maximum=9007199254740991"`
	// Set by a server that may read the user's downloads: of a complete one, tell the path in place of the bytes. Default false.
	OnDisk bool `json:"onDisk,omitempty"`
}

// Select chooses options of a select, combobox or listbox.
type Select struct {
	Page
	Target
	// Each by value or by visible label, exactly. All of them are chosen and no others.
	Values []string `json:"values" jsonschema:"maxItems=1000"`
}

// Press presses a key or a combination.
type Press struct {
	Page
	MaybeTarget
	// A key's name ("Enter", "a") or a combination ("Control+a", "Shift+Tab").
	Key string `json:"key" jsonschema:"minLength=1,maxLength=64"`
}

// Scroll scrolls the page, or the container that scrolls the target.
type Scroll struct {
	Page
	MaybeTarget
	// Which way. Exactly one of direction and to.
	Direction string `json:"direction,omitempty" jsonschema:"enum=up,enum=down,enum=left,enum=right"`
	// How far, in CSS pixels. Default: most of what is visible.
	Pixels int `json:"pixels,omitempty" jsonschema:"minimum=1,maximum=1000000"`
	// Scroll to an end, or until the target is in view. Exactly one of direction and to.
	To string `json:"to,omitempty" jsonschema:"enum=top,enum=bottom,enum=element"`
}

// Mouse dispatches one mouse event at a point of the viewport.
type Mouse struct {
	Page
	// What happens.
	Kind string `json:"kind" jsonschema:"enum=move,enum=down,enum=up,enum=click,enum=wheel"`
	// CSS pixels from the viewport's left edge.
	X float64 `json:"x" jsonschema:"minimum=0,maximum=1000000"`
	// CSS pixels from the viewport's top edge.
	Y float64 `json:"y" jsonschema:"minimum=0,maximum=1000000"`
	// Which button. Default left.
	Button Button `json:"button,omitempty"`
	// Wheel to the right, in CSS pixels. Default 0.
	DeltaX float64 `json:"deltaX,omitempty" jsonschema:"minimum=-1000000,maximum=1000000"`
	// Wheel down, in CSS pixels. Default 0.
	DeltaY float64 `json:"deltaY,omitempty" jsonschema:"minimum=-1000000,maximum=1000000"`
}

// Drag drags an element onto another or to a point.
type Drag struct {
	Page
	// What to drag.
	From Target `json:"from"`
	// The element to drop it on. Exactly one of to and point.
	To *Target `json:"to,omitempty"`
	// The place to drop it at. Exactly one of to and point.
	Point *Point `json:"point,omitempty"`
}

// Upload gives files to a file input or drop zone: bytes, never a path.
type Upload struct {
	Page
	Target
	// The files, all of them at once.
	Files []File `json:"files" jsonschema:"minItems=1,maxItems=50"`
}

// WaitFor waits until something is so: exactly one of target, text, textGone, url, load and ms.
type WaitFor struct {
	Page
	MaybeTarget
	// What to wait for of the target. Default visible.
	State string `json:"state,omitempty" jsonschema:"enum=visible,enum=hidden,enum=attached,enum=detached"`
	// Text that the page shows.
	Text string `json:"text,omitempty" jsonschema:"minLength=1,maxLength=10000"`
	// Text that the page no longer shows.
	TextGone string `json:"textGone,omitempty" jsonschema:"minLength=1,maxLength=10000"`
	// The address: a part of it, or a pattern with * for any run of characters.
	URL string `json:"url,omitempty" jsonschema:"minLength=1,maxLength=65536"`
	// A state of loading. networkidle: 500 ms without requests.
	Load string `json:"load,omitempty" jsonschema:"enum=load,enum=domcontentloaded,enum=networkidle"`
	// Just this many milliseconds.
	MS int `json:"ms,omitempty" jsonschema:"minimum=1,maximum=600000"`
	// How long to wait at most, in milliseconds. Default 30000.
	TimeoutMS int `json:"timeoutMs,omitempty" jsonschema:"minimum=1,maximum=600000"`
}

// Extract reads the page: markdown for reading, elements for acting, text for quoting.
type Extract struct {
	Page
	// Which parts to return. Default all.
	Parts []string `json:"parts,omitempty" jsonschema:"maxItems=3,enum=markdown,enum=elements,enum=text"`
	// At most this many bytes of markdown and of text, each. Default 30 KB and 50 KB.
	MaxBytes int `json:"maxBytes,omitempty" jsonschema:"minimum=256,maximum=1048576"`
	// Where to go on: next of an earlier result.
	From string `json:"from,omitempty" jsonschema:"minLength=1,maxLength=256"`
}

// Snapshot returns the page's accessibility tree as indented text, with a ref on what can be acted on.
type Snapshot struct {
	Page
	// Only what can be acted on, and what holds it. Default false.
	Interactive bool `json:"interactive,omitempty"`
	// Drop empty structure. Default false.
	Compact bool `json:"compact,omitempty"`
	// How deep the tree goes at most. Default: all of it.
	Depth int `json:"depth,omitempty" jsonschema:"minimum=1,maximum=1000"`
	// Only the subtree of the first match of this CSS selector.
	Selector string `json:"selector,omitempty" jsonschema:"minLength=1,maxLength=4096"`
	// Add the addresses of links. Default false.
	URLs bool `json:"urls,omitempty"`
	// Add what is clickable only by its cursor style. Default false.
	Cursor bool `json:"cursor,omitempty"`
	// Only what changed since that snapshot: its id.
	Since string `json:"since,omitempty" jsonschema:"minLength=1,maxLength=256"`
	// At most this many bytes of text. Default: all of it.
	MaxBytes int `json:"maxBytes,omitempty" jsonschema:"minimum=256,maximum=16777216"`
	// Where to go on: next of an earlier result.
	From string `json:"from,omitempty" jsonschema:"minLength=1,maxLength=256"`
}

// Find returns the refs of matching elements only.
type Find struct {
	Page
	// The role, such as button.
	Role string `json:"role,omitempty" jsonschema:"minLength=1,maxLength=64"`
	// A part of the accessible name, in any case.
	Name string `json:"name,omitempty" jsonschema:"minLength=1,maxLength=1024"`
	// A part of the text, in any case.
	Text string `json:"text,omitempty" jsonschema:"minLength=1,maxLength=1024"`
	// At most this many. Default 20.
	Limit int `json:"limit,omitempty" jsonschema:"minimum=1,maximum=200"`
}

// Get reads one thing of the page or of an element.
type Get struct {
	Page
	MaybeTarget
	// What to read. title and url take no target, the others need one; html and text default to the page.
	What string `json:"what" jsonschema:"enum=title,enum=url,enum=text,enum=value,enum=html,enum=box,enum=attribute"`
	// The attribute's name, for what=attribute.
	Name string `json:"name,omitempty" jsonschema:"minLength=1,maxLength=256"`
}

// Evaluate runs JavaScript in the page.
type Evaluate struct {
	Page
	// The body of a function: the value comes back only by return. At most 10 s.
	Expression string `json:"expression" jsonschema:"minLength=1,maxLength=1000000"`
}

// Screenshot takes a picture of the viewport, the page or an element.
type Screenshot struct {
	Page
	MaybeTarget
	// The whole page, not only the viewport. Default false.
	FullPage bool `json:"fullPage,omitempty"`
	// Default png.
	Format string `json:"format,omitempty" jsonschema:"enum=png,enum=jpeg,enum=webp"`
	// Of jpeg and webp, in percent. Default 80.
	Quality int `json:"quality,omitempty" jsonschema:"minimum=1,maximum=100"`
	// How long the picture's longer side is at most, in its own pixels: what is larger is scaled down. Default 1568.
	LongEdge int `json:"longEdge,omitempty" jsonschema:"minimum=64,maximum=8000"`
}

// PDF prints the page.
type PDF struct {
	Page
	// Default a4.
	PaperFormat string `json:"paperFormat,omitempty" jsonschema:"enum=a3,enum=a4,enum=a5,enum=letter,enum=legal,enum=tabloid"`
	// Default false.
	Landscape bool `json:"landscape,omitempty"`
}

// Dialog answers the open alert, confirm, prompt or beforeunload.
type Dialog struct {
	Page
	// OK or cancel.
	Accept bool `json:"accept"`
	// What to answer a prompt with.
	Text string `json:"text,omitempty" jsonschema:"maxLength=100000"`
}

// Console records and lists what the page logs.
type Console struct {
	Page
	// Record, or list what was recorded.
	Op string `json:"op" jsonschema:"enum=start,enum=stop,enum=list"`
	// At most this many entries, the latest. Default 50.
	Limit int `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000"`
}

// Network records and lists the page's requests.
type Network struct {
	Page
	// Record, list the requests, or return one whole.
	Op string `json:"op" jsonschema:"enum=start,enum=stop,enum=list,enum=detail"`
	// The request to return, for op=detail.
	RequestID string `json:"requestId,omitempty" jsonschema:"minLength=1,maxLength=256"`
	// At most this many entries, the latest. Default 50.
	Limit int `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000"`
}

// Handoff asks the user to do something in the tab, such as a log-in, and waits.
type Handoff struct {
	Page
	// What the user is asked to do, shown to them.
	Reason string `json:"reason" jsonschema:"minLength=1,maxLength=1024"`
	// What ends it: the user says done, or the obstacle is gone. Default done.
	Until string `json:"until,omitempty" jsonschema:"enum=done,enum=obstacle_gone"`
}

// Session makes, lists, renames and ends the caller's groups of tabs. Chrome shows each as a tab group; what the caller
// opens or attaches goes to the one that it used last.
type Session struct {
	// attachCurrent takes the user's active tab; release leaves the tabs to the user.
	Op string `json:"op" jsonschema:"enum=create,enum=attachCurrent,enum=list,enum=rename,enum=release,enum=close"`
	// Which. Absent: the only one; for release, all that the caller has, tabs in no session too.
	SessionID string `json:"sessionId,omitempty" jsonschema:"minLength=1,maxLength=256"`
	// Its title.
	Title string `json:"title,omitempty" jsonschema:"maxLength=256"`
	// The tab group's colour.
	Color string `json:"color,omitempty" jsonschema:"enum=grey,enum=blue,enum=red,enum=yellow,enum=green,enum=pink,enum=purple,enum=cyan,enum=orange"`
	// Absolute address. For create.
	URL string `json:"url,omitempty" jsonschema:"minLength=1,maxLength=65536"`
	// Show its tabs in the user's window. Only when the user asked to see it. Default false.
	Foreground bool `json:"foreground,omitempty"`
}

func (OpenTab) isAction()     {}
func (Navigate) isAction()    {}
func (CloseTab) isAction()    {}
func (ActivateTab) isAction() {}
func (ListTabs) isAction()    {}
func (AttachTab) isAction()   {}
func (Click) isAction()       {}
func (Hover) isAction()       {}
func (Type) isAction()        {}
func (Fill) isAction()        {}
func (Download) isAction()    {}
func (Select) isAction()      {}
func (Press) isAction()       {}
func (Scroll) isAction()      {}
func (Mouse) isAction()       {}
func (Drag) isAction()        {}
func (Upload) isAction()      {}
func (WaitFor) isAction()     {}
func (Extract) isAction()     {}
func (Snapshot) isAction()    {}
func (Find) isAction()        {}
func (Get) isAction()         {}
func (Evaluate) isAction()    {}
func (Screenshot) isAction()  {}
func (PDF) isAction()         {}
func (Dialog) isAction()      {}
func (Console) isAction()     {}
func (Network) isAction()     {}
func (Handoff) isAction()     {}
func (Session) isAction()     {}
