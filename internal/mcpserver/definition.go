package mcpserver

import (
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/drawbridge-browser/drawbridge/internal/fields"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// toolName is the one tool's name, as the seed has it.
const toolName = "browser"

// toolDescription is read with every request that a model answers: it says only what the
// server's instructions do not.
const toolDescription = "Act in the user's own browser, one action per call. An element is named by ref (e7, from an earlier answer) or by selector (CSS)."

// hidden are members that a model has no use for here: from goes by the word more, a
// session's colour is Chrome's to choose and its place the agent window, a secret brings its origins
// itself, and there are no snapshot differences yet.
var hidden = []string{"color", "credentials", "foreground", "from", "onDisk", "onlyOn", "since"}

// shown are hidden members that mean something else in one action.
var shown = map[protocol.ActionType]string{"drag": "from"}

// forms are what a model is told of a member in fewer words than protocol's own, or of the form of an object.
var forms = map[string]string{
	"drag from":            "What to drag: {ref} or {selector}.",
	"drag to":              "What to drop it on: {ref} or {selector}.",
	"drag point":           "Where to drop it, in place of to: {x, y}.",
	"upload files":         "Each {name, mimeType, data}, data in base64.",
	"navigate to":          "back, forward or reload, in place of url.",
	"navigate url":         "Absolute.",
	"open_tab url":         "Absolute.",
	"scroll to":            "top, bottom or element (then give ref).",
	"wait_for url":         "Part of the address, or a pattern with *.",
	"wait_for text":        "Text that the page shows.",
	"wait_for textGone":    "Text that it no longer shows.",
	"wait_for timeoutMs":   "Default 30000.",
	"wait_for state":       "Of the element. Default visible.",
	"fill text":            "The value: text, YYYY-MM-DD, #rrggbb, true or false.",
	"type secret":          "A stored secret's name, in place of text.",
	"fill secret":          "A stored secret's name, in place of text.",
	"navigate secret":      "A stored secret's name, for a server that asks for user and password.",
	"find text":            "Part of the text.",
	"find name":            "Part of the accessible name.",
	"get name":             "With what=attribute.",
	"dialog text":          "Answer to a prompt.",
	"open_tab focus":       "Bring it to the front: only when the user asked to see it.",
	"press key":            "Enter, a, Control+a, Shift+Tab.",
	"evaluate expression":  "Function body: a value comes back only by return.",
	"list_tabs scope":      "Default session: your own.",
	"list_tabs query":      "Part of title or address.",
	"network requestId":    "For op=detail.",
	"select values":        "Values or visible labels, exact.",
	"handoff reason":       "What the user is asked to do.",
	"handoff until":        "Default done.",
	"console op":           "",
	"network op":           "",
	"console limit":        "",
	"network limit":        "",
	"snapshot interactive": "Only what can be acted on.",
	"snapshot cursor":      "Also what is clickable only by its cursor style.",
}

// plain are members whose name says it all.
var plain = []string{
	"button", "clear", "compact", "count", "deltaX", "deltaY", "depth", "direction", "format", "fullPage", "id", "kind", "landscape",
	"limit", "modifiers", "ms", "paperFormat", "parts", "pixels", "quality", "role", "submit", "urls", "what", "x", "y", "accept", "load",
}

// common are members that many actions have, described once instead of by each.
var common = map[string]string{
	"tabId":    "The tab. Absent: your most recent one.",
	"uid":      "Element, by ref.",
	"selector": "Element, by CSS selector.",
	"maxBytes": "At most this many bytes of the page. Default: about 2,000 tokens.",
}

// property is the part of JSON Schema that a member of the input needs. Limits are left
// out: the decoder names the one that is broken, and a model rarely reads them.
type property struct {
	Type        any       `json:"type,omitempty"`
	Enum        []string  `json:"enum,omitempty"`
	Items       *property `json:"items,omitempty"`
	Description string    `json:"description,omitempty"`
}

// definition is the tool as clients see it, made from protocol's table and schema.
func definition() *mcp.Tool {
	offered := []string{}
	uses := map[string]*use{}
	for _, m := range protocol.Methods {
		offered = append(offered, string(m.Type))
		action, _ := fields.Of(m.Type)
		for name, f := range action.Fields {
			if isHidden(m.Type, name) {
				continue
			}
			f.Description = shortened(m.Type, name, f)
			u := uses[name]
			if u == nil {
				u = &use{}
				uses[name] = u
			}
			u.add(string(m.Type), f)
		}
	}
	properties := map[string]property{
		"action":  {Type: "string", Enum: offered, Description: "What to do."},
		"more":    {Type: "string", Description: "The word after more= in an answer: brings the rest of it. Alone, without action."},
		"browser": {Type: "string", Description: "Which browser, by name, when several are connected."},
	}
	for name, u := range uses {
		properties[outwards(name)] = u.property(common[name])
	}
	return &mcp.Tool{
		Name: toolName, Title: "Browser", Description: toolDescription,
		InputSchema: map[string]any{"type": "object", "properties": properties},
	}
}

// isHidden tells whether models are not told of a member of an action.
func isHidden(action protocol.ActionType, member string) bool {
	return slices.Contains(hidden, member) && shown[action] != member
}

// outwards is a member's name towards models: one word, ref, for the element.
func outwards(name string) string {
	if name == "uid" {
		return "ref"
	}
	return name
}

// use gathers what the actions that have a member of the same name say of it.
type use struct {
	types   []fields.Kind
	enums   [][]string
	items   *property
	actions map[string][]string // the actions by what they say of the member
	said    []string            // the keys of actions in order of appearance
}

func (u *use) add(action string, f fields.Field) {
	if !slices.Contains(u.types, f.Kind) {
		u.types = append(u.types, f.Kind)
	}
	u.enums = append(u.enums, f.Enum)
	if f.Kind == fields.Array {
		u.items = &property{Type: f.ItemKind, Enum: f.ItemEnum}
	}
	if u.actions == nil {
		u.actions = map[string][]string{}
	}
	said := f.Description
	if u.actions[said] == nil {
		u.said = append(u.said, said)
	}
	u.actions[said] = append(u.actions[said], action)
}

// property merges what was gathered; shared, when not empty, is said in place of the actions' own words.
func (u *use) property(shared string) property {
	p := property{Type: u.types[0], Items: u.items}
	if len(u.types) > 1 {
		p.Type = u.types
	}
	p.Enum = u.enum()
	if shared != "" {
		everyone := slices.Concat(slices.Collect(maps.Values(u.actions))...)
		if len(everyone) < 12 { // a longer list says no more than "page actions"
			slices.Sort(everyone)
			shared = strings.Join(everyone, ", ") + ": " + shared
		}
		p.Description = shared
		return p
	}
	lines := make([]string, 0, len(u.said))
	for _, said := range u.said {
		line := strings.Join(u.actions[said], ", ")
		if said != "" {
			line += ": " + said
		}
		lines = append(lines, line)
	}
	p.Description = strings.Join(lines, " ")
	return p
}

// enum is the union of the actions' enums, nil when one of them takes any value.
func (u *use) enum() []string {
	var all []string
	for _, e := range u.enums {
		if e == nil {
			return nil
		}
		for _, value := range e {
			if !slices.Contains(all, value) {
				all = append(all, value)
			}
		}
	}
	return all
}

// shortened is what a model is told of a member of an action.
func shortened(action protocol.ActionType, name string, f fields.Field) string {
	if form, ok := forms[string(action)+" "+name]; ok {
		return form
	}
	if slices.Contains(plain, name) {
		return ""
	}
	return brief(f.Description)
}

// brief is a description's first sentence, when to use it, and a default that is not obvious.
func brief(description string) string {
	sentences := strings.SplitAfter(strings.Join(strings.Fields(description), " "), ". ")
	kept := []string{strings.TrimSpace(sentences[0])}
	for _, s := range sentences[1:] {
		told := strings.HasPrefix(s, "Default") && !strings.HasPrefix(s, "Default false") && !strings.HasPrefix(s, "Default 0.")
		if told || strings.HasPrefix(s, "Only when") {
			kept = append(kept, strings.TrimSpace(s))
		}
	}
	return strings.Join(kept, " ")
}
