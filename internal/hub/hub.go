package hub

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Why a connection was not taken, or ended.
var (
	// ErrStale: a newer connection of the same browser is already attached, by
	// connectionSeq. Close with protocol.CloseReplaced.
	ErrStale = errors.New("a newer connection of this browser is already attached")
	// ErrTooManyBrowsers: the user has Options.MaxBrowsers others.
	ErrTooManyBrowsers = errors.New("too many browsers of this user are connected: close one first")
	// ErrNameInUse: another browser is connected under that name. Refuse with
	// protocol.CodeNameInUse and close with protocol.CloseUnauthorized.
	ErrNameInUse = errors.New("another browser is connected under that name: give this one another name, or close the other")
	// ErrDraining: the hub takes no more connections. Close with protocol.CloseGoingAway.
	ErrDraining = errors.New("the server is going away")
	// ErrReplaced: another connection of the same browser took over.
	ErrReplaced = errors.New("another connection of this browser took over")
	// ErrSilent: nothing was heard for protocol.SilenceTimeout.
	ErrSilent = errors.New("the browser fell silent")
	// ErrSlow: the peer did not read what was written to it.
	ErrSlow = errors.New("the browser stopped reading")
	// ErrInvalidFrames: more than protocol.MaxInvalidFrames within a minute.
	ErrInvalidFrames = errors.New("too many invalid frames within a minute")
)

// staleWindow is how long after a connection was attached an older one of the
// same browser may still turn up, overtaken on its way in. Beyond it a lower
// connectionSeq is a copied or restored profile, and last wins.
const staleWindow = time.Minute

// Hub holds the live browsers of all users. Make it with New.
type Hub struct {
	// fixed at creation
	opts     Options
	draining chan struct{} // closed when Drain begins
	quiet    chan struct{} // closed when no call is left after that

	counters counters
	requests atomic.Uint64 // numbers requests for Codec.NewID

	mu       sync.Mutex // before any Link.mu
	users    map[string]*account
	memories map[string]*Memory // of browsers that are not known any more, by user and browser
	given    map[string]string  // the names that browsers were given here, by user and browser
	live     map[*Link]struct{} // every link from Attach until its Run has returned
	subs     map[*Subscription]struct{}
	backlogs map[*Backlog]struct{}
	inFlight int  // calls of Do that have not returned
	closed   bool // draining is closed
}

// New makes a hub; opts may be nil, and is copied. Drain ends it.
func New(opts *Options) *Hub {
	return &Hub{
		opts:     opts.withDefaults(),
		draining: make(chan struct{}),
		quiet:    make(chan struct{}),
		users:    map[string]*account{},
		memories: map[string]*Memory{},
		given:    map[string]string{},
		live:     map[*Link]struct{}{},
		subs:     map[*Subscription]struct{}{},
		backlogs: map[*Backlog]struct{}{},
	}
}

// Attach makes conn the one connection of a user's browser, from this moment
// on: last wins. An earlier connection of that browser is closed with
// protocol.CloseReplaced, and what was pending on it fails.
//
// Nothing is written to conn before Link.Run: the caller first writes the
// handshake's acknowledgement (Link.ID is its connectionId), then calls Run,
// which it must do even if that write failed (Link.Close first, then). When
// Attach returns an error (ErrStale, ErrNameInUse, ErrTooManyBrowsers, ErrDraining) conn
// stays the caller's to close.
func (h *Hub) Attach(user string, peer Peer, conn Conn, codec Codec) (*Link, error) {
	if user == "" || peer.BrowserID == "" {
		return nil, errors.New("attach a browser: expected a user and a browser id")
	}
	peer.Caps = slices.Clone(peer.Caps)
	l := &Link{
		hub: h, id: uuid.NewString(), peer: peer, caps: NewCaps(peer.Caps), conn: conn, codec: codec,
		wake:    make(chan struct{}, 1),
		ended:   make(chan struct{}),
		pending: newPendingTable(),
		outbox:  outbox{maxRequests: h.opts.MaxQueued, maxControl: h.opts.MaxInFlight + 64},
		strikes: strikes{allowed: protocol.MaxInvalidFrames},
	}
	l.driver, _ = codec.(Driver)
	l.made = time.Now()
	l.life, l.kill = context.WithCancelCause(context.Background())

	replaced, err := h.enter(l, user)
	if err != nil {
		l.kill(err)
		return nil, err
	}
	h.counters.attached.Add(1)
	for _, old := range replaced {
		old.end(protocol.CloseReplaced, ErrReplaced)
	}
	return l, nil
}

