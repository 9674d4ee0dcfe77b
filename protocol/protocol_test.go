package protocol

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestActionRoundTrip(t *testing.T) {
	text := "Grüße 👋"
	for _, a := range []Action{
		OpenTab{URL: "https://example.test/"},
		Click{Page: Page{TabID: 7}, Target: Target{UID: "e3"}, Modifiers: []Modifier{"Shift"}},
		Type{Target: Target{Selector: "#name"}, Text: &text, Submit: true},
		WaitFor{Text: "Saved", TimeoutMS: 2000},
		ListTabs{},
		Drag{From: Target{UID: "e1"}, Point: &Point{X: 1.5, Y: 2}},
	} {
		raw, err := Actions.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeAction(raw)
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		if d := cmp.Diff(a, back); d != "" {
			t.Errorf("%s: %s", raw, d)
		}
	}
}

func TestDecodeActionNamesWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{`{"type":"click"}`, "action click: exactly one of uid, selector must be given, not 0"},
		{`{"type":"click","uid":"e1","selector":"#a"}`, "exactly one of uid, selector must be given, not 2"},
		{`{"type":"press","key":"a","uid":"e1","selector":"#a"}`, "at most one of uid, selector must be given, not 2"},
		{`{"type":"type","uid":"e1"}`, "exactly one of text, secret must be given, not 0"},
		{`{"type":"wait_for","text":"a","ms":5}`, "exactly one of uid, selector, text, textGone, url, load, ms must be given, not 2"},
		{`{"type":"navigate"}`, "exactly one of url, to must be given, not 0"},
		{`{"type":"drag","from":{"uid":"e1","selector":"a"},"to":{"uid":"e2"}}`, "from"},
		{`{"type":"open_tab"}`, "url"},
		{`{"type":"click","uid":"7"}`, "uid"},
		{`{"type":"click","uid":"e1","count":9}`, "count"},
		{`{"type":"click","uid":"e1","button":"side"}`, "button"},
		{`{"type":"click","uid":"e1","tabId":"7"}`, "tabId"},
		{`{"type":"fly"}`, `unknown action type "fly"`},
		{`{"uid":"e1"}`, `missing "type"`},
		{`[]`, "not a JSON object"},
		{`{"type":"list_tabs","type":"click"}`, `duplicate key "type"`},
		{`{"type":"list_tabs","TYPE":"click"}`, `keys "type" and "TYPE" differ only in case`},
		{`{"type":"click","uid":"e1","count":1.0}`, "integer"},
	} {
		_, err := DecodeAction([]byte(c.raw))
		if !errors.Is(err, &Error{Code: CodeInvalidAction}) {
			t.Errorf("%s: got %v, want invalid_action", c.raw, err)
			continue
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n got %v\nwant %s", c.raw, err, c.want)
		}
	}
}

