package e2e

import (
	"net"
	"net/http"
	"testing"

	"github.com/coder/websocket"

	"github.com/drawbridge-browser/drawbridge/extension"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Another program takes the port of a server that is down, and says that it is that server: it hears one hello and nothing else.
func TestAnotherProgramOnThePort(t *testing.T) {
	t.Parallel()
	r := newRig(t, rigOptions{})
	a := r.newAgent(t)
	page := a.open("http://page.test/plain.html")
	if err := r.server.stop(); err != nil {
		t.Fatal(err)
	}
	said := make(chan string, 64)
	ended := make(chan struct{})
	stranger := &http.Server{ReadHeaderTimeout: patience, Handler: http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		ws, err := websocket.Accept(w, request, &websocket.AcceptOptions{OriginPatterns: []string{extension.Origin}})
		if err != nil {
			return
		}
		ack, err := protocol.EncodeFrame(protocol.Ack{
			ProtocolVersion: protocol.Version, ServerVersion: "1", Caps: protocol.Features(), DeviceToken: "of a stranger",
		})
		if err != nil {
			t.Error(err)
		}
		for first := true; ; first = false {
			_, frame, err := ws.Read(request.Context())
			if err != nil {
				close(ended) // a second connection would be one too many: it would panic here
				return
			}
			said <- typeOf(frame)
			if first {
				if err := ws.Write(request.Context(), websocket.MessageText, ack); err != nil {
					t.Error(err)
				}
			}
		}
	})}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", r.server.addr)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = stranger.Serve(listener) // ends with the close below
	}()
	stop := func() {
		_ = stranger.Close()
		<-served
	}
	t.Cleanup(stop)

	p := openPopup(t, r.browser)
	p.awaitLink("fatal")
	p.shows("This is not the server that this browser was paired with")
	p.shows("pair again")
	select {
	case <-ended:
	case <-within(t).Done():
		t.Fatal("the extension did not end the connection")
	}
	close(said)
	var types []string
	for frame := range said {
		types = append(types, frame)
	}
	if len(types) != 1 || types[0] != "hello" {
		t.Errorf("the stranger heard %q, expected one hello", types)
	}

	// The true server comes back, and the user says so: nothing of the stranger's was kept, and the work goes on.
	stop()
	if r.server, err = serve(r.server.addr, r.server.dataDir); err != nil {
		t.Fatal(err)
	}
	p.press("#reconnect")
	p.awaitLink("ready")
	if tabs := do[protocol.ListTabsResult](a, protocol.ListTabs{}).Tabs; len(tabs) != 1 || tabs[0].TabID != page.TabID {
		t.Errorf("after it all the tabs are %+v, expected the one from before", tabs)
	}
}
