package agent

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestSecretsAreFoundAsPagesSpellThem(t *testing.T) {
	s := &scrubber{}
	for name, value := range map[string]string{
		"pw": `a&b "c" <d>_*é`, "card": "4111111111111111", "pin": "1234", "word": "hunter2", "phrase": "correct horse battery",
	} {
		s.add(store.Secret{Name: name, Value: value})
	}
	for text, want := range map[string]string{
		`is a&b "c" <d>_*é.`:                          "is [secret pw].",
		`A&B "C" <D>_*É`:                              "[secret pw]",
		`v=a%26b+%22c%22+%3Cd%3E_*%C3%A9&x=1`:         "v=[secret pw]&x=1",
		`a%26b%20%22c%22%20%3cd%3e%5F%2A%c3%a9`:       "[secret pw]",
		`a&amp;b &quot;c&quot; &lt;d&gt;_*é`:          "[secret pw]",
		`a&#38;b &#x22;c" <d>_*&#233;`:                "[secret pw]",
		`a\u0026b \"c\" \u003cd\u003e_*\u00e9`:        "[secret pw]",
		`a&b "c" \<d>\_\*é`:                           "[secret pw]",
		`you gave a&b%20…`:                            "you gave [secret pw]…",
		`you gave a&b %22…`:                           "you gave [secret pw]…",
		"4111 1111 1111 1111":                         "[secret card]",
		"4111-1111-1111-1111":                         "[secret card]",
		"41111111111111112":                           "[secret card]2",
		"pin 1234, order 12345, e1234, x-1234":        "pin [secret pin], order 12345, e1234, x-[secret pin]",
		"my hunter2s":                                 "my [secret word]s",
		"correct  horse\nbattery, horse":              "[secret phrase], horse",
		"nothing of it: hunter, 123, a&b":             "nothing of it: hunter, 123, a&b",
		"hunt… is a beginning, hun… and hunter … not": "[secret word]… is a beginning, hun… and hunter … not",
	} {
		if got := s.text(text); got != want {
			t.Errorf("%q became %q, expected %q", text, got, want)
		}
	}
}

func TestAnswersKeepTheirFormWithoutSecrets(t *testing.T) {
	s := &scrubber{}
	s.add(store.Secret{Name: "pin", Value: "12345678"})
	s.add(store.Secret{Name: "state", Value: "done"})
	for _, c := range []struct {
		action     protocol.Action
		raw, clean string
	}{
		{
			protocol.Evaluate{},
			`{"type":"object","value":{"12345678":["x12345678",12345678,{"data":"12345678","uid":"12345678"},1.5,null,true]}}`,
			`{"type":"object","value":{"[secret pin]":["x[secret pin]","[secret pin]",{"data":"[secret pin]","uid":"[secret pin]"},1.5,null,true]}}`,
		},
		{
			protocol.Screenshot{},
			`{"data":"AA12345678AA","mimeType":"image/png","width":12345678,"height":1,"notes":["12345678"]}`,
			`{"data":"AA12345678AA","mimeType":"image/png","width":12345678,"height":1,"notes":["[secret pin]"]}`,
		},
		{protocol.Handoff{}, `{"state":"done"}`, `{"state":"done"}`},
		{
			protocol.ListTabs{},
			`{"tabs":[{"tabId":12345678,"url":"https://a.test/?p=12345678","title":"12345678 \"done\"","owner":"agent"}]}`,
			`{"tabs":[{"tabId":12345678,"url":"https://a.test/?p=[secret pin]","title":"[secret pin] \"[secret state]\"","owner":"agent"}]}`,
		},
	} {
		got, err := s.raw(c.action, json.RawMessage(c.raw))
		if err != nil || string(got) != c.clean {
			t.Errorf("%T: %s became\n%s (%v), expected\n%s", c.action, c.raw, got, err, c.clean)
		}
	}
	e := s.failure(protocol.Errorf(protocol.CodeInvalidAction, "it holds 12345678").WithOutcome(protocol.Done))
	if e.Message != "it holds [secret pin]" || e.Code != protocol.CodeInvalidAction || e.Outcome != protocol.Done {
		t.Errorf("the error became %+v", e)
	}
	events := s.events([]protocol.Event{protocol.DialogOpened{TabID: 1, Kind: "alert", Message: "12345678"}})
	if len(events) != 1 || events[0] != (protocol.DialogOpened{TabID: 1, Kind: "alert", Message: "[secret pin]"}) {
		t.Errorf("the events became %+v", events)
	}
}

