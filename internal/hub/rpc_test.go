package hub_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/drawbridge-browser/drawbridge/internal/dialect"
	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// rpcPeer is an extension of the rpc dialect.
type rpcPeer struct{ *peer }

func (r *rig) connectRPC(p hub.Peer) rpcPeer {
	r.t.Helper()
	p.Caps, p.Exclusive = dialect.RPC{}.Caps(), true
	pipe := newPipe()
	l, err := r.hub.Attach(user, p, pipe, dialect.RPC{})
	if err != nil {
		r.t.Fatalf("attach: %v", err)
	}
	b := &peer{t: r.t, pipe: pipe, link: l, end: make(chan error, 1)}
	go func() { b.end <- l.Run(r.t.Context()) }()
	return rpcPeer{b}
}

// asked is a request of the rpc dialect.
type asked struct {
	ID     uint64          `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// want reads the next request, which must be for this method.
func (b rpcPeer) want(method string) asked {
	b.t.Helper()
	select {
	case raw := <-b.pipe.toPeer:
		var a asked
		if err := json.Unmarshal(raw, &a); err != nil || a.Method != method {
			b.t.Fatalf("the hub sent %s, expected %s", raw, method)
		}
		return a
	case <-b.pipe.closed:
		b.t.Fatalf("the link was closed while %s was expected", method)
	case <-time.After(time.Hour):
		b.t.Fatalf("%s never came", method)
	}
	return asked{}
}

// quiet fails the test if a request comes before everybody waits for something.
func (b rpcPeer) quiet() {
	b.t.Helper()
	synctest.Wait()
	select {
	case raw := <-b.pipe.toPeer:
		b.t.Errorf("the hub sent %s, expected nothing yet", raw)
	default:
	}
}

func (b rpcPeer) gives(a asked, result string) {
	b.say(`{"jsonrpc":"2.0","id":` + strconv.FormatUint(a.ID, 10) + `,"result":` + result + `}`)
}

const (
	tab41  = `{"tabId":41,"url":"https://a.test/","title":"A"}`
	onTab  = `{"ok":true,"tabId":41,"page":{"url":"https://a.test/","title":"A"}}`
	active = `{"tab":` + tab41 + `}`
)

// opens makes a session of agent a1 with tab 41 in it.
func (b rpcPeer) opens(r *rig) {
	b.t.Helper()
	call := r.do(hub.Call{Action: protocol.Session{Op: "create"}})
	b.gives(b.want("sessions.create"), `{"session":{"sessionId":"s1","activeTabId":41,"tabs":[`+tab41+`]}}`)
	call.result()
}

func press() protocol.Action { return protocol.Press{Key: "Enter"} }

func TestPagesTakeTurnsOnTheirSessionAndNothingElseDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connectRPC(described(chrome))
		b.opens(r)
		first := r.do(hub.Call{Action: press()})
		b.gives(b.want("tabs.active"), active)
		pressed := b.want("pages.press")

		second := r.do(hub.Call{Action: press()})
		b.quiet() // its turn has not come
		list := r.do(hub.Call{Action: protocol.ListTabs{}})
		b.gives(b.want("sessions.list"), `{"sessions":[{"sessionId":"s1","tabs":[`+tab41+`]}]}`)
		list.result()
		open := r.do(hub.Call{Action: protocol.ActivateTab{TabID: 41}})
		b.gives(b.want("tabs.activate"), active)
		open.result()

		b.gives(pressed, onTab)
		first.result()
		b.gives(b.want("tabs.active"), active)
		b.gives(b.want("pages.press"), onTab)
		second.result()
	})
}

func TestALateAnswerIsDroppedAndFreesTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connectRPC(described(chrome))
		b.opens(r)
		start := time.Now()
		slow := r.do(hub.Call{Action: press()})
		b.gives(b.want("tabs.active"), active)
		pressed := b.want("pages.press")
		slow.fails(protocol.CodeTimeout, protocol.Unknown, protocol.RetryAfterRefresh)
		if took := time.Since(start); took < 30*time.Second || took > 31*time.Second {
			t.Errorf("it was waited for %v, expected 30 s", took)
		}
		next := r.do(hub.Call{Action: press()})
		b.quiet() // the first may still be at work: nothing can take it back
		b.gives(pressed, onTab)
		b.gives(b.want("tabs.active"), active)
		b.gives(b.want("pages.press"), onTab)
		next.result()
		if s := r.hub.Stats(); s.LateAnswers != 1 {
			t.Errorf("%d late answers were counted, expected 1", s.LateAnswers)
		}
	})
}

func TestACallerWhoGivesUpLeavesTheSessionHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connectRPC(described(chrome))
		b.opens(r)
		given := r.do(hub.Call{Action: press()})
		b.gives(b.want("tabs.active"), active)
		b.want("pages.press")
		given.stop()
		given.fails(protocol.CodeCancelled, protocol.Unknown, protocol.RetryAfterRefresh)

		short := r.do(hub.Call{Action: press(), Timeout: 5 * time.Second})
		short.fails(protocol.CodeTimeout, protocol.NotSent, protocol.RetrySame)
		b.quiet()
		start := time.Now()
		long := r.do(hub.Call{Action: press(), Timeout: 10 * time.Minute})
		for range 5 { // a browser that is alive, but not done
			<-time.After(protocol.Heartbeat)
			b.say(`{"type":"ping"}`)
			if raw := <-b.pipe.toPeer; string(raw) != `{"type":"pong"}` {
				t.Fatalf("the hub sent %s, expected a pong", raw)
			}
		}
		answered := b.want("tabs.active") // no answer came: the wait for it is bounded
		if took := time.Since(start); took < time.Minute || took > 2*time.Minute {
			t.Errorf("the session was held %v more, expected less than two minutes in all", took)
		}
		b.gives(answered, active)
		b.gives(b.want("pages.press"), onTab)
		long.result()
	})
}

func TestADisconnectFailsWhatIsPendingAndFreesTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connectRPC(described(chrome))
		b.opens(r)
		cut := r.do(hub.Call{Action: press()})
		b.gives(b.want("tabs.active"), active)
		b.want("pages.press")
		waits := r.do(hub.Call{Action: press()})
		synctest.Wait()
		b.lose()
		cut.fails(protocol.CodeNotConnected, protocol.Unknown, protocol.RetryAfterRefresh)
		// What waited for its turn was never sent: it goes to the next connection, whose session the hub remembers.
		again := r.connectRPC(described(chrome))
		again.gives(again.want("tabs.active"), active)
		again.gives(again.want("pages.press"), onTab)
		waits.result()
	})
}

func TestTheMemoryOfSessionsOutlivesTheGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connectRPC(described(chrome))
		b.opens(r)
		b.lose()
		_ = b.ended()
		<-time.After(time.Hour) // in the bubble's own time
		if n := len(r.hub.Browsers(user)); n != 0 {
			t.Fatalf("%d browsers are still known", n)
		}
		again := r.connectRPC(described(chrome))
		call := r.do(hub.Call{Action: press()})
		again.gives(again.want("tabs.active"), active)
		again.gives(again.want("pages.press"), onTab)
		call.result()
		stranger := r.do(hub.Call{Agent: "a2", Action: protocol.Press{Page: protocol.Page{TabID: 41}, Key: "Enter"}})
		stranger.fails(protocol.CodeNotOwner, protocol.NotSent, protocol.RetryNo)
	})
}

func TestNoActionHitsATabThatAnotherChose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connectRPC(described(chrome))
		b.opens(r)
		text := "hi"
		typing := r.do(hub.Call{Action: protocol.Fill{Page: protocol.Page{TabID: 41}, Target: protocol.Target{UID: "e1"}, Text: &text}})
		b.gives(b.want("tabs.active"), active)
		filled := b.want("pages.fill")
		// While it is at work the agent opens another tab in its session: from then on that one is the current tab.
		opening := r.do(hub.Call{Action: protocol.OpenTab{URL: "https://b.test/"}})
		b.gives(b.want("tabs.open"), `{"tab":{"tabId":42,"url":"https://b.test/"}}`)
		b.gives(filled, onTab)
		b.gives(b.want("tabs.active"), `{"tab":{"tabId":42,"url":"https://b.test/"}}`)
		b.gives(b.want("tabs.activate"), active)
		b.gives(b.want("pages.get"), `{"ok":true,"tabId":41,"page":{"url":"https://a.test/","title":"A"},"what":"value","value":"hi"}`)
		if got, ok := typing.result().Result.(protocol.FillResult); !ok || got.Value == nil || *got.Value != "hi" {
			t.Errorf("the result is %+v", got)
		}
		b.gives(b.want("tabs.active"), active)
		b.gives(b.want("tabs.activate"), `{"tab":{"tabId":42,"url":"https://b.test/"}}`)
		b.gives(b.want("pages.wait"), `{"ok":true,"tabId":42,"page":{"url":"https://b.test/","title":"B"}}`)
		opening.result()
	})
}

func TestAnAnswerFromAnotherTabIsToldAsSuch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connectRPC(described(chrome))
		b.opens(r)
		call := r.do(hub.Call{Action: press()})
		b.gives(b.want("tabs.active"), active)
		b.gives(b.want("pages.press"), strings.Replace(onTab, "41", "40", 1))
		call.fails(protocol.CodeInternal, protocol.Done, protocol.RetryNo)
	})
}

func TestTheServersRulesHoldWhereTheBrowserDoesNotKnowThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		b := r.connectRPC(described(chrome))
		b.opens(r)
		rules := func(address string) *protocol.Error {
			if strings.Contains(address, "bank.test") {
				return protocol.Errorf(protocol.CodeDomainBlocked, "bank.test is blocked")
			}
			return nil
		}
		before := r.do(hub.Call{Action: press(), Allow: rules})
		b.gives(b.want("tabs.active"), `{"tab":{"tabId":41,"url":"https://bank.test/","title":"Bank"}}`)
		before.fails(protocol.CodeDomainBlocked, protocol.NotSent, protocol.RetryNo)

		after := r.do(hub.Call{Action: press(), Allow: rules})
		b.gives(b.want("tabs.active"), active)
		b.gives(b.want("pages.press"), strings.Replace(onTab, "a.test", "bank.test", 1))
		after.fails(protocol.CodeDomainBlocked, protocol.Done, protocol.RetryNo)

		list := r.do(hub.Call{Action: protocol.ListTabs{Scope: "user"}, Allow: rules})
		b.gives(b.want("sessions.list"), `{"sessions":[]}`)
		b.gives(b.want("tabs.userList"), `{"tabs":[{"tabId":1,"url":"https://bank.test/"},{"tabId":2,"url":"https://a.test/"}]}`)
		if tabs := list.result().Result.(protocol.ListTabsResult).Tabs; len(tabs) != 1 || tabs[0].TabID != 2 {
			t.Errorf("listed: %+v", tabs)
		}
		taken := r.do(hub.Call{Action: protocol.AttachTab{Page: protocol.Page{TabID: 1}}, Allow: rules})
		b.gives(b.want("sessions.list"), `{"sessions":[]}`)
		b.gives(b.want("tabs.userList"), `{"tabs":[{"tabId":1,"url":"https://bank.test/"},{"tabId":2,"url":"https://a.test/"}]}`)
		taken.fails(protocol.CodeDomainBlocked, protocol.NotSent, protocol.RetryNo)
	})
}

func TestEveryCodeOfTheDialectHasItsTwin(t *testing.T) {
	for _, c := range []struct {
		code    int
		want    protocol.ErrorCode
		outcome protocol.Outcome
		retry   protocol.Retryable
	}{
		{-32600, protocol.CodeInvalidAction, protocol.NotSent, protocol.RetryNo},
		{-32601, protocol.CodeUnsupported, protocol.NotSent, protocol.RetryNo},
		{-32602, protocol.CodeInvalidAction, protocol.NotSent, protocol.RetryNo},
		{-32603, protocol.CodeInternal, protocol.Unknown, protocol.RetryNo},
		{4001, protocol.CodeUnauthorized, protocol.NotSent, protocol.RetryNo},
		{4101, protocol.CodeNotConnected, protocol.NotSent, protocol.RetrySame},
		{4102, protocol.CodeInternal, protocol.Unknown, protocol.RetryAfterRefresh},
		{4103, protocol.CodeSessionNotFound, protocol.NotSent, protocol.RetryNo},
		{4104, protocol.CodeTabNotFound, protocol.NotSent, protocol.RetryNo},
		{4105, protocol.CodeInvalidAction, protocol.NotSent, protocol.RetryNo},
		{4106, protocol.CodeInvalidAction, protocol.NotSent, protocol.RetryNo},
		{4107, protocol.CodeSessionNotFound, protocol.NotSent, protocol.RetryNo},
		{4108, protocol.CodeTabNotFound, protocol.NotSent, protocol.RetryNo},
		{4109, protocol.CodeElementStale, protocol.NotSent, protocol.RetryAfterRefresh},
		{4110, protocol.CodeElementBlocked, protocol.Unknown, protocol.RetryAfterRefresh},
		{4999, protocol.CodeInternal, protocol.Unknown, protocol.RetryNo},
	} {
		t.Run(fmt.Sprint(c.code), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil)
				b := r.connectRPC(described(chrome))
				call := r.do(hub.Call{Action: protocol.ListTabs{}})
				b.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":%d,"message":"no luck"}}`, b.want("sessions.list").ID, c.code))
				if e := call.fails(c.want, c.outcome, c.retry); !strings.Contains(e.Message, "no luck") {
					t.Errorf("the message is lost: %s", e.Message)
				}
			})
		})
	}
}

func TestANameBelongsToOneInstance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		peer := func(id, instance string) hub.Peer {
			return hub.Peer{BrowserID: id, Name: "Work", Instance: instance, Exclusive: true, Caps: dialect.RPC{}.Caps()}
		}
		first := r.connectRPC(peer(chrome, "i1"))
		if _, err := r.hub.Attach(user, peer(firefox, "i2"), newPipe(), dialect.RPC{}); !errors.Is(err, hub.ErrNameInUse) {
			t.Errorf("another instance under the name: %v", err)
		}
		second := r.connectRPC(peer(chrome, "i1"))
		first.wantEnd(protocol.CloseReplaced, hub.ErrReplaced)
		third := r.connectRPC(peer(firefox, "")) // says no instance: the later one has the name
		second.wantEnd(protocol.CloseReplaced, hub.ErrReplaced)
		call := r.do(hub.Call{Action: protocol.ListTabs{}})
		third.gives(third.want("sessions.list"), `{"sessions":[]}`)
		call.result()
	})
}
