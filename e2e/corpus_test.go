package e2e

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// labelled is a saved page of a corpus, with what of it is the content.
type labelled struct {
	Type    string   `json:"type"`
	URL     string   `json:"url"`
	Text    string   `json:"text"`
	With    []string `json:"with"`
	Without []string `json:"without"`
}

// score is how well a page's content was kept.
type score struct {
	pages, texts                      int // texts: those whose whole text is labelled
	f1                                float64
	with, found, without, leaked, cut int
}

func (s score) String() string {
	return fmt.Sprintf("%d pages: F1 %.3f, %.1f %% of what must be kept is, %.1f %% of what must not be is, %d cut",
		s.pages, s.f1/float64(max(s.texts, 1)), 100*float64(s.found)/float64(max(s.with, 1)), 100*float64(s.leaked)/float64(max(s.without, 1)), s.cut)
}

func (s *score) add(one score) {
	s.pages += one.pages
	s.texts += one.texts
	s.f1 += one.f1
	s.with += one.with
	s.found += one.found
	s.without += one.without
	s.leaked += one.leaked
	s.cut += one.cut
}

// TestExtractionOfRealPages measures the Markdown of saved pages of the real web against what people labelled as
// their content. The corpus is no part of this repository.
func TestExtractionOfRealPages(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("CORPORA_DIR")
	if dir == "" {
		t.Skip("CORPORA_DIR names no folder with an extraction corpus: labels.json and pages/ID.html.gz")
	}
	raw, err := os.ReadFile(filepath.Join(dir, "extraction", "labels.json"))
	if err != nil {
		t.Fatal(err)
	}
	var labels map[string]labelled
	if err := json.Unmarshal(raw, &labels); err != nil {
		t.Fatal(err)
	}
	r := sharedRig(t)
	a := r.newAgent(t)
	var all, plain score
	kinds := map[string]*score{}
	page := a.open("http://page.test/plain.html")
	for _, id := range slices.Sorted(maps.Keys(labels)) {
		label := labels[id]
		html := saved(t, filepath.Join(dir, "extraction", "pages", id+".html.gz"))
		path := r.site.handle(t, id, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-same-origin")
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(html)
		}))
		do[protocol.NavigateResult](a, protocol.Navigate{Page: page, URL: "http://page.test" + path})
		read := do[protocol.ExtractResult](a, protocol.Extract{Page: page, Parts: []string{"markdown", "text"}, MaxBytes: 1 << 20})
		one := judge(read.Markdown, label)
		if read.Truncated {
			one.cut = 1
		}
		all.add(one)
		plain.add(judge(read.Text, label))
		if kinds[label.Type] == nil {
			kinds[label.Type] = &score{}
		}
		kinds[label.Type].add(one)
		t.Logf("%s %s %s", id, one, label.URL)
		if keep := os.Getenv("CORPORA_KEEP"); keep != "" {
			if err := os.WriteFile(filepath.Join(keep, id+".md"), []byte(read.Markdown), 0o600); err != nil {
				t.Error(err)
			}
		}
	}
	for kind, s := range kinds {
		t.Logf("%s: %s", kind, s)
	}
	t.Logf("the text alone: %s", plain)
	t.Logf("all: %s", all)
	if found := float64(all.found) / float64(all.with); found < 0.95 {
		t.Errorf("%.1f %% of what must be kept is kept, expected 95 %%", 100*found)
	}
}

func saved(t *testing.T, path string) []byte {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	plain, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	html, err := io.ReadAll(plain)
	if err != nil {
		t.Fatal(err)
	}
	return html
}

var (
	destinations = regexp.MustCompile(`\]\([^)]*\)`)
	marks        = regexp.MustCompile("(?m)^[ >]*(?:#+ |[-*] |\\d+[.)] )?|[*|`\\[\\]\\\\!]|\\(collapsed\\)|~~")
	wordPattern  = regexp.MustCompile(`[\p{L}\p{N}_]+`)
	blanks       = regexp.MustCompile(`\s+`)
)

// prose is the words of Markdown, in lower case, without its marks.
func prose(markdown string) string {
	text := marks.ReplaceAllString(destinations.ReplaceAllString(strings.ReplaceAll(markdown, "<br>", " "), "]"), "")
	return blanks.ReplaceAllString(strings.ToLower(text), " ")
}

func judge(markdown string, label labelled) score {
	text := prose(markdown)
	one := score{pages: 1}
	if label.Text != "" {
		one.texts, one.f1 = 1, f1(text, strings.ToLower(label.Text))
	}
	squeezed := squeeze(text)
	count := func(snippets []string) (n int) {
		for _, snippet := range snippets {
			if strings.Contains(squeezed, squeeze(prose(snippet))) {
				n++
			}
		}
		return n
	}
	one.with, one.found = len(label.With), count(label.With)
	one.without, one.leaked = len(label.Without), count(label.Without)
	return one
}

// squeeze leaves the letters alone: where a label has a blank between two words the page may have none.
func squeeze(text string) string { return strings.Join(wordPattern.FindAllString(text, -1), "") }

// f1 compares two texts as bags of words.
func f1(got, want string) float64 {
	bag := map[string]int{}
	wanted := wordPattern.FindAllString(want, -1)
	for _, word := range wanted {
		bag[word]++
	}
	given := wordPattern.FindAllString(got, -1)
	shared := 0
	for _, word := range given {
		if bag[word] > 0 {
			bag[word]--
			shared++
		}
	}
	if shared == 0 {
		return 0
	}
	precision, recall := float64(shared)/float64(len(given)), float64(shared)/float64(len(wanted))
	return 2 * precision * recall / (precision + recall)
}
