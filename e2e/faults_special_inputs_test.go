package e2e

import (
	"fmt"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Fields that take no typed text are set to their form's value, once, and say which form that is.
var specialInputs = []fault{
	{"dates_and_times", func(f *trial) {
		f.load(`<script>counts = {}; for (const type of ['input', 'change']) addEventListener(type, e => { const at = e.target.type + ' ' + type; counts[at] = (counts[at] || 0) + 1; })</script>
			<input type=date min=2026-01-01><input type=time><input type=datetime-local><input type=month><input type=week>`)
		for _, field := range []struct{ kind, value, bad, form string }{
			{"date", "2026-10-01", "31.12.2026", "YYYY-MM-DD"},
			{"time", "13:45", "quarter to two", "HH:MM"},
			{"datetime-local", "2026-10-01T13:45", "2026-10-01", "YYYY-MM-DDTHH:MM"},
			{"month", "2026-10", "October", "YYYY-MM"},
			{"week", "2026-W40", "40", "YYYY-Www"},
		} {
			target := css(fmt.Sprintf("[type=%s]", field.kind))
			f.holds(field.kind, f.fill(target, field.value).Value, field.value)
			f.refused(protocol.CodeInvalidAction, protocol.Fill{Page: f.page, Target: target, Text: &field.bad}, field.form)
			f.is(fmt.Sprintf("document.querySelector('[type=%s]').value", field.kind), fmt.Sprintf("%q", field.value))
			f.is(fmt.Sprintf("[counts['%[1]s input'], counts['%[1]s change']]", field.kind), "[1,1]")
		}
	}},
	{"colours", func(f *trial) {
		f.load(`<script>inputs = 0</script><input type=color oninput="inputs++" onchange="document.title=this.value">`)
		f.holds("the colour", f.fill(css("input"), "#C0FFEE").Value, "#c0ffee")
		f.until("[document.title, inputs]", `["#c0ffee",1]`)
		f.refused(protocol.CodeInvalidAction, protocol.Fill{Page: f.page, Target: css("input"), Text: ptr("red")}, "#rrggbb")
		f.is("[document.querySelector('input').value, inputs]", `["#c0ffee",1]`)
	}},
}
