package server

import (
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// prove signs a browser's nonce. A browser that sent none knows no key: it gets the key with its device token, to know the server by
// from then on.
func (s *Server) prove(sock *socket, browserID, nonce string, ack *protocol.Ack) error {
	if nonce == "" {
		if ack.DeviceToken != "" {
			ack.ServerKey = s.publicKey
		}
		return nil
	}
	proof, err := protocol.Prove(s.store.ServerKey(), sock.host, browserID, nonce)
	if err != nil {
		return err
	}
	ack.ServerKey, ack.Proof = proof.Key, proof.Signature
	return nil
}
