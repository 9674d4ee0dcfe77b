package main

import (
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
