package server

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/internal/files"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// evilName would be a folder, a header and a sentence of its own.
const evilName = "../../\u202e\"x\";\r\nSet-Cookie: a=b\r\n\r\n<script>.html"

// brings answers as a browser that has files: download 1 in two parts, 2 not yet complete, 3 with more bytes than are kept.
func brings(r protocol.Request) (protocol.Result, *protocol.Error) {
	switch a := r.Action.Action.(type) {
	case protocol.Screenshot:
		return protocol.ScreenshotResult{Data: base64.StdEncoding.EncodeToString([]byte("picture")), MimeType: "image/png", Width: 3, Height: 4}, nil
	case protocol.PDF:
		return protocol.PDFResult{Data: "no base64!", MimeType: "application/pdf"}, nil
	case protocol.Download:
		done := protocol.DownloadResult{Name: evilName, MimeType: "text/html", State: "complete"}
		switch {
		case a.ID == 2:
			return protocol.DownloadResult{Name: "late.txt", MimeType: "text/plain", State: "in_progress"}, nil
		case a.ID == 3:
			done.Size = files.MaxFile + 1
		case a.From == 0:
			done.Size, done.Data, done.Next = 10, base64.StdEncoding.EncodeToString([]byte("012345")), 6
		default:
			done.Size, done.Data = 10, base64.StdEncoding.EncodeToString([]byte("6789"))
		}
		return done, nil
	}
	return opens(r)
}

func asFile(a protocol.Action) protocol.ActRequest {
	return protocol.ActRequest{Action: protocol.AnyAction{Action: a}, As: protocol.AsFile}
}

