package agent

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Whatever leaves the desk is searched for the values of its user's secrets, wherever they come from: a field that was filled,
// a page that repeats what it was given, an address that carries it. Pictures and documents are bytes, and cannot be.

// shortSecret is the length up to which a value counts only as a whole word: a PIN of four digits is part of many numbers.
const shortSecret = 5

// hiddenValue finds one secret.
type hiddenValue struct {
	value string
	found *regexp.Regexp
	cut   *regexp.Regexp // its beginning, where an answer was cut off within it; nil for a short one
	word  bool           // only where no letter or digit stands beside it
	mark  string
}

// scrubber takes the secrets of one user out of texts. Values are added and never dropped.
type scrubber struct {
	mu     sync.RWMutex
	values []hiddenValue
}

// scrubbers are the scrubbers by user.
type scrubbers struct {
	mu sync.Mutex
	of map[string]*scrubber
}

// scrubber is the scrubber of a user, with the secrets that were stored when it was first asked for and all that were set since.
func (d *Desk) scrubber(ctx context.Context, user string) (*scrubber, error) {
	d.scrub.mu.Lock()
	defer d.scrub.mu.Unlock()
	if s := d.scrub.of[user]; s != nil {
		return s, nil
	}
	all, err := d.store.Secrets(ctx, user)
	if err != nil {
		return nil, fmt.Errorf("read the secrets that answers are kept clear of: %w", err)
	}
	s := &scrubber{}
	for _, secret := range all {
		s.learn(secret)
	}
	if d.scrub.of == nil {
		d.scrub.of = map[string]*scrubber{}
	}
	d.scrub.of[user] = s
	return s, nil
}

// hide keeps a secret out of all answers from now on.
func (d *Desk) hide(ctx context.Context, secret store.Secret) error {
	s, err := d.scrubber(ctx, secret.User)
	if err == nil {
		s.learn(secret)
	}
	return err
}

// learn adds a secret, and of one of the form user:password what a page may show of it once a server was given it: the password, and
// the whole in base64. A password so short that it is a common word is one only once it was used as such.
func (s *scrubber) learn(secret store.Secret) {
	s.add(secret)
	for _, part := range credentialParts(secret.Value) {
		if utf8.RuneCountInString(part) > shortSecret {
			s.add(store.Secret{Name: secret.Name, Value: part})
		}
	}
}

// credentialParts are what a value of the form user:password becomes elsewhere; none for another.
func credentialParts(value string) []string {
	_, password, ok := strings.Cut(value, ":")
	if !ok || password == "" {
		return nil
	}
	return []string{password, base64.StdEncoding.EncodeToString([]byte(value))}
}

func (s *scrubber) add(secret store.Secret) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.values {
		if v.value == secret.Value {
			return
		}
	}
	parts := spellings(secret.Value)
	s.values = append(s.values, hiddenValue{
		value: secret.Value, found: regexp.MustCompile("(?i)" + strings.Join(parts, "")), cut: beginning(parts), word: utf8.RuneCountInString(secret.Value) <= shortSecret,
		mark: "[secret " + secret.Name + "]",
	})
}

func (s *scrubber) empty() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.values) == 0
}

// spellings are expressions for each character of a value as pages and answers write it: in any case, with escapes of HTML,
// addresses, JSON and Markdown, digits in groups.
func spellings(value string) []string {
	digits := strings.IndexFunc(value, func(r rune) bool { return r < '0' || '9' < r }) < 0
	var parts []string
	for i, r := range value {
		if unicode.IsSpace(r) {
			parts = append(parts, `(?:[\s\x{a0}]|\+|%20|%0A|%0D|%09|&nbsp;|\\+[nrt])+`)
			continue
		}
		var b strings.Builder
		if digits && i > 0 {
			b.WriteString(`[ \x{a0}\x{202f}.-]?`)
		}
		b.WriteString(`(?:\\*` + regexp.QuoteMeta(string(r)))
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) || r > unicode.MaxASCII {
			b.WriteString("|")
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
			fmt.Fprintf(&b, `|&#0*%d;|&#x0*%x;`, r, r)
			if r <= 0xffff {
				fmt.Fprintf(&b, `|\\+u%04x`, r)
			}
			if name := entities[r]; name != "" {
				b.WriteString("|&" + name + ";")
			}
		}
		parts = append(parts, b.String()+")")
	}
	return parts
}

// leastBeginning is how many characters of a value, right before the sign of a cut, count as its beginning; mostBeginning is how
// many are looked for.
const (
	leastBeginning = 4
	mostBeginning  = 200
)

// beginning finds at least four characters of a value right before a cut, with the rest of an escape that was cut as well.
func beginning(parts []string) *regexp.Regexp {
	if len(parts) <= leastBeginning {
		return nil
	}
	parts = parts[:min(len(parts), mostBeginning)]
	more := parts[leastBeginning:]
	return regexp.MustCompile("(?i)" + strings.Join(parts[:leastBeginning], "") +
		"(?:" + strings.Join(more, "(?:") + strings.Repeat(")?", len(more)) + `(?:(?:%[0-9A-F]?)+|&[#0-9a-z]*|\\+u?[0-9a-f]*)?…`)
}

var entities = map[rune]string{'&': "amp", '<': "lt", '>': "gt", '"': "quot", '\'': "apos"}

// text is a text without secrets.
func (s *scrubber) text(text string) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, v := range s.values {
		text = v.replace(text)
	}
	return text
}

