package render

import (
	"fmt"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Events lists what happened on the reader's tabs since its last answer, a line each.
// Types that have nothing to say to it are left out.
func Events(events []protocol.Event) []string {
	var out []string
	for _, e := range events {
		if said := event(e); said != "" {
			out = append(out, "event: "+said)
		}
	}
	return out
}

func event(e protocol.Event) string {
	switch e := e.(type) {
	case protocol.SessionEnded:
		return fmt.Sprintf("session on tab %d ended: %s", e.TabID, line(string(e.Reason), maxName))
	case protocol.DomainBlocked:
		return "blocked domain " + address(e.Domain)
	case protocol.GlobalStop:
		return "the user pressed Stop all: only the user resumes"
	case protocol.ObstacleMet:
		return fmt.Sprintf("tab %d has an obstacle: %s (%s)", e.TabID, line(e.Obstacle.Type, maxName), line(e.Obstacle.Confidence, maxName))
	case protocol.HandoffDone:
		return fmt.Sprintf("the user finished the handoff on tab %d", e.TabID)
	case protocol.DialogOpened:
		return fmt.Sprintf("dialog %s %s opened on tab %d: answer it with action dialog", line(e.Kind, maxName), quote(e.Message, maxURL), e.TabID)
	case protocol.DownloadChanged:
		said := fmt.Sprintf("download %s %s", quote(e.Name, maxTitle), line(e.State, maxName))
		if e.ID != 0 {
			said += fmt.Sprintf(", id %d for action download", e.ID)
		}
		return said
	case protocol.TabOpened:
		return "tab " + fmt.Sprint(e.TabID) + " was opened by the page: " + address(e.URL)
	}
	return ""
}