// enter swaps l in and returns the links that it took the place of.
func (h *Hub) enter(l *Link, user string) (replaced []*Link, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, ErrDraining
	}
	l.peer.given = naming(h.given[memoryKey(user, l.peer.BrowserID)])
	u := h.users[user]
	if u == nil {
		u = &account{name: user, budget: &budget{limit: h.opts.UserBytes}, browsers: map[string]*browser{}}
	}
	namesakes, err := u.namesakesLocked(l.peer)
	if err != nil {
		return nil, err
	}
	b := u.browsers[l.peer.BrowserID]
	if b == nil {
		if len(u.browsers) >= h.opts.MaxBrowsers {
			return nil, ErrTooManyBrowsers
		}
		b = newBrowser(l.peer.BrowserID, h.memories[memoryKey(user, l.peer.BrowserID)])
		delete(h.memories, memoryKey(user, b.id))
	}
	old := b.link
	if old != nil && l.peer.Seq != 0 && l.peer.Seq < old.peer.Seq && time.Since(b.attached) < staleWindow {
		h.counters.stale.Add(1)
		return nil, ErrStale
	}
	h.users[user], u.browsers[b.id] = u, b
	l.user, l.browser = u, b
	b.link, b.peer, b.attached = l, l.peer, time.Now()
	h.live[l] = struct{}{}
	if old == nil {
		close(b.arrived)
		h.announceLocked(Notice{Kind: protocol.NoticeConnected, User: user, BrowserID: b.id, Name: l.peer.Name})
		return namesakes, nil
	}
	return append(namesakes, old), nil
}

// namesakesLocked returns the links of other browsers whose place a browser with a
// name of its own takes: those that go by that name, unless it is another instance.
func (u *account) namesakesLocked(p Peer) (links []*Link, err error) {
	if !p.Exclusive {
		return nil, nil
	}
	for _, b := range u.browsers {
		if b.link == nil || !b.peer.Exclusive || !strings.EqualFold(b.peer.Name, p.Name) {
			continue
		}
		if p.Instance != "" && b.peer.Instance != "" && p.Instance != b.peer.Instance {
			return nil, ErrNameInUse
		}
		if b.id != p.BrowserID {
			links = append(links, b.link)
		}
	}
	return links, nil
}

// maxMemories bounds how many browsers' memories are kept while they are away.
const maxMemories = 1024

func memoryKey(user, browserID string) string { return user + "\x00" + browserID }

// leave clears the slot that l holds, if it still holds it, and keeps the
// browser in mind for as long as calls wait for it.
func (h *Hub) leave(l *Link) {
	h.mu.Lock()
	defer h.mu.Unlock()
	u, b := l.user, l.browser
	if b.link != l {
		return
	}
	b.link, b.arrived, b.lostAt = nil, make(chan struct{}), time.Now()
	h.announceLocked(Notice{Kind: protocol.NoticeDisconnected, User: u.name, BrowserID: b.id, Name: b.peer.Name, Draining: h.closed})
	if h.opts.ReconnectGrace == 0 || h.closed {
		h.forgetLocked(u, b)
		return
	}
	h.forgetLaterLocked(u, b)
}

// forgetLaterLocked forgets a browser that is not connected, unless it comes back within the grace. h.mu is held.
func (h *Hub) forgetLaterLocked(u *account, b *browser) {
	lostAt := b.lostAt
	time.AfterFunc(h.opts.ReconnectGrace, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if b.link == nil && b.lostAt.Equal(lostAt) {
			h.forgetLocked(u, b)
		}
	})
}

