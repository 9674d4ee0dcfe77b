package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// reference writes docs/actions.md: every action, result, event and error code.
func reference(s *schema) []byte {
	var b bytes.Buffer
	b.WriteString("<!-- Generated from package protocol by go generate. DO NOT EDIT. -->\n\n# Actions\n\n" +
		"One action per call. A field marked * is required. `tabId` may be left out where the agent has one tab.\n\n")
	for _, m := range protocol.Methods {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", m.Type, sentence(s.defs[m.Params.Name()].Description))
		for _, r := range protocol.Constraints[m.Params] {
			how := "Exactly"
			if r.AtMost1 {
				how = "At most"
			}
			fmt.Fprintf(&b, "%s one of `%s`.\n\n", how, strings.Join(r.OneOf, "`, `"))
		}
		fmt.Fprintf(&b, "Default timeout: %s.", m.Timeout)
		if m.Extended {
			b.WriteString(" Beyond plain version 4.")
		}
		b.WriteString("\n\n")
		table(&b, "Parameter", s.defs[m.Params.Name()])
		table(&b, "Result", s.defs[m.Result.Name()])
	}
	b.WriteString("# Shapes\n\n")
	for _, name := range []string{"Target", "Element", "TabInfo", "DialogInfo", "DownloadInfo", "Obstacle", "File", "Point", "Box", "Ref", "Viewport"} {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", name, sentence(s.defs[name].Description))
		table(&b, "Field", s.defs[name])
	}
	b.WriteString("# Events\n\nOne way, from the browser; handed to the agent with its next result.\n\n")
	for _, v := range protocol.Events.Variants {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", v.Tag, sentence(s.defs[v.Type.Name()].Description))
		table(&b, "Field", s.defs[v.Type.Name()])
	}
	b.WriteString("# Errors\n\nEvery error has `code`, `message`, `outcome` (not_sent, done, unknown) and `retryable` (same, after_refresh, no).\n\n" +
		"| Code | What to do | Retryable |\n| --- | --- | --- |\n")
	for _, c := range protocol.ErrorCodes {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", c.Code, cell(c.Advice), c.Retryable)
	}
	return b.Bytes()
}

func table(b *bytes.Buffer, head string, d *jsonschema.Schema) {
	var rows []string
	for p := d.Properties.Oldest(); p != nil; p = p.Next() {
		if p.Value.Const != nil {
			continue
		}
		star := ""
		if slices.Contains(d.Required, p.Key) {
			star = "*"
		}
		rows = append(rows, fmt.Sprintf("| `%s`%s | %s | %s |\n", p.Key, star, cell(tsType(p.Value)), cell(p.Value.Description)))
	}
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "| %s | Type | Meaning |\n| --- | --- | --- |\n%s\n", head, strings.Join(rows, ""))
}

func cell(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", "\\|")
}

// sentence turns a doc comment "Click clicks …" into one that starts with its verb.
func sentence(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if name, rest, ok := strings.Cut(s, " "); ok && strings.TrimSuffix(name, ":") != "" {
		return strings.ToUpper(rest[:1]) + rest[1:]
	}
	return s
}