func (v hiddenValue) replace(text string) string {
	if v.cut != nil && strings.Contains(text, "…") {
		text = v.cut.ReplaceAllLiteralString(text, v.mark+"…")
	}
	found := v.found.FindAllStringIndex(text, -1)
	if found == nil {
		return text
	}
	var b strings.Builder
	last := 0
	for _, at := range found {
		before, _ := utf8.DecodeLastRuneInString(text[:at[0]])
		after, _ := utf8.DecodeRuneInString(text[at[1]:])
		if v.word && (isWord(before) || isWord(after)) {
			continue
		}
		b.WriteString(text[last:at[0]] + v.mark)
		last = at[1]
	}
	return b.String() + text[last:]
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// ours are members whose strings are never the page's words, and must keep their meaning.
var ours = map[string]bool{"uid": true, "type": true, "state": true, "mimeType": true, "what": true, "kind": true, "id": true, "next": true, "tabId": true}

// raw is a JSON document without secrets. Of an action that brings bytes those stay as they are.
func (s *scrubber) raw(action protocol.Action, raw json.RawMessage) (json.RawMessage, error) {
	if s.empty() || len(raw) == 0 {
		return raw, nil
	}
	bytesIn := ""
	switch action.(type) {
	case protocol.Screenshot, protocol.PDF, protocol.Download:
		bytesIn = "data"
	}
	_, evaluated := action.(protocol.Evaluate)
	return s.rewrite(raw, bytesIn, evaluated)
}

// rewrite copies a document token by token. What evaluate gave is the page's own, down to its members' names and numbers.
func (s *scrubber) rewrite(raw json.RawMessage, bytesIn string, evaluated bool) (json.RawMessage, error) {
	in := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	var out bytes.Buffer
	w := jsontext.NewEncoder(&out, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	pageOwn, name := false, ""
	for {
		kind := in.PeekKind()
		depth := in.StackDepth()
		if depth == 1 && name == bytesIn && bytesIn != "" && kind == '"' {
			value, err := in.ReadValue()
			if err == nil {
				err = w.WriteValue(value)
			}
			if err != nil {
				return nil, err
			}
			name = ""
			continue
		}
		token, err := in.ReadToken()
		if errors.Is(err, io.EOF) {
			return bytes.TrimSpace(out.Bytes()), nil
		}
		if err != nil {
			return nil, err
		}
		_, length := in.StackIndex(in.StackDepth())
		container, _ := in.StackIndex(in.StackDepth())
		isName := kind == '"' && container == '{' && length%2 == 1
		switch {
		case isName:
			name = token.String()
			if depth == 1 {
				pageOwn = evaluated && name == "value"
			} else if pageOwn {
				token = jsontext.String(s.text(name))
			}
		case kind == '"' && (pageOwn || !ours[name]):
			token = jsontext.String(s.text(token.String()))
		case kind == '0' && pageOwn:
			if text := token.String(); s.text(text) != text {
				token = jsontext.String(s.text(text))
			}
		}
		if err := w.WriteToken(token); err != nil {
			return nil, err
		}
	}
}

// failure is an error without secrets.
func (s *scrubber) failure(e *protocol.Error) *protocol.Error {
	if e == nil || s.empty() {
		return e
	}
	raw, err := json.Marshal(e)
	var clean protocol.Error
	if err == nil {
		if raw, err = s.rewrite(raw, "", false); err == nil {
			err = json.Unmarshal(raw, &clean)
		}
	}
	if err != nil {
		return &protocol.Error{Code: e.Code, Message: "the error's text held a secret", Outcome: e.Outcome, Retryable: e.Retryable}
	}
	clean.Code, clean.Outcome, clean.Retryable = e.Code, e.Outcome, e.Retryable
	return &clean
}

// events are events without secrets.
func (s *scrubber) events(events []protocol.Event) []protocol.Event {
	if s.empty() || len(events) == 0 {
		return events
	}
	clean := make([]protocol.Event, 0, len(events))
	for _, e := range events {
		raw, err := json.Marshal(protocol.AnyEvent{Event: e})
		var any protocol.AnyEvent
		if err == nil {
			if raw, err = s.rewrite(raw, "", false); err == nil {
				err = json.Unmarshal(raw, &any)
			}
		}
		if err == nil && any.Event != nil {
			clean = append(clean, any.Event)
		}
	}
	return clean
}

// answer is an answer without secrets; what cannot be searched is not told.
func (s *scrubber) answer(action protocol.Action, a Answer) (Answer, *protocol.Error) {
	if s.empty() {
		return a, nil
	}
	a.Events = s.events(a.Events)
	if a.Result == nil {
		return a, nil
	}
	raw, err := s.raw(action, a.Raw)
	if err == nil && !bytes.Equal(raw, a.Raw) {
		a.Raw = raw
		a.Result, err = protocol.ReadResult(protocol.TypeOf(action), raw)
	}
	if err != nil {
		return Answer{BrowserID: a.BrowserID, Events: a.Events}, protocol.Errorf(protocol.CodeInternal,
			"the answer could not be searched for secrets, so it is not told: %v", err).WithOutcome(protocol.Done)
	}
	return a, nil
}

// Told is an event as the caller may hear of it: without secrets. It is nil where it cannot be told.
func (d *Desk) Told(ctx context.Context, caller Caller, event protocol.Event) protocol.Event {
	clean, err := d.scrubber(ctx, caller.Identity.User)
	if err != nil || event == nil {
		return nil
	}
	if told := clean.events([]protocol.Event{event}); len(told) == 1 {
		return told[0]
	}
	return nil
}

// browsers are descriptions of browsers whose tabs' titles and addresses hold no secrets.
func (s *scrubber) browsers(infos []protocol.BrowserInfo) []protocol.BrowserInfo {
	if s.empty() {
		return infos
	}
	for i := range infos {
		tabs := slices.Clone(infos[i].Tabs)
		for j := range tabs {
			tabs[j].URL, tabs[j].Title = s.text(tabs[j].URL), s.text(tabs[j].Title)
		}
		infos[i].Tabs = tabs
	}
	return infos
}