// A key that differs from a known one only in case must not slip past the schema into the struct.
func TestNamesMatchToTheLetter(t *testing.T) {
	a, err := DecodeAction([]byte(`{"type":"list_tabs","SCOPE":"everything"}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := a.(ListTabs).Scope; got != "" {
		t.Errorf("scope = %q, filled from SCOPE", got)
	}
}

func TestFrames(t *testing.T) {
	f, err := DecodeFrame([]byte(`{"type":"response","id":"a","result":{"ok":true}}`))
	if err != nil {
		t.Fatal(err)
	}
	r := f.(Response)
	if _, err := DecodeResult("click", r.Result); err != nil {
		t.Error(err)
	}
	if _, err := DecodeResult("click", []byte(`{"url":"x"}`)); err == nil || !strings.Contains(err.Error(), "ok") {
		t.Errorf("a click result without ok: %v", err)
	}
	for _, c := range [][2]string{
		{`{"type":"response","id":"a"}`, "exactly one of result, error"},
		{`{"type":"response","id":"a","result":1,"error":{"code":"x","message":""}}`, "exactly one of result, error"},
		{`{"type":"request","id":"a","action":{"type":"click"}}`, "exactly one of uid, selector"},
		{`{"type":"event","event":{"type":"session_started"}}`, "event session_started"},
		{`{"type":"hello"}`, "frame hello"},
		{`{"type":"nope"}`, "unknown frame type"},
	} {
		raw, want := c[0], c[1]
		if _, err := DecodeFrame([]byte(raw)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n got %v\nwant %s", raw, err, want)
		}
	}
	f, err = DecodeFrame([]byte(`{"type":"event","event":{"type":"from_the_future","x":1}}`))
	if err != nil || f.(EventFrame).Event.Event != nil {
		t.Errorf("unknown event: %v, %v; want it ignored", f, err)
	}
}

// Pages hold half surrogate pairs; a browser sends them as escapes. They become U+FFFD.
func TestLoneSurrogates(t *testing.T) {
	r, err := DecodeResult("get", []byte(`{"value":"a\ud800b"}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := *r.(GetResult).Value; got != "a\uFFFDb" {
		t.Errorf("got %q", got)
	}
}

// What evaluate returns is the page's own JSON: names that differ in case and large numbers are fine there.
func TestOpaqueValue(t *testing.T) {
	r, err := DecodeResult("evaluate", []byte(`{"type":"object","value":{"a":1,"A":1e21}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(r.(EvaluateResult).Value); got != `{"a":1,"A":1e21}` {
		t.Errorf("got %s", got)
	}
}

func TestEveryMethodIsWhole(t *testing.T) {
	for _, m := range Methods {
		if m.Timeout <= 0 {
			t.Errorf("%s has no timeout", m.Type)
		}
		branch(m.Params.Name()) // panics for what is not in the schema
		branch(m.Result.Name())
	}
}

// TestEveryErrorCodeHasAHint: what an agent does next is never left to guessing, and no code is without its row.
func TestEveryErrorCodeHasAHint(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "error.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []ErrorCode
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && spec.Type != nil && types.ExprString(spec.Type) == "ErrorCode" {
			for _, value := range spec.Values {
				code, err := strconv.Unquote(types.ExprString(value))
				if err != nil {
					t.Errorf("a code that is no string: %v", err)
				}
				codes = append(codes, ErrorCode(code))
			}
		}
		return true
	})
	if len(codes) != len(ErrorCodes) {
		t.Errorf("%d codes are declared, and the table has %d", len(codes), len(ErrorCodes))
	}
	seen := map[string]ErrorCode{}
	for _, code := range codes {
		info, ok := code.Info()
		if words := strings.Fields(info.Advice); !ok || len(words) < 4 || !strings.HasSuffix(info.Advice, ".") || info.Retryable == "" {
			t.Errorf("%s has no advice of a sentence (%q), or no retryable", code, info.Advice)
		}
		if other, twice := seen[info.Advice]; twice {
			t.Errorf("%s and %s have the same advice", code, other)
		}
		seen[info.Advice] = code
		if bare := (&Error{Code: code}).Complete(); bare.Hint != info.Advice || bare.Outcome == "" || bare.Retryable == "" {
			t.Errorf("an error of %s on its way to an agent is %+v", code, bare)
		}
		if better := Errorf(code, "x").WithHint("Do this.").Complete(); better.Hint != "Do this." {
			t.Errorf("%s: a better hint became %q", code, better.Hint)
		}
	}
	if future := (&Error{Code: "of_the_future"}).Complete(); future.Hint == "" {
		t.Error("a code that is not known here has no hint")
	}
}

func TestDefaultTimeout(t *testing.T) {
	text := strings.Repeat("語", 1000)
	for _, c := range []struct {
		action Action
		want   time.Duration
	}{
		{Click{}, 15 * time.Second},
		{Type{Text: &text}, 20 * time.Second},
		{WaitFor{Text: "x", TimeoutMS: 60_000}, 65 * time.Second},
		{WaitFor{MS: 100}, 35 * time.Second},
		{Evaluate{}, 15 * time.Second},
	} {
		if got := DefaultTimeout(c.action); got != c.want {
			t.Errorf("%T: got %v, want %v", c.action, got, c.want)
		}
	}
}

func TestErrorOutcome(t *testing.T) {
	e := Errorf(CodeNotConnected, "gone")
	if e.Outcome != NotSent || e.Retryable != RetrySame {
		t.Errorf("%+v", e)
	}
	if u := e.WithOutcome(Unknown); u.Retryable != RetryAfterRefresh || e.Outcome != NotSent {
		t.Errorf("unknown outcome stays retryable as it is: %+v (original %+v)", u, e)
	}
	plain := (&Error{Code: CodeTimeout, Message: "slow"}).Complete()
	if plain.Outcome != Unknown || plain.Retryable != RetryAfterRefresh {
		t.Errorf("%+v", plain)
	}
	if c := (&Error{Code: CodeElementStale}).Complete(); c.Outcome != NotSent {
		t.Errorf("%+v", c)
	}
}

func FuzzDecodeFrame(f *testing.F) {
	for _, s := range []string{
		`{"type":"hello","protocolVersion":4,"clientVersion":"1","pairingToken":"t","caps":["click"]}`,
		`{"type":"request","id":"a","action":{"type":"click","uid":"e1"}}`,
		`{"type":"response","id":"a","error":{"code":"timeout","message":"m"}}`,
		`{"type":"event","event":{"type":"global_stop","sessions":1}}`,
		`{"type":"chunk","id":"a","seq":0,"last":true,"data":"x"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		frame, err := DecodeFrame(raw)
		if err != nil {
			return
		}
		if e, ok := frame.(EventFrame); ok && e.Event.Event == nil {
			return
		}
		again, err := EncodeFrame(frame)
		if err != nil {
			t.Fatalf("%q decodes and does not encode: %v", raw, err)
		}
		back, err := DecodeFrame(again)
		if err != nil {
			t.Fatalf("%q encodes to %q, which is refused: %v", raw, again, err)
		}
		if d := cmp.Diff(frame, back); d != "" {
			t.Fatalf("%q is not the same after a round trip: %s", raw, d)
		}
	})
}
