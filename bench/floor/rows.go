package main

import (
	"context"
	"fmt"
	"time"

	"github.com/drawbridge-browser/drawbridge/bench/rawcdp"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// row is one comparison: what an agent asks for, and the floor for it.
type row struct {
	name string
	// limit is how many times the floor it may take.
	limit float64
	// runs is how often each way is taken, at most.
	runs  int
	ours  func(context.Context) error
	floor func(context.Context) error
	// drawn is made to draw while the floor is taken, which would else wait a second for each move of the pointer; nil: none.
	drawn *rawcdp.Page
	// apart is how long each begins after the one before, where that makes a difference.
	apart time.Duration
	// sample is the action whose answer is weighed; nil: none.
	sample protocol.Action
	// family and size tell which rows do the same on pages of different sizes; size is 0 where that is not so.
	family string
	size   int
}

// sizes are how many controls the pages have.
var sizes = []int{500, 5000, 20000}

// thinking is how long an agent takes between two clicks, at the least. For 50 ms after a click Chrome holds back what the
// page put off, and a click of ours that comes sooner waits for that.
const thinking = 200 * time.Millisecond

// twenty is what is typed.
const twenty = "twenty characters ok"

// rows opens the pages and says what is compared on them.
func (b *bench) rows(ctx context.Context, program string, progress func(string)) ([]row, error) {
	var rows []row
	for _, n := range sizes {
		progress(fmt.Sprintf("opening a page of %d controls", n))
		t, err := b.open(ctx, fmt.Sprintf("/controls/%d", n))
		if err != nil {
			return nil, fmt.Errorf("a page of %d controls: %w", n, err)
		}
		rows = append(rows, b.onPage(t, n)...)
		if n == sizes[0] {
			verbs, err := b.byCommand(t, program)
			if err != nil {
				return nil, fmt.Errorf("the command line: %w", err)
			}
			rows = append(rows, verbs...)
		}
	}
	progress("opening the form")
	form, err := b.open(ctx, "/form")
	if err != nil {
		return nil, fmt.Errorf("the form: %w", err)
	}
	return append(rows, b.form(form)), nil
}

// act makes an action something to measure.
func (b *bench) act(action protocol.Action) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := b.do(ctx, action)
		return err
	}
}

// onPage compares on a page of n controls: everything on the smallest, on the others what might grow with the page.
func (b *bench) onPage(t *tab, n int) []row {
	click := protocol.Click{Page: t.page, Target: t.ref("button Press")}
	tree := protocol.Snapshot{Page: t.page, Interactive: true}
	read := protocol.Extract{Page: t.page}
	clickLimit := 3.0
	if n > sizes[0] {
		clickLimit = 5
	}
	walk := func(ctx context.Context) error { return t.raw.Walk(ctx, n) }
	rows := []row{
		{
			name: "click", limit: clickLimit, runs: 40, family: "click", size: n, sample: click, apart: thinking, drawn: t.raw,
			ours: b.act(click), floor: func(ctx context.Context) error { return t.raw.Click(ctx, "#button") },
		},
		{
			name: "snapshot, interactive", limit: 2, runs: 12, family: "snapshot", size: n, sample: tree, floor: walk,
			ours: func(ctx context.Context) error {
				answer, err := b.do(ctx, tree)
				if got, ok := answer.(protocol.SnapshotResult); ok && len(got.Refs) < n {
					return fmt.Errorf("the snapshot has %d refs, expected %d", len(got.Refs), n)
				}
				return err
			},
		},
		{
			name: "extract", limit: 4, runs: 12, family: "extract", size: n, sample: read, floor: walk,
			ours: func(ctx context.Context) error {
				answer, err := b.do(ctx, read)
				if got, ok := answer.(protocol.ExtractResult); ok && (len(got.Elements) != 200 || len(got.Markdown) < 3<<10) {
					return fmt.Errorf("the extract has %d elements and %d bytes of markdown", len(got.Elements), len(got.Markdown))
				}
				return err
			},
		},
	}
	if n > sizes[0] {
		return rows
	}
	return append(rows, b.once(t)...)
}

// once compares what does not depend on the page's size.
func (b *bench) once(t *tab) []row {
	text := twenty
	hover := protocol.Hover{Page: t.page, Target: t.ref("button Press")}
	typing := protocol.Type{Page: t.page, Target: t.ref("textbox First text"), Text: &text, Clear: true}
	shot := protocol.Screenshot{Page: t.page}
	values := []string{"One", "Two"}
	ours, floor := 0, 0
	choose := func(i int) protocol.Select {
		return protocol.Select{Page: t.page, Target: t.ref("combobox Choice"), Values: values[i%2 : i%2+1]}
	}
	return []row{
		{
			name: "type 20 characters", limit: 3, runs: 40, sample: typing,
			ours: b.act(typing), floor: func(ctx context.Context) error { return t.raw.Fill(ctx, "#text", twenty) },
		},
		{
			name: "hover", limit: 5, runs: 40, sample: hover, drawn: t.raw,
			ours: b.act(hover), floor: func(ctx context.Context) error { return t.raw.Hover(ctx, "#button") },
		},
		{
			name: "select", limit: 40, runs: 20, sample: choose(0),
			ours: func(ctx context.Context) error {
				ours++
				return b.act(choose(ours))(ctx)
			},
			floor: func(ctx context.Context) error {
				floor++
				return t.raw.Choose(ctx, "#choice", values[floor%2])
			},
		},
		{
			name: "screenshot", limit: 3, runs: 12, sample: shot,
			ours: b.act(shot), floor: t.raw.Screenshot,
		},
	}
}
