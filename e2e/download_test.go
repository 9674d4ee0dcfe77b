package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// attachment serves bytes as a file to be saved.
func attachment(name string, data []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
		_, _ = w.Write(data)
	})
}

// savingTo is a browser profile that saves downloads in a folder.
func savingTo(t *testing.T, folder string) (profile string) {
	t.Helper()
	profile = t.TempDir()
	preferences, err := json.Marshal(map[string]any{"download": map[string]any{"default_directory": folder, "prompt_for_download": false}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(profile, "Default"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(profile, "Default", "Preferences"), preferences, 0o600); err != nil {
		t.Fatal(err)
	}
	return profile
}

// whole has all the bytes of a download, part by part.
func (a *agent) whole(id int64) (protocol.DownloadResult, []byte) {
	a.t.Helper()
	var all []byte
	for from := int64(0); ; {
		part := do[protocol.DownloadResult](a, protocol.Download{ID: id, From: from})
		raw, err := base64.StdEncoding.DecodeString(part.Data)
		if err != nil {
			a.t.Fatal(err)
		}
		all = append(all, raw...)
		if part.Next == 0 {
			return part, all
		}
		from = part.Next
	}
}

func TestDownload(t *testing.T) {
	t.Parallel()
	r := newRig(t, rigOptions{profile: savingTo(t, t.TempDir())})
	a := r.newAgent(t)
	small, large := []byte("a;b\n1;2\n"), bytes.Repeat([]byte("0123456789abcdef"), 600_000)
	// So many that the browser need not wait for more to know what it is.
	begun := bytes.Repeat([]byte("begun "), 1000)
	asked := make(chan struct{})
	r.site.handle(t, "small", attachment("export.csv", small))
	r.site.handle(t, "large", attachment("large.txt", large))
	r.site.handle(t, "empty", attachment("empty.txt", nil))
	r.site.handle(t, "slow", http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		attachment("slow.txt", begun).ServeHTTP(w, req)
		if err := http.NewResponseController(w).Flush(); err != nil {
			return
		}
		select {
		case <-asked:
			_, _ = w.Write([]byte(" and done"))
		case <-req.Context().Done():
		}
	}))
	page := a.open(r.site.html(t, "links", `<a id=small href=small>s</a> <a id=large href=large>l</a> <a id=empty href=empty>e</a> <a id=slow href=slow>w</a>
		<a id=named href="/plain.html" download="named.html">n</a>
		<button id=blob onclick="const l = document.createElement('a'); l.href = window.URL.createObjectURL(new Blob(['from a blob'])); l.download = 'blob.txt'; l.click()">b</button>
		<button id=revoked onclick="const l = document.createElement('a'); l.href = window.URL.createObjectURL(new Blob(['gone'])); l.download = 'gone.txt'; window.kept = l.href; l.click()">r</button>
		<a id=data href="data:text/plain,inline" download="data.txt">d</a>`))
	// begin clicks and returns the download that came of it: by the result where the browser must load something for it,
	// else perhaps by an event, since it tells of those only some time after the click.
	begin := func(selector, name string) protocol.DownloadInfo {
		t.Helper()
		clicked := do[protocol.ClickResult](a, protocol.Click{Page: page, Target: bySelector(selector)})
		if clicked.URL != "" {
			t.Errorf("%s: the click says that the page went to %s", selector, clicked.URL)
		}
		// What an event told of since the last result stands in this one, too.
		if clicked.Download != nil && clicked.Download.Name == name {
			return *clicked.Download
		}
		if slices.Contains([]string{"#small", "#large", "#empty", "#slow"}, selector) {
			t.Fatalf("%s: the click tells of no download: %+v", selector, clicked)
		}
		e := told(a, "the download of "+name, func(e protocol.DownloadChanged) bool { return e.Name == name && e.TabID == page.TabID })
		return protocol.DownloadInfo{ID: e.ID, Name: e.Name, State: e.State}
	}
	for _, c := range []struct {
		selector, name string
		data           []byte
	}{
		{"#small", "export.csv", small},
		{"#small", "export (1).csv", small},
		{"#large", "large.txt", large},
		{"#empty", "empty.txt", nil},
		{"#blob", "blob.txt", []byte("from a blob")},
		{"#data", "data.txt", []byte("inline")},
	} {
		info := begin(c.selector, c.name)
		if info.Name != c.name || info.State != "complete" && info.State != "in_progress" {
			t.Errorf("%s gives %+v, want the name %s", c.selector, info, c.name)
		}
		result, data := a.whole(info.ID)
		if !bytes.Equal(data, c.data) || result.Name != c.name || result.Size != int64(len(c.data)) || result.State != "complete" {
			t.Errorf("%s: the download is %d bytes, %s of %d, %s", c.selector, len(data), result.Name, result.Size, result.State)
		}
	}
	if named := begin("#named", "named.html"); named.Name != "named.html" {
		t.Errorf("a[download] gives %+v", named)
	}
	gone := begin("#revoked", "gone.txt")
	a.value(page, "window.URL.revokeObjectURL(kept)")
	if refusal := a.fails(protocol.CodeUnsupported, protocol.Download{ID: gone.ID}); !strings.Contains(refusal.Message, "gone.txt") {
		t.Errorf("bytes that are nowhere: %s", refusal.Message)
	}

	slow := begin("#slow", "slow.txt")
	if slow.State != "in_progress" {
		t.Errorf("the slow one is %+v", slow)
	}
	close(asked)
	done := told(a, "the end of the slow download", func(e protocol.DownloadChanged) bool { return e.ID == slow.ID && e.State == "complete" })
	if done.TabID != page.TabID {
		t.Errorf("the event says %+v", done)
	}
	if _, data := a.whole(slow.ID); !bytes.Equal(data, append(begun, " and done"...)) {
		t.Errorf("the slow one has %d bytes", len(data))
	}
	if heard := a.heard(); strings.Contains(heard, "export.csv") {
		t.Errorf("what a result told was told by an event again: %s", heard)
	}

	to := do[protocol.NavigateResult](a, protocol.Navigate{Page: page, URL: strings.Replace(a.extract(page).URL, "/links", "/small", 1)})
	if to.Download == nil || to.Download.Name != "export (2).csv" {
		t.Errorf("navigating to a file gives %+v", to)
	}
	a.fails(protocol.CodeInvalidAction, protocol.Download{ID: 9999})
	if other := r.newAgent(t); to.Download != nil {
		other.fails(protocol.CodeInvalidAction, protocol.Download{ID: to.Download.ID})
	}
}

