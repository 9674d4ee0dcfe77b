package e2e

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/drawbridge-browser/drawbridge/internal/chromium"
)

// treeNode is one element in both trees: what the snapshot tells of it, and what Chromium tells assistive software.
type treeNode struct {
	// key is the data-test-n that the test gave the element, and html its tag and attributes.
	key, tag, html string
	// line is the element's own line in the snapshot without its indentation; empty when it has none.
	line string
	// listed says that Chromium's tree has it; role and name are what it has there.
	listed     bool
	role, name string
	// facts are words on why one of the trees may leave the element out, as the page's boxes and attributes have it.
	facts []string
	// within are the keys of the elements that hold it, the nearest first.
	within []string
}

// world is the extension's isolated world of one frame, and the debugger's way to it.
type world struct {
	session *chromium.Session
	frame   string
	context string // unique id
}

// worlds are those of all frames of a page, also of frames in processes of their own.
func (f *trial) worlds() []world {
	f.t.Helper()
	sessions := []*chromium.Session{f.seen}
	targets, err := f.rig.browser.Targets(within(f.t))
	if err != nil {
		f.t.Fatal(err)
	}
	for _, target := range targets {
		if target.Type != "iframe" || !strings.Contains(target.URL, ".test/") {
			continue
		}
		session, err := f.rig.browser.Attach(within(f.t), target.ID)
		if err != nil {
			f.t.Fatal(err)
		}
		sessions = append(sessions, session)
	}
	var found []world
	origin := "chrome-extension://" + f.rig.browser.ExtensionID()
	for _, session := range sessions {
		type created struct {
			Context struct {
				Origin, UniqueID string
				AuxData          struct{ FrameID string }
			}
		}
		contexts := make(chan created, 256)
		stop := session.On("Runtime.executionContextCreated", func(params json.RawMessage) {
			var event created
			if json.Unmarshal(params, &event) == nil && event.Context.Origin == origin {
				contexts <- event
			}
		})
		// All that there are are announced before the answer.
		err := session.Call(within(f.t), "Runtime.enable", nil, nil)
		stop()
		if err != nil {
			f.t.Fatal(err)
		}
		for range len(contexts) {
			event := <-contexts
			found = append(found, world{session, event.Context.AuxData.FrameID, event.Context.UniqueID})
		}
	}
	return found
}

// trees reads both trees of the page. The snapshot must have been taken, so that the extension's world is in each frame.
func (f *trial) trees() []*treeNode {
	f.t.Helper()
	var all []*treeNode
	for i, w := range f.worlds() {
		nodes := f.outlined(w, fmt.Sprintf("f%d-", i))
		byKey := map[string]*treeNode{}
		for _, node := range nodes {
			byKey[node.key] = node
		}
		keys := map[int]string{}
		f.numbered(w, keys)
		f.inChromium(w, keys, byKey)
		all = append(all, nodes...)
	}
	return all
}

// outlined numbers the elements of a frame and asks the shipped page code for the outline of each by itself: that is
// the one way to know which line of a snapshot is whose.
func (f *trial) outlined(w world, prefix string) []*treeNode {
	f.t.Helper()
	var answer struct {
		Result           struct{ Value string }
		ExceptionDetails *struct {
			Exception struct{ Description string }
		}
	}
	if err := w.session.Call(within(f.t), "Runtime.evaluate", map[string]any{
		"expression": fmt.Sprintf("(%s)(%q)", outlineScript, prefix), "uniqueContextId": w.context, "returnByValue": true, "awaitPromise": true,
	}, &answer); err != nil {
		f.t.Fatal(err)
	}
	if answer.ExceptionDetails != nil {
		f.t.Fatal(answer.ExceptionDetails.Exception.Description)
	}
	var told []struct {
		Key, Tag, HTML, Line string
		Facts, Within        []string
	}
	if err := json.Unmarshal([]byte(answer.Result.Value), &told); err != nil {
		f.t.Fatal(err)
	}
	nodes := make([]*treeNode, len(told))
	for i, it := range told {
		nodes[i] = &treeNode{key: it.Key, tag: it.Tag, html: it.HTML, line: it.Line, facts: it.Facts, within: it.Within}
	}
	return nodes
}

