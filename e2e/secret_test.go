package e2e

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// The value is like no other, since it is kept out of the answers of every agent of the shared server.
const (
	secretName  = "door"
	secretValue = `Opén "sesame" <7>_&*`
)

// secretly keeps the secret for some origins and gives a trial whose agent knows it by its name.
func secretly(t *testing.T, origins ...string) *trial {
	t.Helper()
	f := &trial{agent: sharedRig(t).newAgent(t)}
	if _, err := f.client.SetSecret(within(t), secretName, secretValue, origins...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := f.client.RemoveSecret(context.Background(), secretName); err != nil {
			t.Error(err)
		}
	})
	return f
}

// echo is a page that repeats what it is given wherever it can, and sends it to a path that only the test reads.
const echo = `<label>Badge <input id=badge></label><label>Password <input id=pass type=password></label>
	<label>Story <textarea id=story></textarea></label><div id=rich contenteditable role=textbox aria-label=Rich></div>
	<button id=b aria-label=Go>Go</button><p id=out></p><p id=up style="text-transform:uppercase"></p><a id=link href=#>back</a>
	<script>
	heard = [];
	for (const type of ['input', 'keyup', 'change']) addEventListener(type, e => heard.push(type + ' ' + e.isTrusted), true);
	addEventListener('input', e => {
		const v = e.target.value ?? e.target.innerText;
		out.textContent = 'you gave ' + v + ' and ' + JSON.stringify({[v]: [v]}) + encodeURIComponent(v);
		up.textContent = v; document.title = 'T ' + v; link.href = '?v=' + encodeURIComponent(v); link.setAttribute('data-v', v);
		b.ariaLabel = 'Send ' + v; b.title = v; e.target.setAttribute?.('value', v);
		history.replaceState(null, '', '?' + new URLSearchParams({v}));
		console.log('got', v);
		fetch('take', {method: 'POST', body: v});
	});
	</script>`

// taken keeps what a page sends to its path take.
type taken struct {
	mu  sync.Mutex
	got []string
}

func (k *taken) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.got = append(k.got, string(body))
	_, _ = io.WriteString(w, "thanks for "+string(body))
}

func (k *taken) all() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append([]string(nil), k.got...)
}

// silent has an action done, and holds everything that comes of it to saying nothing of the secret.
func (f *trial) silent(action protocol.Action) string {
	f.t.Helper()
	answer, err := f.client.Act(within(f.t), protocol.ActRequest{Action: protocol.AnyAction{Action: action}})
	said := string(answer.Result) + fmt.Sprint(answer.Events)
	if err != nil {
		said += err.Error()
	}
	f.clean(string(protocol.TypeOf(action)), said)
	return said
}

// clean holds a text to holding no spelling of the secret.
func (f *trial) clean(what, said string) {
	f.t.Helper()
	for _, word := range []string{"sesame", "op\u00e9n", "op%c3%a9n"} {
		if strings.Contains(strings.ToLower(said), word) {
			f.t.Errorf("%s tells of the secret (%s): %.3000s", what, word, said)
		}
	}
}

