package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/drawbridge-browser/drawbridge/bench/site"
)

// hand does what an agent asks for, one step a call, and gives what the agent reads then.
type hand interface {
	open(ctx context.Context, url string) (string, error)
	look(ctx context.Context, reading bool) (string, error)
	// more goes on where a look was cut; false where there is no more.
	more(ctx context.Context, look string) (string, bool, error)
	click(ctx context.Context, c site.Control) (string, error)
	fill(ctx context.Context, c site.Control) (string, error)
	choose(ctx context.Context, c site.Control) (string, error)
	evaluate(ctx context.Context, body string) (string, error)
	// press clicks and gives what the agent needs to see what that did in an element, by the cheapest of the tool's ways.
	press(ctx context.Context, c site.Control, effect string) (string, error)
	// knows tells whether the agent has been told of a control, so that it can act on it.
	knows(c site.Control) bool
	// definitions is what a model reads of the tools before anything else; empty where there are none.
	definitions(ctx context.Context) (string, error)
	close() error
}

// call is one step in a tool's own words: a tool with arguments, or a command line.
type call struct {
	tool string
	args map[string]any
	argv []string
}

// voice carries calls to a tool.
type voice interface {
	say(ctx context.Context, c call) (string, error)
	definitions(ctx context.Context) (string, error)
	close() error
}

// language is how a tool wants to be asked, and how its answers name elements.
type language struct {
	open     func(url string) call
	look     func(reading bool) call
	more     func(word string, reading bool) call
	click    func(ref string) call
	fill     func(ref, text string) call
	choose   func(ref, option string) call
	evaluate func(body string) call
	// press is a click whose answer tells what changed; nil where that is click itself.
	press func(ref string) call
	// effect reads one element after a click; nil where the click's answer tells what changed.
	effect func(selector string) call
	// ref finds elements in an answer: its groups role, name and ref.
	ref *regexp.Regexp
	// cut finds the word to go on with; nil where answers are never cut.
	cut *regexp.Regexp
}

// speaker is a hand that speaks a language by a voice.
type speaker struct {
	voice
	language
	// refs are the elements that were told since the page was opened, by role and name.
	refs    map[string]string
	reading bool
}

var _ hand = (*speaker)(nil)

func newSpeaker(v voice, l *language) *speaker {
	return &speaker{voice: v, language: *l, refs: map[string]string{}}
}

func (s *speaker) hear(ctx context.Context, c call) (string, error) {
	text, err := s.say(ctx, c)
	if err != nil {
		return text, err
	}
	role, name, ref := s.ref.SubexpIndex("role"), s.ref.SubexpIndex("name"), s.ref.SubexpIndex("ref")
	for _, found := range s.ref.FindAllStringSubmatch(text, -1) {
		if key := found[role] + " " + strings.TrimSpace(found[name]); s.refs[key] == "" {
			s.refs[key] = found[ref]
		}
	}
	return text, nil
}

func (s *speaker) open(ctx context.Context, url string) (string, error) {
	clear(s.refs)
	return s.hear(ctx, s.language.open(url))
}

func (s *speaker) look(ctx context.Context, reading bool) (string, error) {
	s.reading = reading
	return s.hear(ctx, s.language.look(reading))
}

func (s *speaker) more(ctx context.Context, look string) (string, bool, error) {
	if s.cut == nil {
		return "", false, nil
	}
	found := s.cut.FindStringSubmatch(look)
	if found == nil {
		return "", false, nil
	}
	text, err := s.say(ctx, s.language.more(found[1], s.reading))
	return text, true, err
}

// known is the ref of a control that was told.
func (s *speaker) known(c site.Control) (string, error) {
	if ref := s.refs[c.Named()]; ref != "" {
		return ref, nil
	}
	return "", fmt.Errorf("no answer has told of %s", c.Named())
}

func (s *speaker) click(ctx context.Context, c site.Control) (string, error) {
	ref, err := s.known(c)
	if err != nil {
		return "", err
	}
	return s.say(ctx, s.language.click(ref))
}

func (s *speaker) fill(ctx context.Context, c site.Control) (string, error) {
	ref, err := s.known(c)
	if err != nil {
		return "", err
	}
	return s.say(ctx, s.language.fill(ref, c.Value))
}

func (s *speaker) choose(ctx context.Context, c site.Control) (string, error) {
	ref, err := s.known(c)
	if err != nil {
		return "", err
	}
	return s.say(ctx, s.language.choose(ref, c.Value))
}

func (s *speaker) evaluate(ctx context.Context, body string) (string, error) {
	return s.say(ctx, s.language.evaluate(body))
}

func (s *speaker) press(ctx context.Context, c site.Control, effect string) (string, error) {
	ref, err := s.known(c)
	if err != nil {
		return "", err
	}
	press := s.language.press
	if press == nil {
		press = s.language.click
	}
	text, err := s.say(ctx, press(ref))
	if err != nil || s.language.effect == nil {
		return text, err
	}
	seen, err := s.say(ctx, s.language.effect(effect))
	return text + seen, err
}

func (s *speaker) knows(c site.Control) bool { return s.refs[c.Named()] != "" }
