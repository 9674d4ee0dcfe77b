package main

import (
	"encoding/json"
	"io"
	"slices"
	"time"

	"github.com/drawbridge-browser/drawbridge/bench/site"
)

// The rows, in the order in which they are printed. Each ends in its unit.
const (
	rowTask        = "ten steps: a form, ms"
	rowClick       = "click and see its effect, ms"
	rowFill        = "fill a field, ms"
	rowEvaluate    = "evaluate, ms"
	rowStart       = "cold start to the first page, ms"
	rowMemory      = "own memory after the work, MB"
	rowDefinitions = "definitions of the tools, tokens"
	rowTaskAnswers = "answers of the ten steps, tokens"
	rowTaskAll     = "the same and the look before, tokens"
)

func rowSee(p site.Page) string   { return "look: " + p.Title + ", ms" }
func rowSeen(p site.Page) string  { return "look: " + p.Title + ", tokens" }
func rowWhole(p site.Page) string { return "to its end: " + p.Title + ", tokens" }

// rows are all of them.
func rows() []string {
	all := []string{rowTask, rowClick, rowFill, rowEvaluate}
	for _, p := range site.Pages {
		all = append(all, rowSee(p))
	}
	all = append(all, rowStart, rowMemory, rowDefinitions, rowTaskAnswers, rowTaskAll)
	for _, p := range site.Pages {
		all = append(all, rowSeen(p))
	}
	for _, p := range site.Pages {
		all = append(all, rowWhole(p))
	}
	return all
}

// report is what was measured.
type report struct {
	cast   []*contender
	values map[string]map[string][]float64
	seen   map[string]map[string]share
	date   time.Time
	rounds int
}

// share is how much of what a page has a look shows: at once, and when it is followed to its end.
type share struct {
	First float64 `json:"first"`
	Whole float64 `json:"whole"`
}

func newReport(cast []*contender, rounds int) *report {
	return &report{cast: cast, values: map[string]map[string][]float64{}, seen: map[string]map[string]share{}, date: time.Now(), rounds: rounds}
}

func (r *report) add(c *contender, row string, value float64) {
	if r.values[row] == nil {
		r.values[row] = map[string][]float64{}
	}
	r.values[row][c.key] = append(r.values[row][c.key], value)
}

func (r *report) saw(c *contender, row string, first, whole float64) {
	if r.seen[row] == nil {
		r.seen[row] = map[string]share{}
	}
	r.seen[row][c.key] = share{first, whole}
}

// median is a row's value for a contender; false where it was not measured.
func (r *report) median(c *contender, row string) (float64, bool) {
	list := slices.Sorted(slices.Values(r.values[row][c.key]))
	if len(list) == 0 {
		return 0, false
	}
	return list[len(list)/2], true
}

func (r *report) json(out io.Writer) error {
	type tool struct {
		Name    string             `json:"name"`
		Version string             `json:"version,omitempty"`
		Failed  string             `json:"failed,omitempty"`
		Medians map[string]float64 `json:"medians"`
		Seen    map[string]share   `json:"seen"`
	}
	var all []tool
	for _, c := range r.cast {
		it := tool{Name: c.name, Version: c.version, Failed: c.failed, Medians: map[string]float64{}, Seen: map[string]share{}}
		for _, row := range rows() {
			if value, ok := r.median(c, row); ok {
				it.Medians[row] = value
			}
			if seen, ok := r.seen[row][c.key]; ok {
				it.Seen[row] = seen
			}
		}
		all = append(all, it)
	}
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	return enc.Encode(map[string]any{"date": r.date.Format(time.DateOnly), "machine": machine(), "rounds": r.rounds, "tools": all})
}
