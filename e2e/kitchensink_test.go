package e2e

import (
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// kitchenService is where the pages' buttons look for a JSON service, and jsonService where they find ours.
const (
	kitchenService = "https://jsonplaceholder.cypress.io"
	jsonService    = "http://json.kitchensink.test"
)

// kitchenSink answers for npm's cypress-example-kitchensink at every host below kitchensink.test, so that pages that run
// at the same time have cookies and storage of their own, and at json.kitchensink.test for the service that they ask.
func kitchenSink(app fs.FS) http.Handler {
	pages := cleanPages(app)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(jsonService, "http://"+r.Host):
			comments(w, r)
		case strings.HasSuffix(r.URL.Path, "/js/scripts.js"):
			script, err := fs.ReadFile(app, strings.TrimPrefix(r.URL.Path, "/"))
			if err != nil {
				http.Error(w, err.Error(), http.StatusNotFound)
				return
			}
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte(strings.ReplaceAll(string(script), kitchenService, jsonService)))
		default:
			pages.ServeHTTP(w, r)
		}
	})
}

// comments is the service: what it holds is what the app's own tests expect of it.
func comments(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Access-Control-Allow-Methods", "GET, POST, PUT")
	w.Header().Set("Content-Type", "application/json")
	switch r.Method {
	case http.MethodGet:
		_, _ = fmt.Fprint(w, `{"id":1,"body":"laudantium enim quasi"}`)
	case http.MethodPost:
		w.WriteHeader(http.StatusCreated)
		_, _ = fmt.Fprintf(w, `{"id":501,"name":%q,"email":%q}`, r.PostFormValue("name"), r.PostFormValue("email"))
	case http.MethodPut:
		w.WriteHeader(http.StatusNotFound)
		_, _ = fmt.Fprint(w, `{"error":"whoa, this comment does not exist"}`)
	}
}

// TestKitchenSink does on each page what the page's own examples do, as far as there is an action for it, and asks the
// page or the server what came of it.
func TestKitchenSink(t *testing.T) {
	for path, examples := range map[string]map[string]func(*trial){
		"/":                            kitchenHome,
		"/todo":                        kitchenTodo,
		"/utilities":                   kitchenUtilities,
		"/cypress-api":                 kitchenAPI,
		"/commands/querying":           kitchenQuerying,
		"/commands/traversal":          kitchenTraversal,
		"/commands/actions":            kitchenActions,
		"/commands/window":             kitchenWindow,
		"/commands/viewport":           kitchenViewport,
		"/commands/location":           kitchenLocation,
		"/commands/navigation":         kitchenNavigation,
		"/commands/assertions":         kitchenAssertions,
		"/commands/misc":               kitchenMisc,
		"/commands/connectors":         kitchenConnectors,
		"/commands/aliasing":           kitchenAliasing,
		"/commands/waiting":            kitchenWaiting,
		"/commands/network-requests":   kitchenNetwork,
		"/commands/files":              kitchenFiles,
		"/commands/storage":            kitchenStorage,
		"/commands/cookies":            kitchenCookies,
		"/commands/spies-stubs-clocks": kitchenClocks,
	} {
		name := strings.TrimPrefix(strings.TrimPrefix(path, "/commands"), "/")
		if name == "" {
			name = "home"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for example, does := range examples {
				t.Run(example, func(t *testing.T) {
					f := &trial{agent: sharedRig(t).newAgent(t)}
					f.show(fmt.Sprintf("http://%s-%s.kitchensink.test%s", name, strings.ReplaceAll(example, "_", "-"), path))
					does(f)
				})
			}
		})
	}
}

// key presses a key, in an element where one is named.
func (f *trial) key(key string, selector string) {
	f.t.Helper()
	do[protocol.PressResult](f.agent, protocol.Press{Page: f.page, MaybeTarget: protocol.MaybeTarget{Selector: selector}, Key: key})
}

// typed types at the end of what is there, and Enter afterwards where asked.
func (f *trial) typed(target protocol.Target, text string, submit bool) protocol.TypeResult {
	f.t.Helper()
	return do[protocol.TypeResult](f.agent, protocol.Type{Page: f.page, Target: target, Text: &text, Submit: submit})
}

// got reads one thing of an element or of the page.
func (f *trial) got(what, selector string) string {
	f.t.Helper()
	value := do[protocol.GetResult](f.agent, protocol.Get{Page: f.page, MaybeTarget: protocol.MaybeTarget{Selector: selector}, What: what}).Value
	if value == nil {
		f.t.Fatalf("%s of %s has no value", what, selector)
	}
	return *value
}

// gives holds what is read to what the page has.
func (f *trial) gives(what, selector, want string) {
	f.t.Helper()
	if got := strings.TrimSpace(f.got(what, selector)); got != want {
		f.t.Errorf("%s of %s is given as %q, expected %q", what, selector, got, want)
	}
}

// scrolled scrolls a container, or to an element in it.
func (f *trial) scrolled(action protocol.Scroll) protocol.ScrollResult {
	f.t.Helper()
	action.Page = f.page
	return do[protocol.ScrollResult](f.agent, action)
}

// found has find return what a role and a part of a name name.
func (f *trial) found(find protocol.Find) protocol.FindResult {
	f.t.Helper()
	find.Page = f.page
	return do[protocol.FindResult](f.agent, find)
}
