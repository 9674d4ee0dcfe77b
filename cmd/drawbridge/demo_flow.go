package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/internal/chromium"
	"github.com/drawbridge-browser/drawbridge/internal/render"
	"github.com/drawbridge-browser/drawbridge/internal/shop"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// flow is one agent at work: it knows only what its actions told it.
type flow struct {
	*stage
	begun    time.Time
	steps    int
	tokens   int
	tab      protocol.Page
	elements []protocol.Element // as last told
	err      error              // the first failure: nothing is done after it
}

func (st *stage) begin() *flow { return &flow{stage: st, begun: time.Now()} }

// act has one action done and prints its line. After a failure it does nothing.
func act[R protocol.Result](ctx context.Context, f *flow, what string, action protocol.Action) (result R) {
	if f.err != nil {
		return result
	}
	begun := time.Now()
	result, err := client.Do[R](ctx, f.client, action)
	if err != nil {
		f.line(what, begun, "failed")
		f.err = fmt.Errorf("step %d, %s: %w", f.steps, what, err)
		return result
	}
	f.tokens += render.Tokens(render.Result(action, result).Page) + render.Tokens(render.Result(action, result).Head) + render.Tokens(render.Result(action, result).Tail)
	f.line(what, begun, "")
	return result
}

// refused has an action done that must fail with code.
func (f *flow) refused(ctx context.Context, what string, code protocol.ErrorCode, action protocol.Action) {
	if f.err != nil {
		return
	}
	begun := time.Now()
	_, err := f.client.Do(ctx, action)
	f.judge(what, begun, code, action, err)
}

func (f *flow) judge(what string, begun time.Time, code protocol.ErrorCode, action protocol.Action, err error) {
	var refusal *protocol.Error
	if errors.As(err, &refusal) && refusal.Code == code {
		f.tokens += render.Tokens(render.Failure(action, refusal).Head)
		f.line(what, begun, string(code)+", as it should be")
		return
	}
	f.line(what, begun, "not refused")
	f.err = fmt.Errorf("step %d, %s: expected the error %s, got %v", f.steps, what, code, err)
}

func (f *flow) line(what string, begun time.Time, remark string) {
	f.steps++
	if remark != "" {
		remark = " → " + remark
	}
	_, _ = fmt.Fprintf(f.opts.out, "%3d  %-58s %5d ms%s\n", f.steps, what, time.Since(begun).Milliseconds(), remark)
}

// check ends the flow when something that the agent read is not so.
func (f *flow) check(ok bool, format string, args ...any) {
	if f.err == nil && !ok {
		f.err = fmt.Errorf("step %d: %w", f.steps, fmt.Errorf(format, args...))
	}
}

// read extracts the page and keeps its elements.
func (f *flow) read(ctx context.Context, what string) protocol.ExtractResult {
	page := act[protocol.ExtractResult](ctx, f, what, protocol.Extract{Page: f.tab, Parts: []string{"markdown", "elements"}})
	f.elements = page.Elements
	return page
}

// find is the target of an element that the agent was told of: its role, and how its name begins.
func (f *flow) find(role, name string) protocol.Target {
	i := slices.IndexFunc(f.elements, func(e protocol.Element) bool { return e.Role == role && strings.HasPrefix(e.Name, name) })
	if i < 0 {
		f.check(false, "the page told of no %s %q; it told of %s", role, name, roster(f.elements))
		return protocol.Target{}
	}
	return protocol.Target{UID: f.elements[i].UID}
}

func roster(elements []protocol.Element) string {
	var names []string
	for _, e := range elements {
		names = append(names, fmt.Sprintf("%s %q", e.Role, e.Name))
	}
	return strings.Join(names, ", ")
}

func (f *flow) click(ctx context.Context, role, name string) {
	target := f.find(role, name)
	act[protocol.ClickResult](ctx, f, fmt.Sprintf("click %s %q", role, name), protocol.Click{Page: f.tab, Target: target})
}

func (f *flow) write(ctx context.Context, role, name, text string, submit bool) {
	target := f.find(role, name)
	shown := text
	if text == shop.Password {
		shown = "••••••••"
	}
	typed := act[protocol.TypeResult](ctx, f, fmt.Sprintf("type %q into %q", shown, name),
		protocol.Type{Page: f.tab, Target: target, Text: &text, Clear: true, Submit: submit})
	f.check(submit || typed.Value == nil || *typed.Value == text, "%q holds %v after %q was typed", name, typed.Value, text)
}

