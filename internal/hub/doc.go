// Package hub knows which browsers are connected and carries each call to the right one.
//
// It speaks no HTTP, no NATS and no wire format: whoever accepts a socket
// authenticates it, wraps it in a Conn, picks the Codec of its dialect and
// attaches it; whoever acts for an agent calls Do.
//
//	agent ── Do ──▶ registry ── user, browser ──▶ Link ── outbox ──▶ writer ──▶ Conn
//	   ▲                                           │
//	   └───────── answer ◀── pending table ◀───────┴──────────────── reader ◀── Conn
//
// A Link is one connection of one browser. It has one reader and one writer
// goroutine; Run waits for both. The registry's mutex comes before a link's
// mutex where both are held, and neither is ever held across I/O, a callback
// or a wait: a full queue fails the call or ends the slow link, never the hub.
package hub
