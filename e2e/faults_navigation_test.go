package e2e

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// A navigation ends when what it leads to can be used, or says why it leads nowhere.
var navigations = []fault{
	{"within_one_document", func(f *trial) {
		url := f.load(`<script>mark = Math.random()</script><h1>One</h1>`)
		mark := f.says("mark")
		for _, to := range []string{url + "#h", url + "#h", url + "#two"} {
			began := time.Now()
			arrived := do[protocol.NavigateResult](f.agent, protocol.Navigate{Page: f.page, URL: to})
			f.within(began, to)
			f.tells(arrived.Notes, "same document")
			if arrived.URL != to {
				f.t.Errorf("navigating to %s says %s", to, arrived.URL)
			}
			f.is("location.href", fmt.Sprintf("%q", to))
		}
		pushed := f.start(protocol.WaitFor{Page: f.page, URL: url + "/pushed"})
		f.run("history.pushState(null, '', '" + url + "/pushed')")
		if err := <-pushed; err != nil {
			f.t.Errorf("the wait for a pushed address: %v", err)
		}
		f.is("mark", mark)
		// What did not change may be loaded anew.
		f.goTo(url)
		do[protocol.NavigateResult](f.agent, protocol.Navigate{Page: f.page, To: "reload"})
		if f.says("mark") == mark {
			f.t.Error("the reload loaded nothing")
		}
	}},
	{"application_that_ignores_its_hash", func(f *trial) {
		url := f.load(`<h1>View one</h1><script>if (location.hash === '#two') document.querySelector('h1').textContent = 'View two'</script>`)
		arrived := do[protocol.NavigateResult](f.agent, protocol.Navigate{Page: f.page, URL: url + "#two"})
		f.tells(arrived.Notes, "not loaded again")
		f.lists("View one", 1)
		do[protocol.NavigateResult](f.agent, protocol.Navigate{Page: f.page, To: "reload"})
		f.lists("View two", 1)
	}},
	{"back_and_forward_from_the_cache", func(f *trial) {
		second := at("other.test", f.html("second", "<h1>Second</h1>"))
		first := f.load(`<h1>First</h1><script>hits = 0</script><button onclick="hits++">Go</button>`)
		f.run("mark = 1")
		button := f.ref("button", "Go")
		f.goTo(second)
		f.fails(protocol.CodeElementStale, protocol.Click{Page: f.page, Target: button})
		began := time.Now()
		if back := do[protocol.NavigateResult](f.agent, protocol.Navigate{Page: f.page, To: "back"}); back.URL != first {
			f.t.Errorf("back leads to %+v", back)
		}
		f.within(began, "back")
		// Another process has the page: look with new eyes.
		f.seen = f.rig.page(f.t, first)
		f.is("mark", "1")
		f.press(f.ref("button", "Go"))
		f.until("hits", "1")
		began = time.Now()
		if forward := do[protocol.NavigateResult](f.agent, protocol.Navigate{Page: f.page, To: "forward"}); forward.URL != second {
			f.t.Errorf("forward leads to %+v", forward)
		}
		f.within(began, "forward")
		f.lists("Second", 1)
		f.refused(protocol.CodeInvalidAction, protocol.Navigate{Page: f.page, To: "forward"}, "no page after")
	}},
	{"click_that_leads_through_redirects", func(f *trial) {
		end := f.html("end", `<h1>The end</h1><button>Here</button>`)
		third := f.html("third", `<meta http-equiv=refresh content="0.2; url=`+end+`"><h1>Third</h1>`)
		second := f.html("second", `<script>location.replace('`+third+`')</script><h1>Second</h1>`)
		first := f.rig.site.redirect(f.t, "first", second)
		f.load(`<a href="` + first + `">Go</a>`)
		clicked := f.press(f.ref("link", "Go"))
		if clicked.URL == "" {
			f.t.Errorf("the click says nothing of having led away: %+v", clicked)
		}
		// Read at once, again and again: each time one whole document, and never an error of the browser's.
		titles := map[string]string{"second": "Second", "third": "Third", "end": "The end"}
		ctx := within(f.t)
		if err := eventually(ctx, "the end", func() (bool, error) {
			result, err := f.try(ctx, protocol.Extract{Page: f.page})
			if err != nil {
				return false, err
			}
			read, ok := result.(protocol.ExtractResult)
			if !ok || !strings.Contains(read.Markdown, titles[read.Title]) {
				return false, fmt.Errorf("%s is said to be\n%s", read.Title, read.Markdown)
			}
			return read.URL == end, nil
		}); err != nil {
			f.t.Error(err)
		}
		f.press(f.ref("button", "Here"))
	}},
	{"navigation_through_redirects", func(f *trial) {
		end := f.html("end", `<h1>The end</h1>`)
		second := f.html("second", `<script>location.replace('`+end+`')</script>`)
		hop := "http://other.test" + f.rig.site.redirect(f.t, "hop", second)
		f.load("<p>before")
		if arrived := do[protocol.NavigateResult](f.agent, protocol.Navigate{Page: f.page, URL: "http://page.test" + f.rig.site.redirect(f.t, "first", hop)}); arrived.URL != end {
			f.t.Errorf("the redirects end at %s", arrived.URL)
		}
		f.lists("The end", 1)
	}},
	{"picture_that_never_comes", func(f *trial) {
		never := f.rig.site.handle(f.t, "never", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
		slow := f.html("slow", `<h1>Slow</h1><img src="`+never+`"><script>hits = 0</script><button onclick="hits++">Go</button>`)
		f.load("<p>before")
		began := time.Now()
		arrived := do[protocol.NavigateResult](f.agent, protocol.Navigate{Page: f.page, URL: slow})
		f.within(began, "the navigation")
		if !arrived.StillLoading {
			f.t.Errorf("the navigation does not say that it still loads: %+v", arrived)
		}
		f.lists("Slow", 1)
		f.press(f.ref("button", "Go"))
		f.until("hits", "1")
	}},
	{"address_that_leads_nowhere", func(f *trial) {
		silent, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			f.t.Fatal(err)
		}
		defer func() { _ = silent.Close() }() // it accepts by its backlog, and says nothing
		untrusted := httptest.NewUnstartedServer(http.NotFoundHandler())
		untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
		untrusted.StartTLS()
		defer untrusted.Close()
		before := f.load("<h1>Before</h1>")
		for url, says := range map[string]string{
			"http://127.0.0.1:1/": "net::ERR_", "http://no.such.invalid/": "net::ERR_NAME_NOT_RESOLVED", untrusted.URL: "net::ERR_CERT_AUTHORITY_INVALID",
		} {
			began := time.Now()
			mentions(f.t, f.fails(protocol.CodeNavigationFailed, protocol.Navigate{Page: f.page, URL: url}), says, url)
			f.within(began, url)
			mentions(f.t, f.fails(protocol.CodeNavigationFailed, protocol.Snapshot{Page: f.page}), "error page", url)
			f.goTo(before)
		}
		began := time.Now()
		_, err = f.client.Act(within(f.t), protocol.ActRequest{Action: protocol.AnyAction{Action: protocol.Navigate{Page: f.page, URL: "http://" + silent.Addr().String() + "/"}}, TimeoutMS: 2000})
		f.failed(protocol.CodeTimeout, protocol.Navigate{}, err)
		f.within(began, "what says nothing")
		// It is given up, and what was there before still is.
		if shown := f.extract(f.page); shown.URL != before || !strings.Contains(shown.Markdown, "Before") {
			f.t.Errorf("after that the tab shows %s\n%s", shown.URL, shown.Markdown)
		}
	}},
	{"empty_and_inline_addresses", func(f *trial) {
		f.load("<h1>Before</h1>")
		if blank := do[protocol.NavigateResult](f.agent, protocol.Navigate{Page: f.page, URL: "about:blank"}); blank.URL != "about:blank" {
			f.t.Errorf("about:blank leads to %+v", blank)
		}
		f.lists("Before", 0)
		if origin := f.value(f.page, "self.origin"); strings.Contains(origin, "extension") {
			f.t.Errorf("the empty document has the origin %s", origin)
		}
		f.value(f.page, "(document.body.innerHTML = '<button>Made</button>') && 1")
		f.press(f.ref("button", "Made"))
		f.refused(protocol.CodeInvalidAction, protocol.Navigate{Page: f.page, URL: "data:text/html,<h1>Inline</h1>"}, "open_tab")
		inline := f.open("data:text/html,<title>inline</title><button>In</button>")
		do[protocol.ClickResult](f.agent, protocol.Click{Page: inline, Target: f.target(inline, "button", "In")})
		for _, never := range []string{"javascript:alert(1)", "chrome://settings", "view-source:http://page.test/", "mailto:a@b.test"} {
			f.refused(protocol.CodeInvalidAction, protocol.Navigate{Page: inline, URL: never})
		}
	}},
}
