// Package rawcdp does what an agent asks for by the debugging protocol alone: the floor that the benchmarks measure against.
package rawcdp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/drawbridge-browser/drawbridge/internal/chromium"
)

// Page does what an agent asks for as a driver does it that speaks to the browser directly: the least that does it, one
// command after the other, with elements that were found beforehand as an agent's refs were.
type Page struct {
	// Session is the attachment to the page.
	Session *chromium.Session
	// objects are the elements that were found, by their selector.
	objects map[string]string
}

// New drives the page that a session is attached to.
func New(session *chromium.Session) *Page {
	return &Page{Session: session, objects: map[string]string{}}
}

// Draw has the page draw frame after frame until stop is called, as it does where somebody looks at it. One that nobody looks at
// draws one a second, and hears of the pointer's moves with its frames.
func (r *Page) Draw(ctx context.Context) (stop func() error, err error) {
	frames := make(chan int64, 8)
	off := r.Session.On("Page.screencastFrame", func(params json.RawMessage) {
		var frame struct{ SessionID int64 }
		if json.Unmarshal(params, &frame) == nil {
			select {
			case frames <- frame.SessionID:
			default: // the page waits for its answers and sends no more than a few ahead
			}
		}
	})
	drawing, end := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case id := <-frames:
				_ = r.call(drawing, "Page.screencastFrameAck", map[string]any{"sessionId": id})
			case <-drawing.Done():
				return
			}
		}
	}()
	stop = func() error {
		off()
		end()
		<-done
		return r.call(ctx, "Page.stopScreencast", nil)
	}
	if err := r.call(ctx, "Page.startScreencast", map[string]any{"format": "jpeg", "quality": 1, "maxWidth": 16, "maxHeight": 16}); err != nil {
		return nil, errors.Join(err, stop())
	}
	return stop, nil
}

// Forget drops the elements that were found: another document is in the page now.
func (r *Page) Forget() { clear(r.objects) }

func (r *Page) call(ctx context.Context, method string, params map[string]any) error {
	return r.Session.Call(ctx, method, params, nil)
}

func (r *Page) object(ctx context.Context, selector string) (map[string]any, error) {
	if id := r.objects[selector]; id != "" {
		return map[string]any{"objectId": id}, nil
	}
	var found struct {
		Result struct {
			ObjectID string `json:"objectId"`
		} `json:"result"`
	}
	quoted, err := json.Marshal(selector)
	if err != nil {
		return nil, err
	}
	expression := map[string]any{"expression": "document.querySelector(" + string(quoted) + ")"}
	if err := r.Session.Call(ctx, "Runtime.evaluate", expression, &found); err != nil {
		return nil, err
	}
	if found.Result.ObjectID == "" {
		return nil, fmt.Errorf("the page has no %s", selector)
	}
	r.objects[selector] = found.Result.ObjectID
	return map[string]any{"objectId": found.Result.ObjectID}, nil
}

// point brings an element into view and says where it is.
func (r *Page) point(ctx context.Context, selector string) (x, y float64, err error) {
	element, err := r.object(ctx, selector)
	if err != nil {
		return 0, 0, err
	}
	if err := r.call(ctx, "DOM.scrollIntoViewIfNeeded", element); err != nil {
		return 0, 0, err
	}
	var box struct {
		Quads [][]float64 `json:"quads"`
	}
	if err := r.Session.Call(ctx, "DOM.getContentQuads", element, &box); err != nil {
		return 0, 0, err
	}
	if len(box.Quads) == 0 || len(box.Quads[0]) != 8 {
		return 0, 0, errors.New("the element has no box")
	}
	quad := box.Quads[0]
	return (quad[0] + quad[4]) / 2, (quad[1] + quad[5]) / 2, nil
}

// mouse sends events at an element: moved, pressed, released.
func (r *Page) mouse(ctx context.Context, selector string, kinds ...string) error {
	x, y, err := r.point(ctx, selector)
	if err != nil {
		return err
	}
	for _, kind := range kinds {
		event := map[string]any{"type": kind, "x": x, "y": y}
		if kind != "mouseMoved" {
			event["button"], event["clickCount"] = "left", 1
		}
		if err := r.call(ctx, "Input.dispatchMouseEvent", event); err != nil {
			return err
		}
	}
	return nil
}

// Click presses the left button on an element.
func (r *Page) Click(ctx context.Context, selector string) error {
	return r.mouse(ctx, selector, "mouseMoved", "mousePressed", "mouseReleased")
}

// Hover moves the pointer onto an element.
func (r *Page) Hover(ctx context.Context, selector string) error {
	return r.mouse(ctx, selector, "mouseMoved")
}

// run runs a function on an element and compares what it returns.
func (r *Page) run(ctx context.Context, selector, function, want string) error {
	element, err := r.object(ctx, selector)
	if err != nil {
		return err
	}
	element["functionDeclaration"], element["returnByValue"] = function, true
	var got struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
	}
	if err := r.Session.Call(ctx, "Runtime.callFunctionOn", element, &got); err != nil {
		return err
	}
	if got.Result.Value != want {
		return fmt.Errorf("%s holds %q, expected %q", selector, got.Result.Value, want)
	}
	return nil
}

// Fill replaces what a field holds, by trusted input, and reads it back.
func (r *Page) Fill(ctx context.Context, selector, text string) error {
	element, err := r.object(ctx, selector)
	if err != nil {
		return err
	}
	if err := r.call(ctx, "DOM.scrollIntoViewIfNeeded", element); err != nil {
		return err
	}
	if err := r.call(ctx, "DOM.focus", element); err != nil {
		return err
	}
	if err := r.run(ctx, selector, "function () { this.select(); return ''; }", ""); err != nil {
		return err
	}
	if err := r.call(ctx, "Input.insertText", map[string]any{"text": text}); err != nil {
		return err
	}
	return r.run(ctx, selector, "function () { return this.value; }", text)
}

// Choose chooses an option and reads it back.
func (r *Page) Choose(ctx context.Context, selector, value string) error {
	quoted, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return r.run(ctx, selector, `function () {
  this.value = `+string(quoted)+`;
  for (const type of ['input', 'change']) this.dispatchEvent(new Event(type, {bubbles: true}));
  return this.value;
}`, value)
}

// Screenshot takes a picture; a hidden tab gives one only while its screen is cast.
func (r *Page) Screenshot(ctx context.Context) error {
	cast := map[string]any{"format": "jpeg", "quality": 1, "maxWidth": 16, "maxHeight": 16}
	if err := r.call(ctx, "Page.startScreencast", cast); err != nil {
		return err
	}
	if err := r.call(ctx, "Page.captureScreenshot", map[string]any{"format": "png"}); err != nil {
		return err
	}
	return r.call(ctx, "Page.stopScreencast", nil)
}

// Walk reads style, rectangle and text of every element of the page; it fails on fewer than so many controls.
func (r *Page) Walk(ctx context.Context, controls int) error {
	const walk = `[...document.body.querySelectorAll('*')].map(element => {
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  return {tag: element.localName, text: element.textContent.slice(0, 100), x: box.x, y: box.y, width: box.width, height: box.height,
    visible: style.visibility === 'visible' && style.display !== 'none' && style.opacity !== '0', cursor: style.cursor};
})`
	var list []struct {
		Tag string `json:"tag"`
	}
	if err := r.Session.Evaluate(ctx, walk, &list); err != nil {
		return err
	}
	if len(list) < controls {
		return fmt.Errorf("the walk found %d elements, expected %d controls among them", len(list), controls)
	}
	return nil
}
