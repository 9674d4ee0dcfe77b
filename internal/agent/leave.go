package agent

import (
	"context"
	"errors"
	"time"

	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// leaveTime is how long one browser may take to let go of an agent's tabs.
const leaveTime = 5 * time.Second

// Leave is the end of an agent that will not come again: its tabs stay open where they are, and are the user's or of whoever
// attaches them. It returns what it had, and needs the scope agent. A browser that is away keeps its tabs for the agent, and the
// error says so; leaving may then be asked for again.
func (d *Desk) Leave(ctx context.Context, caller Caller) ([]protocol.AgentSession, error) {
	if err := allowed(caller, store.ScopeAgent); err != nil {
		return nil, err
	}
	all, err := d.Sessions(caller)
	if err != nil {
		return nil, err
	}
	left := []protocol.AgentSession{}
	var failed []error
	for _, browser := range d.hub.Where(caller.Identity.User, caller.AgentID()) {
		_, err := d.Do(ctx, caller, Request{Action: protocol.Session{Op: "release"}, Browser: browser, Timeout: leaveTime})
		// It may have lost its last tab a moment ago.
		if err != nil && !errors.Is(err, &protocol.Error{Code: protocol.CodeSessionNotFound}) {
			failed = append(failed, err)
			continue
		}
		for _, s := range all {
			if s.Own && s.BrowserID == browser {
				left = append(left, s)
			}
		}
	}
	d.chosen.forget(caller.AgentID())
	return left, errors.Join(failed...)
}
