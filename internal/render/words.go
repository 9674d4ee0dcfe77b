package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// did is the first line of what was done: ok, the action, what it was done to.
func did(action protocol.Action) string {
	head := "ok " + string(protocol.TypeOf(action))
	switch a := action.(type) {
	case protocol.Click:
		return head + target(a.Target)
	case protocol.Hover:
		return head + target(a.Target)
	case protocol.Type:
		return head + target(a.Target)
	case protocol.Fill:
		return head + target(a.Target)
	case protocol.Select:
		return head + target(a.Target)
	case protocol.Upload:
		return head + target(a.Target)
	case protocol.Press:
		return head + " " + line(a.Key, maxName)
	case protocol.Drag:
		return head + target(a.From)
	}
	return head
}

// target names the element by what the caller called it.
func target(t protocol.Target) string {
	if t.UID != "" {
		return " " + line(t.UID, maxName)
	}
	return " " + quote(t.Selector, maxName)
}

// value is what a control holds afterwards; nil stands for a password.
func value(v *string) string {
	if v == nil {
		return ""
	}
	return " = " + quote(*v, maxValue)
}

// told takes the control itself out of what changed, where that says no more than its new value:
// the first line has told it.
func told(c protocol.Changed, action protocol.Action, value *string) protocol.Changed {
	var uid string
	switch a := action.(type) {
	case protocol.Type:
		uid = a.UID
	case protocol.Fill:
		uid = a.UID
	}
	c.Altered = slices.DeleteFunc(slices.Clone(c.Altered), func(e protocol.Element) bool {
		onlyFocus := len(e.States) == 0 || len(e.States) == 1 && e.States[0] == "focused"
		return uid != "" && e.UID == uid && value != nil && e.Value == *value && onlyFocus
	})
	return c
}

func quotes(all []string) string {
	out := make([]string, 0, len(all))
	for _, s := range all {
		out = append(out, quote(s, maxName))
	}
	return strings.Join(out, ", ")
}

// word makes an opaque token of the browser's one word.
func word(s string) string { return strings.ReplaceAll(line(s, 256), " ", "") }

// size is a number of bytes for people.
func size(n int) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}

func hidden(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d hidden dropped", n)
}

func counted(n int, what string) string { return noun(n, what, what+"s") }

func noun(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func noted(head string, n protocol.Noted) Answer {
	return Answer{Head: head, Tail: joined(state(false, n.Notes))}
}

func joined(lines []string) string { return strings.Join(lines, "\n") }

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
