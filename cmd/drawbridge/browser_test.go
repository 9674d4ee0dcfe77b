package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"

	"github.com/coder/websocket"
	"github.com/google/uuid"

	"github.com/drawbridge-browser/drawbridge/extension"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// scripted is a browser of nothing but a WebSocket: it pairs as the extension does and answers
// each action from a script, so that the server between it and a command is the real one.
type scripted struct {
	conn *websocket.Conn
	// answers is what each action type is answered with: {"result":…}, {"error":…}, or nothing ever.
	answers map[string]json.RawMessage
	// events go out before the answer to an action of their type.
	events map[string]json.RawMessage
	// log gets a line for each request and cancel.
	log *os.File

	mu     sync.Mutex
	heard  []string      // what came: an action's type, or cancel
	change chan struct{} // closed and made anew with each change of heard
	done   chan struct{} // closed when the reader has ended
	end    context.CancelFunc
}

// script is the file that says how a browser answers.
type script struct {
	Events  map[string]json.RawMessage `json:"events"`
	Answers map[string]json.RawMessage `json:"answers"`
}

// connectBrowser pairs a browser with the server at addr by a code, and has it answer until close.
func connectBrowser(ctx context.Context, addr, code, name string, how script, logPath string) (*scripted, error) {
	conn, response, err := websocket.Dial(ctx, "ws://"+addr+"/ws/browser", &websocket.DialOptions{
		HTTPHeader: http.Header{"Origin": {extension.Origin}},
	})
	if err != nil {
		return nil, err
	}
	if response.Body != nil {
		_ = response.Body.Close()
	}
	caps := protocol.Features()
	for _, m := range protocol.Methods {
		caps = append(caps, string(m.Type))
	}
	hello, err := protocol.EncodeFrame(protocol.Hello{
		ProtocolVersion: protocol.Version, ClientVersion: "1.0.0", PairingToken: code, Caps: caps,
		BrowserID: uuid.NewString(), ConnectionSeq: 1, BrowserName: name,
	})
	if err != nil {
		return nil, err
	}
	if err := conn.Write(ctx, websocket.MessageText, hello); err != nil {
		return nil, err
	}
	_, raw, err := conn.Read(ctx)
	if err != nil {
		return nil, fmt.Errorf("no ack: %w", err)
	}
	if frame, err := protocol.DecodeFrame(raw); err != nil || protocol.Frames.Tag(frame) != "ack" {
		return nil, fmt.Errorf("got %s (%v), want an ack", raw, err)
	}
	state, err := protocol.EncodeFrame(protocol.State{Tabs: []protocol.TabRecord{}})
	if err != nil {
		return nil, err
	}
	if err := conn.Write(ctx, websocket.MessageText, state); err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Clean(logPath))
	if err != nil {
		return nil, err
	}
	running, end := context.WithCancel(context.Background())
	b := &scripted{conn: conn, answers: how.Answers, events: how.Events, log: log, change: make(chan struct{}), done: make(chan struct{}), end: end}
	go b.run(running)
	return b, nil
}

func (b *scripted) run(ctx context.Context) {
	defer close(b.done)
	for {
		_, raw, err := b.conn.Read(ctx)
		if err != nil {
			return
		}
		frame, err := protocol.DecodeFrame(raw)
		if err != nil {
			return
		}
		switch f := frame.(type) {
		case protocol.Request:
			kind := string(protocol.TypeOf(f.Action.Action))
			b.note(kind, raw)
			if err := b.answer(ctx, f.ID, kind); err != nil {
				return
			}
		case protocol.Cancel:
			b.note("cancel", raw)
		case protocol.Ping:
			pong, _ := protocol.EncodeFrame(protocol.Pong{})
			if b.conn.Write(ctx, websocket.MessageText, pong) != nil {
				return
			}
		}
	}
}

func (b *scripted) answer(ctx context.Context, id, kind string) error {
	if event, ok := b.events[kind]; ok {
		frame := fmt.Appendf(nil, `{"type":"event","event":%s}`, event)
		if err := b.conn.Write(ctx, websocket.MessageText, frame); err != nil {
			return err
		}
	}
	how, ok := b.answers[kind]
	if !ok {
		return nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(how, &members); err != nil {
		return err
	}
	members["type"], members["id"] = json.RawMessage(`"response"`), fmt.Appendf(nil, "%q", id)
	frame, err := json.Marshal(members)
	if err != nil {
		return err
	}
	return b.conn.Write(ctx, websocket.MessageText, frame)
}

func (b *scripted) note(what string, raw []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.heard = append(b.heard, what)
	_, _ = b.log.Write(append(raw, '\n'))
	close(b.change)
	b.change = make(chan struct{})
}

// await waits until the browser has heard of what.
func (b *scripted) await(ctx context.Context, what string) error {
	for {
		b.mu.Lock()
		change := b.change
		for _, h := range b.heard {
			if h == what {
				b.mu.Unlock()
				return nil
			}
		}
		b.mu.Unlock()
		select {
		case <-change:
		case <-b.done:
			return errors.New("the browser's connection ended")
		case <-ctx.Done():
			return fmt.Errorf("the browser did not hear of %s: %w", what, ctx.Err())
		}
	}
}

func (b *scripted) close() {
	b.end()
	_ = b.conn.CloseNow()
	<-b.done
	_ = b.log.Close()
}
