package e2e

import (
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

var kitchenHome = map[string]func(*trial){
	"menu": func(f *trial) {
		f.press(f.ref("button", "Commands"))
		f.until("document.querySelector('.dropdown').matches('.open')", "true")
		went := f.press(css(".dropdown-menu a[href='/commands/traversal']"))
		f.until("location.pathname", `"/commands/traversal"`)
		if !strings.HasSuffix(went.URL, "/commands/traversal") {
			f.t.Errorf("the click tells of the address %q", went.URL)
		}
	},
	"list": func(f *trial) {
		f.press(f.ref("link", "scrollIntoView"))
		f.until("location.pathname", `"/commands/actions"`)
	},
}

var kitchenNavigation = map[string]func(*trial){
	"go": func(f *trial) {
		home := strings.TrimSuffix(f.url(), "commands/navigation")
		f.goTo(home)
		f.press(f.ref("button", "Commands"))
		f.press(css(".dropdown-menu a[href='/commands/navigation']"))
		for _, way := range []struct{ to, path string }{{"back", "/"}, {"forward", "/commands/navigation"}, {"back", "/"}, {"forward", "/commands/navigation"}} {
			went := do[protocol.NavigateResult](f.agent, protocol.Navigate{Page: f.page, To: way.to})
			f.until("location.pathname", `"`+way.path+`"`)
			if went.URL != home+strings.TrimPrefix(way.path, "/") {
				f.t.Errorf("%s tells of the address %q", way.to, went.URL)
			}
		}
	},
	"reload": func(f *trial) {
		f.run("old = true")
		do[protocol.NavigateResult](f.agent, protocol.Navigate{Page: f.page, To: "reload"})
		f.until("typeof old", `"undefined"`)
		f.is("document.title", `"Cypress.io: Kitchen Sink"`)
	},
	"visit": func(f *trial) {
		f.goTo(f.url() + "?again#reload")
		f.until("location.search + location.hash", `"?again#reload"`)
	},
}

// url is the address that the page has.
func (f *trial) url() string {
	f.t.Helper()
	return strings.Trim(f.says("location.href"), `"`)
}

var kitchenLocation = map[string]func(*trial){
	"url": func(f *trial) {
		f.gives("url", "", f.url())
		f.run("location.hash = 'down'")
		f.gives("url", "", f.url())
		do[protocol.WaitForResult](f.agent, protocol.WaitFor{Page: f.page, URL: "/commands/location#down"})
		for _, part := range []string{"hash", "href", "host", "hostname", "origin", "pathname", "port", "protocol", "search"} {
			if given, has := f.value(f.page, "location."+part), f.says("location."+part); given != has {
				f.t.Errorf("location.%s is given as %s, the page has %s", part, given, has)
			}
		}
	},
}

var kitchenWindow = map[string]func(*trial){
	"window_and_document": func(f *trial) {
		if top := f.value(f.page, "window.top === window"); top != "true" {
			f.t.Errorf("the window's top is itself: %s", top)
		}
		if charset := f.value(f.page, "document.charset"); charset != `"UTF-8"` {
			f.t.Errorf("the charset is %s", charset)
		}
	},
	"title": func(f *trial) {
		f.gives("title", "", "Cypress.io: Kitchen Sink")
		f.run("document.title = 'Another'")
		f.gives("title", "", "Another")
	},
}

var kitchenViewport = map[string]func(*trial){
	"narrow": func(f *trial) {
		visible := "document.getElementById('navbar').checkVisibility() && document.getElementById('navbar').offsetHeight > 0"
		f.is(visible, "true")
		if err := f.seen.Call(within(f.t), "Emulation.setDeviceMetricsOverride", map[string]any{"width": 320, "height": 480, "deviceScaleFactor": 2, "mobile": false}, nil); err != nil {
			f.t.Fatal(err)
		}
		f.until("innerWidth", "320")
		f.until(visible, "false")
		view := do[protocol.SnapshotResult](f.agent, protocol.Snapshot{Page: f.page}).Viewport
		if view.Width != 320 || view.Height != 480 {
			f.t.Errorf("the viewport is given as %+v", view)
		}
		f.press(css(".navbar-toggle"))
		f.until(visible, "true")
		f.until("document.querySelector('#navbar').matches('.in')", "true")
		f.press(f.ref("link", "Utilities"))
		f.until("location.pathname", `"/utilities"`)
	},
	"wide": func(f *trial) {
		if err := f.seen.Call(within(f.t), "Emulation.setDeviceMetricsOverride", map[string]any{"width": 2999, "height": 2999, "deviceScaleFactor": 1, "mobile": false}, nil); err != nil {
			f.t.Fatal(err)
		}
		f.until("innerWidth", "2999")
		f.press(f.ref("link", "Cypress API"))
		f.until("location.pathname", `"/cypress-api"`)
	},
}

var kitchenMisc = map[string]func(*trial){
	"focused": func(f *trial) {
		for _, field := range []struct{ name, id string }{{"Name", "name"}, {"Description", "description"}} {
			clicked := f.press(f.ref("textbox", field.name))
			f.until("document.activeElement.id", `"`+field.id+`"`)
			if clicked.Focus == nil || clicked.Focus.Name != field.name {
				f.t.Errorf("the click on %s tells of the focus on %+v", field.name, clicked.Focus)
			}
		}
	},
	"screenshot": func(f *trial) {
		shot := do[protocol.ScreenshotResult](f.agent, protocol.Screenshot{Page: f.page})
		if shot.MimeType != "image/png" || f.says("innerWidth") != spelled(shot.Width) || f.says("innerHeight") != spelled(shot.Height) {
			f.t.Errorf("the picture is %s of %d × %d", shot.MimeType, shot.Width, shot.Height)
		}
	},
}

var kitchenUtilities = map[string]func(*trial){
	"jquery": func(f *trial) {
		f.is("$('.utility-jquery li').first().hasClass('active')", "false")
		f.press(css(".utility-jquery li"))
		f.until("$('.utility-jquery li').map((i, l) => $(l).hasClass('active')).get().join()", `"true,false,false"`)
	},
	"blob": func(f *trial) {
		f.run(`new Promise((resolve, reject) => fetch('/assets/img/javascript-logo.png').then(r => r.blob()).then(blob => {
			const reader = new FileReader();
			reader.onload = () => { $('.utility-blob').append($('<img>', {src: reader.result}).on('load', resolve)); };
			reader.readAsDataURL(blob);
		}, reject))`)
		f.run("seen = 0; document.querySelector('.utility-blob img').onclick = () => seen++")
		f.press(css(".utility-blob img"))
		f.until("seen", "1")
	},
}

var kitchenAPI = map[string]func(*trial){
	"hidden": func(f *trial) {
		if said := f.extract(f.page).Text; !strings.Contains(said, "I'm visible!") || strings.Contains(said, "I'm hiding!") {
			f.t.Errorf("of what is hidden and what is shown is read:\n%s", said)
		}
		f.refused(protocol.CodeElementBlocked, protocol.Click{Page: f.page, Target: css(".dom-p p.hidden")})
	},
	"console": func(f *trial) {
		do[protocol.ConsoleResult](f.agent, protocol.Console{Page: f.page, Op: "start"})
		f.run("console.info('The subject is', document.querySelectorAll('button').length)")
		entries := do[protocol.ConsoleResult](f.agent, protocol.Console{Page: f.page, Op: "list"}).Entries
		if len(entries) != 1 || !strings.HasPrefix(entries[0].Text, "The subject is") {
			f.t.Errorf("the console has %+v", entries)
		}
	},
}
