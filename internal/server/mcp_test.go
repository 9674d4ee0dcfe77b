package server

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// bearing is a transport that sends a token, and whatever else a test wants, with each request.
type bearing struct {
	base   http.RoundTripper
	header map[string]string
}

func (b bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range b.header {
		r.Header.Set(name, value)
	}
	return b.base.RoundTrip(r)
}

// visit connects a real MCP client.
func (h *house) visit(path string, header map[string]string) (*mcp.ClientSession, error) {
	h.t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(h.t.Context(), &mcp.StreamableClientTransport{
		Endpoint: h.srv.URL() + path, MaxRetries: -1,
		HTTPClient: &http.Client{Transport: bearing{h.http.Transport, header}},
	}, nil)
	if err == nil {
		h.t.Cleanup(func() { _ = session.Close() })
	}
	return session, err
}

func withToken(token string) map[string]string {
	return map[string]string{"Authorization": "Bearer " + token}
}

func act(t *testing.T, s *mcp.ClientSession, arguments map[string]any) string {
	t.Helper()
	result, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "browser", Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	text, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("the answer is a %T", result.Content[0])
	}
	return text.Text
}

func TestMCPOverHTTPStatefulAndStateless(t *testing.T) {
	for _, path := range []string{"/mcp", "/mcp/stateless"} {
		t.Run(path, func(t *testing.T) {
			h := start(t, Options{})
			p, _ := h.pair(idA)
			agents := make(chan string, 10)
			p.answer(func(r protocol.Request) (protocol.Result, *protocol.Error) {
				agents <- r.AgentID
				return opens(r)
			})
			first, err := h.visit(path, withToken(h.token))
			if err != nil {
				t.Fatal(err)
			}
			if got := act(t, first, map[string]any{"action": "list_tabs"}); got != "0 tabs" {
				t.Errorf("it says %q", got)
			}
			second, err := h.visit(path, withToken(h.token))
			if err != nil {
				t.Fatal(err)
			}
			act(t, second, map[string]any{"action": "list_tabs"})
			named, err := h.visit(path, map[string]string{"Authorization": "Bearer " + h.token, protocol.SessionHeader: "mine"})
			if err != nil {
				t.Fatal(err)
			}
			act(t, named, map[string]any{"action": "list_tabs"})
			a, b, c := <-agents, <-agents, <-agents
			if apart := a != b; apart != (path == "/mcp") {
				t.Errorf("two clients are the agents %q and %q", a, b)
			}
			if !strings.HasSuffix(c, "/mine") {
				t.Errorf("a client that names its session is the agent %q", c)
			}
		})
	}
}

func TestMCPClientThatEndsGivesItsTabsBack(t *testing.T) {
	for _, c := range []struct {
		name, session string
		end           func(t *testing.T, s *mcp.ClientSession)
		gives         bool
	}{
		{"by DELETE", "", func(t *testing.T, s *mcp.ClientSession) {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}, true},
		{"in silence", "", func(*testing.T, *mcp.ClientSession) { time.Sleep(31 * time.Minute) }, true},
		{"with a name under which it may come again", "mine", func(t *testing.T, s *mcp.ClientSession) {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := start(t, Options{listen: listen})
				p, _ := h.pair(idA)
				requests := make(chan protocol.Request, 10)
				p.answer(func(r protocol.Request) (protocol.Result, *protocol.Error) {
					requests <- r
					if _, ok := r.Action.Action.(protocol.Session); ok {
						return protocol.SessionResult{OK: true}, nil
					}
					return opens(r)
				})
				header := withToken(h.token)
				if c.session != "" {
					header[protocol.SessionHeader] = c.session
				}
				other, err := h.visit("/mcp", withToken(h.token))
				if err != nil {
					t.Fatal(err)
				}
				act(t, other, map[string]any{"action": "list_tabs"})
				<-requests
				client, err := h.visit("/mcp", header)
				if err != nil {
					t.Fatal(err)
				}
				act(t, client, map[string]any{"action": "open_tab", "url": "https://a.test/"})
				opened := <-requests
				<-requests // the look at the new tab
				c.end(t, client)
				synctest.Wait()
				select {
				case r := <-requests:
					if s, ok := r.Action.Action.(protocol.Session); !c.gives || !ok || s.Op != "release" || s.SessionID != "" || r.AgentID != opened.AgentID {
						t.Errorf("at its end the browser was asked %+v by %s, the agent was %s", r.Action.Action, r.AgentID, opened.AgentID)
					}
				default:
					if c.gives {
						t.Error("the browser keeps its tabs for an agent that will not come again")
					}
				}
				// Nobody else's are touched, and who had none asks nothing.
				if err := other.Close(); c.name != "in silence" && err != nil {
					t.Error(err)
				}
				synctest.Wait()
				select {
				case r := <-requests:
					t.Errorf("the browser was also asked %+v by %s", r.Action.Action, r.AgentID)
				default:
				}
				p.ws.CloseNow()
			})
		})
	}
}

func TestMCPOverHTTPLetsNoStrangerIn(t *testing.T) {
	h := start(t, Options{})
	p, _ := h.pair(idA)
	p.answer(opens)
	for name, header := range map[string]map[string]string{
		"no token":         {},
		"a wrong token":    withToken("db_agent_0000"),
		"a browser's":      withToken(h.mint("ann", store.ScopeBrowser)),
		"a page":           {"Authorization": "Bearer " + h.token, "Origin": "https://evil.test"},
		"a forged session": {"Authorization": "Bearer " + h.token, protocol.SessionHeader: "../x"},
	} {
		if _, err := h.visit("/mcp", header); err == nil {
			t.Errorf("%s was let in", name)
		} else if strings.Contains(err.Error(), h.token) {
			t.Errorf("%s: the error holds the token", name)
		}
	}
	// Another user's token does not open a session that it knows the id of.
	session, err := h.visit("/mcp", withToken(h.token))
	if err != nil {
		t.Fatal(err)
	}
	thief := h.mint("eve", store.ScopeAgent)
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"browser","arguments":{"action":"list_tabs"}}}`
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.srv.URL()+"/mcp", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = http.Header{"Authorization": {"Bearer " + thief}, "Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Mcp-Session-Id": {session.ID()}}
	response, err := h.http.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	said, err := io.ReadAll(response.Body)
	if errors.Join(err, response.Body.Close()); response.StatusCode != http.StatusForbidden {
		t.Errorf("another user's request in the session gave %s: %s", response.Status, said)
	}
}

func TestMCPOverHTTPCancels(t *testing.T) {
	h := start(t, Options{})
	p, _ := h.pair(idA)
	session, err := h.visit("/mcp", withToken(h.token))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "browser", Arguments: map[string]any{"action": "wait_for", "text": "never"}})
		ended <- err
	}()
	request, ok := p.next().(protocol.Request)
	if !ok {
		t.Fatal("the browser got no request")
	}
	cancel()
	for {
		if c, ok := p.next().(protocol.Cancel); ok {
			if c.ID != request.ID {
				t.Errorf("the browser was told to cancel %s, the request is %s", c.ID, request.ID)
			}
			break
		}
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the caller got %v", err)
	}
	p.ws.CloseNow()
}
