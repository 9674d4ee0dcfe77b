package main

import (
	"context"
	"errors"
	"net"
	"sync"
)

// proxy stands between the extension and the server and spoils the line between them. It knows nothing of what passes.
type proxy struct {
	// fixed at creation
	listener net.Listener
	target   string
	wires    sync.WaitGroup

	mu    sync.Mutex
	open  map[*wire]struct{}
	pause chan struct{} // nothing passes until it is closed; nil while all passes
	ended bool
}

// wire is one connection through the proxy.
type wire struct {
	browser, server net.Conn
	deaf            chan struct{} // closed when nothing passes any more and neither end is told
	once            sync.Once
}

func openProxy(target string) (*proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{listener: listener, target: target, open: map[*wire]struct{}{}}
	p.wires.Go(p.accept)
	return p, nil
}

func (p *proxy) addr() string { return p.listener.Addr().String() }

func (p *proxy) accept() {
	for {
		browser, err := p.listener.Accept()
		if err != nil {
			return // closed
		}
		p.wires.Go(func() { p.join(browser) })
	}
}

func (p *proxy) join(browser net.Conn) {
	var dialer net.Dialer
	server, err := dialer.DialContext(context.Background(), "tcp", p.target)
	if err != nil {
		reset(browser) // as a port does at which nobody listens
		return
	}
	w := &wire{browser: browser, server: server, deaf: make(chan struct{})}
	p.mu.Lock()
	if p.ended {
		p.mu.Unlock()
		w.cut()
		return
	}
	p.open[w] = struct{}{}
	p.mu.Unlock()
	var both sync.WaitGroup
	both.Go(func() { p.pass(w, w.browser, w.server) })
	both.Go(func() { p.pass(w, w.server, w.browser) })
	both.Wait()
	p.mu.Lock()
	delete(p.open, w)
	p.mu.Unlock()
	w.cut()
}

// pass carries bytes from one end to the other until an end closes. Of a deaf wire the other end is never told.
func (p *proxy) pass(w *wire, from, to net.Conn) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		p.mu.Lock()
		pause := p.pause
		p.mu.Unlock()
		if pause != nil {
			<-pause
		}
		select {
		case <-w.deaf:
			if err != nil {
				return
			}
			continue
		default:
		}
		if n > 0 {
			if _, writeErr := to.Write(buf[:n]); writeErr != nil {
				err = errors.Join(err, writeErr)
			}
		}
		if err != nil {
			w.cut()
			return
		}
	}
}

// cut ends every connection with a reset.
func (p *proxy) cut() {
	for _, w := range p.list() {
		w.cut()
	}
}

// silence makes every connection deaf for good: both ends still believe in it. New ones work.
func (p *proxy) silence() {
	for _, w := range p.list() {
		w.once.Do(func() { close(w.deaf) })
	}
}

// hold stops everything on its way until the returned function is called, which lets it arrive.
func (p *proxy) hold() (release func()) {
	pause := make(chan struct{})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pause = pause
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.pause = nil
		close(pause)
	}
}

func (p *proxy) list() []*wire {
	p.mu.Lock()
	defer p.mu.Unlock()
	wires := make([]*wire, 0, len(p.open))
	for w := range p.open {
		wires = append(wires, w)
	}
	return wires
}

// close ends all and waits for it. Nothing may be on hold.
func (p *proxy) close() {
	p.mu.Lock()
	p.ended = true
	p.mu.Unlock()
	_ = p.listener.Close()
	p.cut()
	p.wires.Wait()
}

func (w *wire) cut() {
	reset(w.browser)
	reset(w.server)
}

// reset closes a connection so that its other end gets a reset instead of an orderly end.
func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close() // it may be closed already
}
