package server

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// copyWait is how long a browser is asked whether it still lives before a connection of the same id takes its place. Only a link that
// was cut without a word lasts so long that the wait is felt.
const copyWait = 2 * time.Second

// tellCopies gives a browser another identity if it is the copy of a profile: one of the same id is connected, and answers. The ack
// then tells the new id, and the token that goes with it; from then on both live side by side.
//
// The copy comes with the same token, since that was copied too: nothing that it could say of itself would tell the two apart.
func (s *Server) tellCopies(ctx context.Context, identity store.Identity, hello protocol.Hello, ack *protocol.Ack) (store.Identity, error) {
	if ack.DeviceToken != "" || !hub.NewCaps(hello.Caps).Has(protocol.CapBrowserID) {
		return identity, nil
	}
	asked, cancel := context.WithTimeout(ctx, copyWait)
	defer cancel()
	if !s.hub.Answers(asked, identity.User, identity.BrowserID) {
		return identity, nil
	}
	original := identity.BrowserID
	id := uuid.NewString()
	secret, token, err := s.store.Mint(ctx, store.NewToken{
		User: identity.User, Name: hello.BrowserName, Scopes: []store.Scope{store.ScopeBrowser}, BrowserID: id,
	})
	if err != nil {
		return identity, err
	}
	err = s.store.Audit(ctx, store.AuditEntry{
		Kind: protocol.AuditPaired, User: identity.User, TokenID: token.ID, BrowserID: id,
		Detail: hello.BrowserName + " (the profile of " + original + ", copied)",
	})
	if err != nil {
		return identity, err
	}
	s.log.Info("a copy of a browser's profile connected beside it, and got an id of its own", "browser", original, "copy", id)
	identity.BrowserID, identity.TokenID = id, token.ID
	ack.BrowserID, ack.DeviceToken = id, secret
	return identity, nil
}
