package render

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// maxRefs is how many elements the refs line of an extract lists.
const maxRefs = 40

// Result writes what an action gave. action is what was asked for: some of what is said
// (which element, which tab) stands only there.
func Result(action protocol.Action, result protocol.Result) Answer {
	switch r := result.(type) {
	case protocol.OpenTabResult:
		return Answer{Head: place(r.TabID, r.Title, r.URL), Tail: joined(state(r.StillLoading, r.Notes))}
	case protocol.NavigateResult:
		return navigated(action, r)
	case protocol.AttachTabResult:
		return Answer{Head: place(r.TabID, r.Title, r.URL), Tail: joined(state(false, r.Notes))}
	case protocol.CloseTabResult:
		return noted(fmt.Sprintf("ok closed tab %d", protocol.TabOf(action)), r.Noted)
	case protocol.ActivateTabResult:
		return noted(fmt.Sprintf("ok tab %d is shown in its window", protocol.TabOf(action)), r.Noted)
	case protocol.ListTabsResult:
		return tabs(r)
	case protocol.ExtractResult:
		return extract(action, r)
	case protocol.SnapshotResult:
		return snapshot(action, r)
	case protocol.FindResult:
		return found(r)
	case protocol.GetResult:
		return got(r)
	case protocol.EvaluateResult:
		return evaluated(r)
	case protocol.ConsoleResult, protocol.NetworkResult, protocol.SessionResult:
		return recorded(action, result)
	case protocol.HandoffResult:
		return noted(handoffs[r.State], r.Noted)
	case protocol.ScreenshotResult, protocol.PDFResult, protocol.DownloadResult:
		return bytesOf(result)
	}
	return acted(action, result)
}

// acted writes the results of actions that change the page: ok, then what changed.
func acted(action protocol.Action, result protocol.Result) Answer {
	head := did(action)
	var changed protocol.Changed
	switch r := result.(type) {
	case protocol.ClickResult:
		changed = r.Changed
	case protocol.HoverResult:
		changed = r.Changed
	case protocol.TypeResult:
		changed, head = told(r.Changed, action, r.Value), head+value(r.Value)
	case protocol.FillResult:
		changed, head = told(r.Changed, action, r.Value), head+value(r.Value)
	case protocol.SelectResult:
		changed, head = r.Changed, head+" = "+quotes(r.Selected)
	case protocol.PressResult:
		changed = r.Changed
	case protocol.ScrollResult:
		changed, head = r.Changed, head+fmt.Sprintf(" to x %.0f, y %.0f", r.X, r.Y)
		if r.AtEnd {
			head += ", the end"
		}
		if r.Grew {
			head += ", more was loaded"
		}
	case protocol.MouseResult:
		changed = r.Changed
	case protocol.DragResult:
		changed = r.Changed
	case protocol.UploadResult:
		changed = r.Changed
		for _, f := range r.Files {
			head += fmt.Sprintf(" %s (%s)", quote(f.Name, maxName), size(int(f.Size)))
		}
	case protocol.WaitForResult:
		changed, head = r.Changed, head+fmt.Sprintf(" after %d ms", r.WaitedMS)
	case protocol.DialogResult:
		changed = r.Changed
	}
	return Answer{Head: head, Tail: joined(changes(changed))}
}

func navigated(action protocol.Action, r protocol.NavigateResult) Answer {
	lines := state(r.StillLoading, r.Notes)
	if r.Download != nil {
		lines = append([]string{download(*r.Download) + "; the page stayed"}, lines...)
	}
	return Answer{Head: place(protocol.TabOf(action), r.Title, r.URL), Tail: joined(lines)}
}

func tabs(r protocol.ListTabsResult) Answer {
	lines := make([]string, 0, len(r.Tabs))
	for _, t := range r.Tabs {
		lines = append(lines, tab(t))
	}
	return Answer{Head: counted(len(r.Tabs), "tab"), Page: joined(lines), Tail: joined(state(false, r.Notes))}
}

