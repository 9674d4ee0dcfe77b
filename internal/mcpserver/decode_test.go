package mcpserver

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestDecodeReadsTheFlatInput(t *testing.T) {
	text := "hi"
	for _, c := range []struct {
		name, in string
		want     input
	}{
		{"by ref", `{"action":"click","ref":"e7"}`, input{call: Call{Action: protocol.Click{Target: protocol.Target{UID: "e7"}}}}},
		{"by uid", `{"action":"click","uid":"e7"}`, input{call: Call{Action: protocol.Click{Target: protocol.Target{UID: "e7"}}}}},
		{"with an at sign", `{"action":"hover","ref":"@e7"}`, input{call: Call{Action: protocol.Hover{Target: protocol.Target{UID: "e7"}}}}},
		{"as the tree writes it", `{"action":"hover","ref":"ref=e7"}`, input{call: Call{Action: protocol.Hover{Target: protocol.Target{UID: "e7"}}}}},
		{"an action called type", `{"action":"type","selector":"#q","text":"hi","submit":true}`, input{call: Call{Action: protocol.Type{Target: protocol.Target{Selector: "#q"}, Text: &text, Submit: true}}}},
		{"null is absent", `{"action":"press","key":"Enter","ref":null,"tabId":4}`, input{call: Call{Action: protocol.Press{Page: protocol.Page{TabID: 4}, Key: "Enter"}}}},
		{"a browser by name", `{"action":"list_tabs","browser":"home"}`, input{call: Call{Action: protocol.ListTabs{}, Browser: "home"}}},
		{"the rest of an answer", `{"more":"c3"}`, input{more: "c3"}},
		{"refs inside a drag", `{"action":"drag","from":{"ref":"e1"},"to":{"ref":"@e2"}}`, input{call: Call{Action: protocol.Drag{From: protocol.Target{UID: "e1"}, To: &protocol.Target{UID: "e2"}}}}},
	} {
		got, err := decode([]byte(c.in))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(input{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestDecodeNamesWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"no object", `[]`, "no acceptable JSON object"},
		{"no action", `{"url":"https://a.test/"}`, `action "" is unknown: expected one of open_tab, navigate`},
		{"an unknown action", `{"action":"fly"}`, `action "fly" is unknown`},
		{"an action that is a number", `{"action":1}`, "action is 1: expected a string"},
		{"neither ref nor selector", `{"action":"click"}`, "exactly one of"},
		{"both ref and selector", `{"action":"click","ref":"e1","selector":"a"}`, "exactly one of"},
		{"both ref and uid", `{"action":"click","ref":"e1","uid":"e2"}`, "both ref and uid"},
		{"a ref that is none", `{"action":"click","ref":"button"}`, "uid"},
		{"a ref that is a number", `{"action":"click","ref":7}`, `ref is 7: expected a string`},
		{"another action's field", `{"action":"click","ref":"e1","text":"hi"}`, `click has no field "text": it takes button, count, modifiers, ref, selector, tabId`},
		{"the tag itself", `{"action":"click","ref":"e1","type":"hover"}`, `click has no field "type"`},
		{"a duplicate key", `{"action":"click","ref":"e1","ref":"e2"}`, "no acceptable JSON object"},
		{"keys that differ in case", `{"action":"click","ref":"e1","tabId":1,"TABID":2}`, `click has no field "TABID"`},
		{"a value of the wrong type", `{"action":"click","ref":"e1","count":"2"}`, "count"},
		{"a value out of range", `{"action":"click","ref":"e1","count":4}`, "count"},
	} {
		_, err := decode([]byte(c.in))
		if err == nil {
			t.Errorf("%s: accepted", c.name)
			continue
		}
		if known := asProtocol(err); known.Code != protocol.CodeInvalidAction || !strings.Contains(known.Message, c.want) {
			t.Errorf("%s: got %v, want invalid_action with %q", c.name, err, c.want)
		}
	}
}
