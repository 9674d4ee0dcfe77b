package shop

import (
	"crypto/subtle"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

func (s *Shop) home(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, http.StatusOK, "home.html", "Harbour Lights", Catalogue[:6])
}

func (s *Shop) search(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query().Get("q")
	title := "All lamps"
	if query != "" {
		title = "Search: " + query
	}
	s.show(w, r, http.StatusOK, "search.html", title, find(query))
}

func (s *Shop) item(w http.ResponseWriter, r *http.Request) {
	item, ok := lookUp(r.PathValue("slug"))
	if !ok {
		s.show(w, r, http.StatusNotFound, "missing.html", "Page not found", nil)
		return
	}
	s.show(w, r, http.StatusOK, "item.html", item.Name, item)
}

// loginForm is what the log-in page shows.
type loginForm struct {
	Email, Next, Problem string
}

func (s *Shop) login(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, http.StatusOK, "login.html", "Log in", loginForm{Next: local(r.URL.Query().Get("next"))})
}

func (s *Shop) logIn(w http.ResponseWriter, r *http.Request) {
	form := loginForm{Email: strings.TrimSpace(r.PostFormValue("email")), Next: local(r.PostFormValue("next"))}
	right := subtle.ConstantTimeCompare([]byte(r.PostFormValue("password")), []byte(Password)) == 1
	if form.Email != Email || !right {
		form.Problem = "That email and password do not go together."
		s.show(w, r, http.StatusUnauthorized, "login.html", "Log in", form)
		return
	}
	s.admit(w, form.Email)
	http.Redirect(w, r, form.Next, http.StatusSeeOther)
}

func (s *Shop) logOut(w http.ResponseWriter, r *http.Request) {
	if cookie, err := r.Cookie(sessionCookie); err == nil {
		s.change(func() { delete(s.visitors, cookie.Value) })
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// local keeps a redirect within the shop.
func local(path string) string {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsRune(path, '\\') {
		return "/"
	}
	return path
}

// orderView is what the order form shows: what was entered, and what is wrong with it.
type orderView struct {
	Item     Item
	Order    Order
	Problems []string
}

func (s *Shop) orderForm(w http.ResponseWriter, r *http.Request) {
	item, ok := s.forCustomer(w, r)
	if !ok {
		return
	}
	s.show(w, r, http.StatusOK, "order.html", "Your order", orderView{Item: item, Order: Order{Quantity: 1, Shipping: "standard"}})
}

// forCustomer finds the item, and sends who is not logged in to the log-in page.
func (s *Shop) forCustomer(w http.ResponseWriter, r *http.Request) (Item, bool) {
	item, ok := lookUp(r.PathValue("slug"))
	if !ok {
		s.show(w, r, http.StatusNotFound, "missing.html", "Page not found", nil)
		return Item{}, false
	}
	if s.visitor(r) == "" {
		http.Redirect(w, r, "/login?next=/order/"+item.Slug, http.StatusSeeOther)
		return Item{}, false
	}
	return item, true
}

func (s *Shop) placeOrder(w http.ResponseWriter, r *http.Request) {
	item, ok := s.forCustomer(w, r)
	if !ok {
		return
	}
	order, problems := readOrder(r)
	if len(problems) > 0 {
		s.show(w, r, http.StatusUnprocessableEntity, "order.html", "Your order", orderView{Item: item, Order: order, Problems: problems})
		return
	}
	order.Customer, order.Item, order.At = s.visitor(r), item.Slug, time.Now()
	s.change(func() {
		order.Number = fmt.Sprintf("HL-%d", 1001+len(s.orders))
		s.orders = append(s.orders, order)
	})
	http.Redirect(w, r, "/confirmation/"+order.Number, http.StatusSeeOther)
}

// readOrder reads the form as strictly as a shop would: a control that did not take its value shows here.
func readOrder(r *http.Request) (Order, []string) {
	var problems []string
	need := func(field, message string) string {
		value := strings.TrimSpace(r.PostFormValue(field))
		if value == "" {
			problems = append(problems, message)
		}
		return value
	}
	order := Order{
		Recipient: need("recipient", "Who is it for?"),
		Street:    need("street", "Which street does it go to?"),
		City:      need("city", "Which city does it go to?"),
		Country:   need("country", "Which country does it go to?"),
		Shipping:  need("shipping", "How shall it be sent?"),
		GiftWrap:  r.PostFormValue("giftwrap") == "yes",
		Note:      strings.ReplaceAll(r.PostFormValue("note"), "\r\n", "\n"),
	}
	quantity, err := strconv.Atoi(r.PostFormValue("quantity"))
	if err != nil || quantity < 1 || quantity > 9 {
		problems = append(problems, "How many? One to nine.")
	}
	order.Quantity = quantity
	if r.PostFormValue("terms") != "yes" {
		problems = append(problems, "Please accept the terms.")
	}
	return order, problems
}

func (s *Shop) confirmation(w http.ResponseWriter, r *http.Request) {
	visitor := s.visitor(r)
	orders := s.Orders()
	i := slices.IndexFunc(orders, func(o Order) bool { return o.Number == r.PathValue("number") && o.Customer == visitor })
	if i < 0 {
		s.show(w, r, http.StatusNotFound, "missing.html", "Page not found", nil)
		return
	}
	item, _ := lookUp(orders[i].Item) // every order has an item of the catalogue
	s.show(w, r, http.StatusOK, "confirmation.html", "Order "+orders[i].Number, orderView{Item: item, Order: orders[i]})
}

// members stands behind a captcha, as such pages do: a title that says so, a challenge in a frame, nothing else.
func (s *Shop) members(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, http.StatusForbidden, "members.html", "Just a moment...", nil)
}

func (s *Shop) challenge(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, http.StatusOK, "challenge.html", "Verify you are human", nil)
}