// TestDownloadFromDisk has a server read what the browser saved: the site is asked once, and a link that works once is enough.
func TestDownloadFromDisk(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	// Else Chrome would hold back what comes over plain http.
	r := newRig(t, rigOptions{profile: savingTo(t, folder), downloads: folder, switches: []string{"--unsafely-treat-insecure-origin-as-secure=http://page.test"}})
	a := r.newAgent(t)
	invoice, large := []byte("%PDF an invoice"), bytes.Repeat([]byte("0123456789abcdef"), 600_000)
	var asked atomic.Int32
	r.site.handle(t, "once", http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if asked.Add(1) > 1 {
			http.Error(w, "this link has been used", http.StatusGone)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		attachment("invoice.pdf", invoice).ServeHTTP(w, req)
	}))
	var served atomic.Int32
	r.site.handle(t, "again", http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		served.Add(1)
		w.Header().Set("Cache-Control", "no-store")
		attachment("again.bin", large).ServeHTTP(w, req)
	}))
	page := a.open(r.site.html(t, "links", `<form action=once method=post><button id=once>Get the invoice</button></form> <a id=again href=again>a</a>`))
	begin := func(selector string) int64 {
		t.Helper()
		clicked := do[protocol.ClickResult](a, protocol.Click{Page: page, Target: bySelector(selector)})
		if clicked.Download == nil {
			t.Fatalf("%s: the click tells of no download: %+v", selector, clicked)
		}
		return clicked.Download.ID
	}
	once := begin("#once")
	for range 2 {
		if got, data := a.whole(once); !bytes.Equal(data, invoice) || got.State != "complete" || got.Name != "invoice.pdf" || got.Path != "" || len(got.Notes) > 0 {
			t.Errorf("the invoice is %q: %+v", data, got)
		}
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("the site was asked for the invoice %d times, expected 1", n)
	}
	again := begin("#again")
	if _, data := a.whole(again); !bytes.Equal(data, large) || served.Load() != 1 {
		t.Errorf("the large one has %d bytes, and the site served it %d times", len(data), served.Load())
	}
	// What is on disk is no longer what was saved: the bytes come from where the file came from.
	if err := os.Truncate(filepath.Join(folder, "again.bin"), 5); err != nil {
		t.Fatal(err)
	}
	if got, data := a.whole(again); !bytes.Equal(data, large) || served.Load() == 1 || got.Path != "" {
		t.Errorf("of the file that was cut there are %d bytes, and the site served it %d times: %+v", len(data), served.Load(), got)
	}
	if err := os.Remove(filepath.Join(folder, "invoice.pdf")); err != nil {
		t.Fatal(err)
	}
	refusal := a.fails(protocol.CodeUnsupported, protocol.Download{ID: once, OnDisk: true})
	if !strings.Contains(refusal.Message, filepath.Join(folder, "invoice.pdf")) {
		t.Errorf("an invoice that is nowhere: %s", refusal.Message)
	}
}

// TestDownloadsElsewhereAreNotRead has a browser save where the server may not look.
func TestDownloadsElsewhereAreNotRead(t *testing.T) {
	t.Parallel()
	r := newRig(t, rigOptions{profile: savingTo(t, t.TempDir()), downloads: t.TempDir()})
	a := r.newAgent(t)
	var served atomic.Int32
	r.site.handle(t, "file", http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		served.Add(1)
		w.Header().Set("Cache-Control", "no-store")
		attachment("file.txt", []byte("fetched")).ServeHTTP(w, req)
	}))
	page := a.open(r.site.html(t, "links", `<a id=file href=file>f</a>`))
	clicked := do[protocol.ClickResult](a, protocol.Click{Page: page, Target: bySelector("#file")})
	if clicked.Download == nil {
		t.Fatalf("the click tells of no download: %+v", clicked)
	}
	if got, data := a.whole(clicked.Download.ID); string(data) != "fetched" || got.Path != "" || served.Load() != 2 {
		t.Errorf("it is %q, %+v, and the site served it %d times", data, got, served.Load())
	}
}