func extract(action protocol.Action, r protocol.ExtractResult) Answer {
	asked, _ := action.(protocol.Extract)
	a := Answer{Page: block(r.Markdown), More: word(r.Next)}
	// Markdown or raw text, never both: they say the same.
	if r.Markdown == "" || (slices.Contains(asked.Parts, "text") && !slices.Contains(asked.Parts, "markdown")) {
		a.Page = block(r.Text)
	}
	extent := "complete"
	if r.Truncated || r.Next != "" {
		extent = "cut"
	}
	a.Head = place(asked.TabID, r.Title, r.URL) + " · " + size(len(a.Page)) + ", " + extent + hidden(r.HiddenDropped)
	var tail []string
	if r.Obstacle != nil {
		tail = append(tail, obstacle(*r.Obstacle))
	}
	if list := refs(r.Elements, maxRefs); list != "" {
		tail = append(tail, list)
	}
	a.Tail = joined(append(tail, state(false, r.Notes)...))
	return a
}

// obstacle says what stands in the way and how sure that is.
func obstacle(o protocol.Obstacle) string {
	said := fmt.Sprintf("obstacle %s (%s): %s", line(o.Type, maxName), line(o.Confidence, maxName), line(o.Message, maxMessage))
	if o.Confidence == "high" {
		return said + "\nNext: do not try around it: call handoff with what the user should do, or tell them what stands in the way."
	}
	return said
}

func snapshot(action protocol.Action, r protocol.SnapshotResult) Answer {
	asked, _ := action.(protocol.Snapshot)
	title, url := r.Title, r.URL
	if url == "" {
		url = r.Origin
	}
	a := Answer{Page: refsFirst(block(r.Snapshot)), More: word(r.Next), Tail: joined(state(false, r.Notes))}
	a.Head = place(asked.TabID, title, url) + fmt.Sprintf(" · %s, %d shown", counted(r.Elements, "ref"), len(r.Refs)) + hidden(r.HiddenDropped)
	if asked.Since != "" && r.Snapshot == "" {
		a.Head += ", nothing changed"
	}
	if r.ID != "" {
		a.Head += ", id " + word(r.ID)
	}
	return a
}

// refAtEnd is a line of a tree that has a ref: its bullet, its role and name, the ref.
var refAtEnd = regexp.MustCompile(`(?m)^( *[-+~] )([^\s"]+(?: "(?:[^"\\\n]|\\.)*")?) \[ref=(e[0-9]+)\]`)

// refsFirst puts each ref where every other answer has it, in a third of the tokens that its brackets take.
func refsFirst(tree string) string { return refAtEnd.ReplaceAllString(tree, "$1$3 $2") }

func found(r protocol.FindResult) Answer {
	lines := make([]string, 0, len(r.Elements))
	for _, e := range r.Elements {
		lines = append(lines, element(e))
	}
	return Answer{
		Head: fmt.Sprintf("%d found, %d shown", r.Total, len(r.Elements)),
		Page: joined(lines), Tail: joined(changes(r.Changed)),
	}
}

func got(r protocol.GetResult) Answer {
	a := Answer{Head: "ok", Tail: joined(changes(r.Changed))}
	switch {
	case r.Box != nil:
		a.Head = fmt.Sprintf("ok box x %.0f, y %.0f, width %.0f, height %.0f", r.Box.X, r.Box.Y, r.Box.Width, r.Box.Height)
	case r.Value == nil || *r.Value == "":
		a.Head = "ok, empty"
	default:
		a.Page = block(*r.Value)
	}
	return a
}

func evaluated(r protocol.EvaluateResult) Answer {
	a := Answer{Head: "ok " + line(r.Type, maxName), Tail: joined(changes(r.Changed))}
	switch {
	case r.Truncated:
		a.Head += ", cut: return less, or in parts"
		a.Page = block(r.Preview)
	case r.Value != nil:
		var text string
		if json.Unmarshal(r.Value, &text) == nil {
			a.Page = block(text)
			if text == "" {
				a.Head += ", empty"
			}
		} else {
			a.Page = block(string(r.Value))
		}
	case r.Description != "":
		a.Head += " without a JSON form"
		a.Page = block(r.Description)
	}
	return a
}

var handoffs = map[string]string{
	"waiting": "waiting for the user: call handoff again to go on waiting",
	"done":    "ok the user says it is done: look at the page again",
	"gone":    "ok the obstacle is gone: look at the page again",
	"refused": "the user refused: do not ask again, tell them what you could not do",
}

