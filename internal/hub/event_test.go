package hub_test

import (
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

func (b *peer) tell(e protocol.Event) {
	b.t.Helper()
	b.send(protocol.EventFrame{Event: protocol.AnyEvent{Event: e}})
}

// as performs a call of an agent whose answer is r, and returns the events that came with it.
func (b *peer) as(r *rig, agent string, a protocol.Action, result string) []protocol.Event {
	b.t.Helper()
	f := r.do(hub.Call{Agent: agent, Action: a})
	b.answer(b.request().ID, result)
	return f.result().Events
}

func TestEventsReachTheAgentOfTheTabWithItsNextResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		b.as(r, "a1", protocol.OpenTab{URL: "https://a.test"}, `{"ok":true,"tabId":41,"url":"","title":""}`)
		b.as(r, "a2", click(), ok) // on tab 7
		dialog := protocol.DialogOpened{TabID: 41, Kind: "alert", Message: "hi"}
		ended := protocol.SessionEnded{TabID: 7, Domain: "b.test", Reason: protocol.EndTabClosed}
		b.tell(dialog)
		b.tell(ended)
		b.tell(protocol.DialogOpened{TabID: 99, Kind: "alert"}) // nobody's
		if got := b.as(r, "a3", evaluate(1), number(1)); got != nil {
			t.Errorf("a stranger got %v", got)
		}
		if d := cmp.Diff([]protocol.Event{dialog}, b.as(r, "a1", evaluate(1), number(1))); d != "" {
			t.Error(d)
		}
		if got := b.as(r, "a1", evaluate(1), number(1)); got != nil {
			t.Errorf("told twice: %v", got)
		}
		f := r.do(hub.Call{Agent: "a2", Action: click()})
		b.send(protocol.Response{ID: b.request().ID, Error: &protocol.Error{Code: protocol.CodeTabNotFound, Message: "gone"}})
		reply := <-f.reply // an error brings the events as well
		if d := cmp.Diff([]protocol.Event{ended}, reply.Events); d != "" {
			t.Error(d)
		}
		if _, known := r.hub.Owner(user, chrome, 7); known {
			t.Error("a tab whose session ended still has an owner")
		}
	})
}

func TestGlobalStopReachesEveryAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		b.send(protocol.State{Tabs: []protocol.TabRecord{{TabID: 1, AgentID: "a1"}, {TabID: 2, AgentID: "a1"}, {TabID: 3, AgentID: "a2"}}})
		stop := protocol.GlobalStop{Sessions: 3}
		// As the extension tells it: the sessions that end first, a2's before Stop all has its say.
		ended := protocol.SessionEnded{TabID: 3, Domain: "a.test", Reason: protocol.EndGlobalStop}
		b.tell(ended)
		b.tell(stop)
		for agent, want := range map[string][]protocol.Event{"a1": {stop}, "a2": {ended, stop}} {
			if d := cmp.Diff(want, b.as(r, agent, evaluate(1), number(1))); d != "" {
				t.Errorf("%s: %s", agent, d)
			}
		}
		if i := r.hub.Browsers(user)[0]; !i.Stopped || len(i.Tabs) != 0 {
			t.Errorf("after Stop all: %+v", i)
		}
	})
}

func TestSessionsAreKeptUpByEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connect(described(chrome))
		b.tell(protocol.SessionStarted{TabID: 41, Domain: "a.test", StartedAt: 5})
		b.as(r, "a1", protocol.OpenTab{URL: "https://a.test"}, `{"ok":true,"tabId":41,"url":"","title":""}`)
		want := []protocol.TabRecord{{TabID: 41, Domain: "a.test", StartedAt: 5, LastActionAt: 5, AgentID: "a1"}}
		if d := cmp.Diff(want, r.hub.Browsers(user)[0].Tabs); d != "" {
			t.Error(d)
		}
		b.tell(protocol.SessionEnded{TabID: 41, Domain: "a.test", Reason: protocol.EndUserStopped})
		synctest.Wait()
		if got := r.hub.Browsers(user)[0].Tabs; len(got) != 0 {
			t.Errorf("got %+v", got)
		}
	})
}

func TestSubscribersAreNeverWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &hub.Options{AgentEvents: 2})
		quick, slow, stranger := r.hub.Subscribe(user, 16), r.hub.Subscribe("", 2), r.hub.Subscribe("eve", 1)
		b := r.connect(described(chrome))
		b.as(r, "a1", click(), ok)
		for i := range int64(4) {
			b.tell(protocol.DownloadChanged{TabID: 7, Name: "f", State: string(rune('a' + i))})
		}
		got := b.as(r, "a1", evaluate(1), number(1))
		want := []protocol.Event{
			protocol.DownloadChanged{TabID: 7, Name: "f", State: "c"}, protocol.DownloadChanged{TabID: 7, Name: "f", State: "d"},
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
		b.lose()
		_ = b.ended()
		for _, s := range []*hub.Subscription{quick, slow, stranger} {
			s.Close()
			s.Close()
		}
		var kinds []protocol.NoticeKind
		for n := range quick.C {
			kinds = append(kinds, n.Kind)
			if n.Kind == protocol.NoticeEvent && n.AgentID != "a1" {
				t.Errorf("the notice names %q as the agent", n.AgentID)
			}
		}
		e := protocol.NoticeEvent
		if d := cmp.Diff([]protocol.NoticeKind{protocol.NoticeConnected, e, e, e, e, protocol.NoticeDisconnected}, kinds); d != "" {
			t.Error(d)
		}
		if slow.Dropped() != 4 || quick.Dropped() != 0 || len(stranger.C) != 0 {
			t.Errorf("dropped: slow %d, quick %d; the stranger got %d", slow.Dropped(), quick.Dropped(), len(stranger.C))
		}
		if s := r.hub.Stats(); s.Events != 4 || s.EventsDropped != 2+4 {
			t.Errorf("events %d, dropped %d", s.Events, s.EventsDropped)
		}
	})
}

// Ten thousand browsers that go at once are told of one by one to whoever must not lose any; what nobody takes is bounded.
func TestABacklogLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		kept := r.hub.Keep()
		b := r.connect(described(chrome))
		b.as(r, "a1", click(), ok)
		const many = 3000
		for i := range int64(many) {
			b.tell(protocol.DownloadChanged{TabID: i, Name: "f", State: "done"})
		}
		synctest.Wait()
		b.lose()
		_ = b.ended()
		first := kept.Take()
		if len(first) != 1+many+1 || first[0].Kind != protocol.NoticeConnected || first[many+1].Kind != protocol.NoticeDisconnected {
			t.Fatalf("took %d notices, expected those of coming, %d events and going", len(first), many)
		}
		for i, n := range first[1 : many+1] {
			if protocol.EventTab(n.Event) != int64(i) {
				t.Fatalf("notice %d is of tab %d: out of order", i, protocol.EventTab(n.Event))
			}
		}
		later := make(chan []hub.Notice)
		go func() { later <- kept.Take() }()
		synctest.Wait() // it waits: there is nothing
		r.connect(described(chrome))
		if got := <-later; len(got) != 1 || got[0].Kind != protocol.NoticeConnected {
			t.Errorf("whoever waited took %+v", got)
		}
		kept.Close()
		kept.Close()
		if got := kept.Take(); len(got) != 0 || kept.Dropped() != 0 {
			t.Errorf("after the close there were %d notices, %d dropped", len(got), kept.Dropped())
		}
	})
}
