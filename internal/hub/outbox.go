package hub

// outbox is the bounded queue between the callers of one link and its writer.
// Control frames (cancel, ping, pong, policy) go first: a cancel must not wait
// behind the upload of somebody else. That never lets a cancel overtake its
// own request, since a cancel is only queued once its request was handed to
// the connection. Guarded by the mutex of its link.
type outbox struct {
	maxRequests int // fixed at creation
	maxControl  int // fixed at creation
	control     [][]byte
	requests    []*pendingCall
}

// pushControl queues a control frame; false when the queue is full, which only
// a peer that has stopped reading brings about.
func (o *outbox) pushControl(frame []byte) bool {
	if len(o.control) >= o.maxControl {
		return false
	}
	o.control = append(o.control, frame)
	return true
}

// pushRequest queues a call's request; false when the queue is full.
func (o *outbox) pushRequest(c *pendingCall) bool {
	if len(o.requests) >= o.maxRequests {
		return false
	}
	o.requests = append(o.requests, c)
	return true
}

// next takes the frame to be written next, nil when there is none. A request
// that it returns counts as sent from here on: whether the bytes reach the
// peer is no longer ours to know.
func (o *outbox) next() []byte {
	if len(o.control) > 0 {
		frame := o.control[0]
		o.control[0] = nil
		o.control = o.control[1:]
		return frame
	}
	for len(o.requests) > 0 {
		c := o.requests[0]
		o.requests[0] = nil
		o.requests = o.requests[1:]
		if c.retired {
			continue // its caller is gone: the peer need never hear of it
		}
		frame := c.frame
		c.frame, c.sent = nil, true
		return frame
	}
	return nil
}

// drop takes a call's request out, so that the slots of callers who gave up
// are free at once.
func (o *outbox) drop(c *pendingCall) {
	for i, queued := range o.requests {
		if queued == c {
			o.requests = append(o.requests[:i], o.requests[i+1:]...)
			return
		}
	}
}

// clear forgets everything that is queued.
func (o *outbox) clear() {
	o.control, o.requests = nil, nil
}
