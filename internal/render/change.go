package render

import (
	"fmt"
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// maxValue is how much of a control's value one line shows, in characters.
const maxValue = 120

// element is one line about an element: ref, role, name, value, states.
func element(e protocol.Element) string {
	role := e.Role
	if role == "generic" {
		role = "text" // told for what it says
	}
	parts := []string{line(e.UID, maxName), line(role, maxName)}
	if e.Name != "" {
		parts = append(parts, quote(e.Name, maxName))
	}
	if e.Value != "" {
		parts = append(parts, "= "+quote(e.Value, maxValue))
	}
	for _, state := range e.States {
		parts = append(parts, line(state, maxName))
	}
	if e.Visible != nil && !*e.Visible {
		parts = append(parts, "out-of-view")
	}
	return strings.Join(parts, " ")
}

// refs is the one-line list of what can be acted on, at most limit of them.
func refs(elements []protocol.Element, limit int) string {
	if len(elements) == 0 {
		return ""
	}
	shown := elements[:min(limit, len(elements))]
	words := make([]string, 0, len(shown))
	for _, e := range shown {
		words = append(words, element(e))
	}
	list := "refs: " + strings.Join(words, " · ")
	if hidden := len(elements) - len(shown); hidden > 0 {
		list += fmt.Sprintf(" (+%d more: snapshot with interactive)", hidden)
	}
	return list
}

// place is a tab's line: which, what it shows, where it is.
func place(tabID int64, title, url string) string {
	words := []string{"tab"}
	if tabID != 0 {
		words = append(words, fmt.Sprint(tabID))
	}
	if title != "" {
		words = append(words, quote(title, maxTitle))
	}
	if url != "" {
		words = append(words, address(url))
	}
	return strings.Join(words, " ")
}

// tab is a line of a list of tabs.
func tab(t protocol.TabInfo) string {
	words := place(t.TabID, t.Title, t.URL)
	if t.Active {
		words += " active"
	}
	if t.Owner != "" {
		words += " " + line(t.Owner, maxName)
	}
	return words
}

// changes lists what an action brought about, a line each.
func changes(c protocol.Changed) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if c.URL != "" {
		add("url → %s", address(c.URL))
	}
	if c.Title != "" {
		add("title → %s", quote(c.Title, maxTitle))
	}
	if c.Dialog != nil {
		add("dialog %s %s is open: answer it with action dialog, accept true or false", line(c.Dialog.Kind, maxName), quote(c.Dialog.Message, maxURL))
	}
	if c.TabOpened != nil {
		add("opened %s", place(c.TabOpened.TabID, c.TabOpened.Title, c.TabOpened.URL))
	}
	if c.Download != nil {
		out = append(out, download(*c.Download))
	}
	out = append(out, elementChanges(c)...)
	if c.Partial {
		add("more changed than is shown: take a snapshot")
	}
	return append(out, state(c.StillLoading, c.Notes)...)
}

func elementChanges(c protocol.Changed) []string {
	var out []string
	focused := false
	for _, list := range []struct {
		sign     string
		elements []protocol.Element
	}{{"+ ", c.Appeared}, {"~ ", c.Altered}} {
		for _, e := range list.elements {
			text := list.sign + element(e)
			if c.Focus != nil && c.Focus.UID == e.UID {
				focused = true
				if !strings.HasSuffix(text, " focused") {
					text += " focused"
				}
			}
			out = append(out, text)
		}
	}
	if c.Focus != nil && !focused {
		out = append(out, "focus "+element(*c.Focus))
	}
	if gone := ranges(c.Gone); gone != "" {
		out = append(out, "- "+gone+" gone")
	}
	if renewed := renewals(c.Renewed); renewed != "" {
		out = append(out, "same, drawn anew: "+renewed)
	}
	return out
}

func download(d protocol.DownloadInfo) string {
	return fmt.Sprintf("download %d %s %s", d.ID, quote(d.Name, maxTitle), line(d.State, maxName))
}

// state ends each answer: what the reader should know beside the result itself.
func state(stillLoading bool, notes []string) []string {
	var out []string
	if stillLoading {
		out = append(out, "still loading: use wait_for before you rely on what is missing")
	}
	for _, note := range notes {
		out = append(out, "note: "+line(note, maxMessage))
	}
	return out
}
