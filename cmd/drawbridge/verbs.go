package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// verbs are the actions as commands. Habits of other agents' command lines win over the names
// of the protocol; the members of the actions are protocol's own.
var verbs = []verb{
	{
		use: "open URL", short: "Open an address in a new tab of the agent window", group: groupTabs,
		action: "open_tab", count: cobra.ExactArgs(1), args: address, without: []string{"url"},
		example: "  drawbridge open https://example.com\n  drawbridge open localhost:3000",
	},
	{
		use: "navigate URL", aliases: []string{"goto"}, short: "Load an address in your tab", group: groupTabs,
		action: "navigate", count: cobra.ExactArgs(1), args: address, without: []string{"url", "to"},
	},
	{use: "back", short: "Go back in your tab's history", group: groupTabs, action: "navigate", set: map[string]any{"to": "back"}, without: []string{"url", "to"}},
	{use: "forward", short: "Go forward in your tab's history", group: groupTabs, action: "navigate", set: map[string]any{"to": "forward"}, without: []string{"url", "to"}},
	{use: "reload", short: "Load your tab's page again", group: groupTabs, action: "navigate", set: map[string]any{"to": "reload"}, without: []string{"url", "to"}},
	{
		use: "read", aliases: []string{"extract"}, short: "Read the page: Markdown, and what can be acted on", group: groupPage,
		action: "extract", example: "  drawbridge read\n  drawbridge read --parts text", flags: allFlag, run: look,
	},
	{
		use: "snapshot", short: "Show the page as a tree, with a ref on what can be acted on", group: groupPage,
		action: "snapshot", example: "  drawbridge snapshot -i\n  drawbridge snapshot -i -c -d 3 -s '#main'",
		rename: map[string]string{"interactive": "interactive,i", "compact": "compact,c", "depth": "depth,d", "urls": "urls,u", "selector": "selector,s"},
		scoped: true, flags: allFlag, run: look,
	},
	{
		use: "click TARGET", short: "Click an element", group: groupPage,
		action: "click", count: cobra.ExactArgs(1), args: targetOnly, example: "  drawbridge click @e2\n  drawbridge click '#save' --count 2",
	},
	{use: "hover TARGET", short: "Move the pointer onto an element", group: groupPage, action: "hover", count: cobra.ExactArgs(1), args: targetOnly},
	{
		use: "type TARGET [TEXT|-]", short: "Type text into an element, key by key", group: groupPage, without: []string{"text"},
		action: "type", count: cobra.RangeArgs(1, 2), args: targetAndText,
		example: "  drawbridge type @e3 'Ada Lovelace' --clear --submit\n  drawbridge type @e4 --secret shop-password --submit",
	},
	{
		use: "fill TARGET [TEXT|-]", short: "Set the whole value of any kind of control", group: groupPage, without: []string{"text"},
		action: "fill", count: cobra.RangeArgs(1, 2), args: targetAndText, example: "  drawbridge fill @e3 2026-12-24\n  drawbridge fill @e4 true",
	},
	{
		use: "select TARGET VALUE…", short: "Choose options of a list, each by value or label, and no others", group: groupPage, without: []string{"values"},
		action: "select", count: cobra.MinimumNArgs(1), args: targetAndValues, example: "  drawbridge select @e5 Germany\n  drawbridge select '#tags' red blue",
	},
	{
		use: "mouse move|down|up|click|wheel X Y", short: "Use the mouse at a point of the viewport, in CSS pixels", group: groupPage, without: []string{"kind", "x", "y"},
		action: "mouse", count: cobra.ExactArgs(3), args: mouseArgs, example: "  drawbridge mouse click 120 80\n  drawbridge mouse wheel 120 80 --delta-y 300",
	},
	{
		use: "drag TARGET TARGET|X,Y", short: "Drag an element onto another or to a point of the viewport", group: groupPage,
		action: "drag", count: cobra.ExactArgs(2), args: dragArgs, example: "  drawbridge drag @e4 @e9\n  drawbridge drag '#slider' 320,40",
	},
	{
		use: "upload TARGET FILE…", short: "Give files to a file input, a button that asks for files, or a drop zone", group: groupPage,
		action: "upload", count: cobra.MinimumNArgs(2), args: uploadArgs, example: "  drawbridge upload @e6 report.pdf",
	},
	{
		use: "download ID", short: "Bring a download's bytes into a file", group: groupPage, without: []string{"id", "from"},
		action: "download", count: cobra.ExactArgs(1), args: downloadArgs, example: "  drawbridge download 3 -o report.pdf", flags: fileFlag, run: download,
	},
	{
		use: "pdf", short: "Print the page into a file", group: groupPage, rename: map[string]string{"paperFormat": "paper"},
		action: "pdf", example: "  drawbridge pdf -o page.pdf --paper letter", flags: fileFlag, run: printed,
	},
	{
		use: "get title|url|text|value|html|box|attribute [TARGET]", short: "Read one thing of the page or of an element", group: groupPage,
		action: "get", count: cobra.RangeArgs(1, 2), without: []string{"what"}, example: "  drawbridge get text @e1\n  drawbridge get attribute @e1 --name href",
		args: func(_ *app, args []string, members map[string]any) error {
			members["what"] = args[0]
			if len(args) == 2 {
				putTarget(members, args[1])
			}
			return nil
		},
	},
	{
		use: "press KEY", short: "Press a key or a combination", group: groupPage, targetFlag: true, without: []string{"key"},
		action: "press", count: cobra.ExactArgs(1), args: one("key"), example: "  drawbridge press Enter\n  drawbridge press Control+a --on @e3",
	},
	{
		use: "scroll up|down|left|right|top|bottom|TARGET [PIXELS]", short: "Scroll the page, or an element into view", group: groupPage,
		action: "scroll", count: cobra.RangeArgs(1, 2), args: scrollArgs, targetFlag: true, without: []string{"direction", "to", "pixels"},
		example: "  drawbridge scroll down\n  drawbridge scroll down 400 --on @e7\n  drawbridge scroll @e9",
	},
	{
		use: "wait [TARGET]", short: "Wait until something is so", group: groupPage,
		action: "wait_for", count: cobra.MaximumNArgs(1), rename: map[string]string{"textGone": "gone", "timeoutMs": "wait-ms"},
		example: "  drawbridge wait --text Thanks\n  drawbridge wait @e3 --state hidden\n  drawbridge wait --url '*/done'",
		args: func(_ *app, args []string, members map[string]any) error {
			if len(args) == 1 {
				putTarget(members, args[0])
			}
			return nil
		},
	},
	{
		use: "eval BODY|-", aliases: []string{"evaluate"}, short: "Run the body of a function in the page: return gives its value back", group: groupPage,
		action: "evaluate", count: cobra.ExactArgs(1), without: []string{"expression"}, example: "  drawbridge eval 'return document.title'",
		args: func(a *app, args []string, members map[string]any) error {
			text, err := a.wordOrStdin(args[0])
			members["expression"] = text
			return err
		},
	},
	{
		use: "screenshot [TARGET]", short: "Take a picture of the page into a file", group: groupPage,
		action: "screenshot", count: cobra.MaximumNArgs(1), rename: map[string]string{"fullPage": "full"},
		example: "  drawbridge screenshot -o page.png --full", flags: outputFlag, run: screenshot,
		args: func(_ *app, args []string, members map[string]any) error {
			if len(args) == 1 {
				putTarget(members, args[0])
			}
			return nil
		},
	},
	{
		use: "find [TEXT | role ROLE | text TEXT]", short: "Find elements by role, name or text, and get their refs", group: groupPage,
		action: "find", count: cobra.MaximumNArgs(2), without: []string{"text"}, args: findArgs,
		example: "  drawbridge find role button --name Save\n  drawbridge find --role button --name Save\n  drawbridge find 'Total due'",
	},
	{
		use: "console start|stop|list", short: "Record and list what the page logs", group: groupPage,
		action: "console", count: cobra.MaximumNArgs(1), args: operation, without: []string{"op"}, example: "  drawbridge console\n  drawbridge console start",
	},
	{
		use: "network start|stop|list|detail [REQUEST]", short: "Record and list the page's requests, or show one whole", group: groupPage,
		action: "network", count: cobra.MaximumNArgs(2), args: operation, without: []string{"op", "requestId"},
		example: "  drawbridge network start\n  drawbridge network list --limit 20\n  drawbridge network detail 1234.5",
	},
	{
		use: "handoff REASON", short: "Ask the user to do something in your tab, and wait for them", group: groupPage,
		action: "handoff", count: cobra.ExactArgs(1), args: one("reason"), without: []string{"reason"},
		example: "  drawbridge handoff 'Please log in to the bank' --until obstacle_gone",
	},
	{
		use: "dialog accept|dismiss [TEXT]", short: "Answer the page's open dialog", group: groupPage,
		action: "dialog", count: cobra.RangeArgs(1, 2), args: dialogArgs, without: []string{"accept", "text"},
	},
}

