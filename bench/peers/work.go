package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/drawbridge-browser/drawbridge/bench/site"
	"github.com/drawbridge-browser/drawbridge/bench/tokens"
)

// work is something that everybody does in each round.
type work struct {
	name string
	do   func(context.Context, *contender) error
}

func (b *bench) works(counts bool) []work {
	take := func(c *contender, row string, value float64) {
		if counts {
			b.report.add(c, row, value)
		}
	}
	all := []work{
		{"the form", func(ctx context.Context, c *contender) error { return b.order(ctx, c, take) }},
		{"single steps", func(ctx context.Context, c *contender) error { return b.steps(ctx, c, take) }},
	}
	for _, page := range site.Pages {
		all = append(all, work{page.Title, func(ctx context.Context, c *contender) error { return b.see(ctx, c, page, counts, take) }})
	}
	return all
}

// taken is where a value of a row goes.
type taken func(c *contender, row string, value float64)

// coldStart measures from nothing until the agent can act on the first page.
func (b *bench) coldStart(ctx context.Context, c *contender, stay bool) error {
	begun := time.Now()
	p, err := c.start(ctx)
	if err != nil {
		return fmt.Errorf("it does not start: %w", err)
	}
	c.player = p
	if _, err := b.begin(ctx, c, "/form", site.Order.Send); err != nil {
		return fmt.Errorf("it does not open a page: %w", err)
	}
	b.report.add(c, rowStart, millis(time.Since(begun)))
	if stay {
		return nil
	}
	return b.stop(c)
}

// begin opens a page, and looks where opening has not told of the control. It gives what the agent read.
func (b *bench) begin(ctx context.Context, c *contender, path string, wanted site.Control) (string, error) {
	text, err := c.player.open(ctx, b.url(c, path))
	if err != nil || c.player.knows(wanted) {
		return text, err
	}
	tree, err := c.player.look(ctx, false)
	return text + "\n" + tree, err
}

// order fills the form in ten steps.
func (b *bench) order(ctx context.Context, c *contender, take taken) error {
	read, err := b.begin(ctx, c, "/form", site.Order.Send)
	if err != nil {
		return err
	}
	before, err := tokens.Count(read)
	if err != nil {
		return err
	}
	var said []string
	step := func(do func(context.Context, site.Control) (string, error), controls ...site.Control) error {
		for _, control := range controls {
			text, err := do(ctx, control)
			if err != nil {
				return fmt.Errorf("%s: %w", control.Named(), err)
			}
			said = append(said, text)
		}
		return nil
	}
	begun := time.Now()
	for _, do := range []func() error{
		func() error { return step(c.player.fill, site.Order.Fields...) },
		func() error { return step(c.player.choose, site.Order.Lists...) },
		func() error { return step(c.player.click, site.Order.Boxes...) },
		func() error { return step(c.player.click, site.Order.Send) },
	} {
		if err := do(); err != nil {
			return err
		}
	}
	took := time.Since(begun)
	b.orders[c.key]++
	if err := b.site.Await(ctx, c.key, site.Sent, b.orders[c.key]); err != nil {
		return err
	}
	answers := 0
	for _, text := range said {
		n, err := tokens.Count(text)
		if err != nil {
			return err
		}
		answers += n
	}
	take(c, rowTask, millis(took))
	if !c.floor {
		take(c, rowTaskAnswers, float64(answers))
		take(c, rowTaskAll, float64(before+answers))
	}
	return nil
}

// steps presses, fills and evaluates.
func (b *bench) steps(ctx context.Context, c *contender, take taken) error {
	if _, err := b.begin(ctx, c, "/press", site.Press); err != nil {
		return err
	}
	const times = 3
	for n := range times {
		begun := time.Now()
		text, err := c.player.press(ctx, site.Press, site.Effect)
		if err != nil {
			return fmt.Errorf("press: %w", err)
		}
		took := time.Since(begun)
		b.presses[c.key]++
		if effect := fmt.Sprintf("Pressed %d times", n+1); !strings.Contains(text, effect) {
			return fmt.Errorf("the answer to a click does not tell of %q: %s", effect, firstLines(text))
		}
		if err := b.site.Await(ctx, c.key, "press", b.presses[c.key]); err != nil {
			return err
		}
		take(c, rowClick, millis(took))

		field := site.Text
		field.Value = fmt.Sprintf("twenty characters %d", b.presses[c.key])
		begun = time.Now()
		if _, err := c.player.fill(ctx, field); err != nil {
			return fmt.Errorf("fill: %w", err)
		}
		took = time.Since(begun)
		if err := b.site.Await(ctx, c.key, "text "+field.Value, 1); err != nil {
			return err
		}
		take(c, rowFill, millis(took))

		begun = time.Now()
		text, err = c.player.evaluate(ctx, "document.getElementById('text').value")
		if err != nil {
			return fmt.Errorf("evaluate: %w", err)
		}
		took = time.Since(begun)
		if !strings.Contains(text, field.Value) {
			return fmt.Errorf("evaluate gives %q, expected %q in it", firstLines(text), field.Value)
		}
		take(c, rowEvaluate, millis(took))
	}
	return nil
}

// see looks at a page. In the warming round it follows a look that was cut to its end, to see what it loses.
func (b *bench) see(ctx context.Context, c *contender, page site.Page, counts bool, take taken) error {
	if _, err := c.player.open(ctx, b.url(c, page.Path)); err != nil {
		return err
	}
	begun := time.Now()
	text, err := c.player.look(ctx, page.Reading)
	if err != nil {
		return fmt.Errorf("look at the %s: %w", page.Title, err)
	}
	took := time.Since(begun)
	if text == "" && !c.floor {
		return errors.New("a look shows nothing")
	}
	take(c, rowSee(page), millis(took))
	if c.floor {
		return nil
	}
	weight, err := tokens.Count(text)
	if err != nil {
		return err
	}
	take(c, rowSeen(page), float64(weight))
	if counts {
		return nil
	}
	first := page.Seen(text)
	whole := weight
	all := text
	for part := text; ; {
		next, there, err := c.player.more(ctx, part)
		if err != nil {
			return fmt.Errorf("go on with the %s: %w", page.Title, err)
		}
		if !there {
			break
		}
		n, err := tokens.Count(next)
		if err != nil {
			return err
		}
		whole += n
		all += next
		part = next
	}
	b.report.saw(c, rowSeen(page), float64(first)/float64(page.Marks), float64(page.Seen(all))/float64(page.Marks))
	if whole > weight {
		b.report.add(c, rowWhole(page), float64(whole))
	}
	return nil
}

// settle takes what is taken once, and holds what was done to what the pages saw.
func (b *bench) settle(ctx context.Context, c *contender) error {
	if orders, presses := b.site.Count(c.key, site.Sent), b.site.Count(c.key, "press"); orders != b.orders[c.key] || presses != b.presses[c.key] {
		return fmt.Errorf("the pages saw %d orders and %d presses, %d and %d were done", orders, presses, b.orders[c.key], b.presses[c.key])
	}
	if c.floor {
		return nil
	}
	memory, err := c.player.place.memory()
	if err != nil {
		return err
	}
	b.report.add(c, rowMemory, float64(memory)/(1<<20))
	definitions, err := c.player.definitions(ctx)
	if err != nil || definitions == "" {
		return err
	}
	weight, err := tokens.Count(definitions)
	b.report.add(c, rowDefinitions, float64(weight))
	return err
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
