package render

import (
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// maxMessage is how much of an error's message or of a note is shown, in characters.
const maxMessage = 600

// maxScriptMessage is how much of what a page's script threw is shown, in bytes.
const maxScriptMessage = 2000

var outcomes = map[protocol.Outcome]string{
	protocol.NotSent: "nothing was done",
	protocol.Done:    "the action was carried out",
	protocol.Unknown: "it may or may not have been done: look before you do it again",
}

// Failure writes an error: its code, whether anything was done, the cause, the next step.
// action is what was asked for and may be nil when it could not be understood.
func Failure(action protocol.Action, err *protocol.Error) Answer {
	complete := err.Complete()
	a := Answer{Head: "error " + line(string(complete.Code), maxName)}
	if said, ok := outcomes[complete.Outcome]; ok {
		a.Head += ": " + said
	}
	if _, scripted := action.(protocol.Evaluate); scripted && complete.Code == protocol.CodeInvalidAction {
		// What a page's script threw is the page's word, not ours.
		a.Page = block(complete.Message)
		if at := fitting(a.Page, maxScriptMessage/4); at < len(a.Page) {
			a.Page = a.Page[:at] + "…"
		}
	} else if complete.Message != "" {
		a.Head += "\n" + line(complete.Message, maxMessage)
	}
	var tail []string
	for _, e := range complete.Elements {
		if !pressable(complete, e) { // those stand in the next step
			tail = append(tail, element(e))
		}
	}
	for _, t := range complete.Candidates {
		tail = append(tail, tab(t))
	}
	if next := next(complete); next != "" {
		tail = append(tail, "Next: "+next)
	}
	a.Tail = strings.Join(tail, "\n")
	return a
}

// next is what the reader does about it, made more exact where the error itself says how.
func next(err *protocol.Error) string {
	var ways []string
	for _, e := range err.Elements {
		if pressable(err, e) {
			ways = append(ways, line(e.UID, maxName)+" "+quote(e.Name, maxName))
		}
	}
	if len(ways) > 0 {
		return "click " + strings.Join(ways, " or ") + "."
	}
	hint := line(err.Hint, maxMessage)
	if err.Retryable == protocol.RetrySame && err.Outcome == protocol.NotSent {
		return hint + " The same call may be sent again."
	}
	return hint
}

// pressable tells whether e is one of the ways past what covers the target.
func pressable(err *protocol.Error, e protocol.Element) bool {
	return err.Code == protocol.CodeElementBlocked && (e.Role == "button" || e.Role == "link")
}
