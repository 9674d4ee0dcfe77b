package client

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Batch has actions done one after the other and stops at the first error. The answers are those of the actions that were begun;
// when the last has an error it is also returned as one.
func (c *Client) Batch(ctx context.Context, actions ...protocol.ActRequest) ([]protocol.ActResponse, error) {
	asked := make([]protocol.ActRequest, len(actions))
	for i, a := range actions {
		if a.Browser == "" {
			a.Browser = c.browser
		}
		asked[i] = a
	}
	var response protocol.BatchResponse
	if err := c.call(ctx, http.MethodPost, "/v1/batch", protocol.BatchRequest{Actions: asked}, &response); err != nil {
		return nil, err
	}
	if n := len(response.Results); n > 0 && response.Results[n-1].Error != nil {
		return response.Results, response.Results[n-1].Error
	}
	return response.Results, nil
}

// RenameBrowser gives a browser, named by its id or name, another name, for good; empty gives it back the one that it says of itself.
// A name that another browser has is an error of code name_in_use. It needs a token of scope admin.
func (c *Client) RenameBrowser(ctx context.Context, browser, name string) (protocol.BrowserInfo, error) {
	var info protocol.BrowserInfo
	err := c.call(ctx, http.MethodPut, "/v1/browsers/"+url.PathEscape(browser)+"/name", protocol.RenameBrowserRequest{Name: name}, &info)
	return info, err
}

// Sessions lists who works in which tabs of the user's browsers.
func (c *Client) Sessions(ctx context.Context) ([]protocol.AgentSession, error) {
	var response protocol.SessionsResponse
	err := c.call(ctx, http.MethodGet, "/v1/sessions", nil, &response)
	return response.Sessions, err
}

// Leave ends the agent that this client is, by its session: its tabs stay open where they are and are the user's. It returns what
// the agent had. A browser that is away keeps its tabs for the agent; then the error says so.
func (c *Client) Leave(ctx context.Context) ([]protocol.AgentSession, error) {
	var response protocol.SessionsResponse
	err := c.call(ctx, http.MethodDelete, "/v1/sessions", nil, &response)
	return response.Sessions, err
}

// Tokens lists the user's tokens, the revoked ones too. It needs a token of scope admin.
func (c *Client) Tokens(ctx context.Context) ([]protocol.TokenInfo, error) {
	var response protocol.TokensResponse
	err := c.call(ctx, http.MethodGet, "/v1/tokens", nil, &response)
	return response.Tokens, err
}

// NewToken makes a token, which is told this once. It needs a token of scope admin.
func (c *Client) NewToken(ctx context.Context, name string, scopes ...string) (protocol.NewTokenResponse, error) {
	var response protocol.NewTokenResponse
	err := c.call(ctx, http.MethodPost, "/v1/tokens", protocol.NewTokenRequest{Name: name, Scopes: scopes}, &response)
	return response, err
}

// RevokeToken ends a token for good, and what is connected by it. It needs a token of scope admin.
func (c *Client) RevokeToken(ctx context.Context, id string) (protocol.TokenInfo, error) {
	var info protocol.TokenInfo
	err := c.call(ctx, http.MethodDelete, "/v1/tokens/"+url.PathEscape(id), nil, &info)
	return info, err
}

// Secrets lists the user's secrets, without their values. It needs a token of scope admin.
func (c *Client) Secrets(ctx context.Context) ([]protocol.SecretInfo, error) {
	var response protocol.SecretsResponse
	err := c.call(ctx, http.MethodGet, "/v1/secrets", nil, &response)
	return response.Secrets, err
}

// SetSecret keeps a value that agents of the same user may have typed by its name, on these origins only. It needs a token of
// scope admin.
func (c *Client) SetSecret(ctx context.Context, name, value string, origins ...string) (protocol.SecretInfo, error) {
	var info protocol.SecretInfo
	err := c.call(ctx, http.MethodPut, "/v1/secrets/"+url.PathEscape(name), protocol.SetSecretRequest{Value: value, Origins: origins}, &info)
	return info, err
}

// RemoveSecret forgets a secret. It needs a token of scope admin.
func (c *Client) RemoveSecret(ctx context.Context, name string) (protocol.SecretInfo, error) {
	var info protocol.SecretInfo
	err := c.call(ctx, http.MethodDelete, "/v1/secrets/"+url.PathEscape(name), nil, &info)
	return info, err
}

// Audit returns the last lines of the audit trail about the user, oldest first, at most limit (1 to protocol.MaxAuditLines). It
// needs a token of scope admin.
func (c *Client) Audit(ctx context.Context, limit int) ([]protocol.AuditEntry, error) {
	var response protocol.AuditResponse
	err := c.call(ctx, http.MethodGet, "/v1/audit?limit="+strconv.Itoa(limit), nil, &response)
	return response.Entries, err
}

// FollowAudit gives the lines that are written to the audit trail about the user, from now on, until ctx ends or the loop is
// left. An error is the last thing that it gives. It needs a token of scope admin.
func (c *Client) FollowAudit(ctx context.Context) iter.Seq2[protocol.AuditEntry, error] {
	return follow[protocol.AuditEntry](ctx, c, "/v1/audit/stream")
}

// Events gives what happens in the user's browsers, from now on, until ctx ends or the loop is left. An error is the last thing
// that it gives; the end of ctx is none.
func (c *Client) Events(ctx context.Context) iter.Seq2[protocol.Notice, error] {
	return follow[protocol.Notice](ctx, c, "/v1/events")
}

// Present says that the agent that this client is, by its session, is there, until ctx ends. When a process ends in the middle of it,
// however it does, the server gives the agent's tabs back some seconds later, as [Client.Leave] does. The session must have a name.
//
// It returns once the server knows. From then on the channel tells once why that is over: nil when ctx ended, else that the server or
// the network did.
func (c *Client) Present(ctx context.Context) (over <-chan error, err error) {
	body, err := c.open(ctx, "/v1/presence")
	if err != nil {
		return nil, err
	}
	said := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, body)
		_ = body.Close() // it has ended
		switch {
		case ctx.Err() != nil:
			said <- nil
		case err != nil:
			said <- c.failed(ctx, err)
		default:
			said <- c.ended()
		}
	}()
	return said, nil
}

// ended is the error of a stream that the server ended.
func (c *Client) ended() error {
	return protocol.Errorf(protocol.CodeNotConnected, "the server at %s ended the stream: it stops, or the token was revoked", c.base).
		WithHint("Read on once the server is back; if it is and says unauthorized, use another token.")
}

// maxEvent is the longest line of an event stream, in bytes.
const maxEvent = 4 << 20

// follow reads an event stream.
func follow[T any](ctx context.Context, c *Client, path string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		// Leaving the loop ends the request.
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		body, err := c.open(ctx, path)
		if err != nil {
			if ctx.Err() == nil {
				yield(none, err)
			}
			return
		}
		defer func() { _ = body.Close() }() // all that was wanted of it was read
		lines := bufio.NewScanner(body)
		lines.Buffer(nil, maxEvent)
		for lines.Scan() {
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			if !ok {
				continue
			}
			var event T
			if err := json.Unmarshal([]byte(data), &event); err != nil {
				yield(none, protocol.Errorf(protocol.CodeInternal, "an event cannot be read: %v", err).WithHint(newerHint))
				return
			}
			if !yield(event, nil) {
				return
			}
		}
		if ctx.Err() != nil {
			return
		}
		if err := lines.Err(); err != nil {
			yield(none, c.failed(ctx, err))
			return
		}
		yield(none, c.ended())
	}
}
