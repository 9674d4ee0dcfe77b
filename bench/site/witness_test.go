package site

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestAwaitHearsItsOwnPageOnly(t *testing.T) {
	s := New()
	server := httptest.NewServer(s)
	defer server.Close()
	say := func(as, what string) {
		answer, err := http.Post(server.URL+"/saw?as="+as, "text/plain", strings.NewReader(what))
		if err != nil {
			t.Error(err)
			return
		}
		_ = answer.Body.Close()
	}
	say("one", "press")
	say("two", "press")
	heard := make(chan error, 1)
	go func() { heard <- s.Await(t.Context(), "one", "press", 2) }()
	say("one", "press")
	if err := <-heard; err != nil {
		t.Error(err)
	}
	if n := s.Count("two", "press"); n != 1 {
		t.Errorf("the other page pressed %d times, expected 1", n)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := s.Await(ended, "two", "press", 2); err == nil || !strings.Contains(err.Error(), `saw "press" last`) {
		t.Errorf("what did not come is told by %v", err)
	}
}

func TestPagesHoldWhatTheyPromise(t *testing.T) {
	for _, page := range Pages {
		answer := httptest.NewRecorder()
		New().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, page.Path, nil))
		if answer.Code != http.StatusOK {
			t.Errorf("%s answers %d", page.Path, answer.Code)
		}
		if !page.Scripted && page.Seen(answer.Body.String()) != page.Marks {
			t.Errorf("%s has %d of its %d marks", page.Path, page.Seen(answer.Body.String()), page.Marks)
		}
	}
}
