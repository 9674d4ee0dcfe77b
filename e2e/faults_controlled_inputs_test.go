package e2e

import "github.com/drawbridge-browser/drawbridge/protocol"

// Fields whose page watches over their value: it must hear of the change, and its own word is read back.
var controlledInputs = []fault{
	{"framework_that_tracks_its_value", func(f *trial) {
		f.load(`<input id=i aria-label=Name><p id=o></p><script>
			let t = ''; renders = 0;
			const d = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
			Object.defineProperty(i, 'value', {get() { return d.get.call(i); }, set(v) { t = v; d.set.call(i, v); }});
			i.oninput = () => { if (i.value !== t) { t = i.value; o.textContent = t; } };
			setInterval(() => { renders++; d.set.call(i, o.textContent); }, 300)</script>`)
		f.holds("the field", f.fill(f.ref("textbox", "Name"), "abc").Value, "abc")
		f.until("new Promise(done => { const from = renders; const look = setInterval(() => { if (renders > from + 1) { clearInterval(look); done(o.textContent + ' ' + i.value); } }, 20); })", `"abc abc"`)
	}},
	{"value_that_the_page_takes_back", func(f *trial) {
		f.load(`<input id=r aria-label=Reverts><input id=m maxlength=3 aria-label=Short><input readonly value=keep aria-label=Read><input disabled value=keep aria-label=Off><script>
			fired = 0;
			r.onchange = () => fired++;
			r.onblur = () => { if (!fired) r.value = ''; }</script>`)
		f.holds("the field", f.fill(f.ref("textbox", "Reverts"), "stays").Value, "stays")
		short := f.fill(f.ref("textbox", "Short"), "abcdef")
		f.holds("the short field", short.Value, "abc")
		f.tells(short.Notes, "does not hold")
		f.is("[fired, r.value, m.value]", `[1,"stays","abc"]`)
		f.refused(protocol.CodeElementBlocked, protocol.Fill{Page: f.page, Target: f.ref("textbox", "Read"), Text: ptr("x")}, "read-only")
		f.refused(protocol.CodeElementBlocked, protocol.Fill{Page: f.page, Target: f.ref("textbox", "Off"), Text: ptr("x")}, "disabled")
		f.is("[...document.querySelectorAll('input')].slice(2).map(e => e.value)", `["keep","keep"]`)
	}},
	{"focus_that_is_taken_back_once", func(f *trial) {
		f.load(`<input id=e value="user@test.com" aria-label=Mail><input id=p type=password aria-label=Password><script>
			let once = true; e.onblur = () => { if (once) { once = false; e.focus(); } }</script>`)
		f.holds("the address", f.fill(f.ref("textbox", "Mail"), "a@b.c").Value, "a@b.c")
		if result := f.fill(css("#p"), "pw"); result.Value != nil {
			f.t.Errorf("the password is told: %q", *result.Value)
		}
		f.until("[e.value, p.value]", `["a@b.c","pw"]`)
	}},
	{"focus_that_is_always_taken_back", func(f *trial) {
		f.load(`<input id=e value="" aria-label=Mail><input id=p type=password aria-label=Password><script>e.onblur = () => e.focus()</script>`)
		f.fill(f.ref("textbox", "Mail"), "a@b.c")
		refusal := f.fails(protocol.CodeElementBlocked, protocol.Fill{Page: f.page, Target: css("#p"), Text: ptr("pw")})
		if !containsFold(refusal.Message, "focus") {
			f.t.Errorf("the refusal does not say that the page takes the focus: %s", refusal.Message)
		}
		f.is("[e.value, p.value]", `["a@b.c",""]`)
	}},
	{"page_that_looks_when_a_key_is_let_go", func(f *trial) {
		f.load(`<input aria-label=Filter onkeyup="out.textContent = this.value; trusted = event.isTrusted"> <output id=out></output>`)
		filter := f.ref("textbox", "Filter")
		f.fill(filter, "apples and pears")
		f.until("out.textContent", `"apples and pears"`)
		f.typed(filter, ", 2", false)
		f.until("out.textContent", `"apples and pears, 2"`)
		f.is("trusted", "true")
	}},
	{"text_that_does_not_fit_stays_in_its_field", func(f *trial) {
		f.load(`<input aria-label=First maxlength=2><input aria-label=Second><script>
			document.querySelector('input').oninput = e => { if (e.target.value.length === 2) e.target.nextSibling.focus(); }</script>`)
		f.tells(f.fill(f.ref("textbox", "First"), "1234").Notes, "2 characters at most")
		f.is("[...document.querySelectorAll('input')].map(i => i.value)", `["12",""]`)
	}},
}
