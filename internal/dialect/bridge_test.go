package dialect_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/drawbridge-browser/drawbridge/internal/dialect"
	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

const id = "6f1c6f1e-0000-4000-8000-000000000001"

var ours = hub.NewCaps(protocol.Features())

// plain is an extension of the seed's own version 4: action types, and nothing of ours.
var plain = hub.NewCaps([]string{"click", "extract", "navigate", "type", "snapshot"})

func request(a protocol.Action) protocol.Request {
	return protocol.Request{ID: id, Action: protocol.AnyAction{Action: a}, TimeoutMS: 5, AgentID: "a1", CallKey: "k"}
}

func click() protocol.Action { return protocol.Click{Target: protocol.Target{UID: "e7"}} }

// fullAck has everything that an ack can have.
func fullAck() protocol.Ack {
	return protocol.Ack{
		ProtocolVersion: 4, ServerVersion: "1", ConnectionID: "c", Caps: protocol.Features(), BrowserName: "b",
		HeartbeatMS: 20_000, Policy: &protocol.Rules{Blocklist: []string{"bank.test"}}, DeviceToken: "secret",
	}
}

func TestEncodeForAnOldPeer(t *testing.T) {
	for _, c := range []struct {
		name        string
		frame       protocol.Frame
		ours, plain string
	}{
		{
			"request", request(click()),
			`{"type":"request","id":"` + id + `","action":{"type":"click","uid":"e7"},"timeoutMs":5,"agentId":"a1","callKey":"k"}`,
			`{"type":"request","id":"` + id + `","action":{"type":"click","uid":"e7"}}`,
		},
		{
			"ack", fullAck(), mustJSON(t, fullAck()),
			`{"type":"ack","protocolVersion":4,"serverVersion":"1"}`,
		},
		{
			"reject",
			protocol.Reject{RequiredMinProtocolVersion: 4, Error: *protocol.Errorf(protocol.CodeNameInUse, "taken")},
			`{"type":"reject","requiredMinProtocolVersion":4,"error":{"code":"name_in_use","message":"taken","outcome":"not_sent","retryable":"no"}}`,
			`{"type":"reject","requiredMinProtocolVersion":4,"error":{"code":"unauthorized","message":"taken"}}`,
		},
		{
			"reject of version 4's own",
			protocol.Reject{RequiredMinProtocolVersion: 4, Error: *protocol.Errorf(protocol.CodeProtocolMismatch, "old")},
			`{"type":"reject","requiredMinProtocolVersion":4,"error":{"code":"protocol_mismatch","message":"old","outcome":"not_sent","retryable":"no"}}`,
			`{"type":"reject","requiredMinProtocolVersion":4,"error":{"code":"protocol_mismatch","message":"old"}}`,
		},
		{"ping", protocol.Ping{}, `{"type":"ping"}`, ""},
		{"pong", protocol.Pong{}, `{"type":"pong"}`, ""},
		{"cancel", protocol.Cancel{ID: id}, `{"type":"cancel","id":"` + id + `"}`, ""},
		{"policy", protocol.Policy{Policy: protocol.Rules{Blocklist: []string{}}}, `{"type":"policy","policy":{"blocklist":[]}}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := dialect.Bridge{}.Encode(c.frame, ours)
			if err != nil || string(got) != c.ours {
				t.Errorf("to ours: %s, %v\nwant %s", got, err, c.ours)
			}
			got, err = dialect.Bridge{}.Encode(c.frame, plain)
			if c.plain == "" {
				if !errors.Is(err, &protocol.Error{Code: protocol.CodeUnsupported}) {
					t.Errorf("to an old peer: %s, %v, want unsupported", got, err)
				}
				return
			}
			if err != nil || string(got) != c.plain {
				t.Errorf("to an old peer: %s, %v\nwant %s", got, err, c.plain)
			}
		})
	}
}

func mustJSON(t *testing.T, f protocol.Frame) string {
	t.Helper()
	raw, err := protocol.EncodeFrame(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestNothingOfOursReachesAnOldPeer asks for every action with every member
// set in turn: what an old peer gets is a version 4 request, or nothing.
func TestNothingOfOursReachesAnOldPeer(t *testing.T) {
	text, refused := "x", 0
	for _, a := range []protocol.Action{
		click(),
		protocol.Navigate{URL: "https://a.test"},
		protocol.Navigate{To: "back"},
		protocol.Type{Target: protocol.Target{UID: "e1"}, Text: &text},
		protocol.Type{Target: protocol.Target{UID: "e1"}, Secret: "s"},
		protocol.Fill{Target: protocol.Target{UID: "e1"}, Text: &text},
		protocol.Extract{},
		protocol.Extract{Parts: []string{"text"}},
		protocol.Extract{MaxBytes: 1000},
		protocol.Extract{From: "c1"},
		protocol.Snapshot{Interactive: true, Compact: true, Depth: 3, Selector: "main", URLs: true, Cursor: true},
		protocol.Snapshot{Since: "s1"},
		protocol.Snapshot{MaxBytes: 1000},
		protocol.Snapshot{From: "c1"},
		protocol.Dialog{Accept: true},
		protocol.Handoff{Reason: "log in"},
		protocol.ActivateTab{TabID: 1},
	} {
		raw, err := dialect.Bridge{}.Encode(request(a), plain)
		if err != nil {
			var e *protocol.Error
			if !errors.As(err, &e) || e.Code != protocol.CodeUnsupported || e.Outcome != protocol.NotSent {
				t.Errorf("%+v: %v, want unsupported", a, err)
			}
			refused++
			continue
		}
		for _, member := range []string{"timeoutMs", "agentId", "callKey", "secret", "parts", "since", "maxBytes", "from", `"to"`} {
			if strings.Contains(string(raw), member) {
				t.Errorf("an old peer would get %s", raw)
			}
		}
	}
	if refused != 12 {
		t.Errorf("%d were refused, want 12", refused)
	}
}

func TestServerNeverSendsWhatABrowserSends(t *testing.T) {
	for _, f := range []protocol.Frame{protocol.Hello{}, protocol.State{}, protocol.Response{}, protocol.EventFrame{}, protocol.Chunk{}} {
		if raw, err := (dialect.Bridge{}).Encode(f, ours); err == nil {
			t.Errorf("%T became %s", f, raw)
		}
	}
}

func TestDecode(t *testing.T) {
	for frame, want := range map[string]protocol.Frame{
		`{"type":"ping"}`:                                   protocol.Ping{},
		`{"type":"pong","whatever":1}`:                      protocol.Pong{},
		`{"type":"response","id":"x","result":{"ok":true}}`: protocol.Response{ID: "x", Result: json.RawMessage(`{"ok":true}`)},
		`{"type":"response","id":"x","error":{"code":"timeout","message":"m"}}`: protocol.Response{
			ID: "x", Error: &protocol.Error{Code: protocol.CodeTimeout, Message: "m"},
		},
		`{"type":"event","event":{"type":"global_stop","sessions":2}}`: protocol.EventFrame{
			Event: protocol.AnyEvent{Event: protocol.GlobalStop{Sessions: 2}},
		},
		`{"type":"chunk","id":"x","seq":0,"last":true,"data":"{}"}`: protocol.Chunk{ID: "x", Last: true, Data: "{}"},
	} {
		got, err := dialect.Bridge{}.Decode([]byte(frame))
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Errorf("%s: %v %s", frame, err, d)
		}
	}
}

func TestDecodeNamesTheCallThatABadAnswerMeant(t *testing.T) {
	for frame, want := range map[string]string{
		`{"type":"response","id":"x"}`:                                   "x",
		`{"type":"response","id":"x","result":{},"error":{}}`:            "x",
		`{"type":"response","id":"x","result":{"a":1,"a":2}}`:            "x",
		`{"type":"chunk","id":"x","seq":-1,"last":false,"data":""}`:      "x",
		`{"type":"request","id":"x","action":{}}`:                        "",
		`{"type":"response","id":5,"result":{}}`:                         "",
		`{"type":"response","result":{}}`:                                "",
		`{"type":"event","event":{"type":"session_ended"},"id":"x"}`:     "",
		`{"type":"response","id":"x","result":{}`:                        "",
		`{"type":"nothing","id":"x"}`:                                    "",
		`[]`:                                                             "",
		strings.Repeat(`[`, 100_000):                                     "",
		`{"type":"event","event":{"type":"global_stop","sessions":"2"}}`: "",
	} {
		f, err := dialect.Bridge{}.Decode([]byte(frame))
		var invalid *hub.InvalidFrameError
		if !errors.As(err, &invalid) || invalid.ID != want {
			t.Errorf("%.80s: got %v, %v, want an invalid frame for %q", frame, f, err, want)
		}
	}
}

func TestDecodeIgnoresEventsOfALaterVersion(t *testing.T) {
	f, err := dialect.Bridge{}.Decode([]byte(`{"type":"event","event":{"type":"tab_dreamt"}}`))
	if !errors.Is(err, hub.ErrIgnored) {
		t.Errorf("got %v, %v, want ErrIgnored", f, err)
	}
}

func TestHello(t *testing.T) {
	good := `{"type":"hello","protocolVersion":4,"clientVersion":"1","pairingToken":"t","caps":["click"],"browserId":"` + id + `"}`
	h, err := dialect.Bridge{}.Hello([]byte(good))
	want := protocol.Hello{ProtocolVersion: 4, ClientVersion: "1", PairingToken: "t", Caps: []string{"click"}, BrowserID: id}
	if d := cmp.Diff(want, h); err != nil || d != "" {
		t.Error(err, d)
	}
	for _, bad := range []string{
		`{"type":"ping"}`, `{"type":"hello"}`, strings.Replace(good, id, "me", 1), strings.Replace(good, "4,", `"4",`, 1),
		strings.Replace(good, `"caps"`, `"protocolVersion":5,"caps"`, 1),
	} {
		if h, err := (dialect.Bridge{}).Hello([]byte(bad)); err == nil {
			t.Errorf("%s became %+v", bad, h)
		} else if strings.Contains(err.Error(), `"t"`) {
			t.Errorf("the error quotes the token: %v", err)
		}
	}
}

func TestNewIDIsAUUIDv4(t *testing.T) {
	a, b := dialect.Bridge{}.NewID(1), dialect.Bridge{}.NewID(1)
	u, err := uuid.Parse(a)
	if err != nil || u.Version() != 4 || a == b {
		t.Errorf("got %s and %s, %v", a, b, err)
	}
}

func TestResult(t *testing.T) {
	r, err := dialect.Bridge{}.Result(click(), json.RawMessage(`{"ok":true,"url":"https://a.test"}`))
	want := protocol.ClickResult{OK: true, Changed: protocol.Changed{URL: "https://a.test"}}
	if d := cmp.Diff(protocol.Result(want), r); err != nil || d != "" {
		t.Error(err, d)
	}
	for _, bad := range []string{`{}`, `{"ok":1}`, `[]`, ``} {
		if r, err := (dialect.Bridge{}).Result(click(), json.RawMessage(bad)); err == nil {
			t.Errorf("%s became %+v", bad, r)
		}
	}
	// Keys that two parsers could read differently are refused with the frame that holds them.
	if f, err := (dialect.Bridge{}).Decode([]byte(`{"type":"response","id":"a","result":{"ok":true,"OK":true}}`)); err == nil {
		t.Errorf("a result with ok and OK became %+v", f)
	}
}

// FuzzDecode holds that a decoder never panics, names a call only if one was
// named, and that a frame which a browser may send survives being written and
// read again.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"type":"hello","protocolVersion":4,"clientVersion":"1","pairingToken":"t","caps":["click"]}`,
		`{"type":"state","tabs":[{"tabId":7,"domain":"a.test","startedAt":1,"lastActionAt":2,"actionCount":3}],"stopped":true}`,
		`{"type":"response","id":"x","result":{"ok":true}}`,
		`{"type":"response","id":"x","error":{"code":"element_stale","message":"gone","outcome":"not_sent","retryable":"after_refresh"}}`,
		`{"type":"response","id":"x","result":{"\ud800":1}}`,
		`{"type":"event","event":{"type":"session_ended","tabId":7,"domain":"a","reason":"tab_closed","actionCount":1,"endedAt":2}}`,
		`{"type":"event","event":{"type":"obstacle","tabId":1,"obstacle":{"type":"captcha","confidence":"high","message":""}}}`,
		`{"type":"event","event":{"type":"unknown"}}`,
		`{"type":"chunk","id":"x","seq":3,"last":false,"data":"{\"type\":"}`,
		`{"type":"ping"}`, `{"type":"pong"}`, `{"type":"cancel","id":"x"}`, `{"type":"nothing"}`,
		`{"type":"response","id":"x"}`, `{"type":"ping","type":"pong"}`, `{"type":"ping","Type":"pong"}`, `{"type":1e3}`,
		`{`, `[]`, `null`, "\xff\xfe", ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if name, err := dialect.Sniff(raw); (name == "") != errors.Is(err, dialect.ErrNoDialect) {
			t.Errorf("sniffed %q, %v", name, err)
		}
		frame, err := dialect.Bridge{}.Decode(raw)
		var invalid *hub.InvalidFrameError
		switch {
		case errors.Is(err, hub.ErrIgnored):
			return
		case errors.As(err, &invalid):
			if invalid.ID != "" && !json.Valid(raw) {
				t.Errorf("names call %q of a frame that is no JSON", invalid.ID)
			}
			return
		case err != nil:
			t.Fatalf("an error of another kind: %v", err)
		}
		again, err := protocol.EncodeFrame(frame)
		if err != nil {
			t.Fatalf("%T cannot be written: %v", frame, err)
		}
		back, err := dialect.Bridge{}.Decode(again)
		if err != nil {
			t.Fatalf("%s\nwas written as %s\nand then refused: %v", raw, again, err)
		}
		if fmt.Sprintf("%T", back) != fmt.Sprintf("%T", frame) {
			t.Errorf("%T came back as %T", frame, back)
		}
	})
}

func TestDownloadOnDiskIsAskedOfThoseWhoKnowIt(t *testing.T) {
	names := slices.DeleteFunc(protocol.Features(), func(name string) bool { return name == protocol.CapOnDisk })
	frame := request(protocol.Download{ID: 7, OnDisk: true})
	for _, c := range []struct {
		caps hub.Caps
		want bool
	}{{ours, true}, {hub.NewCaps(append(names, "download")), false}} {
		raw, err := dialect.Bridge{}.Encode(frame, c.caps)
		if err != nil || strings.Contains(string(raw), "onDisk") != c.want {
			t.Errorf("sent %s (%v), want onDisk in it: %t", raw, err, c.want)
		}
	}
}
