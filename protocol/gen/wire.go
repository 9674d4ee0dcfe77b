package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

//go:embed protocol.md.tmpl
var wireText string

// wirePage writes docs/protocol.md: prose of ours around what package protocol lists.
func wirePage(s *schema) ([]byte, error) {
	page, err := template.New("protocol.md").Funcs(template.FuncMap{
		"frames":   func() string { return frameTables(s) },
		"features": featureTable,
		"methods":  func() string { return methodTable(s) },
		"rpcCodes": rpcCodeTable,
		"lacks":    lackTable,
		"history":  historyList,
		"const":    constant,
	}).Parse(wireText)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("<!-- Generated from package protocol and protocol/gen/protocol.md.tmpl by go generate. DO NOT EDIT. -->\n\n")
	if err := page.Execute(&b, nil); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// constant gives a limit of the wire by its name.
func constant(name string) (int64, error) {
	for _, l := range limits() {
		if l.name == name {
			return l.value, nil
		}
	}
	return 0, fmt.Errorf("no limit is called %s", name)
}

func frameTables(s *schema) string {
	var b bytes.Buffer
	for _, v := range protocol.Frames.Variants {
		d := s.defs[v.Type.Name()]
		beyond := ""
		if v.Extended {
			beyond = " Beyond plain version 4."
		}
		fmt.Fprintf(&b, "### %s\n\n%s%s\n\n", v.Tag, sentence(d.Description), beyond)
		table(&b, "Field", d)
	}
	return strings.TrimSpace(b.String())
}

func featureTable() string {
	var b strings.Builder
	b.WriteString("| Feature | Means |\n| --- | --- |\n")
	for _, f := range protocol.FeatureTable {
		fmt.Fprintf(&b, "| `%s` | %s |\n", f.Name, cell(f.Means))
	}
	return strings.TrimSpace(b.String())
}

func methodTable(s *schema) string {
	var b strings.Builder
	b.WriteString("| Method | Key | Params | Result |\n| --- | --- | --- | --- |\n")
	for _, m := range protocol.RPCMethods {
		later := ""
		if m.Extended {
			later = " ⁺"
		}
		fmt.Fprintf(&b, "| `%s`%s | `%s` | %s | %s |\n", m.Name, later, m.Key(), memberList(s, m.Params.Name()), memberList(s, m.Result.Name()))
	}
	return strings.TrimSpace(b.String())
}

// memberList lists a struct's members, those that may be left out with a question mark; what every pages method gives is left out.
func memberList(s *schema, name string) string {
	d, common := s.defs[name], s.defs["RPCPagesResult"]
	var names []string
	for p := d.Properties.Oldest(); p != nil; p = p.Next() {
		if _, shared := common.Properties.Get(p.Key); shared && strings.HasPrefix(name, "RPCPages") && strings.HasSuffix(name, "Result") {
			continue
		}
		optional := "?"
		for _, r := range d.Required {
			if r == p.Key {
				optional = ""
			}
		}
		names = append(names, p.Key+optional)
	}
	if len(names) == 0 {
		return ""
	}
	return "`" + strings.Join(names, ", ") + "`"
}

func rpcCodeTable() string {
	var b strings.Builder
	b.WriteString("| Code | Name | Becomes |\n| --- | --- | --- |\n")
	for _, c := range protocol.RPCCodes {
		fmt.Fprintf(&b, "| %d | `%s` | `%s` |\n", c.Code, c.Name, c.Twin)
	}
	return strings.TrimSpace(b.String())
}

func lackTable() string {
	var b strings.Builder
	b.WriteString("| Action | What lacks | Instead |\n| --- | --- | --- |\n")
	for _, l := range protocol.RPCLacks {
		what := l.What
		if what == "" {
			what = "all of it"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", l.Action, cell(what), cell(l.Instead))
	}
	return strings.TrimSpace(b.String())
}

func historyList() string {
	var b strings.Builder
	for _, h := range protocol.History {
		fmt.Fprintf(&b, "- **%d → %d** %s\n", h.From, h.To, h.What)
	}
	return strings.TrimSpace(b.String())
}
