package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// The marks in a file between which the table is written.
const (
	markBegin = "<!-- bench-peers -->"
	markEnd   = "<!-- /bench-peers -->"
)

// aims are what Drawbridge is to stay within; the look's are by title's beginning and unit.
var aims = map[string]float64{
	rowTask: 180, rowClick: 8, rowMemory: 40, rowDefinitions: 1500, rowTaskAnswers: 900,
}

func aim(row string) float64 {
	switch {
	case strings.HasPrefix(row, "look: ") && strings.HasSuffix(row, ", ms"):
		return 35
	case strings.HasPrefix(row, "look: ") && strings.HasSuffix(row, ", tokens"):
		return 2000
	}
	return aims[row]
}

// machine says in words what was measured on.
func machine() string {
	return fmt.Sprintf("%d cores, %s/%s, headless", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
}

// markdown is the table, who ran, and why others are better where they are.
func (r *report) markdown() string {
	var out strings.Builder
	head, line := "| median |", "| --- |"
	for _, c := range r.cast {
		head, line = head+" "+c.name+" |", line+" ---: |"
	}
	out.WriteString(head + " aim |\n" + line + " ---: |\n")
	var said []string // each once, for all the rows that it is true of
	about := map[string][]string{}
	for _, row := range rows() {
		if r.values[row] == nil {
			continue
		}
		cells := "| " + row
		best := r.best(row)
		for _, c := range r.cast {
			cells += " | " + r.cell(c, row, best)
		}
		cells += " | "
		if most := aim(row); most > 0 {
			cells += "≤ " + number(most)
		}
		out.WriteString(cells + " |\n")
		if note := r.note(row, best); note != "" {
			if about[note] == nil {
				said = append(said, note)
			}
			about[note] = append(about[note], row)
		}
	}
	out.WriteString("\n")
	for _, note := range said {
		out.WriteString("- *" + strings.Join(about[note], "*; *") + "*: " + note + "\n")
	}
	var ran []string
	for _, c := range r.cast {
		if c.failed != "" {
			ran = append(ran, fmt.Sprintf("%s (not measured to the end: %s)", named(c), strings.Join(strings.Fields(c.failed), " ")))
		} else if c.version != "" {
			ran = append(ran, named(c))
		}
	}
	if len(ran) > 0 {
		fmt.Fprintf(&out, "\nBeside it ran %s.\n", strings.Join(ran, ", "))
	}
	fmt.Fprintf(&out, "\n%s, %s, %d rounds. Bold is the best of the tools; (n %%) is how much of the page a look shows, where that is not "+
		"all of it.\n", r.date.Format(time.DateOnly), machine(), r.rounds)
	return out.String()
}

func named(c *contender) string { return strings.TrimSpace(c.name + " " + c.version) }

// best is the least value that a tool has in a row; a look that loses something cannot be it.
func (r *report) best(row string) float64 {
	least := math.Inf(1)
	for _, c := range r.cast {
		if value, ok := r.median(c, row); ok && !c.floor && !r.loses(c, row) {
			least = min(least, value)
		}
	}
	return least
}

// loses tells whether a look that is followed to its end still lacks something of the page.
func (r *report) loses(c *contender, row string) bool {
	seen, ok := r.seen[row][c.key]
	return ok && seen.Whole < 1
}

func (r *report) cell(c *contender, row string, best float64) string {
	value, ok := r.median(c, row)
	if !ok {
		return "–"
	}
	text := number(value)
	if value <= best && !c.floor && !r.loses(c, row) {
		text = "**" + text + "**"
	}
	if seen, ok := r.seen[row][c.key]; ok && seen.First < 1 {
		text += fmt.Sprintf(" (%.0f %%", seen.First*100)
		if seen.Whole > seen.First {
			text += fmt.Sprintf(", then %.0f %%", seen.Whole*100)
		}
		text += ")"
	}
	return text
}

// note says why a row is lost or its aim missed; empty where neither is so.
func (r *report) note(row string, best float64) string {
	won, within := false, aim(row) == 0
	for _, c := range r.cast {
		if value, ok := r.median(c, row); ok && c.ours {
			won = won || value <= best
			within = within || value <= aim(row)
		}
	}
	switch {
	case won && within:
		return ""
	case !won:
		return "another tool is better" + because(row)
	}
	return "the aim is missed" + because(row)
}

func because(row string) string {
	if why := whys[row]; why != "" {
		return ": " + why
	}
	if strings.HasPrefix(row, "look: ") && strings.HasSuffix(row, ", ms") {
		return ": " + lookWhy
	}
	return ", and nobody has found out why yet"
}

// number writes three digits at least and thousands by commas.
func number(value float64) string {
	if value < 100 {
		return strconv.FormatFloat(value, 'f', 1, 64)
	}
	digits := strconv.FormatFloat(value, 'f', 0, 64)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// writeInto puts text between the marks in a file.
func writeInto(path, text string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(raw), markBegin)
	_, after, ended := strings.Cut(rest, markEnd)
	if !found || !ended {
		return errors.New(path + " has no place for the table: expected the marks " + markBegin + " and " + markEnd)
	}
	return os.WriteFile(path, []byte(before+markBegin+"\n\n"+text+"\n"+markEnd+after), 0o644)
}
