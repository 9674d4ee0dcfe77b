package server

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// ponging answers each ping until the connection ends, as a living extension does.
func (p *peer) ponging() {
	for {
		_, raw, err := p.ws.Read(p.t.Context())
		if err != nil {
			return
		}
		if f, err := protocol.DecodeFrame(raw); err == nil && f == (protocol.Ping{}) {
			p.sendFrame(protocol.Pong{})
		}
	}
}

func TestCopiedProfileGetsAnIdOfItsOwn(t *testing.T) {
	h := start(t, Options{})
	original, device := h.pair(idA)
	read := make(chan struct{})
	go func() {
		defer close(read)
		original.ponging()
	}()
	t.Cleanup(func() {
		original.ws.CloseNow()
		<-read
	})
	frame := hello(device, idA)
	frame.Nonce, frame.ConnectionSeq = nonce, 1 // copied too: it need not be higher
	copied := h.open()
	copied.sendFrame(frame)
	ack, ok := copied.next().(protocol.Ack)
	if !ok || ack.BrowserID == "" || ack.BrowserID == idA || ack.DeviceToken == "" || ack.DeviceToken == device {
		t.Fatalf("the copy got %+v, expected another id and another token", ack)
	}
	if err := (protocol.Proof{Key: ack.ServerKey, Signature: ack.Proof}).Check(h.srv.fingerprint, h.srv.Addr(), idA, nonce); err != nil {
		t.Errorf("the proof is not for the id that the copy came with: %v", err)
	}
	browsers, err := h.client.Browsers(t.Context())
	if err != nil || len(browsers) != 2 || !browsers[0].Connected || !browsers[1].Connected {
		t.Fatalf("the browsers are %+v (%v), expected two, connected", browsers, err)
	}
	// What it was given is good, and for that id alone; the original's is as it was.
	copied.ws.CloseNow()
	if _, again := h.join(ack.DeviceToken, ack.BrowserID); again.BrowserID != "" {
		t.Errorf("back again it was given the id %s", again.BrowserID)
	}
	if code, _ := h.rejected(encoded(t, hello(ack.DeviceToken, idA))); code != protocol.CloseUnauthorized {
		t.Errorf("the copy's token lets the original's id in: closed with %d", code)
	}
}

func TestDeadConnectionOfTheSameBrowserIsReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := start(t, Options{listen: listen})
		cut, device := h.pair(idA) // says nothing more: its network is gone, and no FIN ever comes
		frame := hello(device, idA)
		frame.ConnectionSeq = 2
		begun := time.Now()
		p := h.open()
		p.sendFrame(frame)
		if ack, ok := p.next().(protocol.Ack); !ok || ack.BrowserID != "" || ack.DeviceToken != "" {
			t.Errorf("the same browser, back again, got %+v", ack)
		}
		if took := time.Since(begun); took != copyWait {
			t.Errorf("it was let in after %v, expected %v", took, copyWait)
		}
		if code, _ := cut.closed(); code != protocol.CloseReplaced {
			t.Errorf("the dead one was closed with %d", code)
		}
	})
}

// An extension that cannot take another id is let in as it always was: the last one wins.
func TestCopyThatCannotTakeAnotherId(t *testing.T) {
	h := start(t, Options{})
	original, device := h.pair(idA)
	read := make(chan int, 1)
	go func() {
		code, _ := original.closed()
		read <- code
	}()
	frame := hello(device, idA)
	frame.ConnectionSeq = 2
	frame.Caps = []string{protocol.CapAck, protocol.CapPing, "click"}
	p := h.open()
	p.sendFrame(frame)
	if ack, ok := p.next().(protocol.Ack); !ok || ack.BrowserID != "" {
		t.Errorf("it got %+v", ack)
	}
	if code := <-read; code != protocol.CloseReplaced {
		t.Errorf("the earlier one was closed with %d", code)
	}
}