func TestSecretIsEnteredAndNeverTold(t *testing.T) {
	t.Parallel()
	f := secretly(t, "http://page.test")
	sink := &taken{}
	f.rig.site.handle(t, "take", sink)
	f.load(echo)
	do[protocol.ConsoleResult](f.agent, protocol.Console{Page: f.page, Op: "start"})
	do[protocol.NetworkResult](f.agent, protocol.Network{Page: f.page, Op: "start"})
	for _, field := range []string{"#badge", "#pass", "#story", "#rich"} {
		f.silent(protocol.Fill{Page: f.page, Target: css(field), Secret: secretName})
		held := "document.querySelector('" + field + "')"
		if field == "#rich" {
			f.until(held+`.innerText.replace(/\u00a0/g, " ")`, spelt(secretValue))
		} else {
			f.until(held+".value", spelt(secretValue))
		}
	}
	for _, got := range sink.all() {
		if strings.ReplaceAll(got, "\u00a0", " ") != secretValue {
			t.Errorf("the page was given %q", got)
		}
	}
	f.until("[...new Set(heard)].sort().join()", `"change true,input true,keyup true"`)
	f.silent(protocol.Type{Page: f.page, Target: css("#badge"), Secret: secretName, Clear: true, Submit: true})

	for _, action := range []protocol.Action{
		protocol.Extract{Page: f.page},
		protocol.Snapshot{Page: f.page, URLs: true},
		protocol.Find{Page: f.page, Role: "button"},
		protocol.Get{Page: f.page, What: "title"},
		protocol.Get{Page: f.page, What: "url"},
		protocol.Get{Page: f.page, What: "text"},
		protocol.Get{Page: f.page, What: "html"},
		protocol.ListTabs{},
		protocol.Get{Page: f.page, What: "value", MaybeTarget: protocol.MaybeTarget{Selector: "#badge"}},
		protocol.Get{Page: f.page, What: "attribute", Name: "data-v", MaybeTarget: protocol.MaybeTarget{Selector: "#link"}},
		protocol.Evaluate{Page: f.page, Expression: "return {[pass.value]: [badge.value], text: out.textContent, html: document.body.innerHTML}"},
		protocol.Evaluate{Page: f.page, Expression: "throw new Error(pass.value)"},
		protocol.Console{Page: f.page, Op: "list"},
		protocol.Network{Page: f.page, Op: "list"},
		protocol.Click{Page: f.page, Target: css("#b")},
		protocol.WaitFor{Page: f.page, Text: "no such text", TimeoutMS: 1},
	} {
		f.silent(action)
	}
	if said := f.silent(protocol.Evaluate{Page: f.page, Expression: "return 'it is ' + pass.value"}); !strings.Contains(said, "it is [secret door]") {
		t.Errorf("in place of the secret stands %s", said)
	}
	shot := do[protocol.ScreenshotResult](f.agent, protocol.Screenshot{Page: f.page})
	if _, err := base64.StdEncoding.DecodeString(shot.Data); err != nil {
		t.Errorf("the picture was changed: %v", err)
	}
	trails, err := filepath.Glob(filepath.Join(f.rig.server.dataDir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range trails {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f.clean(filepath.Base(path), string(raw))
	}
	f.clean("the log", f.rig.server.log.String())
}

func spelt(text string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a string has a JSON form
	return strings.TrimSpace(b.String())
}

func TestSecretIsEnteredOnItsOwnOriginsOnly(t *testing.T) {
	t.Parallel()
	f := secretly(t, "http://page.test")
	const field = `<input id=i aria-label=Field>`
	path := strings.TrimPrefix(f.html("field", field), "http://page.test")
	frames := f.html("frames", `<iframe id=own src="http://page.test`+path+`"></iframe><iframe id=other src="http://other.test`+path+`"></iframe>
		<iframe id=boxed sandbox="allow-scripts" srcdoc='<input aria-label=Boxed>'></iframe>`)
	enter := func(page protocol.Page, target protocol.Target) protocol.Action {
		return protocol.Fill{Page: page, Target: target, Secret: secretName}
	}
	refused := func(page protocol.Page, target protocol.Target) {
		t.Helper()
		f.refused(protocol.CodeInvalidAction, enter(page, target), "http://page.test only", "nothing was typed")
	}
	for name, url := range map[string]string{
		"another name": "http://other.test" + path, "a longer name": "http://page.test.other.test" + path, "a name below": "http://sub.page.test" + path,
		"a redirect": "http://page.test" + f.rig.site.redirect(t, "away", "http://other.test"+path), "another port": "http://" + f.rig.site.addr + path,
		"a data address": "data:text/html,<input id=i>",
	} {
		page := f.open(url)
		refused(page, css("#i"))
		if held := f.value(page, "document.querySelector('#i').value"); held != `""` {
			t.Errorf("%s: the field holds %s", name, held)
		}
	}
	// By what the frame's document is of, not by what the tab's address says.
	top := f.open(strings.Replace(frames, "page.test", "evil.test", 1))
	// All three frames have loaded.
	do[protocol.WaitForResult](f.agent, protocol.WaitFor{Page: top, Load: "networkidle"})
	var own, others []protocol.Target
	elements := f.extract(top).Elements
	for _, e := range elements {
		if e.Role == "textbox" && e.Name == "Field" && own == nil {
			own = append(own, protocol.Target{UID: e.UID})
		} else if e.Role == "textbox" {
			others = append(others, protocol.Target{UID: e.UID})
		}
	}
	if len(own) != 1 || len(others) != 2 {
		t.Fatalf("the page tells of %+v", elements)
	}
	do[protocol.FillResult](f.agent, enter(top, own[0]))
	for _, target := range others {
		refused(top, target)
	}
	f.refused(protocol.CodeInvalidAction, protocol.Type{Page: top, Target: own[0], Secret: "no-such-secret"}, `no secret has the name "no-such-secret"`, secretName)
	text := secretValue
	f.refused(protocol.CodeInvalidAction, protocol.Type{Page: top, Target: others[0], Text: &text, OnlyOn: []string{"http://page.test"}}, "nothing was typed")
}

// A page that goes elsewhere the moment its field is touched, to one that catches keys.
func TestSecretDoesNotFollowThePage(t *testing.T) {
	t.Parallel()
	f := secretly(t, "http://page.test")
	path := strings.TrimPrefix(f.html("trap", `<input id=i autofocus><script>i.focus(); heard = ''; addEventListener('input', e => heard += e.data)</script>`), "http://page.test")
	for _, when := range []string{"focus", "input"} {
		page := f.open(f.html("bait-"+when, `<input id=i><script>i.addEventListener('`+when+`', () => { location = 'http://other.test`+path+`' })</script>`))
		_, _ = f.try(within(t), protocol.Type{Page: page, Target: css("#i"), Secret: secretName, Submit: true}) // in time or not
		do[protocol.WaitForResult](f.agent, protocol.WaitFor{Page: page, URL: "other.test"})
		do[protocol.WaitForResult](f.agent, protocol.WaitFor{Page: page, MaybeTarget: protocol.MaybeTarget{Selector: "#i"}})
		if held := f.value(page, "[i.value, heard].join('')"); held != `""` {
			t.Errorf("%s: the other page got %s", when, held)
		}
	}
}

// gate lets in who gives the right user and password, repeats them, and counts what it is given.
type gate struct {
	mu  sync.Mutex
	got []string
}

const gateLogin = "ada:hush-4711-quiet"

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	name, word, given := r.BasicAuth()
	if given {
		g.mu.Lock()
		g.got = append(g.got, name+":"+word)
		g.mu.Unlock()
	}
	if name+":"+word != gateLogin {
		w.Header().Set("WWW-Authenticate", `Basic realm="Gate"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	_, _ = fmt.Fprintf(w, "<!doctype html><title>Inside</title><p>%s by %s", word, r.Header.Get("Authorization"))
}

// take is what it was given since the last time.
func (g *gate) take() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	got := g.got
	g.got = nil
	return got
}

func TestServerThatAsksForALogInGetsASecret(t *testing.T) {
	t.Parallel()
	f := &trial{agent: sharedRig(t).newAgent(t)}
	g := &gate{}
	path := f.rig.site.handle(t, "gate", g)
	// Of this run only: the browser remembers who was let in where.
	host := fmt.Sprintf("http://gate-%d.test", time.Now().UnixNano())
	set := func(name, value, origin string) {
		t.Helper()
		if _, err := f.client.SetSecret(within(t), name, value, origin); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _, _ = f.client.RemoveSecret(context.Background(), name) })
	}
	set("gate", gateLogin, host)
	set("gate-wrong", "ada:wrong-4712-noisy", host)
	set("gate-elsewhere", "ada:else-4714-where", "http://page.test")
	set("gate-formless", "no-4713-form", host)
	f.page = f.open("http://page.test/plain.html")
	move := func(url, secret string) protocol.Action {
		return protocol.Navigate{Page: f.page, URL: url, Secret: secret}
	}
	mentions(t, f.fails(protocol.CodeNavigationFailed, move(host+path, "")), "user name and password", "handoff")
	mentions(t, f.fails(protocol.CodeNavigationFailed, move(host+path, "gate-elsewhere")), "user name and password", "handoff")
	// By where the browser is led, not by what was asked for.
	away := "http://page.test" + f.rig.site.redirect(t, "away", host+path)
	mentions(t, f.fails(protocol.CodeNavigationFailed, move(away, "gate-elsewhere")), "user name and password")
	mentions(t, f.fails(protocol.CodeInvalidAction, move(host+path, "gate-formless")), "no user:password")
	mentions(t, f.fails(protocol.CodeInvalidAction, move(host+path, "no-such")), "no secret has the name")
	if got := g.take(); len(got) != 0 {
		t.Fatalf("the server was given %q", got)
	}
	mentions(t, f.fails(protocol.CodeNavigationFailed, move(host+path, "gate-wrong")), "did not take", "handoff")
	if got := g.take(); !slices.Equal(got, []string{"ada:wrong-4712-noisy"}) {
		t.Errorf("with the wrong password the server was given %q, expected one try", got)
	}
	arrived := do[protocol.NavigateResult](f.agent, move(host+path, "gate"))
	if got := g.take(); arrived.Title != "Inside" || !slices.Equal(got, []string{gateLogin}) {
		t.Errorf("it arrived at %+v, and the server was given %q", arrived, got)
	}
	// What the page makes of it is kept out of answers, in each form.
	if text := f.extract(f.page).Text; text != "[secret gate] by Basic [secret gate]" {
		t.Errorf("the page's text is told as %q", text)
	}
	// And nothing is left that would hold up the page's own documents.
	if got := f.value(f.page, "fetch(location.href).then(r => r.status)"); got != "200" {
		t.Errorf("the page's own request got %s", got)
	}
}
