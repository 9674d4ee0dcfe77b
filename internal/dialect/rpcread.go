package dialect

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

func (p *page) wait(ctx context.Context, a protocol.WaitFor) (protocol.Result, error) {
	start := time.Now()
	r, err := on[protocol.RPCPagesWaitResult](ctx, p, "pages.wait", protocol.RPCPagesWait{SessionID: p.session, MS: a.MS, Load: a.Load})
	if r.WaitedMS == 0 {
		r.WaitedMS = time.Since(start).Milliseconds()
	}
	return protocol.WaitForResult{Changed: p.changed(), OK: r.OK, WaitedMS: r.WaitedMS}, err
}

func (p *page) snapshot(ctx context.Context, a protocol.Snapshot) (protocol.Result, error) {
	from := 0
	if a.From != "" {
		line, err := strconv.Atoi(strings.TrimPrefix(a.From, "l"))
		if err != nil || line < 0 || !strings.HasPrefix(a.From, "l") {
			return nil, protocol.Errorf(protocol.CodeInvalidAction, "from is not what an earlier snapshot gave as next; leave it out, or give that")
		}
		from = line
	}
	s, err := on[protocol.RPCPagesSnapshotResult](ctx, p, "pages.snapshot", protocol.RPCPagesSnapshot{
		SessionID: p.session, Interactive: a.Interactive, Compact: a.Compact, Cursor: a.Cursor, URLs: a.URLs, Depth: a.Depth, Selector: a.Selector,
	})
	if err != nil {
		return nil, err
	}
	text, next := cutLines(s.Snapshot, from, a.MaxBytes)
	r := protocol.SnapshotResult{
		Snapshot: text, Refs: s.Refs, Origin: s.Origin, Elements: max(s.Elements, len(s.Refs)), URL: p.now.URL, Title: p.now.Title, Next: next,
	}
	if s.Viewport != nil {
		r.Viewport = *s.Viewport
	}
	if from > 0 || next != "" {
		r.Refs = map[string]protocol.Ref{}
		for _, ref := range refsIn(text) {
			if entry, ok := s.Refs[ref]; ok {
				r.Refs[ref] = entry
			}
		}
	}
	return r, nil
}

// cutLines gives the lines from one on that fit into so many bytes, at least one, and where to go on.
func cutLines(text string, from, most int) (cut, next string) {
	lines := strings.Split(text, "\n")
	if from >= len(lines) {
		return "", ""
	}
	size, end := 0, from
	for end < len(lines) {
		size += len(lines[end]) + 1
		if most > 0 && size > most && end > from {
			break
		}
		end++
	}
	if end < len(lines) {
		next = "l" + strconv.Itoa(end)
	}
	return strings.Join(lines[from:end], "\n"), next
}

var refIn = regexp.MustCompile(`\[ref=(e[0-9]+)\]`)

// refsIn lists the refs of a snapshot in document order.
func refsIn(snapshot string) []string {
	var refs []string
	for _, m := range refIn.FindAllStringSubmatch(snapshot, -1) {
		refs = append(refs, m[1])
	}
	return refs
}

// elements lists what can be acted on in the page, in document order.
func (p *page) elements(ctx context.Context) ([]protocol.Element, error) {
	s, err := on[protocol.RPCPagesSnapshotResult](ctx, p, "pages.snapshot", protocol.RPCPagesSnapshot{SessionID: p.session, Interactive: true})
	if err != nil {
		return nil, err
	}
	found := []protocol.Element{}
	for _, ref := range refsIn(s.Snapshot) {
		if e, ok := s.Refs[ref]; ok {
			found = append(found, protocol.Element{UID: ref, Role: e.Role, Name: e.Name})
		}
	}
	return found, nil
}

func (p *page) find(ctx context.Context, a protocol.Find) (protocol.Result, error) {
	all, err := p.elements(ctx)
	if err != nil {
		return nil, err
	}
	limit := a.Limit
	if limit == 0 {
		limit = 20
	}
	r := protocol.FindResult{Elements: []protocol.Element{}}
	for _, e := range all {
		if a.Role != "" && !strings.EqualFold(e.Role, a.Role) || !strings.Contains(strings.ToLower(e.Name), strings.ToLower(a.Name)) {
			continue
		}
		if r.Total++; r.Total <= limit {
			r.Elements = append(r.Elements, e)
		}
	}
	return r, nil
}

func (p *page) extract(ctx context.Context, a protocol.Extract) (protocol.Result, error) {
	r := protocol.ExtractResult{Elements: []protocol.Element{}}
	for _, part := range a.Parts {
		switch part {
		case "elements":
			all, err := p.elements(ctx)
			if err != nil {
				return nil, err
			}
			r.Truncated = r.Truncated || len(all) > protocol.MaxElements
			r.Elements = all[:min(len(all), protocol.MaxElements)]
		case "text":
			got, err := on[protocol.RPCPagesGetResult](ctx, p, "pages.get", protocol.RPCPagesGet{SessionID: p.session, What: "text"})
			if err != nil {
				return nil, err
			}
			if got.Value != nil {
				most := protocol.TextBytes
				if a.MaxBytes > 0 {
					most = a.MaxBytes
				}
				r.Text = cutText(*got.Value, most)
				r.Truncated = r.Truncated || len(r.Text) < len(*got.Value)
			}
		}
	}
	r.URL, r.Title = p.now.URL, p.now.Title
	return r, nil
}