// play is the whole demo: an order, what stands in an agent's way, and Stop all.
func (st *stage) play(ctx context.Context) (*demoSummary, error) {
	if err := st.place(ctx, shopSite+"/typing", 20, 40, 700, 640); err != nil {
		return nil, err
	}
	typist, err := st.startTyping(ctx)
	if err != nil {
		return nil, err
	}
	f := st.begin()
	_, _ = fmt.Fprintln(st.opts.out, "An agent orders a lantern at "+shopSite)
	f.order(ctx)
	f.obstacles(ctx)
	f.stopAll(ctx)
	seconds := time.Since(f.begun)

	summary := &demoSummary{Steps: f.steps, Seconds: seconds.Seconds(), Tokens: f.tokens}
	f.err = errors.Join(f.err, typist.finish(ctx, summary))
	orders := st.shop.Orders()
	if len(orders) == 1 {
		f.checkOrder(orders[0])
		summary.Order = orders[0].Number
	} else {
		f.check(false, "the shop's log has %d orders, expected one", len(orders))
	}
	f.check(summary.KeysLost == 0, "%d of %d keystrokes were lost", summary.KeysLost, summary.KeysTyped)
	summary.OK = f.err == nil
	focus := "focus stolen: not measured (" + typist.why + ")"
	if summary.FocusStolen != nil {
		f.check(*summary.FocusStolen == 0, "the typing window lost the focus %d times", *summary.FocusStolen)
		summary.OK = f.err == nil
		focus = fmt.Sprintf("focus stolen %d (%d keys typed, %d lost)", *summary.FocusStolen, summary.KeysTyped, summary.KeysLost)
	}
	if f.err != nil {
		return summary, f.err
	}
	order := orders[0]
	_, _ = fmt.Fprintf(st.opts.out, "\n%d steps, %.1f s, about %d tokens, %s, in the shop's own log: %s, %d × %s for %s\n",
		summary.Steps, summary.Seconds, summary.Tokens, focus, order.Number, order.Quantity, order.Item, order.Recipient)
	return summary, nil
}

func (f *flow) order(ctx context.Context) {
	opened := act[protocol.OpenTabResult](ctx, f, "open "+shopSite, protocol.OpenTab{URL: shopSite + "/"})
	f.tab = protocol.Page{TabID: opened.TabID}
	if f.err == nil {
		cover := "chrome-extension://" + f.browser.ExtensionID() + "/cover.html"
		f.err = f.place(ctx, cover, 740, 40, 760, 640)
	}
	f.read(ctx, "read the page")
	f.click(ctx, "link", "Log in")
	f.read(ctx, "read the log-in page")
	f.write(ctx, "textbox", "Email", shop.Email, false)
	f.write(ctx, "textbox", "Password", shop.Password, true)
	home := f.read(ctx, "read the page")
	f.check(slices.ContainsFunc(f.elements, func(e protocol.Element) bool { return e.Name == "Log out" }), "the log-in did not work; the page is %q", home.Title)
	f.write(ctx, "searchbox", "Search the shop", "solar lantern", true)
	f.read(ctx, "read what was found")
	f.click(ctx, "link", "Solar Lantern")
	f.read(ctx, "read the lantern's page")
	f.click(ctx, "link", "Order this lamp")
	f.read(ctx, "read the order form")
	f.write(ctx, "spinbutton", "Quantity", "2", false)
	f.write(ctx, "textbox", "Recipient", "Ada", false)
	f.write(ctx, "textbox", "Street", "Mole 1", false)
	f.write(ctx, "textbox", "City", "Faro", false)
	country := f.find("combobox", "Country")
	act[protocol.PressResult](ctx, f, `press "P" in "Country"`, protocol.Press{Page: f.tab, MaybeTarget: protocol.MaybeTarget(country), Key: "P"})
	f.click(ctx, "radio", "Express")
	f.click(ctx, "checkbox", "Wrap it as a gift")
	f.write(ctx, "textbox", "A note to the shop", "Please ring twice.\nThank you!", false)
	f.click(ctx, "checkbox", "I accept the terms")
	f.click(ctx, "button", "Place the order")
	act[protocol.WaitForResult](ctx, f, `wait for "is confirmed"`, protocol.WaitFor{Page: f.tab, Text: "is confirmed"})
	confirmation := f.read(ctx, "read the confirmation")
	f.check(strings.Contains(confirmation.Markdown, "HL-1001"), "the confirmation says %q", confirmation.Markdown)
	value := act[protocol.EvaluateResult](ctx, f, "evaluate the order's number", protocol.Evaluate{Page: f.tab, Expression: "return document.querySelector('#state strong').textContent"})
	f.check(string(value.Value) == `"HL-1001"`, "the page's script says %s", value.Value)
	picture := act[protocol.ScreenshotResult](ctx, f, "take a picture", protocol.Screenshot{Page: f.tab})
	f.check(picture.Width > 0 && len(picture.Data) > 1000, "the picture is %d wide and %d bytes long", picture.Width, len(picture.Data))
}

