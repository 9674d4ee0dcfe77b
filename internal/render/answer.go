// Package render writes results and errors as the short text that a model reads.
//
// Everything that a page wrote (names, titles, values, text) is untrusted. It stands
// between the fence's random marks, or, where one of our own sentences needs a name,
// in quotes, on one line, cut short and with quotes inside escaped. Text is made from
// protocol's structs only, so a page cannot add a line to what we say.
package render

import (
	"strings"
)

// DefaultTokens is how much of a page one answer brings unless the reader asks for
// more, in tokens as Tokens estimates them.
const DefaultTokens = 2000

// Attachment is what an answer brings beside its text: a picture or a file.
type Attachment struct {
	// Data is the bytes themselves, not base64.
	Data []byte
	// MIMEType is their type, such as image/png.
	MIMEType string
	// Name is the file's name; empty for a screenshot.
	Name string
}

// Answer is one result or error in three parts: our words, the page's, ours again.
type Answer struct {
	// Head says what was done and where, in our words.
	Head string
	// Page is what the page says, cleaned; String puts the fence around it.
	Page string
	// Tail is what follows from it: refs, changes, the next step.
	Tail string
	// More is the word by which the rest can be asked for; empty when there is none.
	More string
	// Attachment is the picture or file, if any.
	Attachment *Attachment
}

// String puts the parts together, with a fence of fresh random marks around the page's.
func (a Answer) String() string {
	var b strings.Builder
	b.WriteString(a.Head)
	if a.More != "" {
		b.WriteString(" · more=" + a.More)
	}
	if a.Page != "" {
		mark := newMark(a.Page)
		b.WriteString("\n<page " + mark + ">\n" + strings.TrimRight(a.Page, "\n") + "\n</page " + mark + ">")
	}
	if a.Tail != "" {
		b.WriteString("\n" + a.Tail)
	}
	return strings.TrimLeft(b.String(), "\n")
}

// around is what the fence and the word for the rest take, in tokens.
const around = 30

// Cut shortens the page's part to what is left of the budget of tokens, at the end of
// a line where there is one. rest is an answer with what did not fit, to be had by
// asking for it; ok is false, and short the whole answer, when all of it fits.
func (a Answer) Cut(tokens int) (short, rest Answer, ok bool) {
	// Our own words are short by construction; a page gets a fair part even beside a long tail.
	room := max(tokens-Tokens(a.Head)-Tokens(a.Tail)-around, tokens/4)
	at := fitting(a.Page, room)
	if at == len(a.Page) {
		return a, Answer{}, false
	}
	if line := strings.LastIndexByte(a.Page[:at], '\n'); line > at/2 {
		at = line + 1
	}
	first, _, _ := strings.Cut(a.Head, "\n")
	rest = Answer{Head: "rest of " + first, Page: a.Page[at:], More: a.More}
	if already, found := strings.CutPrefix(first, "rest of "); found {
		rest.Head = "rest of " + already
	}
	short, short.Page, short.More = a, a.Page[:at], ""
	return short, rest, true
}

// Tokens estimates how many tokens a model needs for s, on the high side: one for each word of up to four letters and a
// quarter for each further letter, one for three digits and for the blank before them, one for the end of a line that
// ends in a word and for an indentation, and one for each other character. What is full of refs and quotes takes three
// times as many as its bytes alone would tell.
func Tokens(s string) int {
	var m meter
	quarters := 0
	for _, r := range s {
		quarters += m.weight(r)
	}
	return (quarters + 3) / 4
}

// meter weighs one character after the other: what a token begins with carries the weight.
type meter struct {
	last            rune
	letters, digits int // how many the run at hand has so far
}

// weight is r's, in quarters of a token.
func (m *meter) weight(r rune) int {
	before, letters, digits := m.last, m.letters, m.digits
	m.last, m.letters, m.digits = r, 0, 0
	switch {
	case r == ' ' && before == '\n':
		return 4
	case r == ' ', r == '\n' && letters == 0 && digits == 0:
		return 0
	case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
		m.letters = letters + 1
		switch {
		case letters == 0:
			return 4
		case letters < 4:
			return 0
		}
		return 1
	case '0' <= r && r <= '9':
		m.digits = digits + 1
		switch {
		case before == ' ':
			return 8
		case digits%3 != 0:
			return 0
		}
	}
	return 4
}

// fitting returns how many bytes of s fit into a budget of tokens.
func fitting(s string, tokens int) int {
	var m meter
	quarters := tokens * 4
	for i, r := range s {
		quarters -= m.weight(r)
		if quarters < 0 {
			return i
		}
	}
	return len(s)
}
