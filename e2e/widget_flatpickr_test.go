package e2e

import (
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

const flatpickrPage = `<link rel=stylesheet href="/npm/flatpickr/dist/flatpickr.min.css"><script src="/npm/flatpickr/dist/flatpickr.min.js"></script>
	<label>Day <input id=day></label> <label>Typed <input id=typed></label> <label>Stay <input id=stay></label>
	<label>Time <input id=time></label> <label>Shown otherwise <input id=alt></label>
	<div style="height:500px"></div>
	<script>
	const defaultDate = '2024-03-05', changes = [];
	const onChange = (dates, text) => changes.push(text);
	flatpickr('#day', {defaultDate, onChange});
	flatpickr('#typed', {allowInput: true, onChange});
	flatpickr('#stay', {mode: 'range', defaultDate: ['2024-03-05', '2024-03-06'], minDate: '2024-03-02', onChange});
	flatpickr('#time', {enableTime: true, time_24hr: true, defaultDate: '2024-03-05 10:00', onChange});
	flatpickr('#alt', {defaultDate, altInput: true, altFormat: 'F j, Y', onChange});
	ready = true;
	</script>`

func TestWidgetFlatpickr(t *testing.T) {
	t.Parallel()
	open := ".flatpickr-calendar.open "
	uses{
		"day": func(f *trial) {
			f.press(css("#day"))
			f.press(css(open + "[aria-label='March 14, 2024']"))
			f.until("day.value", `"2024-03-14"`)
			f.is("changes", `["2024-03-14"]`)
			f.until("document.querySelectorAll('.flatpickr-calendar.open').length", "0")
		},
		"day_by_ref": func(f *trial) {
			f.press(f.ref("textbox", "Day"))
			days := f.found(protocol.Find{Name: "March 21, 2024"}).Elements
			if len(days) != 1 {
				f.t.Fatalf("the day is found as %+v", days)
			}
			f.press(protocol.Target{UID: days[0].UID})
			f.until("day.value", `"2024-03-21"`)
		},
		"other_month": func(f *trial) {
			f.press(css("#day"))
			f.press(css(open + ".flatpickr-next-month"))
			f.press(css(open + "[aria-label='April 30, 2024']"))
			f.until("day.value", `"2024-04-30"`)
			f.press(css("#day"))
			f.choose(css(open+"select"), "December")
			f.fill(css(open+".cur-year"), "2031")
			f.press(css(open + "[aria-label='December 24, 2031']"))
			f.until("day.value", `"2031-12-24"`)
		},
		"typed": func(f *trial) {
			f.typed(css("#typed"), "2025-07-09", true)
			f.until("document.querySelector('#typed')._flatpickr.selectedDates.map(d => d.getMonth() + '/' + d.getDate())", `["6/9"]`)
			f.refused(protocol.CodeElementBlocked, protocol.Fill{Page: f.page, Target: css("#day"), Text: ptr("2025-07-09")}, "read-only")
			f.is("day.value", `"2024-03-05"`)
		},
		"range": func(f *trial) {
			f.press(css("#stay"))
			f.press(css(open + "[aria-label='March 1, 2024']")) // too early, and only the page knows
			f.is("changes", "[]")
			f.press(css(open + "[aria-label='March 11, 2024']"))
			f.press(css(open + "[aria-label='March 15, 2024']"))
			f.until("stay.value", `"2024-03-11 to 2024-03-15"`)
		},
		"time": func(f *trial) {
			f.press(css("#time"))
			f.press(css(open + "[aria-label='March 8, 2024']"))
			f.fill(css(open+".flatpickr-hour"), "17")
			f.fill(css(open+".flatpickr-minute"), "45")
			f.key("Enter", "")
			f.until("time.value", `"2024-03-08 17:45"`)
		},
		"shown_otherwise": func(f *trial) {
			f.press(css("#alt + input"))
			f.press(css(open + "[aria-label='March 2, 2024']"))
			f.until("document.getElementById('alt').value", `"2024-03-02"`)
			f.gives("value", "#alt + input", "March 2, 2024")
		},
	}.tryOut(t, flatpickrPage)
}
