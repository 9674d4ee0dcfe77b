package e2e

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/coder/websocket"
	"github.com/google/uuid"

	"github.com/drawbridge-browser/drawbridge/extension"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestHandshakeOfTheRealExtension(t *testing.T) {
	t.Parallel()
	t.Run("accepted", func(t *testing.T) {
		r := newRig(t, rigOptions{})
		p := openPopup(t, r.browser)
		if p.awaitLink("ready"); !p.status().Paired {
			t.Error("it is connected and yet says that it is not paired")
		}
		p.shows("Connected")
	})
	t.Run("with a wrong token", func(t *testing.T) {
		r := newRig(t, rigOptions{token: "ZZZZ-ZZZZ-ZZZZ-ZZZZ", unconnected: true})
		p := openPopup(t, r.browser)
		if p.awaitLink("fatal").Reason == "" {
			t.Error("the popup does not say why")
		}
		p.shows("Refused")
		p.shows("Pair again")
		// The user pairs again, with a good link: that alone leaves the state.
		p.press("#pair-again")
		p.pairBy(pairingOf(t, r.server).Link)
		p.awaitLink("ready")
	})
	t.Run("paired where rpc is chosen", func(t *testing.T) {
		r := newRig(t, rigOptions{token: "ZZZZ-ZZZZ-ZZZZ-ZZZZ", unconnected: true})
		p := openPopup(t, r.browser)
		p.awaitLink("fatal")
		const choose = `(() => { const s = document.getElementById('dialect'); s.value = 'rpc'; s.dispatchEvent(new Event('change', {bubbles: true})); })()`
		if err := p.session.Evaluate(within(t), choose, nil); err != nil {
			t.Fatal(err)
		}
		p.press("#pair-again")
		p.pairBy(pairingOf(t, r.server).Link)
		a := r.newAgent(t)
		// The code is good over the bridge dialect alone, and no more than the code goes over it.
		err := eventually(within(t), "a browser that speaks rpc", func() (bool, error) {
			browsers, err := a.client.Browsers(within(t))
			return len(browsers) == 1 && browsers[0].Connected && browsers[0].Dialect == "rpc", err
		})
		if err != nil {
			t.Fatal(err)
		}
		p.awaitLink("ready")
		page := a.open("http://page.test/plain.html")
		if got := do[protocol.GetResult](a, protocol.Get{Page: page, What: "title"}); got.Value == nil || *got.Value != "A plain page" {
			t.Errorf("the page's title is %+v", got)
		}
	})
}

func TestHandshakeOnTheWire(t *testing.T) {
	t.Parallel()
	up, err := serve("127.0.0.1:0", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := up.stop(); err != nil {
			t.Error(err)
		}
	})
	for name, tc := range map[string]struct {
		version int
		close   websocket.StatusCode
		code    protocol.ErrorCode
	}{
		"a wrong token":      {protocol.Version, 4001, protocol.CodeUnauthorized},
		"a version too old":  {1, 4002, protocol.CodeProtocolMismatch},
		"a version too new":  {999, 4002, protocol.CodeProtocolMismatch},
		"wrong in both ways": {1, 4002, protocol.CodeProtocolMismatch},
	} {
		t.Run(name, func(t *testing.T) {
			//nolint:bodyclose // the library closes the body of a handshake that succeeded, and a test's failed one ends with it
			conn, _, err := websocket.Dial(within(t), "ws://"+up.addr+"/ws/browser", &websocket.DialOptions{
				HTTPHeader: http.Header{"Origin": {extension.Origin}},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.CloseNow() }()
			hello, err := json.Marshal(map[string]any{
				"type": "hello", "protocolVersion": tc.version, "clientVersion": "0", "pairingToken": "no-such-token",
				"caps": []string{}, "browserId": uuid.NewString(), "connectionSeq": 1,
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := conn.Write(within(t), websocket.MessageText, hello); err != nil {
				t.Fatal(err)
			}
			_, raw, err := conn.Read(within(t))
			if err != nil {
				t.Fatal(err)
			}
			var reject struct {
				Type  string         `json:"type"`
				Min   int            `json:"requiredMinProtocolVersion"`
				Error protocol.Error `json:"error"`
			}
			if err := json.Unmarshal(raw, &reject); err != nil || reject.Type != "reject" || reject.Error.Code != tc.code || reject.Min == 0 {
				t.Errorf("the answer is %s, expected a reject with %s", raw, tc.code)
			}
			if _, _, err := conn.Read(within(t)); websocket.CloseStatus(err) != tc.close {
				t.Errorf("closed with %v, expected %d", err, tc.close)
			}
		})
	}
	t.Run("from a page", func(t *testing.T) {
		//nolint:bodyclose // the library has read the body into memory
		conn, response, err := websocket.Dial(within(t), "ws://"+up.addr+"/ws/browser", &websocket.DialOptions{
			HTTPHeader: http.Header{"Origin": {"http://evil.test"}},
		})
		if err == nil {
			_ = conn.CloseNow()
			t.Fatal("a page may connect")
		}
		if response == nil || response.StatusCode != http.StatusForbidden {
			t.Errorf("a page's connection gives %v", err)
		}
	})
}
