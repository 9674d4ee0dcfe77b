package dialect

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// ref gives an element the name that pages methods take. A selector is looked up by a snapshot of what it selects: the first
// ref in it is the element's own only where the first line has one.
func (p *page) ref(ctx context.Context, uid, selector string) (string, error) {
	if uid != "" {
		return uid, nil
	}
	s, err := on[protocol.RPCPagesSnapshotResult](ctx, p, "pages.snapshot",
		protocol.RPCPagesSnapshot{SessionID: p.session, Selector: selector, Depth: 1, Cursor: true})
	if err != nil {
		return "", err
	}
	if m := firstRef.FindStringSubmatch(s.Snapshot); m != nil {
		return m[1], nil
	}
	return "", protocol.Errorf(protocol.CodeUnsupported,
		"the rpc dialect has no name for the element of selector %q, which cannot be acted on by itself: take a snapshot and use a uid", selector)
}

// firstRef finds the ref in a snapshot's first line.
var firstRef = regexp.MustCompile(`^[^\n]*\[ref=(e[0-9]+)\]`)

func (p *page) click(ctx context.Context, a protocol.Click) (protocol.Result, error) {
	ref, err := p.ref(ctx, a.UID, a.Selector)
	if err != nil {
		return nil, err
	}
	r, err := on[protocol.RPCPagesResult](ctx, p, "pages.click", protocol.RPCPagesRef{SessionID: p.session, Ref: ref})
	return protocol.ClickResult{Changed: p.changed(), OK: r.OK}, err
}

func (p *page) hover(ctx context.Context, a protocol.Hover) (protocol.Result, error) {
	ref, err := p.ref(ctx, a.UID, a.Selector)
	if err != nil {
		return nil, err
	}
	r, err := on[protocol.RPCPagesResult](ctx, p, "pages.hover", protocol.RPCPagesRef{SessionID: p.session, Ref: ref})
	return protocol.HoverResult{Changed: p.changed(), OK: r.OK}, err
}

func (p *page) typeText(ctx context.Context, a protocol.Type) (protocol.Result, error) {
	ref, err := p.ref(ctx, a.UID, a.Selector)
	if err != nil {
		return nil, err
	}
	if a.Clear {
		if _, err := p.give(ctx, "pages.fill", ref, ""); err != nil {
			return nil, err
		}
	}
	value, err := p.give(ctx, "pages.type", ref, *a.Text)
	if err != nil {
		return nil, err
	}
	err = p.submit(ctx, a.Submit)
	return protocol.TypeResult{Changed: p.changed(), OK: true, Value: value}, err
}

func (p *page) fill(ctx context.Context, a protocol.Fill) (protocol.Result, error) {
	ref, err := p.ref(ctx, a.UID, a.Selector)
	if err != nil {
		return nil, err
	}
	value, err := p.give(ctx, "pages.fill", ref, *a.Text)
	if err != nil {
		return nil, err
	}
	err = p.submit(ctx, a.Submit)
	return protocol.FillResult{Changed: p.changed(), OK: true, Value: value}, err
}

// give gives text to an element and reads its value back; nil where the browser does not tell it, as of a password.
func (p *page) give(ctx context.Context, method, ref, text string) (*string, error) {
	if _, err := on[protocol.RPCPagesResult](ctx, p, method, protocol.RPCPagesText{SessionID: p.session, Ref: ref, Text: text}); err != nil {
		return nil, err
	}
	return p.valueOf(ctx, ref)
}

func (p *page) valueOf(ctx context.Context, ref string) (*string, error) {
	got, err := on[protocol.RPCPagesGetResult](ctx, p, "pages.get", protocol.RPCPagesGet{SessionID: p.session, What: "value", Ref: ref})
	var refused *protocol.Error
	if errors.As(err, &refused) && !isCode(err, protocol.CodeTimeout, protocol.CodeNotConnected, protocol.CodeCancelled, protocol.CodeDomainBlocked) {
		return nil, nil // what was asked for is done; the element has left, or does not tell
	}
	return got.Value, err
}

func (p *page) submit(ctx context.Context, wanted bool) error {
	if !wanted {
		return nil
	}
	_, err := on[protocol.RPCPagesResult](ctx, p, "pages.press", protocol.RPCPagesPress{SessionID: p.session, Key: "Enter"})
	return err
}

