package main

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"time"

	"github.com/drawbridge-browser/drawbridge/bench/progress"
	"github.com/drawbridge-browser/drawbridge/bench/site"
)

// stepTime is how long one piece of work may take.
const stepTime = time.Minute

// bench is the site and everybody who is measured on it.
type bench struct {
	options *options
	tell    *progress.Line
	site    *site.Site
	server  *httptest.Server
	cast    []*contender
	report  *report
	// orders and presses are how many were done, by contender: what the pages saw is held to that.
	orders, presses map[string]int
}

func openBench(o *options, tell *progress.Line) (*bench, error) {
	all, err := cast(o)
	if err != nil {
		return nil, err
	}
	b := &bench{options: o, tell: tell, site: site.New(), cast: all, orders: map[string]int{}, presses: map[string]int{}}
	b.server = httptest.NewServer(b.site)
	b.report = newReport(all, o.rounds)
	return b, nil
}

func (b *bench) close() error {
	var err error
	for _, c := range b.cast {
		err = errors.Join(err, b.stop(c))
	}
	b.server.CloseClientConnections()
	b.server.Close()
	return err
}

func (b *bench) stop(c *contender) error {
	if c.player == nil {
		return nil
	}
	p := c.player
	c.player = nil
	if err := p.stop(); err != nil {
		return fmt.Errorf("end %s: %w", c.name, err)
	}
	return nil
}

func (b *bench) url(c *contender, path string) string { return b.server.URL + path + "?as=" + c.key }

// measure has everybody do all of the work, in turns.
func (b *bench) measure(ctx context.Context) (*report, error) {
	for i := range b.options.starts {
		b.tell.Say(fmt.Sprintf("cold start %d of %d", i+1, b.options.starts), "")
		last := i == b.options.starts-1
		if err := b.each(ctx, func(ctx context.Context, c *contender) error { return b.coldStart(ctx, c, last) }); err != nil {
			return nil, err
		}
	}
	for round := range b.options.rounds + 1 {
		counts := round > 0 // the first warms up
		for _, work := range b.works(counts) {
			b.tell.Say(fmt.Sprintf("round %d of %d", round, b.options.rounds), work.name)
			err := b.each(ctx, func(ctx context.Context, c *contender) error {
				b.tell.Say(fmt.Sprintf("round %d of %d", round, b.options.rounds), work.name+", "+c.name)
				return work.do(ctx, c)
			})
			if err != nil {
				return nil, err
			}
		}
	}
	b.tell.Say("what is left", "")
	if err := b.each(ctx, b.settle); err != nil {
		return nil, err
	}
	return b.report, nil
}

// each has everybody who runs do something. Who fails is left out from then on, with the reason; only the end of ctx ends
// the whole.
func (b *bench) each(ctx context.Context, do func(context.Context, *contender) error) error {
	for _, c := range b.cast {
		if c.failed != "" {
			continue
		}
		work, cancel := context.WithTimeout(ctx, stepTime)
		err := do(work, c)
		cancel()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			c.failed = errors.Join(err, b.stop(c)).Error()
		}
	}
	return nil
}
