package main

import (
	"context"
	"fmt"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// order is what the form is filled with: five fields, two lists, two boxes; the tenth step sends it.
var order = struct {
	fields, lists [][3]string // selector, role and name, value
	boxes         [][2]string // selector, role and name
}{
	fields: [][3]string{
		{"#name", "textbox Name", "Ada Lovelace"},
		{"#street", "textbox Street", "12 St James Square"},
		{"#city", "textbox City", "London"},
		{"#mail", "textbox Mail", "ada@example.test"},
		{"#note", "textbox Note", "Ring twice"},
	},
	lists: [][3]string{
		{"#country", "combobox Country", "Spain"},
		{"#size", "combobox Size", "Large"},
	},
	boxes: [][2]string{{"#gift", "checkbox As a gift"}, {"#terms", "checkbox I agree"}},
}

const sent = "Ada Lovelace,12 St James Square,London,ada@example.test,Ring twice,Spain,Large,true,true"

// form compares a task of ten steps, each of them a call of its own, judged by what the page was sent.
func (b *bench) form(t *tab) row {
	send := protocol.Click{Page: t.page, Target: t.ref("button Order")}
	return row{
		name: "a form in ten steps", limit: 2.5, runs: 10, sample: send,
		ours:  func(ctx context.Context) error { return b.fillForm(ctx, t, send) },
		floor: func(ctx context.Context) error { return rawForm(ctx, t.raw) },
	}
}

func (b *bench) fillForm(ctx context.Context, t *tab, send protocol.Click) error {
	var steps []protocol.Action
	for _, f := range order.fields {
		steps = append(steps, protocol.Type{Page: t.page, Target: t.ref(f[1]), Text: &f[2], Clear: true})
	}
	for _, l := range order.lists {
		steps = append(steps, protocol.Select{Page: t.page, Target: t.ref(l[1]), Values: l[2:]})
	}
	for _, box := range order.boxes {
		steps = append(steps, protocol.Click{Page: t.page, Target: t.ref(box[1])})
	}
	for _, step := range append(steps, send) {
		if _, err := b.do(ctx, step); err != nil {
			return err
		}
	}
	return judge(ctx, t.raw)
}

func rawForm(ctx context.Context, r *raw) error {
	for _, f := range order.fields {
		if err := r.fill(ctx, f[0], f[2]); err != nil {
			return err
		}
	}
	for _, l := range order.lists {
		if err := r.choose(ctx, l[0], l[2]); err != nil {
			return err
		}
	}
	for _, box := range order.boxes {
		if err := r.click(ctx, box[0]); err != nil {
			return err
		}
	}
	if err := r.click(ctx, "#send"); err != nil {
		return err
	}
	return judge(ctx, r)
}

// judge asks the page what it was sent last, for both ways alike.
func judge(ctx context.Context, r *raw) error {
	var got string
	if err := r.session.Evaluate(ctx, "sent.pop() ?? ''", &got); err != nil {
		return err
	}
	if got != sent {
		return fmt.Errorf("the form was sent with %q, expected %q", got, sent)
	}
	return nil
}