func TestBytesAreKeptAsAFile(t *testing.T) {
	h := start(t, Options{})
	p, _ := h.pair(idA)
	p.answer(brings)
	act := func(a protocol.Action) client.Answer {
		t.Helper()
		answer, err := h.client.Act(t.Context(), asFile(a))
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	read := func(c *client.Client, id string) string {
		t.Helper()
		body, err := c.File(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		defer body.Close()
		raw, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	picture := act(protocol.Screenshot{})
	if f := picture.File; f == nil || f.Name != "screenshot.png" || f.Size != 7 || f.MimeType != "image/png" || f.ExpiresAt == 0 || bytes.Contains(picture.Result, []byte("cGljdHVyZQ")) {
		t.Fatalf("a picture is %s, %+v", picture.Result, picture.File)
	}
	shot, err := picture.Read(protocol.Screenshot{})
	if r, ok := shot.(protocol.ScreenshotResult); err != nil || !ok || r.Width != 3 || r.Data != "" {
		t.Errorf("the result is %+v, %v", shot, err)
	}
	if got := read(h.client, picture.File.ID); got != "picture" {
		t.Errorf("the file is %q", got)
	}
	// Both parts are one file, which another agent of the same user may have as well.
	whole := act(protocol.Download{ID: 1})
	if whole.File.Size != 10 || strings.Contains(string(whole.Result), "next") {
		t.Errorf("a download in parts is %+v, %s", whole.File, whole.Result)
	}
	if got := read(h.newClient(h.mint("ann", store.ScopeAgent)), whole.File.ID); got != "0123456789" {
		t.Errorf("the parts together are %q", got)
	}
	if late := act(protocol.Download{ID: 2}); late.File != nil || !bytes.Contains(late.Result, []byte("in_progress")) {
		t.Errorf("a download that is not complete is %s, %+v", late.Result, late.File)
	}
	for _, c := range []struct {
		action  protocol.Action
		code    protocol.ErrorCode
		outcome protocol.Outcome
	}{
		{protocol.Download{ID: 3}, protocol.CodeUnsupported, protocol.Done},
		{protocol.PDF{}, protocol.CodeInternal, protocol.Done},
		{protocol.OpenTab{URL: "https://a.test/"}, protocol.CodeInvalidAction, protocol.NotSent},
	} {
		_, err := h.client.Act(t.Context(), asFile(c.action))
		if codeOf(err) != c.code || outcomeOf(err) != c.outcome {
			t.Errorf("%T as a file gives %v, %s", c.action, err, outcomeOf(err))
		}
	}
	if slices.ContainsFunc(auditLines(t, h.srv.DataDir()), func(e protocol.AuditEntry) bool { return e.Action == "open_tab" }) {
		t.Error("an action that brings no bytes was done all the same")
	}
	answers, err := h.client.Batch(t.Context(), asFile(protocol.Screenshot{}), protocol.ActRequest{Action: protocol.AnyAction{Action: protocol.Screenshot{}}})
	if err != nil || len(answers) != 2 || answers[0].File == nil || answers[1].File != nil || !bytes.Contains(answers[1].Result, []byte("cGljdHVyZQ")) {
		t.Errorf("a batch gives %+v, %v", answers, err)
	}
}

func outcomeOf(err error) protocol.Outcome {
	var typed *protocol.Error
	if errors.As(err, &typed) {
		return typed.Outcome
	}
	return ""
}

// withAFile is a server that keeps a download, and what it says of it.
func withAFile(t *testing.T) (h *house, kept protocol.FileInfo) {
	t.Helper()
	h = start(t, Options{})
	p, _ := h.pair(idA)
	p.answer(brings)
	answer, err := h.client.Act(t.Context(), asFile(protocol.Download{ID: 1}))
	if err != nil {
		t.Fatal(err)
	}
	return h, *answer.File
}

func TestAFileIsServedInParts(t *testing.T) {
	h, kept := withAFile(t)
	path := "/v1/files/" + kept.ID
	for _, c := range []struct {
		method, header, value string
		status                int
		body                  string
	}{
		{"GET", "", "", 200, "0123456789"},
		{"HEAD", "", "", 200, ""},
		{"GET", "Range", "bytes=2-4", 206, "234"},
		{"GET", "Range", "bytes=-3", 206, "789"},
		{"GET", "If-None-Match", `"` + kept.ID + `"`, 304, ""},
	} {
		status, body := h.request(c.method, path, "", func(r *http.Request) {
			if c.header != "" {
				r.Header.Set(c.header, c.value)
			}
		})
		if status != c.status || body != c.body {
			t.Errorf("%s with %s %s: %d %q", c.method, c.header, c.value, status, body)
		}
	}
	// The contract holds the problem to the document.
	if status, body := h.request("GET", path, "", func(r *http.Request) { r.Header.Set("Range", "bytes=99-") }); status != 416 || !strings.Contains(body, "invalid_action") {
		t.Errorf("a range behind the end: %d %s", status, body)
	}
}

// TestAFileIsNobodyElses: what a page named, whoever asks.
func TestAFileIsNobodyElses(t *testing.T) {
	h, kept := withAFile(t)
	id := kept.ID
	with := func(token string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }
	}
	for _, c := range []struct {
		what, path string
		change     func(*http.Request)
		status     int
	}{
		{"another user", id, with(h.mint("bob", store.ScopeAgent, store.ScopeAdmin)), 404},
		{"a browser's token", id, with(h.mint("ann", store.ScopeBrowser)), 403},
		{"no token", id, func(r *http.Request) { r.Header.Del("Authorization") }, 401},
		{"a page", id, func(r *http.Request) { r.Header.Set("Origin", "https://evil.test") }, 403},
		{"a forged id", strings.Repeat("A", 26), nil, 404},
		{"the id in another case", strings.ToLower(id), nil, 404},
		{"a path", "..%2f..%2ftokens.json", nil, 404},
		{"a prefix", id[:25], nil, 404},
		{"a byte that is none", "%00", nil, 404},
	} {
		status, body := h.request("GET", "/v1/files/"+c.path, "", c.change)
		if status != c.status || strings.Contains(body, "0123456789") {
			t.Errorf("%s: %d %s", c.what, status, body)
		}
	}
	r, err := http.NewRequestWithContext(t.Context(), "GET", h.srv.URL()+"/v1/files/"+id, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+h.token)
	response, err := h.http.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	disposition, parameters, err := mime.ParseMediaType(response.Header.Get("Content-Disposition"))
	if err != nil || disposition != "attachment" || parameters["filename"] != kept.Name || strings.ContainsAny(kept.Name, "/\\\"\r\n<>\u202e") {
		t.Errorf("the name became %q, the header %v", kept.Name, response.Header)
	}
	if response.Header.Get("Set-Cookie") != "" || response.Header.Get("Content-Type") != "text/html" || !strings.Contains(response.Header.Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("the headers are %v", response.Header)
	}
	if _, err := h.newClient(h.mint("bob", store.ScopeAgent)).File(t.Context(), id); codeOf(err) != protocol.CodeInvalidAction || !strings.Contains(err.Error(), "done again") {
		t.Errorf("the client is told %v", err)
	}
}