// one puts the only argument into a member.
func one(member string) func(*app, []string, map[string]any) error {
	return func(_ *app, args []string, members map[string]any) error {
		members[member] = args[0]
		return nil
	}
}

// optional puts the argument, if there is one, into a member.
func optional(member string) func(*app, []string, map[string]any) error {
	return func(_ *app, args []string, members map[string]any) error {
		if len(args) > 0 {
			members[member] = args[0]
		}
		return nil
	}
}

// findArgs reads what to look for: a text, or what kind of thing it is in front of it.
func findArgs(_ *app, args []string, members map[string]any) error {
	if len(args) < 2 {
		return optional("text")(nil, args, members)
	}
	if args[0] != "role" && args[0] != "text" {
		return usagef("find %s is unknown: expected find role ROLE, find text TEXT, or one text in quotes", args[0])
	}
	if _, given := members[args[0]]; given {
		return usagef("the role is given twice: as an argument and by --role")
	}
	members[args[0]] = args[1]
	return nil
}

// operation reads what to do with a recording; without a word it is list.
func operation(_ *app, args []string, members map[string]any) error {
	members["op"] = "list"
	if len(args) > 0 {
		members["op"] = args[0]
	}
	if len(args) > 1 {
		if args[0] != "detail" {
			return usagef("%s takes no request: only detail does", args[0])
		}
		members["requestId"] = args[1]
	}
	return nil
}

