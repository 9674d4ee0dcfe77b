package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// fileOf is a file of these bytes.
func fileOf(name, mimeType string, data []byte) protocol.File {
	return protocol.File{Name: name, MimeType: mimeType, Data: base64.StdEncoding.EncodeToString(data)}
}

// uploadPage has everything that takes files, and writes down what came, with a sum of its bytes.
const uploadPage = `<style>.zone{width:200px;height:60px;border:1px dashed}</style>
<input id=seen type=file aria-label=Seen>
<input id=none type=file style="display:none"><input id=unseen type=file style="visibility:hidden">
<input id=small type=file style="width:0;height:0;padding:0;border:0;overflow:hidden">
<input id=many type=file multiple><input id=pictures type=file accept="image/*,.pdf"><input id=off type=file disabled>
<label id=label>Your file <input id=labelled type=file hidden></label>
<input id=behind type=file hidden><button id=button onclick="behind.click()">Choose a file</button>
<button id=fresh onclick="const i = document.createElement('input'); i.type = 'file'; i.id = 'made'; i.multiple = true; i.onchange = took; i.click()">Choose files</button>
<button id=nothing onclick="log.push('clicked')">Nothing</button>
<button id=picker onclick="showOpenFilePicker().catch(e => log.push(e.name))">Picker</button>
<div id=zone class=zone>Drop here</div><div id=shut class=zone>Do not</div>
<div id=wrapped class=zone>Inside <input id=inner type=file multiple hidden></div>
<div id=clicky class=zone style="cursor:pointer" onclick="behind.click()">Click me</div>
<p id=text>Just text</p>
<script>
const log = [];
let pending = 0;
const sum = async file => {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  return file.name + ' ' + file.type + ' ' + file.size + ' ' + [...hash].slice(0, 4).map(b => b.toString(16).padStart(2, '0')).join('');
};
const note = async (where, files) => { pending++; const all = await Promise.all([...files].map(sum)); log.push(where + ': ' + all.join(' + ')); pending--; };
const took = event => note(event.type + ' ' + event.target.id, event.target.files);
for (const input of document.querySelectorAll('input')) input.addEventListener('change', took);
zone.ondragover = event => event.preventDefault();
zone.ondrop = event => { event.preventDefault(); note('drop zone', event.dataTransfer.files); };
</script>`

