package chromium

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// ErrClosed says that the debugging pipe is closed: the browser has ended or is being stopped.
var ErrClosed = errors.New("the browser's debugging pipe is closed")

// CallError is the browser's refusal of one command.
type CallError struct {
	// Method is the command, such as "Target.closeTarget".
	Method string `json:"-"`
	// Code is the protocol's number, such as -32601 for an unknown command.
	Code int `json:"code"`
	// Message is the browser's own text.
	Message string `json:"message"`
}

// Error names the command and gives the browser's text.
func (e *CallError) Error() string {
	return fmt.Sprintf("%s: %s (%d)", e.Method, e.Message, e.Code)
}

// frame is one message on the pipe, in either direction; a zero byte ends it.
type frame struct {
	ID        int64           `json:"id,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *CallError      `json:"error,omitempty"`
}

type pendingCall struct {
	method  string
	session string
	answer  chan answer // buffered for one: the reader never waits for a caller
}

type answer struct {
	result json.RawMessage
	err    error
}

type listener struct {
	session, method string
	fn              func(json.RawMessage)
}

// pipe is the debugging connection: one reader goroutine, writes under a lock.
type pipe struct {
	// fixed at creation
	r    io.ReadCloser
	w    io.WriteCloser
	done chan struct{} // closed when the reader has ended: nothing is answered any more

	writeMu sync.Mutex

	mu        sync.Mutex
	closed    bool // if true, no call is accepted any more
	lastID    int64
	pending   map[int64]*pendingCall
	listeners map[int64]listener
}

func newPipe(r io.ReadCloser, w io.WriteCloser) *pipe {
	p := &pipe{r: r, w: w, done: make(chan struct{}), pending: map[int64]*pendingCall{}, listeners: map[int64]listener{}}
	go p.read()
	return p
}

// read is the only reader. It ends with the browser, or when close shuts the descriptors.
func (p *pipe) read() {
	defer close(p.done)
	reader := bufio.NewReaderSize(p.r, 1<<16)
	for {
		raw, err := reader.ReadBytes(0)
		if err != nil {
			break
		}
		var f frame
		// A message that cannot be read has no id to fail; its caller ends with its context.
		if json.Unmarshal(bytes.TrimSuffix(raw, []byte{0}), &f) == nil {
			p.dispatch(f)
		}
	}
	p.mu.Lock()
	p.closed = true
	pending := p.pending
	p.pending = map[int64]*pendingCall{}
	p.mu.Unlock()
	for _, call := range pending {
		call.answer <- answer{err: fmt.Errorf("%s: %w", call.method, ErrClosed)}
	}
}

func (p *pipe) dispatch(f frame) {
	if f.Method == "" {
		p.mu.Lock()
		call, ok := p.pending[f.ID]
		delete(p.pending, f.ID)
		p.mu.Unlock()
		if !ok {
			return
		}
		if f.Error != nil {
			f.Error.Method = call.method
			call.answer <- answer{err: f.Error}
			return
		}
		call.answer <- answer{result: f.Result}
		return
	}
	if f.Method == "Target.detachedFromTarget" {
		p.failSession(f.Params)
	}
	p.mu.Lock()
	var hear []func(json.RawMessage)
	for _, l := range p.listeners {
		if l.session == f.SessionID && l.method == f.Method {
			hear = append(hear, l.fn)
		}
	}
	p.mu.Unlock()
	for _, fn := range hear {
		fn(f.Params)
	}
}

// failSession ends the calls of a session whose target is gone: the browser does not answer those.
func (p *pipe) failSession(params json.RawMessage) {
	var gone struct {
		SessionID string `json:"sessionId"`
	}
	if json.Unmarshal(params, &gone) != nil || gone.SessionID == "" {
		return
	}
	p.mu.Lock()
	var failed []*pendingCall
	for id, call := range p.pending {
		if call.session == gone.SessionID {
			delete(p.pending, id)
			failed = append(failed, call)
		}
	}
	p.mu.Unlock()
	for _, call := range failed {
		call.answer <- answer{err: &CallError{Method: call.method, Code: -32001, Message: "the target is gone"}}
	}
}

// call sends one command and waits for its answer, the context's end or the pipe's. result may be nil.
func (p *pipe) call(ctx context.Context, session, method string, params, result any) error {
	var raw json.RawMessage
	if params != nil {
		encoded, err := json.Marshal(params)
		if err != nil {
			return fmt.Errorf("%s: encode parameters: %v", method, err)
		}
		raw = encoded
	}
	call := &pendingCall{method: method, session: session, answer: make(chan answer, 1)}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return fmt.Errorf("%s: %w", method, ErrClosed)
	}
	p.lastID++
	id := p.lastID
	p.pending[id] = call
	p.mu.Unlock()
	if err := p.send(frame{ID: id, SessionID: session, Method: method, Params: raw}); err != nil {
		p.forget(id)
		return fmt.Errorf("%s: %w", method, ErrClosed)
	}
	select {
	case got := <-call.answer:
		if got.err != nil || result == nil {
			return got.err
		}
		if err := json.Unmarshal(got.result, result); err != nil {
			return fmt.Errorf("%s: decode the answer: %v", method, err)
		}
		return nil
	case <-ctx.Done():
		p.forget(id)
		return fmt.Errorf("%s: no answer from the browser: %w", method, context.Cause(ctx))
	}
}

func (p *pipe) forget(id int64) {
	p.mu.Lock()
	delete(p.pending, id)
	p.mu.Unlock()
}

func (p *pipe) send(f frame) error {
	raw, err := json.Marshal(f)
	if err != nil {
		return err
	}
	p.writeMu.Lock()
	defer p.writeMu.Unlock()
	_, err = p.w.Write(append(raw, 0))
	return err
}

// listen calls fn on the reader's goroutine for each such event of the session ("" is the browser itself): fn must
// not wait for a call. The returned function ends it.
func (p *pipe) listen(session, method string, fn func(json.RawMessage)) func() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lastID++
	id := p.lastID
	p.listeners[id] = listener{session: session, method: method, fn: fn}
	return func() {
		p.mu.Lock()
		delete(p.listeners, id)
		p.mu.Unlock()
	}
}

// close shuts both ends, which makes the browser exit, and waits for the reader.
func (p *pipe) close() {
	_ = p.w.Close()
	_ = p.r.Close()
	<-p.done
}