// opaque are schemes that stand without slashes.
var opaque = regexp.MustCompile(`^(?i:about|data|blob|javascript|file|view-source|chrome):`)

// address puts an address as people type it into url: without a scheme it is https, or http on
// this machine.
func address(_ *app, args []string, members map[string]any) error {
	url := args[0]
	if !strings.Contains(url, "://") && !opaque.MatchString(url) {
		host, _, _ := strings.Cut(url, "/")
		host, _, _ = strings.Cut(host, ":")
		scheme := "https://"
		if host == "localhost" || strings.HasSuffix(host, ".localhost") || strings.HasPrefix(host, "127.") || strings.HasPrefix(host, "[") {
			scheme = "http://"
		}
		url = scheme + url
	}
	members["url"] = url
	return nil
}

func targetOnly(_ *app, args []string, members map[string]any) error {
	putTarget(members, args[0])
	return nil
}

// targetAndText reads a target and what to enter there, unless --secret names that.
func targetAndText(a *app, args []string, members map[string]any) error {
	putTarget(members, args[0])
	if _, named := members["secret"]; len(args) == 1 && named {
		return nil
	}
	if len(args) == 1 {
		return usagef("expected the text, - to read it from stdin, or --secret")
	}
	text, err := a.wordOrStdin(args[1])
	members["text"] = text
	return err
}

func scrollArgs(_ *app, args []string, members map[string]any) error {
	switch args[0] {
	case "up", "down", "left", "right":
		members["direction"] = args[0]
	case "top", "bottom":
		members["to"] = args[0]
	default:
		members["to"] = "element"
		putTarget(members, args[0])
	}
	if len(args) < 2 {
		return nil
	}
	pixels, err := strconv.Atoi(strings.TrimSuffix(args[1], "px"))
	if err != nil {
		return usagef("%q is no number of pixels", args[1])
	}
	members["pixels"] = pixels
	return nil
}

func dialogArgs(_ *app, args []string, members map[string]any) error {
	switch args[0] {
	case "accept":
		members["accept"] = true
	case "dismiss":
		members["accept"] = false
	default:
		return usagef("%q is no answer to a dialog: expected accept or dismiss", args[0])
	}
	if len(args) == 2 {
		members["text"] = args[1]
	}
	return nil
}

// usagef is an error of a command line that cobra could not see.
func usagef(format string, args ...any) error {
	return protocol.Errorf(protocol.CodeInvalidAction, "%s", fmt.Sprintf(format, args...))
}
