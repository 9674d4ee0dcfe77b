package conformance

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

// Conversation is one file of this package.
type Conversation struct {
	// Name is the file's, without folder and ending.
	Name string
	// Prose says what it shows.
	Prose string
	// Only is the side that it is about: "server", "extension", or "" for both.
	Only string
	// Values are those of its let lines.
	Values map[string]any
	Steps  []Step
}

// Step is one section.
type Step struct {
	// Who is "client", "server", "agent", "result", "error" or "give up".
	Who string
	// How is "raw", "binary", "slow", "open" or "close" where the section says so.
	How string
	// Of tells apart connections and agents: the first is "1".
	Of string
	// Code is the close code, 0 for none in particular.
	Code int
	// Text is the section's body.
	Text string
}

//go:embed bridge/*.txtar rpc/*.txtar
var files embed.FS

// Of returns the conversations of a dialect, bridge or rpc, in the order of their names.
func Of(dialect string) ([]Conversation, error) {
	entries, err := fs.ReadDir(files, dialect)
	if err != nil {
		return nil, err
	}
	var all []Conversation
	for _, e := range entries {
		raw, err := files.ReadFile(path.Join(dialect, e.Name()))
		if err != nil {
			return nil, err
		}
		c, err := parse(strings.TrimSuffix(e.Name(), ".txtar"), raw)
		if err != nil {
			return nil, fmt.Errorf("%s/%s: %w", dialect, e.Name(), err)
		}
		all = append(all, c)
	}
	return all, nil
}

func parse(name string, raw []byte) (Conversation, error) {
	archive := txtar.Parse(raw)
	c := Conversation{Name: name, Values: map[string]any{}}
	for line := range strings.Lines(string(archive.Comment)) {
		line = strings.TrimSpace(line)
		if side, ok := strings.CutPrefix(line, "only: "); ok {
			c.Only = side
		} else if let, ok := strings.CutPrefix(line, "let "); ok {
			variable, value, _ := strings.Cut(let, " = ")
			var v any
			if err := json.Unmarshal([]byte(value), &v); err != nil {
				return c, fmt.Errorf("let %s: %w", variable, err)
			}
			c.Values[variable] = v
		} else {
			c.Prose += line + "\n"
		}
	}
	if strings.TrimSpace(c.Prose) == "" {
		return c, fmt.Errorf("it says nothing about what it shows")
	}
	for _, f := range archive.Files {
		step, err := parseStep(f.Name, strings.TrimSpace(string(f.Data)))
		if err != nil {
			return c, err
		}
		c.Steps = append(c.Steps, step)
	}
	if len(c.Steps) == 0 {
		return c, fmt.Errorf("nothing is said in it")
	}
	return c, nil
}

func parseStep(heading, body string) (Step, error) {
	s := Step{Of: "1", Text: body}
	if heading == "give up" {
		s.Who = heading
		return s, nil
	}
	words := strings.Fields(heading)
	s.Who = words[0]
	for _, w := range words[1:] {
		switch n, err := strconv.Atoi(w); {
		case w == "raw" || w == "binary" || w == "slow" || w == "close" || w == "open":
			s.How = w
		case err == nil && n >= 1000:
			s.Code = n
		default:
			s.Of = w
		}
	}
	switch s.Who {
	case "client", "server", "agent", "result", "error":
		return s, nil
	}
	return s, fmt.Errorf("section %q: nobody is called that", heading)
}
