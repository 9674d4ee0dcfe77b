// Package client is the Go client of a Drawbridge server's HTTP API: it has actions done in a person's own browser.
//
//	c, err := client.New("http://127.0.0.1:47600", token, nil)
//	tab, err := client.Do[protocol.OpenTabResult](ctx, c, protocol.OpenTab{URL: "https://example.com/"})
//	page, err := client.Do[protocol.ExtractResult](ctx, c, protocol.Extract{Page: protocol.Page{TabID: tab.TabID}})
//
// Every error of a call is, or wraps, a *[protocol.Error]: branch on its code with errors.As, or with
// errors.Is(err, &protocol.Error{Code: protocol.CodeElementStale}).
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Options are the knobs of [New]; nil and the zero value are fine.
type Options struct {
	// HTTP does the requests; nil means a client of its own without a timeout, as an action may take minutes: the
	// context of each call limits it.
	HTTP *http.Client
	// Session keeps the tabs of this client apart from those of others that use the same token. Empty means the session that
	// all callers share who name none.
	Session string
	// Browser is the id or the name of the browser to act in. Empty means the only one connected.
	Browser string
}

// Client talks to one server with one token. It is safe for concurrent use, and need not be closed.
type Client struct {
	// fixed at creation
	base    string
	token   string
	http    *http.Client
	session string
	browser string
}

