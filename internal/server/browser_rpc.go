package server

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"

	"github.com/drawbridge-browser/drawbridge/internal/dialect"
	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// defaultName is what a browser of the rpc dialect goes by that names itself nothing.
const defaultName = "default"

// admitRPC checks the auth of the rpc dialect and attaches the browser, as admit does with a hello. What is wrong with the token is
// told by the close code alone: the dialect has no words for it.
func (s *Server) admitRPC(sock *socket, first []byte) (*hub.Link, error) {
	codec := dialect.RPC{}
	auth, err := codec.Auth(first)
	if err != nil {
		return nil, &refusal{code: protocol.CloseUnauthorized, name: "no_hello", err: err}
	}
	ctx, cancel := context.WithTimeout(context.Background(), protocol.HandshakeTimeout)
	defer cancel()
	identity, err := s.store.Resolve(ctx, auth.Token)
	switch {
	case errors.Is(err, store.ErrNotFound), err == nil && !identity.Has(store.ScopeBrowser):
		return nil, &refusal{code: protocol.CloseUnauthorized, name: "unauthorized", err: errors.New("unauthorized: the token is unknown, was revoked, or is not for browsers")}
	case err != nil:
		return nil, err
	}
	name := auth.Name
	if name == "" {
		name = defaultName
	}
	peer := hub.Peer{
		BrowserID: identity.BrowserID, Name: name, Exclusive: true, Instance: auth.InstanceID, Caps: codec.Caps(),
	}
	if peer.BrowserID == "" { // the name stands for the browser, whatever token it comes with
		peer.BrowserID = uuid.NewSHA1(uuid.NameSpaceURL, []byte(identity.User+"/"+strings.ToLower(name))).String()
	}
	ack := protocol.Ack{BrowserName: name}
	if err := s.prove(sock, auth.InstanceID, auth.Nonce, &ack); err != nil {
		return nil, err
	}
	sock.ws.SetReadLimit(peer.FrameLimit())
	sock.tokenID = identity.TokenID
	link, err := s.hub.Attach(identity.User, peer, sock, codec)
	if errors.Is(err, hub.ErrNameInUse) {
		e := protocol.Errorf(protocol.CodeNameInUse, "%v", err)
		return nil, &refusal{code: protocol.CloseUnauthorized, reject: e, codec: codec, name: "name_in_use", err: e}
	}
	if err != nil {
		err = attachRefusal(err)
		var no *refusal
		if errors.As(err, &no) {
			no.codec = codec
		}
		return nil, err
	}
	welcome(ctx, sock, link, codec, nil, ack)
	return link, nil
}
