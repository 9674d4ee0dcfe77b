// Package site is what the benchmarks' browsers look at: a few pages, and the server that hears what they saw.
package site

import (
	"fmt"
	"net/http"
	"strings"
)

// servePage writes the bench's pages: /controls/N with N controls, ten to a paragraph, and those that have a name.
func servePage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	var n int
	switch {
	case named[r.URL.Path] != nil:
		_, _ = w.Write([]byte(named[r.URL.Path](r)))
	case scan(r.URL.Path, "/controls/%d", &n):
		_, _ = w.Write([]byte(controlsPage(n)))
	case r.URL.Path == "/favicon.ico":
		w.WriteHeader(http.StatusNoContent) // a page without one is no error of the page's
	default:
		http.NotFound(w, r)
	}
}

func scan(s, format string, into *int) bool {
	_, err := fmt.Sscanf(s, format, into)
	return err == nil
}

func controlsPage(n int) string {
	var page strings.Builder
	page.WriteString("<!doctype html><html lang=en><title>Controls</title><main><h1>Controls</h1>" +
		"<p><input id=text aria-label='First text'> <select id=choice aria-label=Choice><option>One<option>Two</select>" +
		" <button id=button>Press</button></p>")
	for i := range n {
		if i%10 == 0 {
			fmt.Fprintf(&page, "<p>Paragraph %d ", i/10)
		}
		switch i % 4 {
		case 0:
			fmt.Fprintf(&page, "<button>Button %d</button> ", i)
		case 1:
			fmt.Fprintf(&page, "<a href='#r%d'>Link %d</a> ", i, i)
		case 2:
			fmt.Fprintf(&page, "<input aria-label='Text %d' value='v%d'> ", i, i)
		case 3:
			fmt.Fprintf(&page, "<label><input type=checkbox> Box %d</label> ", i)
		}
	}
	page.WriteString("</main>")
	return page.String()
}

// formPage takes ten steps: five fields, two lists, two boxes and a button that counts and empties it again.
const formPage = `<!doctype html><html lang=en><title>Form</title><main><h1>Order</h1><form id=f>
<p><label>Name <input id=name></label> <label>Street <input id=street></label> <label>City <input id=city></label>
<label>Mail <input id=mail type=email></label> <label>Note <textarea id=note></textarea></label></p>
<p><label>Country <select id=country><option>France<option>Spain<option>Italy</select></label>
<label>Size <select id=size><option>Small<option>Medium<option>Large</select></label></p>
<p><label><input id=gift type=checkbox> As a gift</label> <label><input id=terms type=checkbox> I agree</label></p>
<button id=send>Order</button></form></main>` + tell + `<script>
sent = []; f.onsubmit = event => { event.preventDefault();
  sent.push([...f.elements].filter(it => it.id !== 'send').map(it => it.type === 'checkbox' ? it.checked : it.value).join(','));
  tell(sent.at(-1)); f.reset(); };
</script>`

// tell is how a page says what it saw, once it is asked to by a name: by a beacon, which no tool takes for the page's work.
const tell = `<script>
function tell(what) { if (location.search) navigator.sendBeacon('/saw' + location.search, what); }
</script>`

// pressPage has a button whose press changes a line of text, and a field.
const pressPage = `<!doctype html><html lang=en><title>Press</title><main><h1>Press</h1>
<p><button id=press>Press</button> <label>Text <input id=text></label></p><p id=effect role=status>Pressed 0 times</p></main>` + tell + `<script>
let n = 0;
press.onclick = event => { if (event.isTrusted) { effect.textContent = 'Pressed ' + ++n + ' times'; tell('press'); } };
text.oninput = () => tell('text ' + text.value);
</script>`
