package e2e

import (
	"fmt"
	"slices"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// The page of what a person does with elements.
var kitchenActions = map[string]func(*trial){
	"type": func(f *trial) {
		f.run(`keys = []; document.querySelector('.action-email').addEventListener('keydown', e => keys.push(e.key))`)
		email := css(".action-email")
		f.holds("the field", f.typed(email, "fake@email.com", false).Value, "fake@email.com")
		f.until("document.querySelector('.action-email').value", `"fake@email.com"`)
		f.run("keys = []")
		for _, key := range []string{"ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Delete", "Control+a", "Backspace"} {
			f.key(key, ".action-email")
		}
		f.until("document.querySelector('.action-email').value", `""`)
		f.until("keys.join()", `"ArrowLeft,ArrowRight,ArrowUp,ArrowDown,Delete,Control,a,Backspace"`)
		f.run("keys = []")
		for _, key := range []string{"Alt", "Control", "Meta", "Shift"} {
			f.key(key, ".action-email")
		}
		f.until("keys.join()", `"Alt,Control,Meta,Shift"`)
		f.typed(email, "slow.typing@email.com", false)
		f.until("document.querySelector('.action-email').value", `"slow.typing@email.com"`)
		f.refused(protocol.CodeElementBlocked, protocol.Type{Page: f.page, Target: css(".action-disabled"), Text: ptr("no")}, "disabled")
		f.is("document.querySelector('.action-disabled').value", `""`)
	},
	"focus": func(f *trial) {
		f.press(f.ref("textbox", "Password"))
		f.until("document.querySelector('.action-focus').matches('.focus:focus')", "true")
		f.is("document.querySelector('.action-focus').previousElementSibling.getAttribute('style')", `"color: orange;"`)
	},
	"blur": func(f *trial) {
		f.typed(f.ref("textbox", "Full Name"), "About to blur", false)
		f.is("document.querySelector('.action-blur').matches('.error')", "false")
		f.key("Tab", "")
		f.until("document.querySelector('.action-blur').matches('.error')", "true")
		f.is("document.querySelector('.action-blur').previousElementSibling.getAttribute('style')", `"color: red;"`)
	},
	"clear": func(f *trial) {
		describe := f.ref("textbox", "Describe:")
		f.typed(describe, "Clear this text", false)
		f.until("document.querySelector('.action-clear').value", `"Clear this text"`)
		f.holds("the field", f.fill(describe, "").Value, "")
		f.until("document.querySelector('.action-clear').value", `""`)
	},
	"submit": func(f *trial) {
		sent := "[...document.querySelectorAll('.action-form ~ p')].map(p => p.textContent)"
		f.typed(f.ref("textbox", "Coupon Code"), "HALFOFF", true)
		f.until(sent, `["Your form has been submitted!"]`)
		f.press(f.ref("button", "Submit"))
		f.until(sent, `["Your form has been submitted!","Your form has been submitted!"]`)
		f.is("couponCode1.value", `"HALFOFF"`)
	},
	"click": func(f *trial) {
		f.press(f.ref("button", "Click to toggle popover"))
		f.until("document.querySelector('.popover-content').textContent", `"This popover shows up on click"`)
		f.press(f.ref("button", "Click to toggle popover"))
		f.until("document.querySelectorAll('.popover').length", "0")
		refusal := f.refused(protocol.CodeElementBlocked, protocol.Click{Page: f.page, Target: css(".action-opacity>.btn")}, "covered")
		f.is("document.querySelectorAll('.popover').length", "0")
		if !containsFold(refusal.Message, "opacity-cover") {
			f.t.Errorf("the refusal does not say what is in the way: %s", refusal.Message)
		}
	},
	"click_many": func(f *trial) {
		// From the last to the first, since each popover opens below its label and over what comes there.
		for label := 6; label >= 1; label-- {
			f.press(css(fmt.Sprintf(".action-labels>.label:nth-child(%d)", label)))
		}
		f.until("[...document.querySelectorAll('.action-labels>.label')].map(l => l.getAttribute('aria-describedby')?.startsWith('popover'))", "[true,true,true,true,true,true]")
		f.until("[...document.querySelectorAll('.popover-content')].map(p => p.textContent).join()", `"clicked,clicked,clicked,clicked,clicked,clicked"`)
	},
	"click_position": func(f *trial) {
		canvas := css("#action-canvas")
		f.press(canvas)
		box := do[protocol.GetResult](f.agent, protocol.Get{Page: f.page, MaybeTarget: protocol.MaybeTarget{Selector: "#action-canvas"}, What: "box"}).Box
		// The middle came by the click; the edges, the corners and the seven points of the example come by the mouse.
		points := [][2]int{{5, 5}, {126, 5}, {247, 5}, {5, 126}, {247, 126}, {5, 247}, {126, 247}, {247, 247}, {80, 75}, {170, 75}, {80, 165}, {100, 185}, {125, 190}, {150, 185}, {170, 165}}
		for _, p := range points {
			do[protocol.MouseResult](f.agent, protocol.Mouse{Page: f.page, Kind: "click", X: box.X + float64(p[0]), Y: box.Y + float64(p[1])})
		}
		for _, p := range slices.Concat([][2]int{{126, 126}}, points) {
			f.until(fmt.Sprintf("[...document.getElementById('action-canvas').getContext('2d').getImageData(%d, %d, 1, 1).data].join()", p[0], p[1]), `"255,0,0,255"`)
		}
	},
	"dblclick": func(f *trial) {
		do[protocol.ClickResult](f.agent, protocol.Click{Page: f.page, Target: css(".action-div"), Count: 2})
		f.until("getComputedStyle(document.querySelector('.action-div')).display", `"none"`)
		f.until("document.querySelector('.action-input-hidden') === document.activeElement", "true")
	},
	"rightclick": func(f *trial) {
		do[protocol.ClickResult](f.agent, protocol.Click{Page: f.page, Target: css(".rightclick-action-div"), Button: "right"})
		f.until("getComputedStyle(document.querySelector('.rightclick-action-div')).display", `"none"`)
		f.until("document.querySelector('.rightclick-action-input-hidden') === document.activeElement", "true")
	},
	"check": func(f *trial) {
		checked := func(in, want string) {
			f.t.Helper()
			f.until("[...document.querySelectorAll('."+in+" input:checked')].map(i => i.value).join()", want)
		}
		for _, box := range []string{"checkbox1", "checkbox3"} {
			f.fill(css(".action-checkboxes [value="+box+"]"), "true")
			f.fill(css(".action-checkboxes [value="+box+"]"), "true") // and once more changes nothing
		}
		checked("action-checkboxes", `"checkbox1,checkbox3"`)
		f.press(f.ref("radio", `Radio one has value "radio1"`))
		checked("action-radios", `"radio1"`)
		f.fill(f.ref("radio", `Radio two has value "radio2". When checked, it will uncheck Radio one.`), "true")
		checked("action-radios", `"radio2"`)
		f.press(css(".action-multiple-checkboxes .checkbox:nth-child(1) label"))
		f.press(css(".action-multiple-checkboxes [value=checkbox2]"))
		checked("action-multiple-checkboxes", `"checkbox1,checkbox2"`)
		f.refused(protocol.CodeElementBlocked, protocol.Click{Page: f.page, Target: css(".action-checkboxes [disabled]")}, "disabled")
		f.refused(protocol.CodeElementBlocked, protocol.Fill{Page: f.page, Target: css(".action-radios [disabled]"), Text: ptr("true")}, "disabled")
		checked("action-checkboxes", `"checkbox1,checkbox3"`)
		checked("action-radios", `"radio2"`)
	},
	"uncheck": func(f *trial) {
		checked := "[...document.querySelectorAll('.action-check input:checked')].map(i => i.value).join()"
		f.fill(css(".action-check [value=checkbox1]"), "false")
		f.press(css(".action-check [value=checkbox3]"))
		f.until(checked, `"checkbox2"`)
		f.press(css(".action-check [value=checkbox1]"))
		f.until(checked, `"checkbox1,checkbox2"`)
		f.press(css(".action-check [value=checkbox1]"))
		f.until(checked, `"checkbox2"`)
		f.refused(protocol.CodeElementBlocked, protocol.Fill{Page: f.page, Target: css(".action-check [disabled]"), Text: ptr("false")}, "disabled")
		f.is(checked, `"checkbox2"`)
	},
	"select": func(f *trial) {
		chosen := func(in, want string) {
			f.t.Helper()
			f.until("[...document.querySelector('."+in+"').selectedOptions].map(o => o.value).join()", want)
		}
		chosen("action-select", `"--Select a fruit--"`)
		for _, fruit := range []string{"apples", "fr-bananas"} {
			f.choose(css(".action-select"), fruit)
		}
		chosen("action-select", `"fr-bananas"`)
		f.choose(css(".action-select-multiple"), "apples", "oranges", "bananas")
		chosen("action-select-multiple", `"fr-apples,fr-oranges,fr-bananas"`)
		f.choose(css(".action-select-multiple"), "fr-apples", "fr-oranges")
		chosen("action-select-multiple", `"fr-apples,fr-oranges"`)
	},
	"scroll_into_view": func(f *trial) {
		for _, box := range []string{"horizontal", "vertical", "both"} {
			inside := fmt.Sprintf(`(() => { const b = document.querySelector('#scroll-%[1]s button').getBoundingClientRect(), c = document.querySelector('#scroll-%[1]s').getBoundingClientRect();
				return b.left >= c.left && b.right <= c.right && b.top >= c.top && b.bottom <= c.bottom && b.top >= 0 && b.bottom <= innerHeight; })()`, box)
			f.is(inside, "false")
			f.scrolled(protocol.Scroll{MaybeTarget: protocol.MaybeTarget{Selector: "#scroll-" + box + " button"}, To: "element"})
			f.until(inside, "true")
		}
	},
	"trigger": func(f *trial) {
		f.fill(css(".trigger-input-range"), "25")
		f.until("document.querySelector('.trigger-input-range ~ p').textContent", `"25"`)
	},
	"scroll_to": func(f *trial) {
		f.scrolled(protocol.Scroll{To: "bottom"})
		f.until("Math.abs(scrollY + innerHeight - document.documentElement.scrollHeight) <= 1", "true")
		in := func(id string) protocol.MaybeTarget { return protocol.MaybeTarget{Selector: "#scrollable-" + id} }
		at := func(id string) string {
			return "(s => [s.scrollLeft, s.scrollTop])(document.getElementById('scrollable-" + id + "'))"
		}
		right := f.scrolled(protocol.Scroll{MaybeTarget: in("horizontal"), Direction: "right", Pixels: 100_000})
		f.until("(s => s.scrollLeft > 0 && s.scrollLeft + s.clientWidth >= s.scrollWidth - 1)(document.getElementById('scrollable-horizontal'))", "true")
		if !right.AtEnd {
			f.t.Errorf("at the right end the result says %+v", right)
		}
		f.scrolled(protocol.Scroll{MaybeTarget: in("vertical"), Direction: "down", Pixels: 250})
		f.until(at("vertical"), "[0,250]")
		f.scrolled(protocol.Scroll{MaybeTarget: in("vertical"), To: "bottom"})
		f.until("(s => s.scrollTop + s.clientHeight >= s.scrollHeight - 1)(document.getElementById('scrollable-vertical'))", "true")
		f.scrolled(protocol.Scroll{MaybeTarget: in("vertical"), To: "top"})
		f.until(at("vertical"), "[0,0]")
		f.scrolled(protocol.Scroll{MaybeTarget: in("both"), Direction: "right", Pixels: 150})
		f.scrolled(protocol.Scroll{MaybeTarget: in("both"), Direction: "down", Pixels: 75})
		f.until(at("both"), "[150,75]")
		f.scrolled(protocol.Scroll{MaybeTarget: in("both"), Direction: "left", Pixels: 50})
		f.until(at("both"), "[100,75]")
	},
}
