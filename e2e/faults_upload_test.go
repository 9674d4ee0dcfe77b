package e2e

import (
	"fmt"
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Files arrive whole where they were meant for, or nothing is touched.
var uploads = []fault{
	{"inputs_that_nobody_sees", func(f *trial) {
		f.load(`<input id=seen type=file><input id=none type=file style="display:none"><input id=unseen type=file style="visibility:hidden">
			<input id=small type=file style="width:0;height:0;padding:0;border:0;overflow:hidden">
			<input id=behind type=file hidden><button onclick="behind.click()">Upload</button>`)
		note := fileOf("notes.txt", "text/plain", []byte("five!"))
		for _, id := range []string{"seen", "none", "unseen", "small"} {
			f.give(css("#"+id), note)
		}
		f.give(f.ref("button", "Upload"), note)
		f.until("Array.from(document.querySelectorAll('input'), i => [i.id, i.files.length, i.files[0]?.size])",
			`[["seen",1,5],["none",1,5],["unseen",1,5],["small",1,5],["behind",1,5]]`)
	}},
	{"what_is_no_input", func(f *trial) {
		f.load(`<input id=file type=file hidden><button onclick="file.click()">Upload</button><p id=words>Just words</p>`)
		note := fileOf("notes.txt", "text/plain", []byte("five!"))
		f.give(f.ref("button", "Upload"), note)
		f.until("file.files[0].name", `"notes.txt"`)
		f.refused(protocol.CodeInvalidAction, protocol.Upload{Page: f.page, Target: css("#words"), Files: []protocol.File{note}}, "took no files")
		f.is("[document.title, file.files.length]", `["page",1]`)
	}},
	{"file_that_is_none", func(f *trial) {
		f.load(`<script>hits = 0</script><input id=one type=file onchange="hits++" onclick="hits++"><input id=many type=file multiple onchange="hits++">`)
		note := fileOf("notes.txt", "text/plain", []byte("five!"))
		for _, name := range []string{"/nope/none.txt", "../notes.txt", `C:\notes.txt`, "..", "."} {
			f.refused(protocol.CodeInvalidAction, protocol.Upload{Page: f.page, Target: css("#one"), Files: []protocol.File{fileOf(name, "", []byte("x"))}}, "without folders")
		}
		f.refused(protocol.CodeInvalidAction, protocol.Upload{Page: f.page, Target: css("#one"), Files: []protocol.File{note, note}}, "one file at a time")
		f.is("[hits, one.files.length, many.files.length]", "[0,0,0]")
		umlauts := fileOf("Über uns – März 2.txt", "text/plain", []byte("grüße"))
		sent := f.give(css("#many"), umlauts, fileOf("empty.bin", "application/octet-stream", nil))
		f.until("Array.from(many.files, file => [file.name, file.size])", `[["Über uns – März 2.txt",7],["empty.bin",0]]`)
		if len(sent.Files) != 2 || sent.Files[0].Name != umlauts.Name || sent.Files[0].Size != 7 {
			f.t.Errorf("the result tells of %+v", sent.Files)
		}
	}},
	{"page_that_holds_other_files_than_were_given", func(f *trial) {
		// A page that empties its input at once has taken the files; their names and sizes are those that it was given.
		f.load(`<script>taken = []</script><input id=file type=file onchange="taken = Array.from(this.files, f => [f.name, f.size]); this.value = ''">`)
		sent := f.give(css("#file"), fileOf("a.txt", "text/plain", []byte("12345678")))
		f.until("taken", `[["a.txt",8]]`)
		if len(sent.Files) != 1 || sent.Files[0].Size != 8 {
			f.t.Errorf("the result tells of %+v", sent.Files)
		}
	}},
	{"drop_zone", func(f *trial) {
		f.load(`<script>taken = []</script><div id=zone style="width:200px;height:60px">Drop your files here</div>
			<script>zone.ondragover = e => e.preventDefault();
			zone.ondrop = async e => { e.preventDefault(); for (const file of e.dataTransfer.files) taken.push([file.name, file.type, await file.text()]); }</script>`)
		f.give(css("#zone"), fileOf("a.txt", "text/plain", []byte("dropped")), fileOf("b.json", "application/json", []byte("{}")))
		f.until("taken", `[["a.txt","text/plain","dropped"],["b.json","application/json","{}"]]`)
	}},
	{"picker_that_only_a_person_can_answer", func(f *trial) {
		secure := "http://" + f.rig.site.addr
		path := f.html("picker", `<script>said = []</script><button onclick="showOpenFilePicker().then(() => said.push('chosen'), e => said.push(e.name))">Open</button>`)
		f.show(secure + strings.TrimPrefix(path, "http://page.test"))
		refusal := f.fails(protocol.CodeUnsupported, protocol.Upload{Page: f.page, Target: f.ref("button", "Open"), Files: []protocol.File{fileOf("a.txt", "", []byte("x"))}})
		mentions(f.t, refusal, "showOpenFilePicker")
		f.until("said", `["AbortError"]`)
	}},
	{"chooser_of_a_person_after_an_upload", func(f *trial) {
		f.load(`<script>taken = []; shut = 0</script><input id=file type=file oncancel="shut++" onchange="taken.push(this.files[0].name)">
			<input id=behind type=file hidden><button id=opens onclick="behind.click()">Upload</button><button id=nothing>Nothing</button>`)
		note := fileOf("notes.txt", "text/plain", []byte("five!"))
		// By hand: with nobody there to choose, the browser's own chooser is cancelled at once; one that is held back never is.
		byHand := 0
		personClicks := func(after string) {
			f.t.Helper()
			byHand++
			if err := f.seen.Call(within(f.t), "Runtime.evaluate", map[string]any{"expression": "document.querySelector('#file').showPicker()", "userGesture": true}, nil); err != nil {
				f.t.Fatal(err)
			}
			f.until("shut", fmt.Sprint(byHand))
			if f.t.Failed() {
				f.t.Fatalf("after %s no chooser opens for a person", after)
			}
		}
		personClicks("nothing")
		f.give(css("#opens"), note)
		personClicks("an upload")
		f.fails(protocol.CodeInvalidAction, protocol.Upload{Page: f.page, Target: css("#nothing"), Files: []protocol.File{note}})
		personClicks("an upload that failed")
		if _, err := f.client.Act(within(f.t), protocol.ActRequest{Action: protocol.AnyAction{Action: protocol.Upload{Page: f.page, Target: css("#nothing"), Files: []protocol.File{note}}}, TimeoutMS: 600}); err == nil {
			f.t.Error("an upload to a button that opens nothing is called done")
		}
		personClicks("an upload that ran out of time")
	}},
}

// give uploads files.
func (f *trial) give(target protocol.Target, files ...protocol.File) protocol.UploadResult {
	f.t.Helper()
	return do[protocol.UploadResult](f.agent, protocol.Upload{Page: f.page, Target: target, Files: files})
}
