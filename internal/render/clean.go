package render

import (
	"crypto/rand"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Longest forms, in characters, of page-written words that stand outside the
// fence: long enough to recognise a thing by, too short to preach.
const (
	maxName  = 80
	maxTitle = 100
	maxURL   = 200
)

// zeroWidthNonJoiner and zeroWidthJoiner are the two invisible characters that
// words need: Persian and Indic scripts, and emoji made of several.
const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
)

// fenceLike is what a page would write to close the fence early, or to open one
// of its own. The random mark already makes both fail; they are taken apart as
// well, because a model does not compare marks as strictly as a parser.
var fenceLike = regexp.MustCompile(`(?i)<(\s*/?\s*page\b)`)

// block cleans page-written words of several lines: invalid UTF-8, control
// characters, invisible formatting (direction overrides, tags that smuggle
// text) and imitations of the fence go; line breaks and tabs stay.
func block(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return fenceLike.ReplaceAllString(strings.Map(keepBlock, strings.ToValidUTF8(s, "\ufffd")), "‹$1")
}

func keepBlock(r rune) rune {
	switch {
	case r == '\n', r == '\t', r == zeroWidthJoiner, r == zeroWidthNonJoiner:
		return r
	case r == '\r', r == '\u2028', r == '\u2029', r == '\v', r == '\f', r == '\u0085':
		return '\n'
	case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r):
		return -1
	}
	return r
}

// line cleans page-written words and puts them on one line of at most limit
// characters; longer ones end in "…".
func line(s string, limit int) string {
	s = strings.Join(strings.Fields(block(s)), " ")
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return string([]rune(s)[:limit-1]) + "…"
}

var quoteEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// quote is line between double quotes; a quote inside is escaped, so that a name
// cannot end early and go on as if the rest were ours.
func quote(s string, limit int) string {
	return `"` + quoteEscapes.Replace(line(s, limit)) + `"`
}

var addressEscapes = strings.NewReplacer(" ", "%20", `"`, "%22", "<", "%3C", ">", "%3E", "`", "%60")

// address is a page's URL as one word: no blank in it can start a sentence.
func address(s string) string {
	return addressEscapes.Replace(line(s, maxURL))
}

// markLetters has no vowels and no look-alikes: a mark never spells a word.
const markLetters = "bcdfghjkmnpqrstvwxz23456789"

// newMark makes the random mark of one answer's fence, one that words do not contain.
func newMark(words string) string {
	for {
		raw := make([]byte, 4)
		_, _ = rand.Read(raw) // crypto/rand.Read never fails: it ends the program instead
		for i, b := range raw {
			raw[i] = markLetters[int(b)%len(markLetters)]
		}
		if mark := string(raw); !strings.Contains(words, mark) {
			return mark
		}
	}
}
