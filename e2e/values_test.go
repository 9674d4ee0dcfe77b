package e2e

import (
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestFillAndGetAgree(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	page := a.open(r.site.html(t, "controls", listLog+`
		<input id=date type=date><input id=time type=time><input id=moment type=datetime-local><input id=month type=month><input id=week type=week>
		<input id=color type=color><input id=range type=range min=0 max=10 step=2><input id=check type=checkbox value=yes><input id=radio type=radio>
		<div id=switch role=switch aria-checked=false tabindex=0 style="width:40px;height:20px;border:1px solid" onclick="this.setAttribute('aria-checked', this.getAttribute('aria-checked') !== 'true')">Wifi</div>
		<input id=stuck type=checkbox onclick="event.preventDefault()">`))
	value := func(id string) string {
		t.Helper()
		got := do[protocol.GetResult](a, protocol.Get{Page: page, MaybeTarget: protocol.MaybeTarget{Selector: id}, What: "value"}).Value
		if got == nil {
			return "nothing"
		}
		return *got
	}
	for _, c := range []struct{ selector, text, holds, seen string }{
		{"#date", "2026-12-24", "2026-12-24", "input date 2026-12-24, change date 2026-12-24"},
		{"#date", "", "", "input date , change date "},
		{"#time", "13:45", "13:45", "input time 13:45, change time 13:45"},
		{"#moment", "2026-12-24T13:45", "2026-12-24T13:45", "input moment 2026-12-24T13:45, change moment 2026-12-24T13:45"},
		{"#month", "2026-12", "2026-12", "input month 2026-12, change month 2026-12"},
		{"#week", "2026-W52", "2026-W52", "input week 2026-W52, change week 2026-W52"},
		{"#color", "#C0FFEE", "#c0ffee", "input color #c0ffee, change color #c0ffee"},
		{"#range", "8", "8", "input range 8, change range 8"},
		{"#check", "true", "true", "input check yes, change check yes"},
		{"#check", "true", "true", ""},
		{"#check", "false", "false", "input check yes, change check yes"},
		{"#radio", "true", "true", "input radio on, change radio on"},
		{"#switch", "true", "true", ""},
		{"#switch", "false", "false", ""},
	} {
		filled := do[protocol.FillResult](a, protocol.Fill{Page: page, Target: bySelector(c.selector), Text: ptr(c.text)})
		if filled.Value == nil || *filled.Value != c.holds {
			t.Errorf("%s filled with %q says %v", c.selector, c.text, filled.Value)
		}
		if got := value(c.selector); got != c.holds {
			t.Errorf("%s filled with %q is read as %q", c.selector, c.text, got)
		}
		if got := a.saw(page); got != c.seen {
			t.Errorf("%s filled with %q: the page saw %q, want %q", c.selector, c.text, got, c.seen)
		}
	}
	for selector, text := range map[string]string{
		"#date": "24.12.2026", "#time": "noon", "#color": "red", "#range": "3", "#check": "yes", "#month": "December", "#stuck": "true", "#radio": "false",
	} {
		before := value(selector)
		a.fails(protocol.CodeInvalidAction, protocol.Fill{Page: page, Target: bySelector(selector), Text: ptr(text)})
		if after := value(selector); after != before {
			t.Errorf("%s refused %q and went from %q to %q", selector, text, before, after)
		}
	}
}