// numbered finds the debugger's ids of the elements that were numbered.
func (f *trial) numbered(w world, keys map[int]string) {
	f.t.Helper()
	type domNode struct {
		BackendNodeID   int
		Attributes      []string
		Children        []json.RawMessage
		ShadowRoots     []json.RawMessage
		ContentDocument json.RawMessage
	}
	var document struct{ Root json.RawMessage }
	if err := w.session.Call(within(f.t), "DOM.getDocument", map[string]any{"depth": -1, "pierce": true}, &document); err != nil {
		f.t.Fatal(err)
	}
	var visit func(raw json.RawMessage)
	visit = func(raw json.RawMessage) {
		var node domNode
		if len(raw) == 0 || json.Unmarshal(raw, &node) != nil {
			return
		}
		for i := 0; i+1 < len(node.Attributes); i += 2 {
			if node.Attributes[i] == "data-test-n" {
				keys[node.BackendNodeID] = node.Attributes[i+1]
			}
		}
		for _, child := range append(node.Children, node.ShadowRoots...) {
			visit(child)
		}
		visit(node.ContentDocument)
	}
	visit(document.Root)
}

// inChromium adds what Chromium tells assistive software.
func (f *trial) inChromium(w world, keys map[int]string, byKey map[string]*treeNode) {
	f.t.Helper()
	var tree struct {
		Nodes []struct {
			Ignored          bool
			Role, Name       struct{ Value any }
			BackendDOMNodeID int
		}
	}
	if err := w.session.Call(within(f.t), "Accessibility.getFullAXTree", map[string]any{"frameId": w.frame}, &tree); err != nil {
		f.t.Fatal(err)
	}
	for _, it := range tree.Nodes {
		node := byKey[keys[it.BackendDOMNodeID]]
		if node == nil || it.Ignored {
			continue
		}
		node.listed = true
		node.role, _ = it.Role.Value.(string)
		node.name, _ = it.Name.Value.(string)
	}
}

// outlineScript numbers the elements of the composed tree and tells of each its own line of the snapshot. An element
// has a line of its own where its outline begins with one line that holds all others, and is not that of an element in it.
const outlineScript = `async prefix => {
	const open = el => el instanceof HTMLElement ? chrome.dom.openOrClosedShadowRoot(el) : el.shadowRoot;
	const all = [];
	const number = root => {
		for (const el of root.children) {
			all.push(el);
			const shadow = open(el);
			if (shadow) number(shadow);
			number(el);
		}
	};
	number(document);
	all.forEach((el, i) => el.setAttribute('data-test-n', prefix + i));
	const above = el => el.assignedSlot ?? el.parentElement ?? (el.getRootNode() instanceof ShadowRoot ? el.getRootNode().host : null);
	const below = el => {
		const shadow = open(el);
		if (shadow) return [...shadow.children];
		const slotted = el.localName === 'slot' ? el.assignedElements() : [];
		return slotted.length > 0 ? slotted : [...el.children];
	};
	const outlines = new Map();
	for (const [i, el] of all.entries()) {
		const key = prefix + i;
		const args = {selector: '[data-test-n="' + key + '"]', depth: 1000, interactive: false, compact: false, urls: false, cursor: false, call: 'test ' + key, mark: 0, budgetMs: 20000, fromLine: 0, maxBytes: 1e9};
		const {ok} = JSON.parse(await drawbridge.call('snapshot', JSON.stringify(args)));
		outlines.set(el, ok && ok.outline !== '' ? ok.outline.split('\n') : []);
	}
	const own = el => {
		const lines = outlines.get(el) ?? [];
		const [first = ''] = lines;
		if (first === '' || first.startsWith('- text "') || lines.slice(1).some(line => !line.startsWith(' '))) return '';
		const text = lines.join('\n');
		return below(el).some(child => (outlines.get(child) ?? []).join('\n') === text) ? '' : first;
	};
	const facts = el => {
		const told = [];
		const rect = el.getBoundingClientRect();
		if (!el.checkVisibility()) told.push('not rendered');
		else if (!el.checkVisibility({visibilityProperty: true})) told.push('visibility hidden');
		else if (!el.checkVisibility({opacityProperty: true})) told.push('transparent');
		if (rect.width <= 1 || rect.height <= 1) told.push('no size');
		if (rect.right + scrollX <= 0 || rect.bottom + scrollY <= 0) told.push('off screen');
		if (el.closest('[aria-hidden=true]')) told.push('aria-hidden');
		const root = el.getRootNode();
		if (root instanceof ShadowRoot && root.mode === 'closed') told.push('closed root');
		if (el.textContent.trim() === '') told.push('no text');
		return told;
	};
	return JSON.stringify(all.map((el, i) => {
		const within = [];
		for (let at = above(el); at; at = above(at)) within.push(at.getAttribute('data-test-n') ?? '');
		const shell = el.cloneNode(false);
		shell.removeAttribute('data-test-n');
		shell.removeAttribute('style');
		return {key: prefix + i, tag: el.localName, html: shell.outerHTML.slice(0, 160), line: own(el), facts: facts(el), within};
	}));
}`