func TestOneUsersSecretsAreNoneToAnother(t *testing.T) {
	o := newOffice(t)
	w := o.connect()
	admin := Caller{Identity: store.Identity{User: "bob", TokenID: "b", Scopes: []store.Scope{store.ScopeAdmin, store.ScopeAgent}}}
	if _, err := o.desk.SetSecret(t.Context(), admin, "pw", protocol.SetSecretRequest{Value: "swordfish", Origins: []string{"https://a.test"}}); err != nil {
		t.Fatal(err)
	}
	asks := protocol.Type{Target: protocol.Target{UID: "e1"}, Secret: "pw"}
	if _, err := o.desk.Do(t.Context(), o.ann, Request{Action: asks}); err == nil || !strings.Contains(err.Error(), `no secret has the name "pw"; there are none`) {
		t.Errorf("another user's agent got %v", err)
	}
	if _, err := o.desk.Secrets(t.Context(), o.ann); err == nil {
		t.Error("a token without the scope admin lists secrets")
	}
	if _, err := o.desk.RemoveSecret(t.Context(), Caller{Identity: store.Identity{User: "ann", Scopes: admin.Identity.Scopes}}, "pw"); err == nil {
		t.Error("another user removed it")
	}

	// Ann's own goes out bound to its origins, and nothing of it stays in the trail.
	own := Caller{Identity: store.Identity{User: "ann", TokenID: o.ann.Identity.TokenID, Scopes: admin.Identity.Scopes}}
	set := protocol.SetSecretRequest{Value: "open sesame", Origins: []string{"https://A.test:443/login?x#y", "http://b.test:8080", "https://a.test"}}
	info, err := o.desk.SetSecret(t.Context(), own, "pw", set)
	if err != nil || strings.Join(info.Origins, " ") != "https://a.test http://b.test:8080" {
		t.Fatalf("%+v, %v", info, err)
	}
	ended := make(chan error)
	go func() {
		answer, err := o.desk.Do(t.Context(), o.ann, Request{Action: asks})
		if result, ok := answer.Result.(protocol.TypeResult); !ok || result.Title != "[secret pw]" {
			t.Errorf("the answer is %+v", answer)
		}
		ended <- err
	}()
	request, ok := o.next(w).(protocol.Request)
	sent, isType := request.Action.Action.(protocol.Type)
	if !ok || !isType || sent.Secret != "" || sent.Text == nil || *sent.Text != "open sesame" || len(sent.OnlyOn) != 2 {
		t.Fatalf("the browser got %+v", request.Action)
	}
	o.send(w, protocol.Response{ID: request.ID, Result: json.RawMessage(`{"ok":true,"title":"open sesame"}`)})
	if err := <-ended; err != nil {
		t.Error(err)
	}
	raw, err := json.Marshal(o.lines())
	if err != nil || strings.Contains(string(raw), "sesame") || !strings.Contains(string(raw), `"secret":"pw"`) {
		t.Errorf("the trail is %s (%v)", raw, err)
	}

	for _, bad := range []string{"a.test", "https://", "ftp://a.test", "https://u:p@a.test", "https://*.a.test", "data:text/html,x"} {
		if _, err := o.desk.SetSecret(t.Context(), own, "pw", protocol.SetSecretRequest{Value: "xyz", Origins: []string{bad}}); err == nil {
			t.Errorf("the origin %q was taken", bad)
		}
	}
}

func TestThePartsOfALoginAreHiddenBeforeItIsUsed(t *testing.T) {
	s := &scrubber{}
	s.learn(store.Secret{Name: "intranet", Value: "ada:lovelace1815"})
	s.learn(store.Secret{Name: "otp", Value: "step:1"})
	for text, want := range map[string]string{
		"Welcome, your password is lovelace1815":        "Welcome, your password is [secret intranet]",
		"Authorization: Basic YWRhOmxvdmVsYWNlMTgxNQ==": "Authorization: Basic [secret intranet]",
		"ada:lovelace1815":                              "[secret intranet]",
		"ada has 1 message":                             "ada has 1 message",
	} {
		if got := s.text(text); got != want {
			t.Errorf("%q became %q, expected %q", text, got, want)
		}
	}
}
