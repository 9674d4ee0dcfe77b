package e2e

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// agreement is the least share of the nodes in both trees that must have Chromium's role and name, on each page.
const agreement = 0.99

// TestNamesAgreeWithChromium holds what snapshots call things to Chromium's own accessibility tree, on the pages of
// widget libraries, of e2e/site and of the kitchen sink. With -v it tells of each difference, by its reason.
func TestNamesAgreeWithChromium(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	var sum agreed
	for _, name := range widgetPageNames(t) {
		t.Run(name, func(t *testing.T) {
			f := &trial{agent: r.newAgent(t)}
			f.showWidgets(name)
			f.agrees(&sum)
		})
	}
	for _, address := range append(pagesIn(t, siteFiles, "site", "http://names.test/"),
		pagesIn(t, os.DirFS(packagesDir+"/cypress-example-kitchensink"), "app", "http://names.kitchensink.test/")...) {
		t.Run(strings.TrimPrefix(address, "http://"), func(t *testing.T) {
			f := &trial{agent: r.newAgent(t)}
			f.show(address)
			f.agrees(&sum)
		})
	}
	t.Logf("all pages: %s", &sum)
}

// pagesIn are the addresses of the pages in a folder that stands for the root of a host.
func pagesIn(t *testing.T, files fs.FS, folder, host string) []string {
	t.Helper()
	var addresses []string
	for _, pattern := range []string{"/*.html", "/*/*.html"} {
		pages, err := fs.Glob(files, folder+pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, page := range pages {
			addresses = append(addresses, host+strings.TrimSuffix(strings.TrimPrefix(page, folder+"/"), "index.html"))
		}
	}
	return addresses
}

// agreed counts the nodes of one page, or of several.
type agreed struct {
	// compared are the nodes in both trees, less those of policy; alike have the same role and name.
	compared, alike int
	policy          int
}

func (a *agreed) share() float64 { return float64(a.alike) / float64(max(a.compared, 1)) }

func (a *agreed) String() string {
	return fmt.Sprintf("%d nodes in both trees, %d alike: %.2f %%; %d more that differ by policy", a.compared, a.alike, 100*a.share(), a.policy)
}

// agrees holds the snapshot of the trial's page to Chromium's own tree.
func (f *trial) agrees(sum *agreed) {
	f.t.Helper()
	snapshot := do[protocol.SnapshotResult](f.agent, protocol.Snapshot{Page: f.page}).Snapshot
	nodes := f.trees()
	byKey := map[string]*treeNode{}
	lines := snapshotLines(snapshot)
	for _, node := range nodes {
		byKey[node.key] = node
		if lines[node.line] == 0 {
			node.line = ""
		}
	}
	var page agreed
	reasons := map[string][]string{}
	for _, node := range nodes {
		why := ""
		switch told := node.line != ""; {
		case told && node.listed:
			if policy := node.policy(); policy != "" {
				page.policy++
				why = "by policy: " + policy
				break
			}
			page.compared++
			if why = node.difference(); why == "" {
				page.alike++
			} else {
				why = "DIFFERENT: " + why
			}
		case told:
			why = "in the snapshot alone: " + node.oursAlone()
		case node.listed && !anonymous[node.role]:
			why = "in Chromium's tree alone: " + node.theirsAlone(byKey)
		}
		if why != "" {
			reasons[why] = append(reasons[why], node.String())
		}
	}
	var report strings.Builder
	for _, why := range slices.Sorted(maps.Keys(reasons)) {
		fmt.Fprintf(&report, "\n%s: %d\n\t%s", why, len(reasons[why]), strings.Join(reasons[why], "\n\t"))
	}
	f.t.Logf("%s%s", &page, &report)
	if page.compared == 0 || page.share() < agreement {
		f.t.Errorf("the snapshot must agree with Chromium's tree on %.0f %% of the nodes in both:\n%s", 100*agreement, snapshot)
	}
	if unclear := reasons["in Chromium's tree alone: "+unexplained]; len(unclear) > 0 {
		f.t.Errorf("for no reason that is known the snapshot leaves out\n\t%s\nin\n%s", strings.Join(unclear, "\n\t"), snapshot)
	}
	sum.compared += page.compared
	sum.alike += page.alike
	sum.policy += page.policy
}

func (n *treeNode) String() string {
	return fmt.Sprintf("%s | %s %q | %s %v", n.line, n.role, n.name, n.html, n.facts)
}

// snapshotLines counts the lines of a snapshot, without their indentation.
func snapshotLines(snapshot string) map[string]int {
	lines := map[string]int{}
	for line := range strings.Lines(snapshot) {
		lines[strings.TrimSpace(line)]++
	}
	return lines
}

var ownLine = regexp.MustCompile(`^- (\S+)(?: "((?:[^"\\]|\\.)*)")?`)

// told is the role and name in the element's line.
func (n *treeNode) told() (role, name string) {
	parts := ownLine.FindStringSubmatch(n.line)
	if parts == nil {
		return "", ""
	}
	return parts[1], strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(parts[2])
}

// spellings are roles that Chromium spells otherwise: its own names for what ARIA has no role or another word for.
var spellings = map[string]string{
	"image":              "img",
	"Iframe":             "frame",
	"ColorWell":          "textbox", // HTML-AAM gives these fields no role: a text field with its type says what they take
	"Date":               "textbox",
	"DateTime":           "textbox",
	"InputTime":          "textbox",
	"DisclosureTriangle": "button",
}

// difference says what of role and name is not as Chromium has it; empty when nothing is.
func (n *treeNode) difference() string {
	role, name := n.told()
	want := n.role
	if spelling := spellings[want]; spelling != "" {
		want = spelling
	}
	if role != want {
		return "role " + role + " for " + n.role
	}
	if !sameName(name, n.name) {
		return "name"
	}
	return ""
}

// iconGlyphs are characters that mean something in their font alone: snapshots leave them out.
var iconGlyphs = regexp.MustCompile(`[\x{e000}-\x{f8ff}]`)

// sameName compares names but for white space, icons and the length at which snapshots cut.
func sameName(ours, theirs string) bool {
	theirs = strings.Join(strings.Fields(iconGlyphs.ReplaceAllString(theirs, "")), " ")
	if cut, is := strings.CutSuffix(ours, "…"); is {
		return strings.HasPrefix(theirs, cut)
	}
	return ours == theirs
}

// policy says why the snapshot means to differ from Chromium's tree on an element that is in both; empty when it does not.
func (n *treeNode) policy() string {
	role, name := n.told()
	switch {
	case n.difference() == "":
		return ""
	case slices.Contains(n.facts, "closed root"):
		return "a closed shadow root"
	case n.difference() == "name" && n.name == "":
		return "a name where Chromium has none"
	case role == "row" && name == "" && !strings.Contains(n.line, "[ref="):
		return "a row's words are told below it"
	case n.role == "generic" && n.name == "" && needsContext[role]:
		return "a role outside of what should hold it, which Chromium takes away"
	}
	return ""
}

// needsContext are the roles that ARIA wants within others.
var needsContext = map[string]bool{
	"treeitem": true, "option": true, "tab": true, "menuitem": true, "menuitemcheckbox": true, "menuitemradio": true,
	"row": true, "cell": true, "gridcell": true, "listitem": true, "columnheader": true, "rowheader": true, "rowgroup": true,
}

// anonymous are roles of Chromium's that say nothing by themselves.
var anonymous = map[string]bool{
	"generic": true, "StaticText": true, "InlineTextBox": true, "none": true, "RootWebArea": true,
	"sectionheader": true, "sectionfooter": true,
}

// oursAlone says why Chromium's tree leaves an element out.
func (n *treeNode) oursAlone() string {
	for _, why := range []string{"aria-hidden", "closed root", "not rendered", "no size", "off screen"} {
		if slices.Contains(n.facts, why) {
			return why
		}
	}
	return "structure without meaning of its own, for Chromium"
}

const unexplained = "unexplained"

// wording are roles that are no more than the way a word is set, or words about other words: their text is told.
var wording = map[string]bool{
	"Abbr": true, "code": true, "deletion": true, "emphasis": true, "insertion": true, "mark": true, "strong": true, "subscript": true,
	"superscript": true, "term": true, "time": true, "LabelText": true, "Legend": true, "Figcaption": true, "DescriptionList": true,
}

// theirsAlone says why the snapshot leaves an element out.
func (n *treeNode) theirsAlone(byKey map[string]*treeNode) string {
	for _, fact := range []string{"not rendered", "visibility hidden", "transparent", "no size", "off screen"} {
		if slices.Contains(n.facts, fact) {
			return "nobody sees it (" + fact + ")"
		}
	}
	if wording[n.role] {
		return "wording, told as text"
	}
	for _, key := range n.within {
		holder := byKey[key]
		if holder == nil || holder.line == "" {
			continue
		}
		role, name := holder.told()
		switch {
		case holder.tag == "select":
			return "options of a select, told in its line"
		case strings.Contains(holder.line, " value="):
			return "inside of a field, told as its value"
		case name != "" && spoken[role]:
			return "inside of what is named by its content"
		}
		break // only the nearest that has a line speaks for what is in it
	}
	switch {
	case n.name == "" && slices.Contains(n.facts, "no text"):
		return "empty: no name and no text"
	case n.role == "form" && n.name == "":
		return "a form without a name is no landmark"
	case (n.role == "cell" || n.role == "gridcell") && n.isToldInside(byKey):
		return "a cell that says no more than the control in it, whose line tells that"
	case n.role == "link" && n.tag == "a" && !strings.Contains(n.html, " href="):
		return "a link by its listeners alone, which only the browser knows: told as text"
	}
	return unexplained
}

// isToldInside tells whether the line of something in the element has the element's whole name.
func (n *treeNode) isToldInside(byKey map[string]*treeNode) bool {
	for _, inner := range byKey {
		if _, name := inner.told(); inner.line != "" && name == n.name && slices.Contains(inner.within, n.key) {
			return true
		}
	}
	return false
}

// spoken are the roles that are named by what is in them: it is not told twice.
var spoken = map[string]bool{
	"button": true, "cell": true, "checkbox": true, "columnheader": true, "generic": true, "gridcell": true, "heading": true, "img": true,
	"link": true, "menuitem": true, "menuitemcheckbox": true, "menuitemradio": true, "option": true, "radio": true, "row": true,
	"rowheader": true, "switch": true, "tab": true, "tooltip": true, "treeitem": true,
}

// TestRolesThatCustomElementsKeepInside holds snapshots to roles and states that no script can see: those of
// ElementInternals.
func TestRolesThatCustomElementsKeepInside(t *testing.T) {
	t.Parallel()
	f := &trial{agent: sharedRig(t).newAgent(t)}
	f.showWidgets("gallery-fluent")
	outline := f.outline()
	for _, line := range []string{
		`- button "Plain" \[ref=e\d+\]`, `- button "Off" \[ref=e\d+\] disabled`, `- button "Bold" \[ref=e\d+\] pressed`,
		`- checkbox "Remember me" \[ref=e\d+\] checked`, `- switch "Dark mode" \[ref=e\d+\]`, `- slider "Volume" \[ref=e\d+\]`,
		`- textbox "User" \[ref=e\d+\] required`, `- radiogroup "Size"`, `- radio "Small" \[ref=e\d+\]`, `- radio "Large" \[ref=e\d+\] checked`, `- link "A link" \[ref=e\d+\]`,
		`- treeitem "Apple" \[ref=e\d+\]`,
	} {
		if !regexp.MustCompile(`(?m)^ *` + line + `$`).MatchString(outline) {
			t.Errorf("no line is %s in\n%s", line, outline)
		}
	}
	found := do[protocol.FindResult](f.agent, protocol.Find{Page: f.page, Role: "switch", Name: "Dark mode"})
	if len(found.Elements) != 1 {
		t.Fatalf("find gives %+v for the switch", found.Elements)
	}
	f.press(protocol.Target{UID: found.Elements[0].UID})
	f.until("document.querySelector('fluent-switch').checked", "true")
	if outline := f.outline(); !strings.Contains(outline, `- switch "Dark mode" [ref=`+found.Elements[0].UID+"] checked") {
		t.Errorf("the switch is not told as checked in\n%s", outline)
	}
}
