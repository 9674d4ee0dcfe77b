package client_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync"

	"github.com/coder/websocket"

	"github.com/drawbridge-browser/drawbridge/bridge"
	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// house is a real server for the examples, and a token for it.
type house struct {
	url, token string
	transport  *http.Transport

	bridge *bridge.Bridge
	admin  *client.Client
	dir    string
}

func openHouse(ctx context.Context) (*house, error) {
	h := &house{transport: &http.Transport{}}
	var err error
	if h.dir, err = os.MkdirTemp("", "client-example-"); err != nil {
		return nil, err
	}
	if h.bridge, err = bridge.Start(ctx, &bridge.Options{Addr: "127.0.0.1:0", DataDir: h.dir, Version: "example"}); err != nil {
		return nil, errors.Join(err, os.RemoveAll(h.dir))
	}
	h.url = "http://" + h.bridge.Addr()
	agent, err := h.bridge.Agent("example")
	if err != nil {
		return nil, errors.Join(err, h.close())
	}
	h.admin = agent.Client
	made, err := h.admin.NewToken(ctx, "example", protocol.ScopeAgent)
	if err != nil {
		return nil, errors.Join(err, h.close())
	}
	h.token = made.Token
	return h, nil
}

// close ends the server and leaves nothing.
func (h *house) close() error {
	h.transport.CloseIdleConnections()
	http.DefaultTransport.(*http.Transport).CloseIdleConnections() // of clients that were given no transport
	err := h.bridge.Close()
	return errors.Join(err, os.RemoveAll(h.dir))
}

// visit has a browser come when it is time, and go as soon as it is let in. It is the wire alone: what a real browser does is
// tested in e2e.
func (h *house) visit(ctx context.Context, when <-chan struct{}) {
	<-when
	if err := h.come(ctx); err != nil {
		fmt.Println(err) // the example's output is then another one
	}
}

func (h *house) come(ctx context.Context) error {
	pairing, err := h.admin.Pair(ctx)
	if err != nil {
		return err
	}
	ws, response, err := websocket.Dial(ctx, h.url+"/ws/browser", &websocket.DialOptions{
		HTTPClient: &http.Client{Transport: h.transport},
		HTTPHeader: http.Header{"Origin": {"chrome-extension://hlnomgpkpndcppfcepkflgdcebgidkeg"}},
	})
	if response != nil && response.Body != nil {
		response.Body.Close()
	}
	if err != nil {
		return err
	}
	defer ws.CloseNow()
	hello, err := protocol.EncodeFrame(protocol.Hello{
		ProtocolVersion: protocol.Version, ClientVersion: "1", PairingToken: pairing.Code, Caps: append(protocol.Features(), "click"),
		BrowserID: "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", ConnectionSeq: 1,
	})
	if err != nil {
		return err
	}
	if err := ws.Write(ctx, websocket.MessageText, hello); err != nil {
		return err
	}
	_, answer, err := ws.Read(ctx)
	if err == nil && !bytes.Contains(answer, []byte(`"type":"ack"`)) {
		err = fmt.Errorf("the browser was not let in: %s", answer)
	}
	return err
}

// follower tells when a stream of events has begun: what came before is not in it.
type follower struct {
	base  http.RoundTripper
	begun chan struct{} // closed by the first answer
	once  sync.Once
}

func (f *follower) client() *http.Client { return &http.Client{Transport: f} }

// RoundTrip does one request.
func (f *follower) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := f.base.RoundTrip(r)
	f.once.Do(func() { close(f.begun) })
	return response, err
}
