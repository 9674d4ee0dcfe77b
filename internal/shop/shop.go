// Package shop is a small, deterministic web shop that ships with the binary: a place where an agent can log in,
// search, order and meet a captcha, and whose own log says what really reached it.
package shop

import (
	"context"
	"crypto/rand"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"sync"
	"time"
)

// The one customer that the shop knows.
const (
	// Email is the log-in name.
	Email = "ada@harbour.test"
	// Password goes with it. It guards nothing.
	Password = "lighthouse"
	// Customer is the name that the shop greets her by.
	Customer = "Ada"
)

//go:embed templates static
var files embed.FS

var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"price": price, "countries": countries}).ParseFS(files, "templates/*.html"))
})

// Order is one order as it reached the shop.
type Order struct {
	// Number is HL-1001 for the first order, and rises by one.
	Number string
	// Customer is the log-in name of who ordered.
	Customer string
	// Item is the slug of what was ordered.
	Item string
	// Quantity is how many of it, 1 to 9.
	Quantity int
	// Recipient, Street, City and Country are where it goes.
	Recipient, Street, City, Country string
	// Shipping is "standard", "express" or "pickup".
	Shipping string
	// GiftWrap says whether it is to be wrapped.
	GiftWrap bool
	// Note is what the customer wrote to the shop.
	Note string
	// At is when it arrived.
	At time.Time
}

// Request is one request as it reached the shop.
type Request struct {
	// Method and Path are the request's own, with its query.
	Method, Path string
	// Visitor is the log-in name, or "".
	Visitor string
	// At is when it arrived.
	At time.Time
}

// Shop is the shop with its order book and its log. The zero value is not ready: use New.
type Shop struct {
	mux *http.ServeMux

	mu       sync.Mutex
	visitors map[string]string // session cookie → log-in name
	orders   []Order
	requests []Request
	typed    Typing
	changed  chan struct{} // closed and renewed when something below mu changed
}

// New opens a shop without orders.
func New() *Shop {
	s := &Shop{mux: http.NewServeMux(), visitors: map[string]string{}, changed: make(chan struct{})}
	s.mux.HandleFunc("GET /{$}", s.home)
	s.mux.HandleFunc("GET /login", s.login)
	s.mux.HandleFunc("POST /login", s.logIn)
	s.mux.HandleFunc("POST /logout", s.logOut)
	s.mux.HandleFunc("GET /search", s.search)
	s.mux.HandleFunc("GET /item/{slug}", s.item)
	s.mux.HandleFunc("GET /order/{slug}", s.orderForm)
	s.mux.HandleFunc("POST /order/{slug}", s.placeOrder)
	s.mux.HandleFunc("GET /confirmation/{number}", s.confirmation)
	s.mux.HandleFunc("GET /members", s.members)
	s.mux.HandleFunc("GET /challenge", s.challenge)
	s.mux.HandleFunc("GET /typing", s.typing)
	s.mux.HandleFunc("POST /typing", s.countTyping)
	s.mux.Handle("GET /static/", http.FileServerFS(files))
	s.mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, files, "static/lamp.svg")
	})
	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.show(w, r, http.StatusNotFound, "missing.html", "Page not found", nil)
	})
	return s
}

// ServeHTTP logs the request and answers it.
func (s *Shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.change(func() {
		s.requests = append(s.requests, Request{Method: r.Method, Path: r.URL.RequestURI(), Visitor: s.visitorLocked(r), At: time.Now()})
	})
	s.mux.ServeHTTP(w, r)
}

// Orders returns a copy of the order book, oldest first.
func (s *Shop) Orders() []Order {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.orders)
}

// Requests returns a copy of the shop's log, oldest first.
func (s *Shop) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Wait returns when seen says so, asking it again after each request, order and report of typing; or with ctx's error.
func (s *Shop) Wait(ctx context.Context, seen func(*Shop) bool) error {
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if seen(s) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("wait for the shop: %w", context.Cause(ctx))
		}
	}
}

// change alters what mu guards and wakes those who wait.
func (s *Shop) change(alter func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	alter()
	close(s.changed)
	s.changed = make(chan struct{})
}

const sessionCookie = "harbour_session"

func (s *Shop) visitorLocked(r *http.Request) string {
	cookie, err := r.Cookie(sessionCookie)
	if err != nil {
		return ""
	}
	return s.visitors[cookie.Value]
}

func (s *Shop) visitor(r *http.Request) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.visitorLocked(r)
}

// admit begins a visitor's session.
func (s *Shop) admit(w http.ResponseWriter, email string) {
	id := rand.Text()
	s.change(func() { s.visitors[id] = email })
	http.SetCookie(w, &http.Cookie{Name: sessionCookie, Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
}

// view is what every page knows.
type view struct {
	Title   string
	Visitor string // the customer's name, or ""
	Query   string
	Data    any
}

func (s *Shop) show(w http.ResponseWriter, r *http.Request, status int, name, title string, data any) {
	v := view{Title: title, Query: r.URL.Query().Get("q"), Data: data}
	if s.visitor(r) != "" {
		v.Visitor = Customer
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// The templates are fixed and tested: what fails here is the connection, and nobody is left to be told.
	_ = pages().ExecuteTemplate(w, name, v)
}

func price(cents int) string { return fmt.Sprintf("€ %d.%02d", cents/100, cents%100) }
