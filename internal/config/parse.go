package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// maxFile is the largest settings file, in bytes.
const maxFile = 64 << 10

// faultf is an error of what the user wrote.
func faultf(format string, args ...any) error {
	return protocol.Errorf(protocol.CodeInvalidAction, "%s", fmt.Sprintf(format, args...))
}

func readSmall(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil && len(raw) > maxFile {
		err = fmt.Errorf("%s has more than %d bytes", path, maxFile)
	}
	return raw, err
}

// parse reads a settings file member by member, so that each fault has its line.
func parse(path string, raw []byte) (map[string]string, error) {
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	at := func(err error) error {
		line := 1 + bytes.Count(raw[:min(d.InputOffset(), int64(len(raw)))], []byte("\n"))
		return faultf("%s:%d: %v", path, line, err)
	}
	open, err := d.ReadToken()
	if err != nil {
		return nil, at(err)
	}
	if open.Kind() != '{' {
		return nil, at(errors.New(`expected an object like {"session": "work"}`))
	}
	values := map[string]string{}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, at(err)
		}
		key := name.String()
		if key != "$schema" && !known(key) {
			return nil, at(fmt.Errorf("unknown setting %.64q%s", key, hint(key)))
		}
		value, err := d.ReadToken()
		if err != nil {
			return nil, at(err)
		}
		if value.Kind() != '"' {
			return nil, at(fmt.Errorf("%s must be a string%s", key, example(key)))
		}
		if err := checkValue(key, value.String()); err != nil {
			return nil, at(err)
		}
		if key != "$schema" {
			values[key] = value.String()
		}
	}
	if _, err := d.ReadToken(); err != nil { // the end of the object
		return nil, at(err)
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, at(errors.New("something stands behind the object"))
	}
	return values, nil
}

func known(name string) bool {
	for _, key := range Keys {
		if key.Name == name {
			return true
		}
	}
	return false
}

func example(name string) string {
	switch name {
	case "timeout":
		return `, such as "10s"`
	case "output":
		return `, "text" or "json"`
	}
	return ""
}

// checkValue holds one setting against the schema.
func checkValue(name, value string) error {
	if err := protocol.CheckSettings(map[string]any{name: value}); err != nil {
		return fmt.Errorf("%w%s", err, example(name))
	}
	return nil
}

// hint names the known setting that is nearest to a wrong one, or all of them.
func hint(wrong string) string {
	best, least := "", 4 // farther off than that it is no slip
	var all []string
	for _, key := range Keys {
		all = append(all, key.Name)
		if n := distance(strings.ToLower(wrong), strings.ToLower(key.Name)); n < least {
			best, least = key.Name, n
		}
	}
	if best == "" {
		return ": expected one of " + strings.Join(all, ", ")
	}
	return fmt.Sprintf(": did you mean %s?", best)
}

// distance is how many letters must be put in, left out or changed to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0] // what stood diagonally
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
