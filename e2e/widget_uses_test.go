package e2e

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// uses are what people do with the widgets of a page, by what they do. Each is done with our actions on a fresh copy of
// the page, and the page says what came of it.
type uses map[string]func(*trial)

// tryOut has all uses of a page done. The page sets ready to true when its widgets are up.
func (u uses) tryOut(t *testing.T, page string) {
	t.Helper()
	if modules, err := importMap(); err != nil {
		t.Fatal(err)
	} else {
		page = strings.Replace(page, importMapMark, `<script type="importmap">`+modules+`</script>`, 1)
	}
	for _, name := range slices.Sorted(maps.Keys(u)) {
		t.Run(name, func(t *testing.T) {
			f := &trial{agent: sharedRig(t).newAgent(t)}
			f.load(page)
			f.until("typeof ready === 'undefined' ? false : ready", "true")
			u[name](f)
		})
	}
}

// dragOnto drags an element onto another.
func (f *trial) dragOnto(from, to protocol.Target) protocol.DragResult {
	f.t.Helper()
	return do[protocol.DragResult](f.agent, protocol.Drag{Page: f.page, From: from, To: &to})
}

// dragBy drags an element by so many CSS pixels, from its middle.
func (f *trial) dragBy(selector string, right, down float64) protocol.DragResult {
	f.t.Helper()
	f.scrolled(protocol.Scroll{MaybeTarget: protocol.MaybeTarget{Selector: selector}, To: "element"})
	box := do[protocol.GetResult](f.agent, protocol.Get{Page: f.page, MaybeTarget: protocol.MaybeTarget{Selector: selector}, What: "box"}).Box
	goal := protocol.Point{X: box.X + box.Width/2 + right, Y: box.Y + box.Height/2 + down}
	return do[protocol.DragResult](f.agent, protocol.Drag{Page: f.page, From: css(selector), Point: &goal})
}

// twice double clicks an element.
func (f *trial) twice(target protocol.Target) protocol.ClickResult {
	f.t.Helper()
	return do[protocol.ClickResult](f.agent, protocol.Click{Page: f.page, Target: target, Count: 2})
}

// named puts a name into an expression.
func named(expression, name string) string { return strings.ReplaceAll(expression, "%", name) }
