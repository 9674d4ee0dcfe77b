package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"syscall"
	"time"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

const (
	// deadline is what each call is given.
	deadline = 20 * time.Second
	// slack is how much longer its answer may take: after that it counts as hung.
	slack = 20 * time.Second
	// look is the pause before what cannot be waited for is looked at again, and of an agent after an error.
	look = 100 * time.Millisecond
)

// agent presses one button after the other in a tab of its own, and tells the judge what it was told.
type agent struct {
	// fixed at creation
	name, session string
	stage         *stage
	client        *client.Client
	judge         *judge
	pace          time.Duration // between two actions, on the average
	byRef         bool          // if true, it presses by the refs that it was told, else by selector
	opened        func()        // called when its first page is open

	// owned by run
	rand  *rand.Rand
	tab   int64 // 0 while it has none
	pages int
	page  string
	next  int               // the next button of the page
	refs  map[string]string // uids by the button's label
	turns int

	mu     sync.Mutex
	giveUp context.CancelFunc // ends the call under way; nil while there is none
	shown  string             // the page that it works on, for who kills it
}

// run works until ctx ends.
func (a *agent) run(ctx context.Context) {
	for ctx.Err() == nil {
		pause := a.pace/2 + time.Duration(a.rand.Int64N(int64(a.pace)))
		if !a.turn(ctx) {
			pause = max(pause, look)
		}
		if wait(ctx, pause) != nil {
			return
		}
	}
}

// turn does one thing and tells whether it went well.
func (a *agent) turn(ctx context.Context) bool {
	a.turns++
	switch {
	case a.tab == 0:
		return a.open(ctx)
	case a.next == buttons:
		return a.leaf(ctx)
	case a.byRef && a.refs == nil:
		return a.readRefs(ctx)
	case a.turns%10 == 0:
		return a.readTitle(ctx)
	}
	return a.press(ctx)
}

func (a *agent) newPage() {
	a.pages++
	a.page = fmt.Sprintf("%s-%d", a.name, a.pages)
	a.next, a.refs = 0, nil
	a.show(a.page)
}

func (a *agent) open(ctx context.Context) bool {
	if a.pages > 0 {
		_ = a.stage.closePages(ctx, a.name) // the browser may be closed or on its way out: nothing is left then
	}
	a.newPage()
	result, _, err := a.act(ctx, protocol.OpenTab{URL: address(a.page)}, "")
	if err != nil {
		return false
	}
	if opened, ok := result.(protocol.OpenTabResult); ok {
		a.tab = opened.TabID
		a.opened()
	}
	return a.tab != 0
}

// leaf goes to a new page when all of the old one's buttons were pressed.
func (a *agent) leaf(ctx context.Context) bool {
	a.newPage()
	_, _, err := a.act(ctx, protocol.Navigate{Page: protocol.Page{TabID: a.tab}, URL: address(a.page)}, "")
	if err != nil {
		a.drop() // whether it is the old page or the new one is not worth asking
	}
	return err == nil
}

func (a *agent) readRefs(ctx context.Context) bool {
	result, _, err := a.act(ctx, protocol.Snapshot{Page: protocol.Page{TabID: a.tab}, Interactive: true}, "")
	if err != nil {
		a.after(err)
		return false
	}
	tree, ok := result.(protocol.SnapshotResult)
	if !ok {
		return false
	}
	a.refs = map[string]string{}
	for uid, ref := range tree.Refs {
		a.refs[ref.Name] = uid
	}
	return true
}

// readTitle asks whose page it is: another's would be the wrong tab.
func (a *agent) readTitle(ctx context.Context) bool {
	began := time.Now()
	result, _, err := a.act(ctx, protocol.Get{Page: protocol.Page{TabID: a.tab}, What: "title"}, "")
	if err != nil {
		a.after(err)
		return false
	}
	if got, ok := result.(protocol.GetResult); !ok || got.Value == nil || *got.Value != a.page {
		a.judge.fault("wrong tab: %s asked for the title of %s and got %+v", a.name, a.page, result)
		return false
	}
	a.judge.read(a.name, a.session, began, time.Now())
	return true
}

