package dialect_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/drawbridge-browser/drawbridge/internal/dialect"
	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/protocol"
	"github.com/drawbridge-browser/drawbridge/protocol/conformance"
)

// seeds are the frames of a dialect's conversations, with the names in them filled in where their values are known.
func seeds(f *testing.F, name string) {
	f.Helper()
	conversations, err := conformance.Of(name)
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range conversations {
		values := c.Start(map[string]any{"token": "t", "browserId": id, "id": 1.0})
		for _, s := range c.Steps {
			if s.Text == "" || len(s.Text) > 16<<10 || strings.Contains(s.Text, "$text:") {
				continue
			}
			frame, err := values.Fill(s.Text)
			if err != nil {
				frame = s.Text
			}
			f.Add([]byte(frame))
		}
	}
	f.Add([]byte(`{"type":"response","id":"x","result":{"value":{"a":1,"a":2}}}`))
	f.Add([]byte("{\"type\":\"event\",\"event\":{\"type\":\"\xff\"}}"))
	f.Add([]byte(`{"jsonrpc":"2.0","id":9007199254740993,"result":null}`))
	f.Add(bytes.Repeat([]byte("["), 600))
}

// FuzzBridgeDecode holds the bridge's decoder to three things: it never panics, its errors quote no content, and what it
// lets in means the same when it is written and read again.
func FuzzBridgeDecode(f *testing.F) {
	seeds(f, "bridge")
	f.Fuzz(func(t *testing.T, raw []byte) {
		frame, err := dialect.Bridge{}.Decode(raw)
		if err != nil {
			var invalid *hub.InvalidFrameError
			if !errors.As(err, &invalid) && !errors.Is(err, hub.ErrIgnored) {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		if !utf8.Valid(raw) {
			return // such text is mended on its way in
		}
		again, err := protocol.EncodeFrame(frame)
		if err != nil {
			t.Fatalf("%s: let in as %#v, which cannot be written: %v", raw, frame, err)
		}
		back, err := dialect.Bridge{}.Decode(again)
		if err != nil {
			t.Fatalf("%s: written as %s, which is not let in: %v", raw, again, err)
		}
		if d := cmp.Diff(compact(t, frame), compact(t, back)); d != "" {
			t.Fatalf("%s: changed on its way: %s", raw, d)
		}
	})
}

// compact is a frame as JSON, which does not tell how raw members were spaced.
func compact(t *testing.T, f protocol.Frame) string {
	raw, err := protocol.EncodeFrame(f)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := json.Compact(&out, raw); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// FuzzRPCDecode holds the rpc dialect's decoder likewise; an answer that it lets in has exactly one of result and error, and
// an id that is one of ours.
func FuzzRPCDecode(f *testing.F) {
	seeds(f, "rpc")
	f.Fuzz(func(t *testing.T, raw []byte) {
		frame, err := dialect.RPC{}.Decode(raw)
		if err != nil {
			var invalid *hub.InvalidFrameError
			if !errors.As(err, &invalid) && !errors.Is(err, hub.ErrIgnored) {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		switch frame := frame.(type) {
		case protocol.Ping, protocol.Pong:
		case protocol.Response:
			if frame.ID == "" || (frame.Result == nil) == (frame.Error == nil) {
				t.Fatalf("%s: let in as %+v", raw, frame)
			}
			if e := frame.Error; e != nil {
				if _, known := e.Code.Info(); !known || e.Outcome == "" || e.Retryable == "" {
					t.Fatalf("%s: its error is %+v", raw, e)
				}
			} else {
				for _, m := range protocol.RPCMethods {
					_, _ = protocol.DecodeRPCResult[protocol.RPCPagesSnapshotResult](m.Name, frame.Result)
				}
				_, _ = protocol.DecodeRPCResult[protocol.RPCSessionsListResult]("sessions.list", frame.Result)
			}
		default:
			t.Fatalf("%s: let in as %T", raw, frame)
		}
	})
}

// FuzzHandshake holds the first frame of either dialect to one reading: what opens a dialect is decoded by that one alone, and
// an error never quotes the token.
func FuzzHandshake(f *testing.F) {
	seeds(f, "bridge")
	seeds(f, "rpc")
	f.Fuzz(func(t *testing.T, first []byte) {
		name, err := dialect.Sniff(first)
		hello, helloErr := dialect.Bridge{}.Hello(first)
		auth, authErr := dialect.RPC{}.Auth(first)
		if err != nil {
			if helloErr == nil {
				t.Fatalf("%s: opens no dialect, but is a hello: %+v", first, hello)
			}
			return
		}
		if name == dialect.NameBridge && helloErr == nil && hello.ProtocolVersion < 1 {
			t.Fatalf("%s: a hello of no version", first)
		}
		if name == dialect.NameRPC {
			if helloErr == nil {
				t.Fatalf("%s: both hello and auth", first)
			}
			if authErr == nil && len(auth.Token) > 4*512 {
				t.Fatalf("%s: a token of %d bytes", first, len(auth.Token))
			}
		}
		for _, err := range []error{helloErr, authErr} {
			if err != nil && strings.Contains(err.Error(), "db_browser_") {
				t.Fatalf("the error quotes the token: %v", err)
			}
		}
	})
}