func TestUpload(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	page := a.open(strings.Replace(r.site.html(t, "upload", uploadPage), "page.test", "127.0.0.1:"+r.site.addr[strings.LastIndex(r.site.addr, ":")+1:], 1))
	text := []byte("grüße\x00\xff")
	other, big := bytes.Repeat([]byte("0123456789abcdef-"), 3_000), bytes.Repeat([]byte("0123456789abcdef-"), 300_000) // five pieces
	told := func(name, mimeType string, data []byte) string {
		hash := sha256.Sum256(data)
		return fmt.Sprintf("%s %s %d %s", name, mimeType, len(data), hex.EncodeToString(hash[:4]))
	}
	give := func(selector, want string, files ...protocol.File) protocol.UploadResult {
		t.Helper()
		result := do[protocol.UploadResult](a, protocol.Upload{Page: page, Target: bySelector(selector), Files: files})
		if err := eventually(within(t), "the page's sums", func() (bool, error) { return a.value(page, "log.length > 0 && pending === 0") == "true", nil }); err != nil {
			t.Fatalf("%s: %v", selector, err)
		}
		if got := a.saw(page); got != want {
			t.Errorf("%s: the page saw %q, want %q", selector, got, want)
		}
		for i, f := range result.Files {
			if i >= len(files) || f.Name != files[i].Name || f.Size != int64(base64.StdEncoding.DecodedLen(len(files[i].Data))-strings.Count(files[i].Data, "=")) {
				t.Errorf("%s: the result has %+v", selector, result.Files)
			}
		}
		if len(result.Files) != len(files) {
			t.Errorf("%s: the result has %d files", selector, len(result.Files))
		}
		return result
	}
	one, two, large := fileOf("über uns 1.txt", "text/plain", text), fileOf("b.bin", "application/octet-stream", other), fileOf("c.bin", "", big)
	first, second, third := told("über uns 1.txt", "text/plain", text), told("b.bin", "application/octet-stream", other), told("c.bin", "", big)
	for _, id := range []string{"seen", "none", "unseen", "small"} {
		give("#"+id, "change "+id+": "+first, one)
	}
	give("#label", "change labelled: "+first, one)
	give("#wrapped", "change inner: "+first+" + "+second, one, two)
	give("#many", "change many: "+first+" + "+third, one, large)
	give("#many", "change many: empty.txt  0 e3b0c442", fileOf("empty.txt", "", nil))
	give("#pictures", "change pictures: "+told("x.PDF", "application/pdf", text), fileOf("x.PDF", "application/pdf", text))
	give("#button", "change behind: "+second, two)
	give("#fresh", "change made: "+first+" + "+second, one, two)
	give("#clicky", "change behind: "+first, one)
	if dropped := give("#zone", "drop zone: "+second+" + "+third, two, large); !slices.ContainsFunc(dropped.Notes, func(n string) bool { return strings.Contains(n, "by script") }) {
		t.Errorf("the drop does not say how it was made: %+v", dropped)
	}
	if got := a.value(page, "document.getElementById('seen').files[0].name"); got != `"über uns 1.txt"` {
		t.Errorf("the input holds %s", got)
	}

	for _, refused := range []struct {
		selector, says string
		code           protocol.ErrorCode
		files          []protocol.File
	}{
		{"#seen", "one file at a time", protocol.CodeInvalidAction, []protocol.File{one, two}},
		{"#pictures", "accepts image/*,.pdf only", protocol.CodeInvalidAction, []protocol.File{one}},
		{"#off", "disabled", protocol.CodeElementBlocked, []protocol.File{one}},
		{"#text", "took no files", protocol.CodeInvalidAction, []protocol.File{one}},
		{"#shut", "took no files", protocol.CodeInvalidAction, []protocol.File{one}},
		{"#seen", "without folders", protocol.CodeInvalidAction, []protocol.File{fileOf("../a", "", text)}},
		{"#seen", "no base64", protocol.CodeInvalidAction, []protocol.File{{Name: "a", Data: "%%%%"}}},
	} {
		refusal := a.fails(refused.code, protocol.Upload{Page: page, Target: bySelector(refused.selector), Files: refused.files})
		if !strings.Contains(refusal.Message, refused.says) || refusal.Outcome != protocol.NotSent {
			t.Errorf("%s: %s, outcome %s; want it to say %q and not_sent", refused.selector, refusal.Message, refusal.Outcome, refused.says)
		}
	}
	if got := a.saw(page); got != "" {
		t.Errorf("refused uploads reached the page: %s", got)
	}
	if refusal := a.fails(protocol.CodeInvalidAction, protocol.Upload{Page: page, Target: bySelector("#nothing"), Files: []protocol.File{one}}); !strings.Contains(refusal.Message, "no file chooser") || refusal.Outcome != protocol.Done {
		t.Errorf("a button that opens nothing says %s, outcome %s", refusal.Message, refusal.Outcome)
	}
	if got := a.saw(page); got != "clicked" {
		t.Errorf("a button that opens nothing: the page saw %q", got)
	}
	a.fails(protocol.CodeUnsupported, protocol.Upload{Page: page, Target: bySelector("#picker"), Files: []protocol.File{one}})
}

func TestUploadInFrame(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	inner := r.site.html(t, "inner", `<input id=f type=file hidden><button onclick="f.click()">Attach</button><output></output>
		<script>f.onchange = () => { document.querySelector('output').textContent = f.files[0].name + f.files[0].size; }</script>`)
	page := a.open(r.site.html(t, "outer", `<iframe width=300 height=200 src="`+strings.Replace(inner, "page.test", "frame.test", 1)+`"></iframe>`))
	file := fileOf("a.txt", "text/plain", []byte("four"))
	for _, target := range []protocol.Target{bySelector("#f"), bySelector("button")} {
		do[protocol.UploadResult](a, protocol.Upload{Page: page, Target: target, Files: []protocol.File{file}})
		if got := do[protocol.GetResult](a, protocol.Get{Page: page, MaybeTarget: protocol.MaybeTarget{Selector: "output"}, What: "text"}).Value; got == nil || *got != "a.txt4" {
			t.Errorf("%s: the frame has %v", target.Selector, got)
		}
	}
}
