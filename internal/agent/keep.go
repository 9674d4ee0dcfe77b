package agent

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"

	"github.com/drawbridge-browser/drawbridge/internal/files"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// File returns a file that is kept for the caller's user, or files.ErrNotFound. It needs the scope agent.
func (d *Desk) File(caller Caller, id string) (files.File, error) {
	if err := allowed(caller, store.ScopeAgent); err != nil {
		return files.File{}, err
	}
	return d.files.Get(caller.Identity.User, id)
}

// keep has an action done and keeps what it brings. Of a download it asks for all the parts.
func (d *Desk) keep(ctx context.Context, caller Caller, request Request) (Answer, error) {
	switch request.Action.(type) {
	case protocol.Screenshot, protocol.PDF, protocol.Download:
	default:
		return Answer{}, protocol.Errorf(protocol.CodeInvalidAction, "%s brings no bytes to keep as a file: only screenshot, pdf and download do; leave as out", protocol.TypeOf(request.Action))
	}
	var all []byte
	var events []protocol.Event
	for {
		answer, err := d.once(ctx, caller, request)
		events = append(events, answer.Events...)
		answer.Events = events
		if err != nil {
			return answer, err
		}
		part, err := partOf(answer.Result)
		if err != nil {
			return Answer{BrowserID: answer.BrowserID, Events: events}, err
		}
		if part.lacks {
			return answer, nil
		}
		if int64(len(all)+len(part.data)) > files.MaxFile || part.size > files.MaxFile {
			return Answer{BrowserID: answer.BrowserID, Events: events}, tooLarge()
		}
		all = append(all, part.data...)
		if asked, ok := request.Action.(protocol.Download); ok && part.next > asked.From {
			asked.From = part.next
			request.Action = asked
			continue
		}
		return d.shelve(caller, answer, part, all)
	}
}

func tooLarge() *protocol.Error {
	return protocol.Errorf(protocol.CodeUnsupported, "the file has more than the %d bytes that are kept of one: ask for it without as, part by part", files.MaxFile).WithOutcome(protocol.Done).
		WithHint("Ask without as: each answer brings a part, and its next is the following call's from.")
}

// shelve keeps the bytes that an answer brought and makes the answer say where.
func (d *Desk) shelve(caller Caller, answer Answer, part part, data []byte) (Answer, error) {
	kept, err := d.files.Put(caller.Identity.User, part.name, part.mimeType, data)
	if errors.Is(err, files.ErrTooLarge) {
		return Answer{BrowserID: answer.BrowserID, Events: answer.Events}, tooLarge()
	}
	if err == nil {
		answer.Result = part.rest
		answer.Raw, err = json.Marshal(part.rest)
	}
	if err != nil {
		return Answer{BrowserID: answer.BrowserID, Events: answer.Events}, protocol.Errorf(protocol.CodeInternal, "the file could not be kept: %v", err).WithOutcome(protocol.Done)
	}
	answer.File = &protocol.FileInfo{
		ID: kept.ID, Name: kept.Name, MimeType: kept.MimeType, Size: int64(len(data)), ExpiresAt: kept.Expires.UnixMilli(),
	}
	return answer, nil
}

// part is what one result brings of a file.
type part struct {
	name, mimeType string
	data           []byte
	size           int64           // of the whole file, where the browser says so
	next           int64           // where the next part begins; 0 for the last
	rest           protocol.Result // the result without the bytes
	lacks          bool            // if true, there are no bytes, and the result says why
}

// partOf takes the bytes out of a result.
func partOf(result protocol.Result) (part, error) {
	var p part
	var data string
	switch r := result.(type) {
	case protocol.ScreenshotResult:
		p, data = part{name: "screenshot" + files.Ending(r.MimeType), mimeType: r.MimeType}, r.Data
		r.Data = ""
		p.rest = r
	case protocol.PDFResult:
		p, data = part{name: "page.pdf", mimeType: r.MimeType}, r.Data
		r.Data = ""
		p.rest = r
	case protocol.DownloadResult:
		p, data = part{name: r.Name, mimeType: r.MimeType, size: r.Size, next: r.Next, lacks: r.State != "complete"}, r.Data
		r.Data, r.Next = "", 0
		p.rest = r
	}
	var err error
	if p.data, err = base64.StdEncoding.DecodeString(data); err != nil {
		return p, protocol.Errorf(protocol.CodeInternal, "the browser sent a file that is no base64: ask again, and update the extension if it stays so").WithOutcome(protocol.Done)
	}
	return p, nil
}