// cutText gives the beginning of a text, no character cut in two.
func cutText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

func (p *page) get(ctx context.Context, a protocol.Get) (protocol.Result, error) {
	params := protocol.RPCPagesGet{SessionID: p.session, What: a.What}
	if a.UID != "" || a.Selector != "" {
		ref, err := p.ref(ctx, a.UID, a.Selector)
		if err != nil {
			return nil, err
		}
		params.Ref = ref
	}
	got, err := on[protocol.RPCPagesGetResult](ctx, p, "pages.get", params)
	return protocol.GetResult{Value: got.Value, Box: got.Box}, err
}

func (p *page) screenshot(ctx context.Context, a protocol.Screenshot) (protocol.Result, error) {
	r, err := on[protocol.RPCPagesScreenshotResult](ctx, p, "pages.screenshot",
		protocol.RPCPagesScreenshot{SessionID: p.session, FullPage: a.FullPage, Format: a.Format, Quality: a.Quality})
	if err != nil {
		return nil, err
	}
	s := r.Screenshot
	return protocol.ScreenshotResult{Data: s.Data, MimeType: s.MimeType, Width: s.Width, Height: s.Height}, nil
}

func (p *page) pdf(ctx context.Context, a protocol.PDF) (protocol.Result, error) {
	r, err := on[protocol.RPCPagesSavePDFResult](ctx, p, "pages.savePdf",
		protocol.RPCPagesSavePDF{SessionID: p.session, PaperFormat: a.PaperFormat, Landscape: a.Landscape})
	if err != nil {
		return nil, err
	}
	if r.Data == "" {
		return nil, protocol.Errorf(protocol.CodeUnsupported, "this browser writes the PDF to its own disk and does not hand it over").WithOutcome(protocol.Done)
	}
	if r.MimeType == "" {
		r.MimeType = "application/pdf"
	}
	return protocol.PDFResult{Data: r.Data, MimeType: r.MimeType}, nil
}

// evaluation is the script for an expression: its value told apart from what JSON lacks, as over the bridge.
const evaluation = `(async () => {
const value = await (() => {
%s
})();
const tag = Object.prototype.toString.call(value).slice(8, -1);
const type = typeof value !== "object" || value === null ? typeof value
  : Array.isArray(value) ? "array" : typeof value.nodeType === "number" ? "node" : tag === "Object" ? "object" : tag.toLowerCase();
let json;
if (["string", "boolean", "object", "array"].includes(type) || (type === "number" && Number.isFinite(value))) {
  try { json = JSON.stringify(value); } catch {}
}
if (json === undefined) return {type, description: (typeof value === "symbol" ? value.toString() : ` + "`${value}`" + `).slice(0, 2000)};
if (new TextEncoder().encode(json).length <= %d) return {type, value: JSON.parse(json)};
return {type, preview: json.slice(0, 2000), rest: json.length - 2000};
})()`

// evaluationBytes is the largest value that evaluation gives whole: some extensions cut what a script gives at
// protocol.EvaluateBytes, and the value stands in an object.
const evaluationBytes = protocol.EvaluateBytes - 200

func (p *page) evaluate(ctx context.Context, a protocol.Evaluate) (protocol.Result, error) {
	r, err := on[protocol.RPCPagesEvalResult](ctx, p, "pages.eval",
		protocol.RPCPagesEval{SessionID: p.session, Script: fmt.Sprintf(evaluation, a.Expression, evaluationBytes), AwaitPromise: true})
	if isCode(err, protocol.CodeElementBlocked) { // the dialect has one code for all that a page refuses
		return nil, protocol.Errorf(protocol.CodeInvalidAction, "%v", err).WithOutcome(protocol.Done)
	}
	if err != nil {
		return nil, err
	}
	var said struct {
		Type        string          `json:"type"`
		Value       json.RawMessage `json:"value"`
		Description string          `json:"description"`
		Preview     string          `json:"preview"`
		Rest        int             `json:"rest"`
	}
	if err := json.Unmarshal(r.Result, &said); err != nil || said.Type == "" {
		return nil, protocol.Errorf(protocol.CodeInternal, "the page gave back something that was not the value of the expression").WithOutcome(protocol.Unknown)
	}
	result := protocol.EvaluateResult{Type: said.Type, Value: said.Value, Description: said.Description}
	if said.Preview != "" {
		result.Truncated, result.Preview = true, fmt.Sprintf("%s…[truncated %d chars]", said.Preview, said.Rest)
	}
	return result, nil
}
