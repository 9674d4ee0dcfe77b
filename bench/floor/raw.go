package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/drawbridge-browser/drawbridge/internal/chromium"
)

// rawClicker is a click as a driver does it that speaks to the browser directly: bring the element into view, ask
// where it is, move, press, release. The element is resolved beforehand, as an agent's uid is.
func rawClicker(ctx context.Context, session *chromium.Session) (func(context.Context) error, error) {
	var found struct {
		Result struct {
			ObjectID string `json:"objectId"`
		} `json:"result"`
	}
	expression := map[string]any{"expression": "[...document.querySelectorAll('button')].find(b => b.textContent === 'Button 8')"}
	if err := session.Call(ctx, "Runtime.evaluate", expression, &found); err != nil {
		return nil, err
	}
	element := map[string]any{"objectId": found.Result.ObjectID}
	return func(ctx context.Context) error {
		if err := session.Call(ctx, "DOM.scrollIntoViewIfNeeded", element, nil); err != nil {
			return err
		}
		var box struct {
			Quads [][]float64 `json:"quads"`
		}
		if err := session.Call(ctx, "DOM.getContentQuads", element, &box); err != nil {
			return err
		}
		if len(box.Quads) == 0 || len(box.Quads[0]) != 8 {
			return errors.New("the element has no box")
		}
		quad := box.Quads[0]
		x, y := (quad[0]+quad[4])/2, (quad[1]+quad[5])/2
		for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
			event := map[string]any{"type": kind, "x": x, "y": y}
			if kind != "mouseMoved" {
				event["button"], event["clickCount"] = "left", 1
			}
			if err := session.Call(ctx, "Input.dispatchMouseEvent", event, nil); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// rawWalk reads style, rectangle and text of every element of the page and returns the list.
func rawWalk(ctx context.Context, session *chromium.Session, controls int) error {
	const walk = `[...document.body.querySelectorAll('*')].map(element => {
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  return {tag: element.localName, text: element.textContent.slice(0, 100), x: box.x, y: box.y, width: box.width, height: box.height,
    visible: style.visibility === 'visible' && style.display !== 'none' && style.opacity !== '0', cursor: style.cursor};
})`
	var list []struct {
		Tag string `json:"tag"`
	}
	if err := session.Evaluate(ctx, walk, &list); err != nil {
		return err
	}
	if len(list) < controls {
		return fmt.Errorf("the walk found %d elements, expected %d controls among them", len(list), controls)
	}
	return nil
}
