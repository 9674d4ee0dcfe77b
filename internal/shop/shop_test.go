package shop_test

import (
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/drawbridge-browser/drawbridge/internal/shop"
)

// visitor is a browser without pictures.
type visitor struct {
	t    *testing.T
	http *http.Client
	base string
}

func open(t *testing.T) (*shop.Shop, visitor) {
	t.Helper()
	s := shop.New()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return s, visitor{t: t, http: &http.Client{Jar: jar}, base: server.URL}
}

func (v visitor) read(response *http.Response, err error) (int, string, string) {
	v.t.Helper()
	if err != nil {
		v.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return response.StatusCode, response.Request.URL.Path, string(body)
}

func (v visitor) get(path string) (int, string, string) {
	v.t.Helper()
	return v.read(v.http.Get(v.base + path))
}

func (v visitor) post(path string, form url.Values) (int, string, string) {
	v.t.Helper()
	return v.read(v.http.PostForm(v.base+path, form))
}

func order() url.Values {
	return url.Values{
		"quantity": {"2"}, "recipient": {"Ada"}, "street": {"Mole 1"}, "city": {"Faro"}, "country": {"pt"},
		"shipping": {"express"}, "giftwrap": {"yes"}, "note": {"Ring\r\ntwice"}, "terms": {"yes"},
	}
}

func TestOrderingReachesTheBook(t *testing.T) {
	s, v := open(t)
	if _, path, _ := v.get("/order/solar-lantern"); path != "/login" {
		t.Errorf("a stranger who orders comes to %s, expected the log-in page", path)
	}
	if status, _, body := v.post("/login", url.Values{"email": {shop.Email}, "password": {"wrong"}}); status != http.StatusUnauthorized || !strings.Contains(body, "do not go together") {
		t.Errorf("a wrong password gives %d", status)
	}
	if _, path, body := v.post("/login", url.Values{"email": {shop.Email}, "password": {shop.Password}, "next": {"/order/solar-lantern"}}); path != "/order/solar-lantern" || !strings.Contains(body, "Hello, Ada") {
		t.Errorf("the log-in leads to %s", path)
	}
	_, path, body := v.post("/order/solar-lantern", order())
	if path != "/confirmation/HL-1001" || !strings.Contains(body, "Order <strong>HL-1001</strong> is confirmed") {
		t.Errorf("the order leads to %s", path)
	}
	want := []shop.Order{{
		Number: "HL-1001", Customer: shop.Email, Item: "solar-lantern", Quantity: 2, Recipient: "Ada", Street: "Mole 1",
		City: "Faro", Country: "pt", Shipping: "express", GiftWrap: true, Note: "Ring\ntwice",
	}}
	if diff := cmp.Diff(want, s.Orders(), cmpopts.IgnoreFields(shop.Order{}, "At")); diff != "" {
		t.Errorf("the order book differs (-want +got):\n%s", diff)
	}
	requests := s.Requests()
	if last := requests[len(requests)-1]; last.Path != "/confirmation/HL-1001" || last.Visitor != shop.Email {
		t.Errorf("the log ends with %+v", last)
	}
}

func TestOrderWithMissingFieldsIsRefused(t *testing.T) {
	s, v := open(t)
	v.post("/login", url.Values{"email": {shop.Email}, "password": {shop.Password}})
	for field, message := range map[string]string{
		"quantity": "One to nine", "recipient": "Who is it for", "street": "Which street", "city": "Which city",
		"country": "Which country", "shipping": "How shall it be sent", "terms": "accept the terms",
	} {
		form := order()
		form.Del(field)
		status, _, body := v.post("/order/desk-lamp", form)
		if status != http.StatusUnprocessableEntity || !strings.Contains(body, message) {
			t.Errorf("without %s: %d, expected 422 and %q", field, status, message)
		}
	}
	if len(s.Orders()) != 0 {
		t.Errorf("refused orders stand in the book: %v", s.Orders())
	}
}

func TestPages(t *testing.T) {
	_, v := open(t)
	for path, want := range map[string]string{
		"/": "Light for the last mile home", "/search": "Barnacle", "/search?q=lantern": "2 found", "/search?q=nothing-such": "Nothing by that name",
		"/item/desk-lamp": "Skerry", "/members": "<title>Just a moment...</title>", "/challenge": "Verify you are human",
		"/typing": "You are typing here", "/login": "current-password", "/nowhere": "There is nothing here", "/item/none": "There is nothing here",
		"/order/none": "There is nothing here", "/confirmation/HL-1001": "There is nothing here", "/static/style.css": ".brand", "/favicon.ico": "<svg",
	} {
		if _, _, body := v.get(path); !strings.Contains(body, want) {
			t.Errorf("%s does not say %q", path, want)
		}
	}
}

func TestLoginLeadsNowhereElse(t *testing.T) {
	_, v := open(t)
	for _, next := range []string{"//evil.test/", "https://evil.test/", `/\evil.test`} {
		if _, path, _ := v.post("/login", url.Values{"email": {shop.Email}, "password": {shop.Password}, "next": {next}}); path != "/" {
			t.Errorf("next=%s leads to %s", next, path)
		}
	}
}

func TestWaitHearsOfTyping(t *testing.T) {
	s, v := open(t)
	heard := make(chan error, 1)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	go func() { heard <- s.Wait(ctx, func(s *shop.Shop) bool { return s.Typed().Keys == 7 }) }()
	response, err := v.http.Post(v.base+"/typing", "application/json", strings.NewReader(`{"keys":7,"blurs":0,"focused":true}`))
	if status, _, _ := v.read(response, err); status != http.StatusNoContent {
		t.Errorf("a report gives %d", status)
	}
	if err := <-heard; err != nil {
		t.Error(err)
	}
	cancelled, stop := context.WithCancel(t.Context())
	stop()
	if err := s.Wait(cancelled, func(*shop.Shop) bool { return false }); err == nil {
		t.Error("a wait that was given up says nothing")
	}
}