func (a *agent) press(ctx context.Context) bool {
	button := fmt.Sprintf("b%d", a.next)
	target := protocol.Target{Selector: "#" + button}
	if a.byRef {
		label := fmt.Sprintf("press %d", a.next)
		target = protocol.Target{UID: a.refs[label]}
		if target.UID == "" {
			a.judge.fault("incomplete: the snapshot of %s told of no button %q", a.page, label)
			a.drop()
			return false
		}
	}
	c := call{agent: a.name, session: a.session, press: press{a.page, button}, began: time.Now()}
	a.next++
	_, recalled, err := a.act(ctx, protocol.Click{Page: protocol.Page{TabID: a.tab}, Target: target}, a.page+"-"+button)
	c.ended, c.recalled, c.outcome = time.Now(), recalled, protocol.Done
	if err != nil {
		c.outcome = err.Outcome
	}
	a.judge.clicked(c)
	if err != nil {
		a.after(err)
	}
	return err == nil
}

// after decides what an error means for the tab.
func (a *agent) after(err *protocol.Error) {
	switch err.Code {
	case protocol.CodeNotConnected, protocol.CodeTimeout, protocol.CodeCancelled:
		// The link's trouble: the tab is there.
	case protocol.CodeElementStale:
		a.refs = nil
		a.judge.lostRef()
	default:
		a.drop()
	}
}

// drop gives up the tab for a new one.
func (a *agent) drop() {
	a.tab = 0
	a.judge.lostTab()
}

// act has one action done. When the server dies meanwhile the next one is asked what came of it, if the call has a key.
func (a *agent) act(ctx context.Context, action protocol.Action, key string) (result protocol.Result, recalled bool, failure *protocol.Error) {
	request := protocol.ActRequest{Action: protocol.AnyAction{Action: action}, TimeoutMS: deadline.Milliseconds(), CallKey: key}
	sent := time.Now()
	result, err := a.ask(ctx, request)
	for key != "" && ctx.Err() == nil && isLost(err) && time.Since(sent) < deadline {
		// Until a server is there again nobody can say.
		if wait(ctx, look) != nil {
			break
		}
		request.RecallMS = max(protocol.Ago(sent).Milliseconds(), 1)
		var again protocol.Result
		again, err = a.ask(ctx, request)
		if errors.Is(err, errNobody) {
			err = errors.Join(client.ErrLost, err)
			continue
		}
		result, recalled = again, true
	}
	if err == nil {
		return result, recalled, nil
	}
	if !errors.As(err, &failure) {
		a.judge.fault("no error of ours: %s of %s ended with %v", protocol.TypeOf(action), a.name, err)
		failure = protocol.Errorf(protocol.CodeInternal, "%v", err).WithOutcome(protocol.Unknown)
	}
	if isLost(err) {
		failure = failure.WithOutcome(protocol.Unknown)
	}
	a.judge.failed(a.name, fmt.Sprintf("%s on %s %s", protocol.TypeOf(action), a.page, key), failure)
	return nil, recalled, failure
}

// errNobody says that no server answers.
var errNobody = errors.New("no server")

func isLost(err error) bool { return errors.Is(err, client.ErrLost) }

// ask sends one request and holds its answer to the time that it may take.
func (a *agent) ask(ctx context.Context, request protocol.ActRequest) (protocol.Result, error) {
	own, cancel := context.WithCancel(ctx)
	defer cancel()
	limited, done := context.WithTimeout(own, deadline+slack)
	defer done()
	a.under(cancel)
	defer a.under(nil)
	answer, err := a.client.Act(limited, request)
	switch {
	case own.Err() == nil && limited.Err() != nil:
		a.judge.fault("hung: %s of %s had no answer after %s", protocol.TypeOf(request.Action.Action), a.name, deadline+slack)
	case err != nil && isDial(err):
		return nil, errors.Join(err, errNobody)
	}
	if err != nil {
		return nil, err
	}
	return protocol.ReadResult(protocol.TypeOf(request.Action.Action), answer.Result)
}

// isDial tells whether the connection to the server was never made.
func isDial(err error) bool {
	var e *protocol.Error
	return errors.As(err, &e) && e.Code == protocol.CodeNotConnected && errors.Is(err, syscall.ECONNREFUSED)
}

func (a *agent) under(cancel context.CancelFunc) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.giveUp = cancel
}

// abandon ends the call under way, as an agent does that is closed, and tells whether there was one.
func (a *agent) abandon() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.giveUp == nil {
		return false
	}
	a.giveUp()
	return true
}

func (a *agent) show(page string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.shown = page
}

// showing is the page that the agent works on.
func (a *agent) showing() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.shown
}

// wait returns after d, or with an error when ctx ends before.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
