package hub

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// account is one user: their browsers and what they make the hub hold.
type account struct {
	name     string              // fixed at creation
	budget   *budget             // fixed at creation
	browsers map[string]*browser // by browserId; guarded by Hub.mu
	waiting  int                 // calls that wait for a browser to come back; guarded by Hub.mu
}

// browser is one installation, connected or lost a moment ago. Guarded by
// Hub.mu, but for id and memory.
type browser struct {
	id   string // fixed at creation
	link *Link  // nil while not connected
	peer Peer   // of the latest connection
	// arrived is closed while connected; made anew when the link is lost.
	arrived  chan struct{}
	lostAt   time.Time
	attached time.Time
	// state is what the browser announced, kept up by its events.
	state protocol.State
	// owners says which agent works on a tab: from state and from answered calls.
	owners map[int64]string
	// queues holds events for each agent's next result.
	queues map[string][]protocol.Event
	memory *Memory // fixed at creation
}

// maxOwners bounds what an unruly peer can make the hub remember of tabs.
const maxOwners = 10_000

func newBrowser(id string, memory *Memory) *browser {
	if memory == nil {
		memory = newMemory()
	}
	return &browser{
		id: id, memory: memory, arrived: make(chan struct{}),
		owners: map[int64]string{}, queues: map[string][]protocol.Event{},
	}
}

// agents gives each agent that works in this browser, or did until the news that
// still waits for it, once: Stop all ends the sessions before it says so itself.
func (b *browser) agents() iter.Seq[string] {
	seen := map[string]struct{}{}
	for _, a := range b.owners {
		seen[a] = struct{}{}
	}
	for a := range b.queues {
		seen[a] = struct{}{}
	}
	return maps.Keys(seen)
}

func (b *browser) own(tab int64, agent string) {
	if tab == 0 || agent == "" {
		return
	}
	if _, known := b.owners[tab]; !known && len(b.owners) >= maxOwners {
		return
	}
	b.owners[tab] = agent
	for i := range b.state.Tabs {
		if b.state.Tabs[i].TabID == tab {
			b.state.Tabs[i].AgentID = agent
		}
	}
}

// announce takes in a state frame: what is absent in it is gone.
func (b *browser) announce(s protocol.State) {
	b.state = s
	b.state.Tabs = slices.Clone(s.Tabs)
	clear(b.owners)
	for _, t := range s.Tabs {
		b.own(t.TabID, t.AgentID)
	}
}

// apply keeps state and owners up with an event.
func (b *browser) apply(e protocol.Event) {
	switch e := e.(type) {
	case protocol.SessionStarted:
		b.forget(e.TabID)
		if len(b.state.Tabs) < maxOwners {
			b.state.Tabs = append(b.state.Tabs, protocol.TabRecord{
				TabID: e.TabID, Domain: e.Domain, StartedAt: e.StartedAt, LastActionAt: e.StartedAt, AgentID: b.owners[e.TabID],
			})
		}
	case protocol.SessionEnded:
		b.forget(e.TabID)
		delete(b.owners, e.TabID)
	case protocol.GlobalStop:
		b.state.Stopped = true
		b.state.Tabs = nil
		clear(b.owners)
	}
}

func (b *browser) forget(tab int64) {
	b.state.Tabs = slices.DeleteFunc(b.state.Tabs, func(t protocol.TabRecord) bool { return t.TabID == tab })
}

// learn takes in a successful answer: which tab its agent now works on.
func (b *browser) learn(agent string, a protocol.Action, r protocol.Result) {
	switch r := r.(type) {
	case protocol.OpenTabResult:
		b.own(r.TabID, agent)
	case protocol.AttachTabResult:
		b.own(r.TabID, agent)
	default:
		if m, ok := protocol.MethodOf(protocol.TypeOf(a)); ok && m.OnPage {
			b.own(protocol.TabOf(a), agent)
		}
	}
}

// called reports whether the user means this browser by want: its id, or the name that it goes by, in any case.
func (b *browser) called(want string) bool {
	return b.id == want || b.peer.goesBy() != "" && strings.EqualFold(b.peer.goesBy(), want)
}

// meant reports whether want is this browser and no other: an id, or a name that was given to one browser.
func (b *browser) meant(want string) bool {
	return b.id == want || b.peer.givenName() != "" && strings.EqualFold(b.peer.givenName(), want)
}

// title is how messages name the browser.
func (b *browser) title() string { return title(b.peer) }

// working says in which tab agents did something last, by its domain: what a page calls itself has no place in an error.
func (b *browser) working() string {
	if len(b.state.Tabs) == 0 {
		return ""
	}
	last := slices.MaxFunc(b.state.Tabs, func(x, y protocol.TabRecord) int { return cmp.Compare(x.LastActionAt, y.LastActionAt) })
	more := ""
	if n := len(b.state.Tabs) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf(" at work in tab %d on %s%s", last.TabID, last.Domain, more)
}

func title(p Peer) string { return Title(p.goesBy(), p.BrowserID) }

// Title is how messages name a browser: by its name, "" for none, and by its id, which no other has.
func Title(name, id string) string {
	if name == "" {
		return id
	}
	return fmt.Sprintf("%q (%s)", name, id)
}

func (b *browser) info() protocol.BrowserInfo {
	i := protocol.BrowserInfo{
		BrowserID: b.id, Name: b.peer.goesBy(), Connected: b.link != nil, Version: b.peer.Version, UserAgent: b.peer.UserAgent,
		ConnectedAt: b.attached.UnixMilli(), Stopped: b.state.Stopped, Tabs: slices.Clone(b.state.Tabs),
	}
	for _, c := range b.peer.Caps {
		if _, ok := protocol.MethodOf(protocol.ActionType(c)); ok {
			i.Actions = append(i.Actions, c)
		}
	}
	if b.link != nil {
		i.Dialect = b.link.codec.Dialect()
		i.Unresponsive = b.link.silence() >= protocol.HeartbeatLate
	}
	return i
}