// New makes a client of the server at baseURL ("http://127.0.0.1:47600"). It does not connect yet. Off this machine it must be
// https: a token that anybody on the way can read is nobody's.
func New(baseURL, token string, opts *Options) (*Client, error) {
	u, err := url.Parse(baseURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("server address %q is no http or https address: expected one like http://127.0.0.1:47600", baseURL)
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("server address has a user, a query or a fragment: tokens are given separately, never in an address")
	}
	if u.Scheme == "http" && token != "" && !loopback(u.Hostname()) {
		return nil, fmt.Errorf("server address %q would carry the token unencrypted over the network: use https", baseURL)
	}
	c := &Client{base: strings.TrimSuffix(u.String(), "/"), token: token}
	if opts != nil {
		c.http, c.session, c.browser = opts.HTTP, opts.Session, opts.Browser
	}
	if c.http == nil {
		// A redirect would carry the token to wherever it leads; the API has none.
		c.http = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	return c, nil
}

// loopback tells whether a host is this machine itself.
func loopback(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback() || host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// ErrLost says that the connection to the server ended while a call was under way: what came of it can be asked for, by its
// CallKey and RecallMS, once a server runs again.
var ErrLost = errors.New("the connection to the server was lost")

// In returns a copy that acts in another browser, named by its id or name; empty means the only one connected.
func (c *Client) In(browser string) *Client {
	other := *c
	other.browser = browser
	return &other
}

// Answer is what came of an action.
type Answer struct {
	// Result is the JSON of the action's result; [Answer.Read] makes a struct of it.
	Result json.RawMessage
	// File is where the bytes are that the request wanted as a file; [Client.File] has them. It is nil where there are none.
	File *protocol.FileInfo
	// Events is what happened on the agent's tabs since its last answer.
	Events []protocol.Event
}

// Act has one action done and returns the answer as it came. Most callers want [Do].
//
// An error may come with events: then the answer holds those alone. When ctx ends first the error wraps ctx's, the action is
// cancelled, and its outcome is unknown.
func (c *Client) Act(ctx context.Context, request protocol.ActRequest) (Answer, error) {
	if request.Browser == "" {
		request.Browser = c.browser
	}
	if deadline, ok := ctx.Deadline(); ok && request.TimeoutMS == 0 {
		// Tells the server, so that the browser stops in time as well. An action's own default stands when it is shorter.
		left := time.Until(deadline)
		if left > 0 && request.Action.Action != nil && left < protocol.DefaultTimeout(request.Action.Action) {
			request.TimeoutMS = max(left.Milliseconds(), 1)
		}
	}
	var response protocol.ActResponse
	err := c.call(ctx, http.MethodPost, "/v1/act", request, &response)
	answer := Answer{Result: response.Result, File: response.File}
	for _, e := range response.Events {
		if e.Event != nil { // an event of a newer server
			answer.Events = append(answer.Events, e.Event)
		}
	}
	if err == nil && response.Result == nil {
		err = protocol.Errorf(protocol.CodeInternal, "the server answered with neither a result nor an error").
			WithOutcome(protocol.Unknown).WithHint(strangerHint)
	}
	return answer, err
}

// Read returns the result as the struct of protocol that belongs to the action that it came of.
func (a Answer) Read(action protocol.Action) (protocol.Result, error) {
	result, err := protocol.ReadResult(protocol.TypeOf(action), a.Result)
	if err != nil {
		return nil, protocol.Errorf(protocol.CodeInternal, "the answer cannot be read: %v", err).WithOutcome(protocol.Done).WithHint(newerHint)
	}
	return result, nil
}

// Do has one action done and returns its result, a struct of protocol.
func (c *Client) Do(ctx context.Context, action protocol.Action) (protocol.Result, error) {
	answer, err := c.Act(ctx, protocol.ActRequest{Action: protocol.AnyAction{Action: action}})
	if err != nil {
		return nil, err
	}
	return answer.Read(action)
}

// Do has one action done by c and returns its result as the type that belongs to the action, such as protocol.ClickResult for
// protocol.Click. Asking for another type is an error after the deed.
func Do[R protocol.Result](ctx context.Context, c *Client, action protocol.Action) (R, error) {
	var typed R
	result, err := c.Do(ctx, action)
	if err != nil {
		return typed, err
	}
	typed, ok := result.(R)
	if !ok {
		return typed, protocol.Errorf(protocol.CodeInternal, "%T gives a %T, and the caller asked for a %T", action, result, typed).
			WithOutcome(protocol.Done).WithHint("Mend the program: name the result's own type.")
	}
	return typed, nil
}

// Browsers lists the browsers of the token's user.
func (c *Client) Browsers(ctx context.Context) ([]protocol.BrowserInfo, error) {
	var response protocol.BrowsersResponse
	err := c.call(ctx, http.MethodGet, "/v1/browsers", nil, &response)
	return response.Browsers, err
}

// Pair makes a one-use pairing code, and the link to open in the browser that is to be paired. It needs a token of scope admin.
func (c *Client) Pair(ctx context.Context) (protocol.PairResponse, error) {
	var response protocol.PairResponse
	err := c.call(ctx, http.MethodPost, "/v1/pair", nil, &response)
	return response, err
}

// Rules returns the server's rules. It needs a token of scope admin.
func (c *Client) Rules(ctx context.Context) (protocol.Rules, error) {
	var rules protocol.Rules
	err := c.call(ctx, http.MethodGet, "/v1/rules", nil, &rules)
	return rules, err
}

// SetRules replaces the server's rules; the connected browsers learn of it at once. It needs a token of scope admin.
func (c *Client) SetRules(ctx context.Context, rules protocol.Rules) error {
	return c.call(ctx, http.MethodPut, "/v1/rules", rules, &protocol.Rules{})
}

// Health tells whether a Drawbridge server answers at the address, and which version it is. It needs no token.
func (c *Client) Health(ctx context.Context) (version string, err error) {
	var response struct {
		Service string `json:"service"`
		Version string `json:"version"`
	}
	if err := c.call(ctx, http.MethodGet, "/healthz", nil, &response); err != nil {
		return "", err
	}
	if response.Service != "drawbridge" {
		return "", protocol.Errorf(protocol.CodeNotConnected, "what answers at %s is no drawbridge server", c.base)
	}
	return response.Version, nil
}

// request makes a request that says who asks.
func (c *Client) request(ctx context.Context, method, path string, body any) (*http.Request, error) {
	var reader io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return nil, protocol.Errorf(protocol.CodeInvalidAction, "encode the request: %v", err)
		}
		reader = bytes.NewReader(raw)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, reader)
	if err != nil {
		return nil, protocol.Errorf(protocol.CodeInvalidAction, "make the request: %v", err)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" && path != "/healthz" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	if c.session != "" {
		request.Header.Set(protocol.SessionHeader, c.session)
	}
	return request, nil
}

