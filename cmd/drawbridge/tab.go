package main

import (
	"slices"
	"strconv"

	"github.com/spf13/cobra"
)

// tabVerbs are the actions on tabs as such.
var tabVerbs = []verb{
	{use: "list", aliases: []string{"ls"}, short: "List your tabs, or with --scope user the user's", action: "list_tabs"},
	{use: "close [ID]", short: "Close a tab", action: "close_tab", count: cobra.MaximumNArgs(1), args: tabID},
	{use: "activate [ID]", aliases: []string{"show"}, short: "Show a tab in its window, without raising the window", action: "activate_tab", count: cobra.MaximumNArgs(1), args: tabID},
	{use: "attach [ID]", short: "Borrow a tab of the user's: the one they look at, or ID", action: "attach_tab", count: cobra.MaximumNArgs(1), args: tabID},
	{
		use: "new URL", short: "Open an address in a new tab: the same as drawbridge open",
		action: "open_tab", count: cobra.ExactArgs(1), args: address, without: []string{"url"},
	},
}

func newTabCommand(a *app) *cobra.Command {
	tab := &cobra.Command{Use: "tab", Aliases: []string{"tabs"}, Short: "List, close, show and borrow tabs"}
	for _, v := range tabVerbs {
		tab.AddCommand(newVerbCommand(a, v))
	}
	return tab
}

// sessionVerbs are the operations of session.
var sessionVerbs = []verb{
	{use: "list", aliases: []string{"ls"}, short: "List your sessions and their tabs", action: "session", set: op("list"), without: sessionFlags("")},
	{
		use: "create [TITLE]", aliases: []string{"new"}, short: "Make a session with a tab of its own: what you open next goes there",
		action: "session", set: op("create"), count: cobra.MaximumNArgs(1), args: optional("title"), without: sessionFlags("color", "url", "foreground"),
		example: "  drawbridge session create Invoices --color blue --url https://example.com",
	},
	{
		use: "attach [TITLE]", short: "Make a session of the tab that the user looks at",
		action: "session", set: op("attachCurrent"), count: cobra.MaximumNArgs(1), args: optional("title"), without: sessionFlags("color"),
	},
	{use: "rename TITLE", short: "Give a session another title", action: "session", set: op("rename"), count: cobra.ExactArgs(1), args: one("title"), without: sessionFlags("sessionId"), rename: sessionID},
	{use: "release", short: "End a session and leave its tabs to the user", action: "session", set: op("release"), without: sessionFlags("sessionId"), rename: sessionID},
	{use: "close", short: "End a session and close its tabs", action: "session", set: op("close"), without: sessionFlags("sessionId"), rename: sessionID},
}

// sessionID is the flag that names a session of the browser: --session is the agent's.
var sessionID = map[string]string{"sessionId": "id"}

func op(name string) map[string]any { return map[string]any{"op": name} }

// sessionFlags are the members of session that are no flags, all but those given.
func sessionFlags(kept ...string) []string {
	return slices.DeleteFunc([]string{"op", "sessionId", "title", "color", "url", "foreground"}, func(name string) bool { return slices.Contains(kept, name) })
}

func newSessionCommand(a *app) *cobra.Command {
	session := &cobra.Command{Use: "session", Aliases: []string{"sessions"}, Short: "Group your tabs: make, list, rename, release and close sessions"}
	for _, v := range sessionVerbs {
		session.AddCommand(newVerbCommand(a, v))
	}
	return session
}

// tabID puts the argument into tabId; without one the global flag --tab stands.
func tabID(_ *app, args []string, members map[string]any) error {
	if len(args) == 0 {
		return nil
	}
	id, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		return usagef("%q is no id of a tab: drawbridge tab list shows them", args[0])
	}
	members["tabId"] = id
	return nil
}
