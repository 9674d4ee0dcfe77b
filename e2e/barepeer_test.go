package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/coder/websocket"

	"github.com/drawbridge-browser/drawbridge/extension"
	"github.com/drawbridge-browser/drawbridge/protocol/conformance"
)

// barePeer is a WebSocket with nothing of ours behind it.
type barePeer struct {
	ws     *websocket.Conn
	frames chan []byte
	ended  chan struct{} // closed when no more will come; err says why
	err    error
}

func dialBare(t *testing.T, addr string) (*barePeer, error) {
	//nolint:bodyclose // the library closes the body of a handshake that succeeded, and a test's failed one ends with it
	ws, _, err := websocket.Dial(within(t), "ws://"+addr+"/ws/browser", &websocket.DialOptions{
		HTTPHeader: http.Header{"Origin": {extension.Origin}},
	})
	if err != nil {
		return nil, err
	}
	ws.SetReadLimit(-1)
	peer := newBarePeer(ws)
	t.Cleanup(func() {
		_ = ws.CloseNow()
		<-peer.ended
	})
	return peer, nil
}

// newBarePeer reads from a socket until it ends.
func newBarePeer(ws *websocket.Conn) *barePeer {
	peer := &barePeer{ws: ws, frames: make(chan []byte, 64), ended: make(chan struct{})}
	go func() {
		defer close(peer.ended)
		for {
			_, frame, err := ws.Read(context.Background())
			if err != nil {
				peer.err = err
				return
			}
			peer.frames <- frame
		}
	}()
	return peer
}

// next is the next frame, or why there is none.
func (p *barePeer) next(ctx context.Context) ([]byte, error) {
	select {
	case frame := <-p.frames:
		return frame, nil
	case <-p.ended:
		select {
		case frame := <-p.frames:
			return frame, nil
		default:
			return nil, p.err
		}
	case <-ctx.Done():
		return nil, errors.New("nothing came")
	}
}

// hear waits for the frame, or the close, of a step. What the other side sends unasked comes when it comes: it is passed over where it
// is not meant, and a ping is answered.
func (p *barePeer) hear(ctx context.Context, s conformance.Step, meant func(frame []byte) error) error {
	for {
		got, err := p.next(ctx)
		if err != nil && s.How == "close" && ctx.Err() == nil {
			if code := websocket.CloseStatus(err); s.Code != 0 && int(code) != s.Code {
				return fmt.Errorf("expected a close with %d, got %w", s.Code, err)
			}
			return nil
		}
		if err != nil {
			return fmt.Errorf("expected %s%s, got %w", s.How, s.Text, err)
		}
		mismatch := fmt.Errorf("expected a close, got the frame %s", got)
		if s.How != "close" {
			mismatch = meant(got)
		}
		if mismatch == nil || !unasked(got) {
			return mismatch
		}
		if typeOf(got) == "ping" {
			if err := p.ws.Write(ctx, websocket.MessageText, []byte(`{"type":"pong"}`)); err != nil {
				return err
			}
		}
	}
}

// unasked reports whether a frame is one that a peer sends by itself.
func unasked(frame []byte) bool {
	switch typeOf(frame) {
	case "ping", "state", "event":
		return true
	}
	return false
}

func typeOf(frame []byte) string {
	var f struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(frame, &f) != nil {
		return ""
	}
	return f.Type
}

// nothingMore fails the test when frames came that the conversation does not have.
func (p *barePeer) nothingMore(t *testing.T) {
	for {
		select {
		case frame := <-p.frames:
			if typeOf(frame) != "ping" { // one may come at any time
				t.Errorf("the conversation is over, and yet this came: %s", frame)
			}
			continue
		default:
		}
		return
	}
}
