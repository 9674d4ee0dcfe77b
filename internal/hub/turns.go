package hub

import (
	"context"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// lateAnswerWait is how long a session stays held for the answer of a request
// that was given up: the dialect cannot take it back, so it may still run.
const lateAnswerWait = 2 * time.Minute

// session is where the actions on one session of a link take turns. It exists
// while somebody uses it.
type session struct {
	turn chan struct{} // holds a token while no action works on its pages
	aim  chan struct{} // holds a token while nobody chooses its current tab
	// chosen rises with each choice; guarded by aim's token.
	chosen uint64
	users  int // lines that hold or wait; guarded by Link.mu
}

// grip is an action's hold of a session: until the action is over and none of
// its requests can be at work any more. Guarded by Link.mu.
type grip struct {
	name    string   // fixed at creation
	session *session // fixed at creation
	late    int      // requests that were given up and may still run
	over    bool     // the action has returned
	freed   bool
	timer   *time.Timer // ends the wait for late answers
}

// Hold waits for this action's turn on a session and keeps it until the action
// is over, and longer while a request of it that was given up may still run.
// The wait counts in the action's time. An action holds one session at most.
func (n *Line) Hold(ctx context.Context, name string) error {
	for _, g := range n.grips {
		if g.name == name {
			return nil
		}
	}
	l := n.link
	s := l.useSession(name)
	if err := n.take(ctx, s.turn, name); err != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.leaveSessionLocked(name, s)
		return err
	}
	n.grips = append(n.grips, &grip{name: name, session: s})
	return nil
}

// Aim is a line's hold of a session's choice of its current tab. It is short:
// what is asked for later is answered later, so it need not last until an answer.
type Aim struct {
	line *Line
	name string
	of   *session
	done bool
}

// Aim waits until nobody else chooses the session's current tab. Its Done must be called.
func (n *Line) Aim(ctx context.Context, name string) (*Aim, error) {
	a := &Aim{line: n, name: name, of: n.link.useSession(name)}
	if err := n.take(ctx, a.of.aim, name); err != nil {
		a.leave()
		return nil, err
	}
	return a, nil
}

// Chosen notes that the session's current tab may be another now.
func (a *Aim) Chosen() { a.of.chosen++ }

// Choice is a number that changes with each Chosen, never 0.
func (a *Aim) Choice() uint64 { return a.of.chosen + 1 }

// Done lets others choose. It may be called twice.
func (a *Aim) Done() {
	if !a.done {
		a.done = true
		a.of.aim <- struct{}{}
		a.leave()
	}
}

func (a *Aim) leave() {
	l := a.line.link
	l.mu.Lock()
	defer l.mu.Unlock()
	l.leaveSessionLocked(a.name, a.of)
}

func (n *Line) take(ctx context.Context, token <-chan struct{}, name string) error {
	timer := time.NewTimer(time.Until(n.deadline))
	defer timer.Stop()
	select {
	case <-token:
		return nil
	case <-ctx.Done():
		return gaveUpError(ctx, n.acted, n.call.Action)
	case <-n.link.life.Done():
		if n.asked {
			return cutOff(n.link.peer, &pendingCall{action: n.call.Action, sent: n.acted}, context.Cause(n.link.life))
		}
		return errLinkClosing
	case <-timer.C:
		n.link.hub.counters.timedOut.Add(1)
		e := protocol.Errorf(protocol.CodeTimeout,
			"an earlier action on session %s did not end within %v: %s was not sent, call again later", name, n.timeout, protocol.TypeOf(n.call.Action))
		e.Retryable = protocol.RetrySame
		if n.acted {
			e = e.WithOutcome(protocol.Unknown)
		}
		return e
	}
}

// end gives up what the action holds, once none of its requests can be at work.
func (n *Line) end() {
	l := n.link
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, g := range n.grips {
		g.over = true
		if g.late == 0 || l.closing {
			l.freeLocked(g)
			continue
		}
		g.timer = time.AfterFunc(lateAnswerWait, func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.freeLocked(g)
		})
	}
}

func (l *Link) useSession(name string) *session {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.sessions[name]
	if s == nil {
		s = &session{turn: make(chan struct{}, 1), aim: make(chan struct{}, 1)}
		s.turn <- struct{}{}
		s.aim <- struct{}{}
		if l.sessions == nil {
			l.sessions = map[string]*session{}
		}
		l.sessions[name] = s
	}
	s.users++
	return s
}

func (l *Link) leaveSessionLocked(name string, s *session) {
	if s.users--; s.users == 0 {
		delete(l.sessions, name)
	}
}

func (l *Link) freeLocked(g *grip) {
	if g.freed {
		return
	}
	g.freed = true
	if g.timer != nil {
		g.timer.Stop()
	}
	g.session.turn <- struct{}{}
	l.leaveSessionLocked(g.name, g.session)
}

// heldByLateLocked notes that a request was given up whose answer may still come.
func (l *Link) heldByLateLocked(c *pendingCall) {
	if len(c.grips) == 0 {
		return
	}
	if l.late == nil {
		l.late = map[string][]*grip{}
	}
	l.late[c.id] = c.grips
	for _, g := range c.grips {
		g.late++
	}
}

// lateCame notes the answer of a request that was given up.
func (l *Link) lateCame(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	grips := l.late[id]
	delete(l.late, id)
	for _, g := range grips {
		if g.late--; g.late == 0 && g.over {
			l.freeLocked(g)
		}
	}
}
