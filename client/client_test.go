package client_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The way through a real server is tested in internal/server; here is what a client must bear from others.

// answering starts a server that answers everything alike, and returns a client of it and the requests that it got.
func answering(t *testing.T, opts *client.Options, status int, body string) (*client.Client, <-chan *http.Request) {
	t.Helper()
	requests := make(chan *http.Request, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		copied := r.Clone(context.Background())
		copied.Body = io.NopCloser(strings.NewReader(string(raw)))
		requests <- copied
		w.Header().Set("Location", "http://evil.test/")
		w.WriteHeader(status)
		io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	if opts == nil {
		opts = &client.Options{}
	}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	opts.HTTP = &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	c, err := client.New(server.URL, "db_agent_secret", opts)
	if err != nil {
		t.Fatal(err)
	}
	return c, requests
}

func TestRequestSaysWhoWhereAndHowLong(t *testing.T) {
	c, requests := answering(t, &client.Options{Session: "s1", Browser: "work"}, 200, `{"result":{"tabs":[]},"events":[{"type":"of_the_future"},{"type":"download","name":"x","state":"complete"}]}`)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	answer, err := c.Act(ctx, protocol.ActRequest{Action: protocol.AnyAction{Action: protocol.ListTabs{}}})
	if err != nil || len(answer.Events) != 1 {
		t.Fatalf("%+v, %v", answer, err)
	}
	r := <-requests
	if r.Header.Get("Authorization") != "Bearer db_agent_secret" || r.Header.Get(protocol.SessionHeader) != "s1" || r.URL.RawQuery != "" {
		t.Errorf("headers %v, query %q", r.Header, r.URL.RawQuery)
	}
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := protocol.DecodeActRequest(raw)
	if err != nil || request.Browser != "work" || request.TimeoutMS < 1000 || request.TimeoutMS > 3000 {
		t.Errorf("the request is %s (%v)", raw, err)
	}
	if _, err := c.In("").Do(t.Context(), protocol.ListTabs{}); err != nil {
		t.Error(err)
	}
	if raw, err = io.ReadAll((<-requests).Body); err != nil || strings.Contains(string(raw), "work") || strings.Contains(string(raw), "timeoutMs") {
		t.Errorf("the request is %s (%v)", raw, err)
	}
}

func TestAnswersOfStrangers(t *testing.T) {
	for name, c := range map[string]struct {
		status  int
		body    string
		code    protocol.ErrorCode
		outcome protocol.Outcome
	}{
		"an error":            {409, `{"error":{"code":"element_stale","message":"m","outcome":"not_sent","retryable":"after_refresh"}}`, "element_stale", protocol.NotSent},
		"an error with 200":   {200, `{"error":{"code":"stopped","message":"m","outcome":"done"}}`, "stopped", protocol.Done},
		"a web page":          {200, `<html>`, "internal", protocol.Unknown},
		"a proxy's error":     {502, `{}`, "internal", protocol.Unknown},
		"a redirect":          {302, ``, "internal", protocol.Unknown},
		"nothing":             {200, `{}`, "internal", protocol.Unknown},
		"a result that lies":  {200, `{"result":{"tabs":7}}`, "internal", protocol.Done},
		"a result of another": {200, `{"result":[]}`, "internal", protocol.Done},
	} {
		cl, _ := answering(t, nil, c.status, c.body)
		_, err := cl.Do(t.Context(), protocol.ListTabs{})
		var typed *protocol.Error
		if !errors.As(err, &typed) || typed.Code != c.code || typed.Outcome != c.outcome || typed.Hint == "" {
			t.Errorf("%s: %+v", name, typed)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the token stands in the error", name)
		}
	}
}

func TestHealthTellsAStranger(t *testing.T) {
	c, requests := answering(t, nil, 200, `{"service":"drawbridge","version":"1"}`)
	if version, err := c.Health(t.Context()); err != nil || version != "1" {
		t.Errorf("%q, %v", version, err)
	}
	if r := <-requests; r.Header.Get("Authorization") != "" {
		t.Error("the token was sent to find out who answers")
	}
	for _, body := range []string{`{}`, `{"service":"other"}`, `hello`} {
		c, _ := answering(t, nil, 200, body)
		if _, err := c.Health(t.Context()); err == nil {
			t.Errorf("%s passed for drawbridge", body)
		}
	}
}

func TestNobodyAnswers(t *testing.T) {
	var config net.ListenConfig
	l, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + l.Addr().String()
	l.Close()
	c, err := client.New(address, "t", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Do(t.Context(), protocol.ListTabs{})
	var typed *protocol.Error
	if !errors.As(err, &typed) || typed.Code != protocol.CodeNotConnected || typed.Outcome != protocol.NotSent || !strings.Contains(err.Error(), "drawbridge up") {
		t.Errorf("got %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Do(cancelled, protocol.ListTabs{}); !errors.As(err, &typed) || typed.Code != protocol.CodeCancelled || typed.Hint == "" || !errors.Is(err, context.Canceled) {
		t.Errorf("after a cancel: %v", err)
	}
	passed, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	if _, err := c.Do(passed, protocol.ListTabs{}); !errors.As(err, &typed) || typed.Code != protocol.CodeTimeout || typed.Hint == "" || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("after the deadline: %v", err)
	}
}

func TestAddressesThatAreRefused(t *testing.T) {
	for _, address := range []string{"", "127.0.0.1:1", "ftp://x", "http://", "http://u:p@127.0.0.1", "http://127.0.0.1/?token=x", "http://127.0.0.1/#x", "http://10.0.0.1:47600", "http://drawbridge.example", "http://localhost.evil.test"} {
		if _, err := client.New(address, "t", nil); err == nil {
			t.Errorf("%q was taken", address)
		}
	}
	for _, address := range []string{"https://drawbridge.example", "http://localhost:1", "http://[::1]:1", "http://127.9.9.9:1", "http://a.localhost"} {
		if _, err := client.New(address, "t", nil); err != nil {
			t.Errorf("%q was refused: %v", address, err)
		}
	}
}
