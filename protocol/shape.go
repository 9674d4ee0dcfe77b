package protocol

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
	// Elements that were drawn anew, the same to the letter: their old uids are void, the new ones stand for them.
	Renewed []Renewal `json:"renewed,omitempty"`
	// More changed than the budget let through.
	Partial bool `json:"partial,omitempty"`
	// The page had not come to rest when the result left.
	StillLoading bool `json:"stillLoading,omitempty"`
}

// Renewal is an element that the page drew anew.
type Renewal struct {
	// The uid of the one that is gone.
	Was string `json:"was" jsonschema:"pattern=^e[0-9]+$,maxLength=16"`
	// The uid of the one in its place.
	Now string `json:"now" jsonschema:"pattern=^e[0-9]+$,maxLength=16"`
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

// Box is a rectangle in the viewport, in CSS pixels.
type Box struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
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
