package e2e

import (
	"bytes"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// What is saved is told apart from what failed, by its name, its state and its bytes.
var downloadFaults = []fault{
	{"load_that_gives_no_document", func(f *trial) {
		folder := f.saving()
		none := "http://page.test" + f.rig.site.handle(f.t, "none", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
		never := "http://page.test" + f.rig.site.handle(f.t, "never", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
		file := "http://page.test" + f.rig.site.handle(f.t, "file", attachment("file.csv", []byte("a;b")))
		url := f.load(`<h1>Before</h1>`)
		empty := f.fails(protocol.CodeNavigationFailed, protocol.Navigate{Page: f.page, URL: none})
		mentions(f.t, empty, "204", none)
		waiting := f.start(protocol.Navigate{Page: f.page, URL: never})
		if err := f.rig.site.await(within(f.t), strings.TrimPrefix(never, "http://")); err != nil {
			f.t.Fatal(err)
		}
		// As the user does by the button.
		if err := f.seen.Call(within(f.t), "Page.stopLoading", nil, nil); err != nil {
			f.t.Fatal(err)
		}
		stopped := f.failed(protocol.CodeNavigationFailed, protocol.Navigate{}, <-waiting)
		mentions(f.t, stopped, "stopped", never)
		if empty.Message == strings.Replace(stopped.Message, never, none, 1) || strings.Contains(stopped.Message, "204") {
			f.t.Errorf("an empty answer and a stopped load are told in the same words: %s", stopped.Message)
		}
		saved := do[protocol.NavigateResult](f.agent, protocol.Navigate{Page: f.page, URL: file})
		f.tells(saved.Notes, "download")
		if saved.Download == nil || saved.Download.Name != "file.csv" || saved.URL != url {
			f.t.Errorf("the download says %+v", saved)
		}
		f.is("location.href", `"`+url+`"`)
		f.run("document.body.innerHTML += `<a href='" + never + "'>Never</a>`; document.querySelector('a').onclick = () => void setTimeout(() => window.stop(), 300)")
		if clicked := f.press(f.ref("link", "Never")); clicked.URL != "" || clicked.Download != nil {
			f.t.Errorf("a link whose load the page stops is told as %+v", clicked)
		}
		f.lists("Before", 1)
		f.onDisk(folder, "file.csv", []byte("a;b"))
	}},
	{"straight_to_a_file", func(f *trial) {
		folder := f.saving()
		data := []byte("a;b\n1;2\n")
		file := "http://page.test" + f.rig.site.handle(f.t, "export.csv", attachment("export.csv", data))
		f.load(`<p>before`)
		for _, name := range []string{"export.csv", "export (1).csv"} {
			saved := do[protocol.NavigateResult](f.agent, protocol.Navigate{Page: f.page, URL: file})
			if saved.Download == nil || saved.Download.Name != name {
				f.t.Fatalf("the download says %+v, expected %s", saved, name)
			}
			f.onDisk(folder, name, data)
			if got, bytesOf := f.whole(saved.Download.ID); !bytes.Equal(bytesOf, data) || got.Name != name || got.State != "complete" {
				f.t.Errorf("%s has the bytes %q, %s", name, bytesOf, got.State)
			}
		}
	}},
	{"made_by_the_page", func(f *trial) {
		folder := f.saving()
		f.load(`<button onclick="const l = document.createElement('a'); l.href = window.URL.createObjectURL(new Blob(['made here'])); l.download = 'made.txt'; l.click()">Save</button>
			<button onclick="const l = document.createElement('a'); l.href = window.URL.createObjectURL(new Blob([])); l.download = 'none.txt'; l.click()">Nothing</button>`)
		for name, want := range map[string]string{"Save": "made here", "Nothing": ""} {
			clicked := f.press(f.ref("button", name))
			var id int64
			if clicked.Download != nil {
				id = clicked.Download.ID
			} else {
				id = told(f.agent, "the download of "+name, func(e protocol.DownloadChanged) bool {
					return strings.HasSuffix(e.Name, ".txt") && e.TabID == f.page.TabID && e.ID > id
				}).ID
			}
			got, data := f.whole(id)
			if string(data) != want || got.State != "complete" {
				f.t.Errorf("%s: the bytes are %q, %s", name, data, got.State)
			}
			f.onDisk(folder, got.Name, []byte(want))
		}
	}},
	{"that_takes_its_time", func(f *trial) {
		f.saving()
		more := make(chan struct{})
		begun := bytes.Repeat([]byte("begun "), 1000)
		slow := f.rig.site.handle(f.t, "slow", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			attachment("slow.txt", begun).ServeHTTP(w, r)
			if http.NewResponseController(w).Flush() != nil {
				return
			}
			select {
			case <-more:
			case <-r.Context().Done():
			}
		}))
		f.load(`<a href="` + slow + `">Slow</a>`)
		clicked := f.press(f.ref("link", "Slow"))
		if clicked.Download == nil || clicked.Download.State != "in_progress" || clicked.URL != "" {
			f.t.Fatalf("the click says %+v", clicked)
		}
		close(more)
		if got, data := f.whole(clicked.Download.ID); !bytes.Equal(data, begun) || got.State != "complete" {
			f.t.Errorf("it has %d bytes, %s", len(data), got.State)
		}
	}},
	{"held_back_until_the_user_keeps_it", func(f *trial) {
		folder := f.saving()
		invoice := f.rig.site.handle(f.t, "invoice", attachment("invoice.pdf", []byte("%PDF an invoice")))
		report := f.rig.site.handle(f.t, "report", attachment("report.zip", make([]byte, 100_000)))
		f.load(`<a href="` + invoice + `">Invoice</a> <a href="` + report + `">Report</a>`)
		for _, name := range []string{"Invoice", "Report"} {
			clicked := f.press(f.ref("link", name))
			if clicked.Download == nil {
				f.t.Fatalf("the click says %+v", clicked)
			}
			began := time.Now()
			got := do[protocol.DownloadResult](f.agent, protocol.Download{ID: clicked.Download.ID})
			if got.State != "waiting" || got.Data != "" || time.Since(began) > soon {
				f.t.Errorf("after %v it is %+v", time.Since(began), got)
			}
			f.tells(got.Notes, "only the user can keep it")
		}
		saved, err := os.ReadDir(folder)
		if err != nil || slices.ContainsFunc(saved, func(file fs.DirEntry) bool { return !strings.HasSuffix(file.Name(), ".crdownload") }) {
			f.t.Errorf("the browser saved %v (%v)", saved, err)
		}
	}},
	{"that_breaks_off", func(f *trial) {
		f.saving()
		broken := f.rig.site.handle(f.t, "broken", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Disposition", `attachment; filename="broken.bin"`)
			w.Header().Set("Content-Length", "1000000")
			_, _ = w.Write(make([]byte, 5000))
			panic(http.ErrAbortHandler)
		}))
		f.load(`<a href="` + broken + `">Broken</a>`)
		clicked := f.press(f.ref("link", "Broken"))
		if clicked.Download == nil {
			f.t.Fatalf("the click says %+v", clicked)
		}
		got := do[protocol.DownloadResult](f.agent, protocol.Download{ID: clicked.Download.ID})
		if got.State != "interrupted" || got.Data != "" {
			f.t.Errorf("it is %+v", got)
		}
		f.tells(got.Notes, "broke off")
	}},
}

// saving gives the trial a browser of its own that saves in a folder.
func (f *trial) saving() (folder string) {
	f.t.Helper()
	folder = f.t.TempDir()
	f.agent = newRig(f.t, rigOptions{profile: savingTo(f.t, folder)}).newAgent(f.t)
	return folder
}

// onDisk waits until a file has been saved with these bytes.
func (f *trial) onDisk(folder, name string, want []byte) {
	f.t.Helper()
	var got []byte
	if err := eventually(within(f.t), name, func() (bool, error) {
		got, _ = os.ReadFile(filepath.Join(folder, name)) // it may still be on its way
		return got != nil && bytes.Equal(got, want), nil
	}); err != nil {
		f.t.Errorf("%s was saved with %q, expected %q", name, got, want)
	}
}