const (
	// strangerHint is for answers that no drawbridge server gives.
	strangerHint = "Check the server's address and what stands between you and it: drawbridge doctor says what answers there."
	// newerHint is for answers that only another version of one does.
	newerHint = "Look at the page before anything else, and update the older of this program and the server."
)

// answerLimit is the most that is read of an answer: the largest result, and events and braces around it.
const answerLimit = protocol.AnswerBytes + 4<<20

func (c *Client) call(ctx context.Context, method, path string, body, into any) error {
	request, err := c.request(ctx, method, path, body)
	if err != nil {
		return err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return c.failed(ctx, err)
	}
	raw, err := io.ReadAll(io.LimitReader(response.Body, answerLimit+1))
	if closeErr := response.Body.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return c.failed(ctx, err)
	}
	if len(raw) > answerLimit {
		return protocol.Errorf(protocol.CodeInternal, "the answer has more than %d bytes", answerLimit).WithOutcome(protocol.Unknown).
			WithHint("Look at the page before anything else, and ask for less of it: a limit, a part, a smaller picture.")
	}
	return c.read(response, raw, into)
}

// read takes an answer apart; an error in it wins over everything else.
func (c *Client) read(response *http.Response, raw []byte, into any) error {
	// An answer to act is read once only, as it may be a picture of megabytes. Its events may stand beside an error.
	failure, isAct := into.(*protocol.ActResponse)
	if !isAct {
		failure = &protocol.ActResponse{}
	}
	err := json.Unmarshal(raw, failure)
	if err == nil && failure.Error != nil {
		return failure.Error.Complete()
	}
	if response.StatusCode/100 != 2 || err != nil {
		return protocol.Errorf(protocol.CodeInternal, "%s answered %s and no JSON of drawbridge's: is it a drawbridge server?", c.base, response.Status).
			WithOutcome(protocol.Unknown).WithHint(strangerHint)
	}
	if isAct {
		return nil
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return protocol.Errorf(protocol.CodeInternal, "the answer cannot be read: %v", err).WithOutcome(protocol.Unknown).WithHint(newerHint)
	}
	return nil
}

// failed words a request that got no answer. Only a connection that was never made is certain to have sent nothing.
func (c *Client) failed(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	switch {
	case errors.Is(cause, context.DeadlineExceeded):
		timeout := protocol.Errorf(protocol.CodeTimeout, "the caller's deadline passed before the answer came").WithOutcome(protocol.Unknown).
			WithHint("Look at the page before you call again, and give it a later deadline: what was asked for may have been done.")
		return fmt.Errorf("%w (%w)", timeout, cause)
	case cause != nil:
		cancelled := protocol.Errorf(protocol.CodeCancelled, "the caller gave up").WithOutcome(protocol.Unknown)
		return fmt.Errorf("%w (%w)", cancelled.Complete(), cause)
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return fmt.Errorf("%w (%w)", protocol.Errorf(protocol.CodeNotConnected, "no server answers at %s: start it with drawbridge up", c.base).WithHint("Start a server with drawbridge up, then call again."), op.Err)
	}
	lost := protocol.Errorf(protocol.CodeNotConnected, "the connection to the server at %s ended in mid-call", c.base).WithOutcome(protocol.Unknown).
		WithHint("See that the server runs, then look at the page before you call again: what was asked for may have been done.")
	return fmt.Errorf("%w (%w: %w)", lost, ErrLost, err)
}
