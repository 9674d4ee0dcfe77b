package server

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/http"
)

// The page that a pairing link opens. Its code stands in the fragment, so only the page's own script ever sees it.
var (
	//go:embed pair.html
	pairHTML string
	//go:embed pair.css
	pairCSS string
	//go:embed pair.js
	pairJS string
)

// pairPage is the page with its style and script in it, and the policy that lets exactly those two in.
var pairPage, pairPolicy = func() ([]byte, string) {
	var page bytes.Buffer
	err := template.Must(template.New("pair").Parse(pairHTML)).Execute(&page, struct {
		CSS template.CSS
		JS  template.JS
	}{template.CSS(pairCSS), template.JS(pairJS)})
	if err != nil {
		panic("server: pair.html: " + err.Error())
	}
	hash := func(content string) string {
		sum := sha256.Sum256([]byte(content))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return page.Bytes(), "default-src 'none'; style-src " + hash(pairCSS) + "; script-src " + hash(pairJS) +
		"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

func servePairPage(w http.ResponseWriter, _ *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", pairPolicy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	_, _ = w.Write(pairPage) // a browser that is gone is nobody's trouble
}
