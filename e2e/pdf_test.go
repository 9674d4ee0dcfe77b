package e2e

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

var mediaBox = regexp.MustCompile(`/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]`)

func TestPDF(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	page := a.open(r.site.html(t, "print", `<style>@media screen{.late{display:none}}</style><h1>Printed</h1><p>text</p><div class=late style="height:3000px">long</div>`))
	print := func(action protocol.PDF) (pages int, size string) {
		t.Helper()
		action.Page = page
		result := do[protocol.PDFResult](a, action)
		raw, err := base64.StdEncoding.DecodeString(result.Data)
		if err != nil || !bytes.HasPrefix(raw, []byte("%PDF-")) || result.MimeType != "application/pdf" {
			t.Fatalf("the document is %.20q, %s, %v", raw, result.MimeType, err)
		}
		boxes := mediaBox.FindAllSubmatch(raw, -1)
		if len(boxes) == 0 {
			t.Fatal("the document has no pages")
		}
		points := func(raw []byte) int {
			n, err := strconv.ParseFloat(string(raw), 64)
			if err != nil {
				t.Fatal(err)
			}
			return int(n)
		}
		return len(boxes), fmt.Sprintf("%d×%d", points(boxes[0][1]), points(boxes[0][2]))
	}
	for want, action := range map[string]protocol.PDF{
		"595×841": {}, "612×792": {PaperFormat: "letter"}, "841×595": {PaperFormat: "a4", Landscape: true}, "792×1224": {PaperFormat: "tabloid"},
	} {
		pages, size := print(action)
		if size != want {
			t.Errorf("%+v gives pages of %s points, want %s", action, size, want)
		}
		if pages < 2 {
			t.Errorf("%+v gives %d pages: the style for print was not used", action, pages)
		}
	}
}
