package agent

import (
	"context"
	"time"

	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/internal/policy"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Browsers lists the browsers of the caller's user. It needs the scope agent or admin.
func (d *Desk) Browsers(caller Caller) ([]protocol.BrowserInfo, error) {
	if err := allowed(caller, store.ScopeAgent); err != nil && allowed(caller, store.ScopeAdmin) != nil {
		return nil, err
	}
	clean, err := d.scrubber(context.Background(), caller.Identity.User)
	if err != nil {
		return nil, err
	}
	return clean.browsers(d.hub.Browsers(caller.Identity.User)), nil
}

// Pair makes a one-use pairing code for a browser of the caller's user. It needs the scope admin.
func (d *Desk) Pair(ctx context.Context, caller Caller) (code string, expires time.Time, err error) {
	if err := allowed(caller, store.ScopeAdmin); err != nil {
		return "", time.Time{}, err
	}
	return d.store.NewPairing(ctx, caller.Identity.User, "")
}

// Rules returns the rules in force, as browsers get them. It needs the scope admin.
func (d *Desk) Rules(caller Caller) (protocol.Rules, error) {
	if err := allowed(caller, store.ScopeAdmin); err != nil {
		return protocol.Rules{}, err
	}
	return d.InForce(), nil
}

// InForce is what a browser is told of the rules when it connects.
func (d *Desk) InForce() protocol.Rules { return protocol.Rules{Blocklist: d.rules.Load().Entries()} }

// SetRules puts rules in force, stores them and tells the connected browsers. It needs the scope admin, and returns the rules
// as they are compared. An entry that means nothing changes nothing and is named in the error.
func (d *Desk) SetRules(ctx context.Context, caller Caller, rules protocol.Rules) (protocol.Rules, error) {
	if err := allowed(caller, store.ScopeAdmin); err != nil {
		return protocol.Rules{}, err
	}
	compiled, err := policy.Compile(rules, d.opts.OwnPort)
	if err != nil {
		return protocol.Rules{}, protocol.Errorf(protocol.CodeInvalidAction, "%v", err)
	}
	d.changing.Lock()
	defer d.changing.Unlock()
	entries := compiled.Entries()
	if err := d.store.SetRules(ctx, store.Rules{Blocklist: entries}); err != nil {
		return protocol.Rules{}, err
	}
	d.rules.Store(compiled)
	told := protocol.Rules{Blocklist: entries}
	d.hub.PushPolicy("", told)
	d.note(ctx, store.AuditEntry{Kind: protocol.AuditRules, User: caller.Identity.User, TokenID: caller.Identity.TokenID}, nil)
	return told, nil
}

// KeepEvents writes what browsers tell from now on into the audit trail, until stop is called, which returns once all that was told
// by then is written. Call it once, before the doors open.
func (d *Desk) KeepEvents() (stop func()) {
	notices := d.hub.Keep()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for batch := notices.Take(); len(batch) > 0; batch = notices.Take() {
			for _, n := range batch {
				d.remember(n)
				if err := d.store.Audit(context.Background(), noticeLine(n)); err != nil {
					d.opts.Logger.Error("an event is missing in the audit trail", "err", err)
				}
			}
		}
		if lost := notices.Dropped(); lost > 0 {
			d.opts.Logger.Error("events are missing in the audit trail: they came faster than the disk took them", "events", lost)
		}
	}()
	return func() {
		notices.Close()
		<-done
	}
}

// remember keeps which browsers are connected, for the server after this one: its callers wait for them to come back.
func (d *Desk) remember(n hub.Notice) {
	var err error
	switch {
	case n.Kind == protocol.NoticeConnected:
		err = d.store.SetConnected(context.Background(), store.Connected{User: n.User, BrowserID: n.BrowserID, Name: n.Name})
	case n.Kind == protocol.NoticeDisconnected && n.Draining:
		err = d.store.SetSeen(context.Background(), n.User, n.BrowserID)
	case n.Kind == protocol.NoticeDisconnected:
		err = d.store.SetGone(context.Background(), n.User, n.BrowserID)
	}
	if err != nil {
		d.opts.Logger.Warn("which browsers are connected could not be kept: after a restart calls will not wait for them", "err", err)
	}
}

// noticeLine is the audit line of a notice: what happened, never what a page said.
func noticeLine(n hub.Notice) store.AuditEntry {
	line := store.AuditEntry{Kind: protocol.AuditEvent, User: n.User, BrowserID: n.BrowserID, AgentID: n.AgentID, Action: string(n.Kind)}
	if n.Kind != protocol.NoticeEvent {
		return line
	}
	line.Action, line.TabID = protocol.Events.Tag(n.Event), protocol.EventTab(n.Event)
	switch e := n.Event.(type) {
	case protocol.SessionStarted:
		line.Detail = e.Domain
	case protocol.SessionEnded:
		line.Detail = string(e.Reason)
	case protocol.DomainBlocked:
		line.Detail = e.Domain
	case protocol.ObstacleMet:
		line.Detail = e.Obstacle.Type
	}
	return line
}