func recorded(action protocol.Action, result protocol.Result) Answer {
	var lines []string
	var changed protocol.Changed
	head := did(action)
	switch r := result.(type) {
	case protocol.ConsoleResult:
		changed = r.Changed
		if asked, ok := action.(protocol.Console); ok && asked.Op == "list" {
			head = "ok console " + noun(len(r.Entries), "entry", "entries")
		}
		for _, e := range r.Entries {
			lines = append(lines, strings.TrimRight(line(e.Level, maxName)+" "+line(e.Text, maxMessage)+" "+address(e.Source), " "))
		}
	case protocol.NetworkResult:
		changed = r.Changed
		if asked, ok := action.(protocol.Network); ok && asked.Op == "list" {
			head = "ok network " + counted(len(r.Entries), "request")
		}
		for _, e := range r.Entries {
			lines = append(lines, request(e)...)
		}
	case protocol.SessionResult:
		changed.Noted = r.Noted
		head = sessionHead(action, r)
		for _, s := range r.Sessions {
			lines = append(lines, strings.TrimRight("session "+word(s.SessionID)+" "+quote(s.Title, maxTitle)+" "+word(s.Color), " "))
			for _, t := range s.Tabs {
				told := "  " + tab(t)
				if t.TabID == s.ActiveTabID {
					told += " current"
				}
				lines = append(lines, told)
			}
		}
	}
	return Answer{Head: head, Page: joined(lines), Tail: joined(changes(changed))}
}

// sessionHead says what became of a session; its title is the agent's own word, but what it shows is the page's.
func sessionHead(action protocol.Action, r protocol.SessionResult) string {
	asked, ok := action.(protocol.Session)
	if !ok {
		return did(action)
	}
	switch asked.Op {
	case "list":
		return "ok session list: " + counted(len(r.Sessions), "session")
	case "close":
		return "ok session close: " + counted(len(r.ClosedTabIDs), "tab") + " closed"
	case "release":
		return "ok session release: its tabs are the user's"
	}
	return "ok session " + line(asked.Op, maxName)
}

func request(e protocol.NetworkEntry) []string {
	words := []string{word(e.RequestID), line(e.Method, maxName), address(e.URL), status(e), line(e.Kind, maxName), took(e), line(e.Error, maxMessage)}
	out := []string{strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")}
	for _, headers := range []struct {
		arrow string
		named map[string]string
	}{{"> ", e.RequestHeaders}, {"< ", e.ResponseHeaders}} {
		for _, name := range sortedKeys(headers.named) {
			out = append(out, headers.arrow+line(name, maxName)+": "+line(headers.named[name], maxMessage))
		}
	}
	if e.Body != "" {
		out = append(out, block(e.Body))
	}
	return out
}

func status(e protocol.NetworkEntry) string {
	switch {
	case e.Status != 0:
		return fmt.Sprint(e.Status)
	case e.Error == "":
		return "unanswered"
	}
	return ""
}

func took(e protocol.NetworkEntry) string {
	if e.DurationMS == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f ms", e.DurationMS)
}

func bytesOf(result protocol.Result) Answer {
	var head, data string
	var changed protocol.Changed
	file := &Attachment{}
	switch r := result.(type) {
	case protocol.ScreenshotResult:
		head, data, changed = fmt.Sprintf("screenshot %d×%d", r.Width, r.Height), r.Data, r.Changed
		if r.Scale != 0 && r.Scale != 1 {
			head += fmt.Sprintf(", %g picture pixels for one CSS pixel", r.Scale)
		}
		file.MIMEType = r.MimeType
	case protocol.PDFResult:
		head, data, changed = "pdf", r.Data, r.Changed
		file.MIMEType, file.Name = r.MimeType, "page.pdf"
	case protocol.DownloadResult:
		head, data, changed.Noted = fmt.Sprintf("download %s %s of %d bytes", quote(r.Name, maxTitle), line(r.State, maxName), r.Size), r.Data, r.Noted
		file.MIMEType, file.Name = r.MimeType, r.Name
		if r.Next > 0 {
			head += fmt.Sprintf(", go on with from %d", r.Next)
		}
	}
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return Answer{Head: head + ": its bytes are not base64 and were dropped", Tail: joined(changes(changed))}
	}
	file.Data = raw
	return Answer{Head: head + ", " + size(len(raw)), Tail: joined(changes(changed)), Attachment: file}
}
