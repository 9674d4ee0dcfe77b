// Package dialect translates between a browser's frames and protocol's structs.
//
// A dialect is a stateless hub.Codec: whatever a connection remembers, the hub
// remembers. Which dialect a browser speaks is told by its first frame: Sniff.
package dialect
