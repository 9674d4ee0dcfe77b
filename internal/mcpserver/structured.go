package mcpserver

import "github.com/drawbridge-browser/drawbridge/protocol"

// structured is what an answer's text was written from. It is not cut to the budget of tokens, and what the page wrote stands in it
// without marks.
type structured struct {
	// Result is the action's result, as the reference of the actions describes it, less a file's bytes.
	Result protocol.Result `json:"result,omitempty"`
	// Page is the look at a page that has just been loaded.
	Page *protocol.SnapshotResult `json:"page,omitempty"`
	// Error is set in place of a result.
	Error  *protocol.Error     `json:"error,omitempty"`
	Events []protocol.AnyEvent `json:"events,omitempty"`
	// More is the word for the rest of the page that the browser did not send yet.
	More string `json:"more,omitempty"`
}

// with adds the structured content to an answer where the client wants it.
func (t *tool) with(content *structured, said Said) Said {
	if t.structured {
		said.structured = content
	}
	return said
}

// lean leaves out a file's bytes: they are a content of their own.
func lean(result protocol.Result) protocol.Result {
	switch r := result.(type) {
	case protocol.ScreenshotResult:
		r.Data = ""
		return r
	case protocol.PDFResult:
		r.Data = ""
		return r
	case protocol.DownloadResult:
		r.Data = ""
		return r
	}
	return result
}
