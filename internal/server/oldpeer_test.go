package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// strict compiles one of the frozen schemas.
func strict(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	raw, err := os.ReadFile("../../protocol/schema/" + name)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("mem:"+name, doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("mem:" + name)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// plainCaps are the action types of plain version 4: such an extension knows no feature of ours.
func plainCaps() []string {
	var caps []string
	for _, m := range protocol.Methods {
		if !m.Extended {
			caps = append(caps, string(m.Type))
		}
	}
	return caps
}

// askedFor is every action with each of its members that version 4 has not, and with all those that it has.
func askedFor() []protocol.Action {
	text := "x"
	page, target, maybe := protocol.Page{TabID: 7}, protocol.Target{UID: "e1"}, protocol.MaybeTarget{UID: "e1"}
	actions := []protocol.Action{
		protocol.OpenTab{URL: "https://a.test/", Focus: true},
		protocol.Navigate{Page: page, URL: "https://a.test/"},
		protocol.Navigate{Page: page, To: "back"},
		protocol.CloseTab{TabID: 7},
		protocol.ListTabs{Scope: "all", Query: "q"},
		protocol.Click{Page: page, Target: target, Button: "right", Count: 2, Modifiers: []protocol.Modifier{"Shift"}},
		protocol.Hover{Page: page, Target: protocol.Target{Selector: "a"}},
		protocol.Type{Page: page, Target: target, Text: &text, Clear: true, Submit: true},
		protocol.Type{Page: page, Target: target, Secret: "s"},
		protocol.Select{Page: page, Target: target, Values: []string{"a"}},
		protocol.Press{Page: page, MaybeTarget: maybe, Key: "Enter"},
		protocol.Scroll{Page: page, MaybeTarget: maybe, Direction: "down", Pixels: 5},
		protocol.Scroll{Page: page, To: "bottom"},
		protocol.Mouse{Page: page, Kind: "wheel", X: 1, Y: 2, Button: "left", DeltaX: 3, DeltaY: 4},
		protocol.Drag{Page: page, From: target, To: &target},
		protocol.Drag{Page: page, From: target, Point: &protocol.Point{X: 1, Y: 2}},
		protocol.Upload{Page: page, Target: target, Files: []protocol.File{{Name: "a", MimeType: "text/plain", Data: "AA=="}}},
		protocol.WaitFor{Page: page, MaybeTarget: maybe, State: "hidden", TimeoutMS: 9},
		protocol.WaitFor{Page: page, Text: "x"},
		protocol.WaitFor{Page: page, TextGone: "x"},
		protocol.WaitFor{Page: page, URL: "x"},
		protocol.WaitFor{Page: page, Load: "load"},
		protocol.WaitFor{Page: page, MS: 5},
		protocol.Extract{Page: page},
		protocol.Extract{Page: page, Parts: []string{"text"}},
		protocol.Extract{Page: page, MaxBytes: 999},
		protocol.Extract{Page: page, From: "c"},
		protocol.Snapshot{Page: page, Interactive: true, Compact: true, Depth: 3, Selector: "main", URLs: true, Cursor: true},
		protocol.Snapshot{Page: page, Since: "s"},
		protocol.Snapshot{Page: page, MaxBytes: 999},
		protocol.Snapshot{Page: page, From: "l1"},
		protocol.Get{Page: page, MaybeTarget: maybe, What: "attribute", Name: "href"},
		protocol.Evaluate{Page: page, Expression: "return 1"},
		protocol.Screenshot{Page: page, FullPage: true, Format: "jpeg", Quality: 5},
		protocol.PDF{Page: page, PaperFormat: "a4", Landscape: true},
		protocol.ActivateTab{TabID: 7},
		protocol.AttachTab{Page: page},
		protocol.Fill{Page: page, Target: target, Text: &text},
		protocol.Download{ID: 1},
		protocol.Find{Page: page, Role: "button"},
		protocol.Dialog{Page: page},
		protocol.Console{Page: page, Op: "list"},
		protocol.Network{Page: page, Op: "list"},
		protocol.Handoff{Page: page, Reason: "r"},
		protocol.Session{Op: "list"},
	}
	return actions
}

// TestNothingOfOursReachesAnOldPeer lives with an extension of plain version 4 that refuses what it does not know: an agent asks
// for everything there is, gives up, and lets time pass; the rules change; the server drains.
func TestNothingOfOursReachesAnOldPeer(t *testing.T) {
	plain, frozen := strict(t, "v4-plain.json"), strict(t, "v4.json")
	synctest.Test(t, func(t *testing.T) {
		h := start(t, Options{listen: listen})
		p := h.open()
		caps, err := json.Marshal(plainCaps())
		if err != nil {
			t.Fatal(err)
		}
		p.send(fmt.Sprintf(`{"type":"hello","protocolVersion":4,"clientVersion":"seed","pairingToken":%q,"caps":%s}`, h.mint("ann", store.ScopeBrowser), caps))
		var mu sync.Mutex
		seen := map[string]int{}
		done := make(chan struct{})
		go func() {
			defer close(done)
			for {
				_, raw, err := p.ws.Read(context.Background())
				if err != nil {
					return
				}
				doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
				if err != nil {
					t.Errorf("the server sent %s: %v", raw, err)
					return
				}
				for name, schema := range map[string]*jsonschema.Schema{"plain version 4": plain, "the frozen schema": frozen} {
					if err := schema.Validate(doc); err != nil {
						t.Errorf("%s does not know this: %s\n%v", name, raw, err)
					}
				}
				var frame struct {
					Type, ID string
					Action   struct{ Type string }
				}
				if err := json.Unmarshal(raw, &frame); err != nil {
					t.Error(err)
				}
				mu.Lock()
				seen[frame.Type+frame.Action.Type]++
				mu.Unlock()
				if frame.Type == "request" && frame.Action.Type != "hover" {
					p.send(fmt.Sprintf(`{"type":"response","id":%q,"error":{"code":"timeout","message":"no"}}`, frame.ID))
				}
			}
		}()
		synctest.Wait()
		// Such an extension would type a secret wherever it is told to: it gets none.
		if status, body := h.request("PUT", "/v1/secrets/s", `{"value":"swordfish","origins":["https://a.test"]}`, nil); status != 200 {
			t.Fatalf("the secret could not be set: %d %s", status, body)
		}
		asked := map[reflect.Type]bool{}
		for _, a := range askedFor() {
			asked[reflect.TypeOf(a)] = true
			ctx, giveUp := context.WithTimeout(t.Context(), time.Second) // for hover, which is never answered
			_, err := h.client.Do(ctx, a)
			giveUp()
			var typed *protocol.Error
			if err == nil || errors.As(err, &typed) && typed.Code == protocol.CodeInvalidAction {
				t.Errorf("%+v: %v", a, err)
			}
		}
		for _, m := range protocol.Methods {
			if !asked[m.Params] {
				t.Errorf("%s was not asked for", m.Type)
			}
			mu.Lock()
			n := seen["request"+string(m.Type)]
			mu.Unlock()
			switch {
			case m.Extended && n > 0:
				t.Errorf("%s is beyond version 4, and yet it was sent", m.Type)
			case !m.Extended && n == 0:
				t.Errorf("%s is of version 4, and yet it was not sent", m.Type)
			}
		}
		if status, body := h.request("PUT", "/v1/rules", `{"blocklist":["bank.test"]}`, nil); status != 200 {
			t.Errorf("the rules could not be changed: %d %s", status, body)
		}
		<-time.After(2 * protocol.SilenceTimeout) // it lives on WebSocket pings, which its library answers
		if err := p.ws.Write(t.Context(), websocket.MessageText, []byte(`{"type":"event","event":{"type":"global_stop","sessions":0}}`)); err != nil {
			t.Errorf("the silent extension was cut off: %v", err)
		}
		h.stop()
		<-done
	})
}
