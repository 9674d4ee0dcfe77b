package main

import (
	"context"
	"fmt"

	"github.com/drawbridge-browser/drawbridge/bench/rawcdp"
	"github.com/drawbridge-browser/drawbridge/bench/site"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// form compares a task of ten steps, each of them a call of its own, judged by what the page was sent.
func (b *bench) form(t *tab) row {
	send := protocol.Click{Page: t.page, Target: t.ref("button Order")}
	return row{
		name: "a form in ten steps", limit: 2.5, runs: 10, sample: send, drawn: t.raw,
		ours:  func(ctx context.Context) error { return b.fillForm(ctx, t, send) },
		floor: func(ctx context.Context) error { return rawForm(ctx, t.raw) },
	}
}

func (b *bench) fillForm(ctx context.Context, t *tab, send protocol.Click) error {
	var steps []protocol.Action
	for _, f := range site.Order.Fields {
		steps = append(steps, protocol.Type{Page: t.page, Target: t.ref(f.Named()), Text: &f.Value, Clear: true})
	}
	for _, l := range site.Order.Lists {
		steps = append(steps, protocol.Select{Page: t.page, Target: t.ref(l.Named()), Values: []string{l.Value}})
	}
	for _, box := range site.Order.Boxes {
		steps = append(steps, protocol.Click{Page: t.page, Target: t.ref(box.Named())})
	}
	for _, step := range append(steps, send) {
		if _, err := b.do(ctx, step); err != nil {
			return err
		}
	}
	return judge(ctx, t.raw)
}

func rawForm(ctx context.Context, r *rawcdp.Page) error {
	for _, f := range site.Order.Fields {
		if err := r.Fill(ctx, f.Selector, f.Value); err != nil {
			return err
		}
	}
	for _, l := range site.Order.Lists {
		if err := r.Choose(ctx, l.Selector, l.Value); err != nil {
			return err
		}
	}
	for _, box := range site.Order.Boxes {
		if err := r.Click(ctx, box.Selector); err != nil {
			return err
		}
	}
	if err := r.Click(ctx, "#send"); err != nil {
		return err
	}
	return judge(ctx, r)
}

// judge asks the page what it was sent last, for both ways alike.
func judge(ctx context.Context, r *rawcdp.Page) error {
	var got string
	if err := r.Session.Evaluate(ctx, "sent.pop() ?? ''", &got); err != nil {
		return err
	}
	if got != site.Sent {
		return fmt.Errorf("the form was sent with %q, expected %q", got, site.Sent)
	}
	return nil
}