// Expect tells of a browser that was connected to this server's predecessor when that ended: calls wait for it as if it had been
// lost just now. Call it before anything connects.
func (h *Hub) Expect(user, browserID, name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	u := h.users[user]
	if u == nil {
		u = &account{name: user, budget: &budget{limit: h.opts.UserBytes}, browsers: map[string]*browser{}}
	}
	if h.opts.ReconnectGrace == 0 || u.browsers[browserID] != nil || len(u.browsers) >= h.opts.MaxBrowsers {
		return
	}
	b := newBrowser(browserID, h.memories[memoryKey(user, browserID)])
	b.peer, b.lostAt = Peer{BrowserID: browserID, Name: name, given: naming(h.given[memoryKey(user, browserID)])}, time.Now()
	h.users[user], u.browsers[browserID] = u, b
	h.forgetLaterLocked(u, b)
}

func (h *Hub) forgetLocked(u *account, b *browser) {
	if u.browsers[b.id] == b {
		delete(u.browsers, b.id)
		if !b.memory.empty() && len(h.memories) < maxMemories {
			h.memories[memoryKey(u.name, b.id)] = b.memory
		}
	}
	if len(u.browsers) == 0 && h.users[u.name] == u {
		delete(h.users, u.name)
	}
}

// gone is the last word of a link's Run.
func (h *Hub) gone(l *Link) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.live, l)
}

// Browsers lists a user's browsers by id: those connected, and those lost so
// recently that a call would wait for them.
func (h *Hub) Browsers(user string) []protocol.BrowserInfo {
	h.mu.Lock()
	defer h.mu.Unlock()
	infos := []protocol.BrowserInfo{}
	if u := h.users[user]; u != nil {
		for _, b := range u.browsers {
			infos = append(infos, b.info())
		}
	}
	slices.SortFunc(infos, func(a, b protocol.BrowserInfo) int { return strings.Compare(a.BrowserID, b.BrowserID) })
	return infos
}

// Owner returns the agent that works on a tab, as far as the hub was told.
func (h *Hub) Owner(user, browserID string, tab int64) (agent string, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	u := h.users[user]
	if u == nil || u.browsers[browserID] == nil {
		return "", false
	}
	agent, ok = u.browsers[browserID].owners[tab]
	return agent, ok
}

// Where returns the ids of a user's browsers in which an agent has tabs or a session, as far as the hub was told.
func (h *Hub) Where(user, agent string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	u := h.users[user]
	if u == nil {
		return nil
	}
	var ids []string
	for id, b := range u.browsers {
		if slices.Contains(slices.Collect(maps.Values(b.owners)), agent) || b.memory.Latest(agent) != "" {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// PushPolicy tells the server's rules to every connected browser of a user
// that understands them, of all users for "", and returns to how many.
func (h *Hub) PushPolicy(user string, rules protocol.Rules) int {
	n := 0
	for _, l := range h.links(func(l *Link) bool { return user == "" || l.user.name == user }) {
		if l.caps.Has(protocol.CapPolicy) && l.control(protocol.Policy{Policy: rules}) {
			n++
		}
	}
	return n
}

// Revoke ends a user's connection of a browser, or all of them for "", such as
// after a token was withdrawn: with this close code and a reason for the log.
func (h *Hub) Revoke(user, browserID string, code int, why error) {
	for _, l := range h.links(func(l *Link) bool {
		return l.user.name == user && (browserID == "" || l.browser.id == browserID)
	}) {
		l.Close(code, why)
	}
}

func (h *Hub) links(want func(*Link) bool) []*Link {
	h.mu.Lock()
	defer h.mu.Unlock()
	var links []*Link
	for l := range h.live {
		if want(l) {
			links = append(links, l)
		}
	}
	return links
}

// Drain ends the hub: no more connections and calls from now on; what is under
// way may end within ctx; then every connection is closed with
// protocol.CloseGoingAway. It returns once they have ended, or an error if some
// did not. It may be called twice.
func (h *Hub) Drain(ctx context.Context) error {
	h.mu.Lock()
	if !h.closed {
		h.closed = true
		close(h.draining)
		if h.inFlight == 0 {
			close(h.quiet)
		}
	}
	h.mu.Unlock()
	select {
	case <-h.quiet:
	case <-ctx.Done():
	}
	links := h.links(func(*Link) bool { return true })
	for _, l := range links {
		l.end(protocol.CloseGoingAway, ErrDraining)
	}
	timer := time.NewTimer(closeWait)
	defer timer.Stop()
	for _, l := range links {
		select {
		case <-l.ended:
		case <-timer.C:
			return errors.New("drain: some connections did not end in time")
		}
	}
	return nil
}
