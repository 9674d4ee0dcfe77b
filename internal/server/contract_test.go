package server

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// contract holds whatever passes between a test and the server against the published OpenAPI document: every test of this
// package that speaks HTTP is a test of that document too.
type contract struct {
	t    testing.TB
	base http.RoundTripper
}

// described is the document, compiled once.
var described = sync.OnceValue(func() *jsonschema.Compiler {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(protocol.OpenAPI))
	if err != nil {
		panic(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("mem:openapi.json", doc); err != nil {
		panic(err)
	}
	return c
})

var compiling sync.Mutex

// complaint is what the document says against a body; "" is nothing.
func complaint(pointer string, body []byte) string {
	compiling.Lock()
	schema, err := described().Compile("mem:openapi.json#" + pointer)
	compiling.Unlock()
	if err != nil {
		return err.Error()
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err.Error()
	}
	if err := schema.Validate(value); err != nil {
		return err.Error()
	}
	return ""
}

// escaped is a path as a part of a JSON pointer.
func escaped(path string) string {
	return strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(path)
}

// operation finds the address that a request is made to.
func operation(r *http.Request) (pointer string, e protocol.Endpoint, ok bool) {
	for _, e := range protocol.Endpoints {
		before, _, hasID := strings.Cut(e.Path, "{")
		if e.Method == r.Method && (r.URL.Path == e.Path || hasID && strings.HasPrefix(r.URL.Path, before)) {
			return "/paths/" + escaped(e.Path) + "/" + strings.ToLower(e.Method), e, true
		}
	}
	return "", protocol.Endpoint{}, false
}

// answersWith tells whether the document names a status of an operation by itself.
func answersWith(e protocol.Endpoint, status int) bool {
	var doc struct {
		Paths map[string]map[string]struct {
			Responses map[string]any `json:"responses"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(protocol.OpenAPI, &doc); err != nil {
		panic(err)
	}
	_, ok := doc.Paths[e.Path][strings.ToLower(e.Method)].Responses[strconv.Itoa(status)]
	return ok
}

func (c contract) RoundTrip(r *http.Request) (*http.Response, error) {
	pointer, e, ok := operation(r)
	if !ok {
		return c.base.RoundTrip(r)
	}
	var asked []byte
	if r.Body != nil && e.Request != nil && r.ContentLength < 1<<20 {
		var err error
		if asked, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		r = r.Clone(r.Context())
		r.Body = io.NopCloser(bytes.NewReader(asked))
	}
	response, err := c.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if response.StatusCode == http.StatusOK && e.Stream {
		return response, nil
	}
	if e.File && response.StatusCode < http.StatusBadRequest {
		h := response.Header
		whole := response.StatusCode == http.StatusOK || response.StatusCode == http.StatusPartialContent
		if whole && (!strings.HasPrefix(h.Get("Content-Disposition"), "attachment; filename") || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("ETag") == "") {
			c.t.Errorf("%s %s: a file comes with the headers %v", r.Method, r.URL.Path, h)
		}
		if !answersWith(e, response.StatusCode) {
			c.t.Errorf("%s %s: the document knows no answer %s", r.Method, r.URL.Path, response.Status)
		}
		return response, nil
	}
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return response, err
	}
	response.Body = io.NopCloser(bytes.NewReader(answer))
	kind := response.Header.Get("Content-Type")
	if response.StatusCode != http.StatusOK {
		if why := complaint(pointer+"/responses/default/content/application~1problem+json/schema", answer); kind != "application/problem+json" || why != "" {
			c.t.Errorf("%s %s: %s %s is no problem as the document describes it: %s\n%.500s", r.Method, r.URL.Path, response.Status, kind, why, answer)
		}
		var problem protocol.Problem
		if err := json.Unmarshal(answer, &problem); r.Method != http.MethodHead && (err != nil || problem.Error.Hint == "" || problem.Error.Outcome == "" || problem.Error.Retryable == "") {
			c.t.Errorf("%s %s: %s does not say what to do next: %v\n%.500s", r.Method, r.URL.Path, response.Status, err, answer)
		}
		return response, nil
	}
	if why := complaint(pointer+"/responses/200/content/application~1json/schema", answer); kind != "application/json" || why != "" {
		c.t.Errorf("%s %s: the answer (%s) is not as the document describes it: %s\n%.500s", r.Method, r.URL.Path, kind, why, answer)
	}
	if asked != nil {
		if why := complaint(pointer+"/requestBody/content/application~1json/schema", asked); why != "" {
			c.t.Errorf("%s %s: the server took a body that the document refuses: %s\n%.500s", r.Method, r.URL.Path, why, asked)
		}
	}
	return response, nil
}

func TestTheAPIDescribesItself(t *testing.T) {
	h := start(t, Options{})
	status, body := h.request("GET", "/openapi.json", "", func(r *http.Request) { r.Header.Del("Authorization") })
	var doc struct {
		OpenAPI string                    `json:"openapi"`
		Paths   map[string]map[string]any `json:"paths"`
	}
	if err := json.Unmarshal([]byte(body), &doc); status != http.StatusOK || err != nil || doc.OpenAPI != "3.1.0" {
		t.Fatalf("%d, %v, version %q", status, err, doc.OpenAPI)
	}
	described := 0
	for _, operations := range doc.Paths {
		described += len(operations)
	}
	if described != len(protocol.Endpoints) {
		t.Errorf("%d operations are described, there are %d", described, len(protocol.Endpoints))
	}
	// Each is answered by a handler of its own, not by the mux's 404 or 405.
	for _, e := range protocol.Endpoints {
		if s := h.srv.endpoint(e.Name); s == nil {
			t.Errorf("nothing answers at %s %s", e.Method, e.Path)
		}
	}
}
