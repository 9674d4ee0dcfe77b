package e2e

import (
	"strconv"
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

func spelled(n int) string { return strconv.Itoa(n) }

var kitchenWaiting = map[string]func(*trial){
	"time": func(f *trial) {
		for _, input := range []string{".wait-input1", ".wait-input2", ".wait-input3"} {
			f.typed(css(input), "Wait 1000ms after typing", false)
			before := f.says("performance.now()")
			do[protocol.WaitForResult](f.agent, protocol.WaitFor{Page: f.page, MS: 100})
			f.is("performance.now() - "+before+" >= 100", "true")
		}
		f.until("$('[class*=wait-input]').map((i, e) => e.value).get().join()", `"Wait 1000ms after typing,Wait 1000ms after typing,Wait 1000ms after typing"`)
	},
	"route": func(f *trial) { f.comment() },
}

var kitchenNetwork = map[string]func(*trial){
	"intercept": func(f *trial) {
		do[protocol.NetworkResult](f.agent, protocol.Network{Page: f.page, Op: "start"})
		f.comment()
		f.press(f.ref("button", "Post Comment"))
		do[protocol.WaitForResult](f.agent, protocol.WaitFor{Page: f.page, Text: "POST successful!"})
		f.is("document.querySelector('.network-post-comment').textContent", `"POST successful!"`)
		f.press(f.ref("button", "Update Comment"))
		do[protocol.WaitForResult](f.agent, protocol.WaitFor{Page: f.page, Text: "whoa, this comment does not exist"})
		f.is("document.querySelector('.network-put-comment').textContent", `"whoa, this comment does not exist"`)

		asked := map[string]int{}
		for _, entry := range do[protocol.NetworkResult](f.agent, protocol.Network{Page: f.page, Op: "list"}).Entries {
			if strings.HasPrefix(entry.URL, jsonService) && entry.Method != "OPTIONS" {
				asked[entry.Method] = entry.Status
			}
			if strings.HasPrefix(entry.URL, jsonService) && entry.Method == "POST" {
				posted, _ := f.detail(f.page, entry.RequestID)
				if !strings.Contains(posted.Body, "hello@cypress.io") || posted.RequestHeaders["content-type"] == "" {
					f.t.Errorf("the request that posts is given as %+v", posted)
				}
			}
		}
		if asked["GET"] != 200 || asked["POST"] != 201 || asked["PUT"] != 404 {
			f.t.Errorf("recorded are %v", asked)
		}
	},
	"request": func(f *trial) {
		said := f.value(f.page, "fetch('"+jsonService+"/comments/1').then(r => r.json()).then(c => c.body)")
		if said != `"laudantium enim quasi"` {
			f.t.Errorf("the request gives %s", said)
		}
	},
}

var kitchenFiles = map[string]func(*trial){
	"fixture": func(f *trial) {
		before := f.rig.site.saw("json.kitchensink.test/comments/1")
		f.press(f.ref("button", "Get Comment"))
		do[protocol.WaitForResult](f.agent, protocol.WaitFor{Page: f.page, Load: "networkidle"})
		if after := f.rig.site.saw("json.kitchensink.test/comments/1"); after <= before {
			f.t.Error("the click asked for nothing")
		}
	},
}

var kitchenStorage = map[string]func(*trial){
	"fill_and_clear": func(f *trial) {
		local, session := "Object.entries(localStorage).sort().join()", "Object.entries(sessionStorage).sort().join()"
		f.press(f.ref("button", "Populate localStorage and sessionStorage"))
		f.until(local, `"prop1,red,prop2,blue,prop3,magenta"`)
		f.until(session, `"prop4,cyan,prop5,yellow,prop6,black"`)
		if given := f.value(f.page, "{...localStorage, ...sessionStorage}"); !strings.Contains(given, `"prop3":"magenta"`) || !strings.Contains(given, `"prop6":"black"`) {
			f.t.Errorf("the storage is given as %s", given)
		}
		f.value(f.page, "localStorage.removeItem('prop1')")
		f.is(local, `"prop2,blue,prop3,magenta"`)
		f.press(css(".ls-btn"))
		f.until("localStorage.length", "3")
		f.value(f.page, "localStorage.clear()")
		f.value(f.page, "sessionStorage.clear()")
		f.is("localStorage.length + sessionStorage.length", "0")
	},
}

var kitchenCookies = map[string]func(*trial){
	"set_and_clear": func(f *trial) {
		for _, section := range []string{"getCookie", "getCookies", "clearCookie", "clearCookies"} {
			f.is("document.cookie", `""`)
			f.press(css("#" + section + " .set-a-cookie"))
			f.until("document.cookie", `"token=123ABC"`)
			if given := f.value(f.page, "document.cookie"); given != `"token=123ABC"` {
				f.t.Errorf("the cookie is given as %s", given)
			}
			f.value(f.page, "document.cookie = 'token=; max-age=0'")
		}
		f.is("document.cookie", `""`)
	},
}

var kitchenClocks = map[string]func(*trial){
	"clock": func(f *trial) {
		// A page whose clock stands still, and whose timers with it.
		f.run(`setTimeout = setInterval = requestAnimationFrame = () => 0; real = Date; Date = class extends real { constructor() { super(now); } }; now = real.UTC(2017, 2, 14); Date.now = () => now`)
		f.press(css("#clock-div"))
		f.until("document.getElementById('clock-div').textContent", `"1489449600"`)
	},
	"tick": func(f *trial) {
		f.run(`real = Date; Date = class extends real { constructor() { super(now); } }; now = real.UTC(2017, 2, 14)`)
		f.press(css("#tick-div"))
		f.until("document.getElementById('tick-div').textContent", `"1489449600"`)
		f.run("now += 10000")
		f.press(css("#tick-div"))
		f.until("document.getElementById('tick-div').textContent", `"1489449610"`)
	},
	"spy": func(f *trial) {
		f.run(`calls = []; obj = {foo: (...args) => calls.push(args)}`)
		f.value(f.page, "obj.foo('first')")
		f.value(f.page, "new Promise(done => setTimeout(() => done(obj.foo('second', 2)), 100))")
		f.is("calls", `[["first"],["second",2]]`)
	},
}

// The small application: what it does is written in its own tests, and in TodoMVC's.
var kitchenTodo = map[string]func(*trial){
	"shows_two": func(f *trial) {
		f.todos("Pay electric bill", "Walk the dog")
	},
	"add": func(f *trial) {
		f.typed(f.ref("textbox", "What needs to be done?"), "Feed the cat", true)
		f.todos("Pay electric bill", "Walk the dog", "Feed the cat")
		f.is("document.querySelector('.new-todo').value", `""`)
	},
	"check": func(f *trial) {
		f.typed(css(".new-todo"), "Feed the cat", true)
		f.press(css(".todo-list li:last-child .toggle"))
		f.until("[...document.querySelectorAll('.todo-list li')].map(l => l.className)", `["","","completed"]`)
	},
	"filter_and_clear": func(f *trial) {
		f.fill(css(".todo-list li:first-child .toggle"), "true")
		f.press(f.ref("link", "Active"))
		f.todos("Walk the dog")
		f.press(f.ref("link", "Completed"))
		f.todos("Pay electric bill")
		f.press(f.ref("link", "All"))
		f.todos("Pay electric bill", "Walk the dog")
		f.press(f.ref("button", "Clear completed"))
		f.todos("Walk the dog")
		f.until("getComputedStyle(document.querySelector('.clear-completed')).display", `"none"`)
	},
	"toggle_all": func(f *trial) {
		f.press(css(".toggle-all"))
		f.until("document.querySelectorAll('.todo-list .completed').length", "2")
	},
	"edit": func(f *trial) {
		// The two that the page begins with may have one id between them, the millisecond of their making.
		f.typed(css(".new-todo"), "Feed the cat", true)
		do[protocol.ClickResult](f.agent, protocol.Click{Page: f.page, Target: css(".todo-list li:last-child label"), Count: 2})
		f.until("document.activeElement.className", `"edit"`)
		do[protocol.FillResult](f.agent, protocol.Fill{Page: f.page, Target: css(".todo-list .edit"), Text: ptr("Feed the dog"), Submit: true})
		f.todos("Pay electric bill", "Walk the dog", "Feed the dog")
	},
	"remove": func(f *trial) {
		f.typed(css(".new-todo"), "Feed the cat", true)
		// The cross shows only under the pointer.
		f.point(css(".todo-list li:last-child"))
		f.press(css(".todo-list li:last-child .destroy"))
		f.todos("Pay electric bill", "Walk the dog")
	},
}

// todos waits until the list shows these.
func (f *trial) todos(want ...string) {
	f.t.Helper()
	f.until("[...document.querySelectorAll('.todo-list li')].map(l => l.innerText.trim()).join()", `"`+strings.Join(want, ",")+`"`)
}
