package protocol

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

var (
	errDepth  = fmt.Errorf("nested deeper than %d", MaxDepth)
	errNumber = errors.New("an integer is written without fraction or exponent and within ±(2^53-1)")
)

// checkKeys refuses what the two sides could read differently: duplicate keys, keys that differ
// only in case, integers written as fractions or beyond 2^53, and nesting beyond MaxDepth. The
// extension's parser does the same. Below a member named value anything goes: it is a page's own.
func checkKeys(raw []byte) error {
	d := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	stack := make([]level, 0, 16) // one for each open { or [
	nextIsKey := func() bool {
		kind, n := d.StackIndex(d.StackDepth())
		return kind == '{' && n%2 == 0
	}
	for {
		isKey := len(stack) > 0 && nextIsKey()
		tok, err := d.ReadToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch tok.Kind() {
		case '{':
			stack = push(stack)
		case '[':
			stack = push(stack)
		case '}', ']':
			stack = stack[:len(stack)-1]
		case '0':
			if err := checkNumber(tok.String()); err != nil {
				return err
			}
		case '"':
			if !isKey {
				break
			}
			key := tok.String()
			if err := stack[len(stack)-1].add(key); err != nil {
				return err
			}
			if key == opaqueKey && d.PeekKind() != '"' {
				if err := d.SkipValue(); err != nil {
					return err
				}
			}
		}
		if len(stack) > MaxDepth {
			return errDepth
		}
	}
}

// opaqueKey is the member under which a page's own JSON stands.
const opaqueKey = "value"

// level is an open object's keys: a few in a list, many in a map, by their folded form.
type level struct {
	few  []string
	many map[string]string
}

// push opens a level and takes over the list of a closed one, so that a long array of small
// objects allocates nothing.
func push(stack []level) []level {
	if n := len(stack); n < cap(stack) {
		stack = stack[:n+1]
		stack[n] = level{few: stack[n].few[:0]}
		return stack
	}
	return append(stack, level{})
}

func (l *level) add(key string) error {
	seen, dup := "", false
	if l.many != nil {
		seen, dup = l.many[foldASCII(key)]
	} else if i := slices.IndexFunc(l.few, func(k string) bool { return len(k) == len(key) && equalFoldASCII(k, key) }); i >= 0 {
		seen, dup = l.few[i], true
	}
	if dup && seen == key {
		return fmt.Errorf("duplicate key %.64q", key)
	}
	if dup {
		return fmt.Errorf("keys %.64q and %.64q differ only in case", seen, key)
	}
	if l.many == nil && len(l.few) == 16 {
		l.many = make(map[string]string, 64)
		for _, k := range l.few {
			l.many[foldASCII(k)] = k
		}
	}
	if l.many != nil {
		l.many[foldASCII(key)] = key
		return nil
	}
	l.few = append(l.few, key)
	return nil
}

// foldASCII lowers A to Z only: the same on both sides whatever their Unicode version.
func foldASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + ('a' - 'A')
		}
		return r
	}, s)
}

func equalFoldASCII(a, b string) bool {
	for i := range len(a) {
		if a[i] != b[i] && foldASCII(a[i:i+1]) != foldASCII(b[i:i+1]) {
			return false
		}
	}
	return true
}

func checkNumber(text string) error {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) {
		return errNumber
	}
	if f != math.Trunc(f) {
		return nil
	}
	if strings.ContainsAny(text, ".eE") || math.Abs(f) > MaxSafeInteger {
		return errNumber
	}
	return nil
}