func (f *flow) checkOrder(o shop.Order) {
	want := shop.Order{
		Number: "HL-1001", Customer: shop.Email, Item: "solar-lantern", Quantity: 2, Recipient: "Ada", Street: "Mole 1", City: "Faro",
		Country: "pt", Shipping: "express", GiftWrap: true, Note: "Please ring twice.\nThank you!", At: o.At,
	}
	f.check(o == want, "the shop's log has %+v, expected %+v", o, want)
}

func (f *flow) obstacles(ctx context.Context) {
	act[protocol.NavigateResult](ctx, f, "go to the members' page", protocol.Navigate{Page: f.tab, URL: shopSite + "/members"})
	if f.err != nil {
		return
	}
	page := f.read(ctx, "read it: a captcha stands in the way")
	f.check(page.Obstacle != nil && page.Obstacle.Type == "captcha" && page.Obstacle.Confidence == "high", "the obstacle is %+v, expected a captcha of high confidence", page.Obstacle)
	f.refused(ctx, "open "+blockedSite+", which is blocked", protocol.CodeDomainBlocked, protocol.OpenTab{URL: blockedSite + "/"})
}

// stopAll presses the popup's button while an action is under way.
func (f *flow) stopAll(ctx context.Context) {
	if f.err != nil {
		return
	}
	// The page tells the shop when the script has begun, and then never ends.
	const mark = "/search?q=under-way"
	endless := protocol.Evaluate{Page: f.tab, Expression: "return fetch('" + mark + "').then(() => new Promise(() => {}))"}
	begun := time.Now()
	ended := make(chan error, 1)
	go func() {
		_, err := f.client.Do(ctx, endless)
		ended <- err
	}()
	underWay := func(s *shop.Shop) bool {
		return slices.ContainsFunc(s.Requests(), func(r shop.Request) bool { return r.Path == mark })
	}
	if err := f.shop.Wait(ctx, underWay); err != nil {
		f.check(false, "the action for Stop all did not begin: %v", errors.Join(err, <-ended))
		return
	}
	if err := pressStopAll(ctx, f.browser); err != nil {
		f.check(false, "%v", err)
		return
	}
	f.judge("the user presses Stop all in mid-action", begun, protocol.CodeStopped, endless, <-ended)
	f.refused(ctx, "try to go on", protocol.CodeStopped, protocol.Extract{Page: f.tab})
}

// pressStopAll opens the popup as a page and presses the button in it, as its user would.
func pressStopAll(ctx context.Context, browser *chromium.Browser) error {
	session, err := browser.OpenPage(ctx, "chrome-extension://"+browser.ExtensionID()+"/popup.html")
	if err != nil {
		return fmt.Errorf("open the popup: %w", err)
	}
	const press = `new Promise(resolve => {
  const press = () => {
    const button = document.getElementById('stop-all');
    if (document.readyState !== 'complete' || !button || button.disabled) { setTimeout(press, 20); return; }
    button.click();
    resolve();
  };
  press();
})`
	if err := session.Evaluate(ctx, press, nil); err != nil {
		return fmt.Errorf("press Stop all: %w", err)
	}
	return nil
}

// readPage is the demo on any page: open it and print it as a model would read it.
func (st *stage) readPage(ctx context.Context) (*demoSummary, error) {
	f := st.begin()
	opened := act[protocol.OpenTabResult](ctx, f, "open "+st.opts.url, protocol.OpenTab{URL: st.opts.url})
	f.tab = protocol.Page{TabID: opened.TabID}
	page := f.read(ctx, "read the page")
	summary := &demoSummary{Steps: f.steps, Seconds: time.Since(f.begun).Seconds(), Tokens: f.tokens, OK: f.err == nil}
	if f.err != nil {
		return summary, f.err
	}
	_, _ = fmt.Fprintf(st.opts.out, "\n# %s\n%s\n\n%s\n", page.Title, page.URL, page.Markdown)
	if page.Obstacle != nil {
		_, _ = fmt.Fprintf(st.opts.out, "\nIn the way: %s (%s): %s\n", page.Obstacle.Type, page.Obstacle.Confidence, page.Obstacle.Message)
	}
	_, _ = fmt.Fprintf(st.opts.out, "\n%d steps, %.1f s, about %d tokens, %d elements to act on\n", summary.Steps, summary.Seconds, summary.Tokens, len(page.Elements))
	return summary, nil
}
