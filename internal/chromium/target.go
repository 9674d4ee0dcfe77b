package chromium

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// Target is one thing that the browser lets a debugger attach to.
type Target struct {
	// ID is the browser's id; for a page or frame it is the frame's id too.
	ID string `json:"targetId"`
	// Type is "page", "iframe", "service_worker", "tab" and others.
	Type string `json:"type"`
	// URL is the target's current address.
	URL string `json:"url"`
	// Title is the page's title.
	Title string `json:"title"`
	// OpenerID is the target that opened this one, if any.
	OpenerID string `json:"openerId,omitempty"`
}

// Call sends one command to the browser itself and decodes its answer into result, which may be nil. A refusal is a
// *CallError, an ended browser is ErrClosed.
func (b *Browser) Call(ctx context.Context, method string, params, result any) error {
	return b.pipe.call(ctx, "", method, params, result)
}

// Targets lists what there is now: pages, frames in processes of their own, workers.
func (b *Browser) Targets(ctx context.Context) ([]Target, error) {
	var list struct {
		TargetInfos []Target `json:"targetInfos"`
	}
	if err := b.Call(ctx, "Target.getTargets", nil, &list); err != nil {
		return nil, err
	}
	return list.TargetInfos, nil
}

// WaitTarget returns the first target that matches, now or later, until ctx ends. Match on the id, type
// or address: the browser does not announce a change of the title alone. It attaches to nothing, so that it keeps no
// worker alive.
func (b *Browser) WaitTarget(ctx context.Context, what string, match func(Target) bool) (Target, error) {
	found := make(chan Target, 1)
	offer := func(params json.RawMessage) {
		var event struct {
			TargetInfo Target `json:"targetInfo"`
		}
		if json.Unmarshal(params, &event) == nil && match(event.TargetInfo) {
			select {
			case found <- event.TargetInfo:
			default: // one is enough
			}
		}
	}
	defer b.pipe.listen("", "Target.targetCreated", offer)()
	defer b.pipe.listen("", "Target.targetInfoChanged", offer)()
	targets, err := b.Targets(ctx)
	if err != nil {
		return Target{}, err
	}
	for _, target := range targets {
		if match(target) {
			return target, nil
		}
	}
	select {
	case target := <-found:
		return target, nil
	case <-b.pipe.done:
		return Target{}, fmt.Errorf("wait for %s: %w", what, ErrClosed)
	case <-ctx.Done():
		return Target{}, fmt.Errorf("wait for %s: it did not appear: %w", what, context.Cause(ctx))
	}
}

// Worker returns the extension's service worker, waiting for it to start when it sleeps, until ctx ends.
func (b *Browser) Worker(ctx context.Context) (Target, error) {
	prefix := "chrome-extension://" + b.extensionID + "/"
	return b.WaitTarget(ctx, "the extension's worker", func(t Target) bool {
		return t.Type == "service_worker" && strings.HasPrefix(t.URL, prefix)
	})
}

// CloseTarget closes a page, or kills a worker, and returns when the browser has destroyed it. An event of the
// extension starts a killed worker again.
func (b *Browser) CloseTarget(ctx context.Context, id string) error {
	gone := make(chan struct{}, 1)
	defer b.pipe.listen("", "Target.targetDestroyed", func(params json.RawMessage) {
		var event struct {
			TargetID string `json:"targetId"`
		}
		if json.Unmarshal(params, &event) == nil && event.TargetID == id {
			select {
			case gone <- struct{}{}:
			default: // it is destroyed once
			}
		}
	})()
	if err := b.Call(ctx, "Target.closeTarget", map[string]any{"targetId": id}, nil); err != nil {
		return err
	}
	select {
	case <-gone:
		return nil
	case <-b.pipe.done:
		return fmt.Errorf("close target %s: %w", id, ErrClosed)
	case <-ctx.Done():
		return fmt.Errorf("close target %s: it is still there: %w", id, context.Cause(ctx))
	}
}

// Session is a debugger attached to one target, independent of the extension's own.
type Session struct {
	// TargetID is the target that it is attached to.
	TargetID string

	id   string
	pipe *pipe
}

// Attach attaches to a target. The extension's attachment to the same tab stays as it is.
func (b *Browser) Attach(ctx context.Context, targetID string) (*Session, error) {
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	if err := b.Call(ctx, "Target.attachToTarget", map[string]any{"targetId": targetID, "flatten": true}, &attached); err != nil {
		return nil, err
	}
	return &Session{TargetID: targetID, id: attached.SessionID, pipe: b.pipe}, nil
}

// OpenPage opens an address in a new tab beside the others, one of the browser's own pages or an extension's too, and
// attaches to it. The document has been committed when it returns; it may still be loading.
func (b *Browser) OpenPage(ctx context.Context, url string) (*Session, error) {
	var made struct {
		TargetID string `json:"targetId"`
	}
	// Empty first: what is evaluated in a tab that is being opened meets a document that is about to go.
	if err := b.Call(ctx, "Target.createTarget", map[string]any{"url": "about:blank", "background": true}, &made); err != nil {
		return nil, err
	}
	session, err := b.Attach(ctx, made.TargetID)
	if err != nil {
		return nil, err
	}
	var navigated struct {
		ErrorText string `json:"errorText"`
	}
	if err := session.Call(ctx, "Page.navigate", map[string]any{"url": url}, &navigated); err != nil {
		return nil, err
	}
	if navigated.ErrorText != "" {
		return nil, fmt.Errorf("open %s: %s", url, navigated.ErrorText)
	}
	return session, nil
}

// Call sends one command to the target and decodes its answer into result, which may be nil.
func (s *Session) Call(ctx context.Context, method string, params, result any) error {
	return s.pipe.call(ctx, s.id, method, params, result)
}

// On calls fn for each event of that name until the returned function is called. fn runs where answers are read: it
// must not wait for a call.
func (s *Session) On(method string, fn func(params json.RawMessage)) func() {
	return s.pipe.listen(s.id, method, fn)
}

// Evaluate runs a JavaScript expression in the target, awaits a promise, and decodes the value into result, which may
// be nil. A page's exception is an error with the page's text.
func (s *Session) Evaluate(ctx context.Context, expression string, result any) error {
	var answer struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		ExceptionDetails *struct {
			Text      string `json:"text"`
			Exception *struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	params := map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}
	if err := s.Call(ctx, "Runtime.evaluate", params, &answer); err != nil {
		return err
	}
	if details := answer.ExceptionDetails; details != nil {
		text := details.Text
		if details.Exception != nil && details.Exception.Description != "" {
			text = details.Exception.Description
		}
		return fmt.Errorf("evaluate %.80q: the page threw: %s", expression, text)
	}
	if result == nil || len(answer.Result.Value) == 0 {
		return nil
	}
	if err := json.Unmarshal(answer.Result.Value, result); err != nil {
		return fmt.Errorf("evaluate %.80q: decode the value: %v", expression, err)
	}
	return nil
}

// Detach ends this attachment and leaves the target alone.
func (s *Session) Detach(ctx context.Context) error {
	return s.pipe.call(ctx, "", "Target.detachFromTarget", map[string]any{"sessionId": s.id}, nil)
}
