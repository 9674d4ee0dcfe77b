package e2e

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// paper is a document of one empty page.
func paper() []byte {
	var doc bytes.Buffer
	doc.WriteString("%PDF-1.4\n")
	var offsets []int
	for i, body := range []string{"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>"} {
		offsets = append(offsets, doc.Len())
		fmt.Fprintf(&doc, "%d 0 obj%sendobj\n", i+1, body)
	}
	start := doc.Len()
	fmt.Fprintf(&doc, "xref\n0 4\n0000000000 65535 f \n")
	for _, at := range offsets {
		fmt.Fprintf(&doc, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&doc, "trailer<</Size 4/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", start)
	return doc.Bytes()
}

// Pages that are none of the usual kind are named, and none of them costs the tab.
var specialPages = []fault{
	{"pdf_at_an_address", func(f *trial) {
		file := "http://page.test" + f.rig.site.handle(f.t, "x.pdf", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			_, _ = w.Write(paper())
		}))
		before := f.load(`<h1>Before</h1>`)
		arrived := do[protocol.NavigateResult](f.agent, protocol.Navigate{Page: f.page, URL: file})
		f.tells(arrived.Notes, "PDF")
		f.isPDF(f.page)
		f.goTo(before)
		f.lists("Before", 1)
	}},
	{"pdf_that_a_page_made", func(f *trial) {
		f.load(`<script>const pdf = Uint8Array.from(atob('` + base64.StdEncoding.EncodeToString(paper()) + `'), c => c.charCodeAt(0));
			const show = () => window.open(window.URL.createObjectURL(new Blob([pdf], {type: 'application/pdf'})))</script><button onclick="show()">Print view</button>`)
		clicked := f.press(f.ref("button", "Print view"))
		if clicked.TabOpened == nil {
			f.t.Fatalf("the click tells of no tab: %+v", clicked)
		}
		f.isPDF(protocol.Page{TabID: clicked.TabOpened.TabID})
		f.lists(`button "Print view"`, 1)
	}},
	{"pdf_in_a_frame", func(f *trial) {
		file := f.rig.site.handle(f.t, "x.pdf", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			_, _ = w.Write(paper())
		}))
		f.load(`<script>hits = 0</script><button onclick="hits++">Go</button><iframe src="` + file + `" width=300 height=200></iframe>`)
		f.press(f.ref("button", "Go"))
		f.until("hits", "1")
	}},
	{"new_tab_page", func(f *trial) {
		if err := f.rig.browser.Call(within(f.t), "Target.createTarget", map[string]any{"url": "chrome://newtab/", "background": true}, nil); err != nil {
			f.t.Fatal(err)
		}
		var page protocol.Page
		if err := eventually(within(f.t), "the new-tab page in the list", func() (bool, error) {
			for _, tab := range do[protocol.ListTabsResult](f.agent, protocol.ListTabs{Scope: "user"}).Tabs {
				if strings.HasPrefix(tab.URL, "chrome://newtab") || strings.HasPrefix(tab.URL, "chrome://new-tab-page") {
					page.TabID = tab.TabID
				}
			}
			return page.TabID != 0, nil
		}); err != nil {
			f.t.Fatal(err)
		}
		f.refused(protocol.CodeInvalidAction, protocol.Snapshot{Page: page}, "navigate")
		url := f.html("first", `<script>hits = 0</script><button onclick="hits++">Go</button>`)
		if arrived := do[protocol.NavigateResult](f.agent, protocol.Navigate{Page: page, URL: url}); arrived.URL != url {
			f.t.Errorf("it leads to %+v", arrived)
		}
		f.page, f.seen = page, f.rig.page(f.t, url)
		f.press(f.ref("button", "Go"))
		f.until("hits", "1")
		f.refused(protocol.CodeInvalidAction, protocol.Navigate{Page: page, URL: "chrome://settings"}, "chrome:")
		f.press(f.ref("button", "Go"))
		f.until("hits", "2")
	}},
	{"taken_to_a_page_of_the_browser_s_own", func(f *trial) {
		url := f.load(`<script>hits = 0</script><button onclick="hits++">Go</button>`)
		if err := f.seen.Call(within(f.t), "Page.navigate", map[string]any{"url": "chrome://version"}, nil); err != nil {
			f.t.Fatal(err)
		}
		awaitTrue(f.t, f.seen, "location.protocol === 'chrome:'")
		f.fails(protocol.CodeInvalidAction, protocol.Snapshot{Page: f.page})
		f.goTo(url)
		f.seen = f.rig.page(f.t, url)
		f.press(f.ref("button", "Go"))
		f.until("hits", "1")
	}},
	{"tab_without_an_address_yet", func(f *trial) {
		ask := make(chan struct{})
		slow := f.rig.site.handle(f.t, "slow", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-ask:
				w.Header().Set("Content-Type", "text/html")
				_, _ = w.Write([]byte("<title>slow</title><h1>Here at last</h1>"))
			case <-r.Context().Done():
			}
		}))
		f.load(`<button onclick="window.open('` + slow + `')">Slow</button>`)
		clicked := f.press(f.ref("button", "Slow"))
		if clicked.TabOpened == nil {
			f.t.Fatalf("the click tells of no tab: %+v", clicked)
		}
		// Asked for before anything has come: it waits for the first document.
		page := protocol.Page{TabID: clicked.TabOpened.TabID}
		waiting := f.start(protocol.WaitFor{Page: page, Text: "Here at last"})
		close(ask)
		if err := <-waiting; err != nil {
			f.t.Errorf("the wait in a tab without an address: %v", err)
		}
		for _, url := range []string{"about:blank", "data:text/html,<title>inline</title><h1>Inline</h1>"} {
			opened := f.open(url)
			if tree := do[protocol.SnapshotResult](f.agent, protocol.Snapshot{Page: opened}).Snapshot; strings.Contains(url, "data") != strings.Contains(tree, "Inline") {
				f.t.Errorf("%s shows\n%s", url, tree)
			}
		}
	}},
	{"document_that_was_emptied", func(f *trial) {
		f.load(`<h1>Before</h1>`)
		f.run("document.open(); document.documentElement?.remove()")
		f.is("document.documentElement", "null")
		f.lists("Before", 0)
		f.extract(f.page)
		f.run("document.write('<h1>After</h1><button>Go</button>'); document.close()")
		f.lists("After", 1)
		f.press(f.ref("button", "Go"))
	}},
}

// isPDF holds a tab to being said to be a PDF document, whatever is asked of it.
func (f *trial) isPDF(page protocol.Page) {
	f.t.Helper()
	for _, action := range []protocol.Action{protocol.Snapshot{Page: page}, protocol.Extract{Page: page}, protocol.Find{Page: page, Role: "button"}} {
		refusal := f.refused(protocol.CodeUnsupported, action, "PDF")
		mentions(f.t, refusal, "bytes")
	}
	if doc := do[protocol.PDFResult](f.agent, protocol.PDF{Page: page}); doc.Data != base64.StdEncoding.EncodeToString(paper()) {
		f.t.Errorf("the document has %d characters of base64, expected %d", len(doc.Data), base64.StdEncoding.EncodedLen(len(paper())))
	}
	picture := do[protocol.ScreenshotResult](f.agent, protocol.Screenshot{Page: page})
	if picture.Width == 0 || len(picture.Data) < 100 {
		f.t.Errorf("the picture is %d × %d, %d characters", picture.Width, picture.Height, len(picture.Data))
	}
}