func (p *page) choose(ctx context.Context, a protocol.Select) (protocol.Result, error) {
	ref, err := p.ref(ctx, a.UID, a.Selector)
	if err != nil {
		return nil, err
	}
	r, err := on[protocol.RPCPagesResult](ctx, p, "pages.select", protocol.RPCPagesSelect{SessionID: p.session, Ref: ref, Value: a.Values[0]})
	if err != nil {
		return nil, err
	}
	value, err := p.valueOf(ctx, ref)
	selected := []string{}
	if value != nil {
		selected = append(selected, *value)
	}
	return protocol.SelectResult{Changed: p.changed(), OK: r.OK, Selected: selected}, err
}

func (p *page) press(ctx context.Context, a protocol.Press) (protocol.Result, error) {
	r, err := on[protocol.RPCPagesResult](ctx, p, "pages.press", protocol.RPCPagesPress{SessionID: p.session, Key: a.Key})
	return protocol.PressResult{Changed: p.changed(), OK: r.OK}, err
}

// farthest is as far as one pages.scroll goes.
const farthest = 1_000_000

func (p *page) scroll(ctx context.Context, a protocol.Scroll) (protocol.Result, error) {
	direction, pixels := a.Direction, a.Pixels
	switch a.To {
	case "element":
		ref, err := p.ref(ctx, a.UID, a.Selector)
		if err != nil {
			return nil, err
		}
		if _, err := on[protocol.RPCPagesResult](ctx, p, "pages.scrollIntoView", protocol.RPCPagesRef{SessionID: p.session, Ref: ref}); err != nil {
			return nil, err
		}
	case "top", "bottom":
		direction, pixels = map[string]string{"top": "up", "bottom": "down"}[a.To], farthest
	}
	if direction != "" {
		if pixels == 0 {
			at, err := p.scrolled(ctx, direction)
			if err != nil {
				return nil, err
			}
			pixels = max(int(at.Height*7/8), 1)
		}
		if _, err := on[protocol.RPCPagesResult](ctx, p, "pages.scroll", protocol.RPCPagesScroll{SessionID: p.session, Direction: direction, Pixels: pixels}); err != nil {
			return nil, err
		}
	}
	at, err := p.scrolled(ctx, direction)
	return protocol.ScrollResult{Changed: p.changed(), OK: err == nil, X: at.X, Y: at.Y, AtEnd: at.End}, err
}

// place is where the page is scrolled to.
type place struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Height float64 `json:"height"`
	End    bool    `json:"end"`
}

func (p *page) scrolled(ctx context.Context, direction string) (place, error) {
	end := "scrollY + innerHeight >= document.documentElement.scrollHeight - 1"
	if direction == "up" {
		end = "scrollY <= 0"
	}
	var at place
	r, err := on[protocol.RPCPagesEvalResult](ctx, p, "pages.eval",
		protocol.RPCPagesEval{SessionID: p.session, Script: "({x: scrollX, y: scrollY, height: innerHeight, end: " + end + "})"})
	if err != nil {
		return at, err
	}
	if err := json.Unmarshal(r.Result, &at); err != nil {
		return at, protocol.Errorf(protocol.CodeInternal, "the page does not say how far it is scrolled: %v", err).WithOutcome(protocol.Unknown)
	}
	return at, nil
}

func (p *page) mouse(ctx context.Context, a protocol.Mouse) (protocol.Result, error) {
	kinds := []string{a.Kind}
	if a.Kind == "click" {
		kinds = []string{"move", "down", "up"}
	}
	ok := true
	for _, kind := range kinds {
		event := protocol.RPCPagesMouse{SessionID: p.session, Action: kind, X: &a.X, Y: &a.Y, DeltaX: a.DeltaX, DeltaY: a.DeltaY}
		if kind == "down" || kind == "up" {
			event.Button = a.Button
		}
		r, err := on[protocol.RPCPagesResult](ctx, p, "pages.mouse", event)
		if err != nil {
			return nil, err
		}
		ok = ok && r.OK
	}
	return protocol.MouseResult{Changed: p.changed(), OK: ok}, nil
}
