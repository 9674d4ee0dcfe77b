package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

func newBrowsersCommand(a *app) *cobra.Command {
	list := func(cmd *cobra.Command, _ []string) error {
		c, err := a.connect()
		if err != nil {
			return err
		}
		browsers, err := c.Browsers(cmd.Context())
		if err != nil {
			return err
		}
		if a.flags.json {
			return a.printJSON(protocol.BrowsersResponse{Browsers: browsers})
		}
		if len(browsers) == 0 {
			return a.say("no browser is paired yet\nNext: drawbridge pair, or drawbridge launch")
		}
		for _, b := range browsers {
			if err := a.say("%s", browserLine(b)); err != nil {
				return err
			}
		}
		return nil
	}
	cmd := &cobra.Command{
		Use: "browsers", Aliases: []string{"browser"}, Short: "List the browsers that are paired, and which are connected",
		Args: cobra.NoArgs, RunE: list,
	}
	cmd.AddCommand(&cobra.Command{Use: "list", Aliases: []string{"ls"}, Short: "List the browsers", Args: cobra.NoArgs, RunE: list}, &cobra.Command{
		Use: "use NAME", Short: "Choose the browser for the calls of this session that name none", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			// An agent's browser is the one that it named last: to look at its own tabs there names it, and proves that it answers.
			a.flags.browser = args[0]
			if _, err := a.perform(cmd.Context(), protocol.ListTabs{}); err != nil {
				return err
			}
			if a.flags.json {
				return a.printJSON(map[string]string{"browser": args[0], "session": a.flags.session})
			}
			return a.say("ok browser %q for session %s", args[0], a.flags.session)
		},
	}, &cobra.Command{
		Use: "rename NAME NEW", Short: "Give a browser another name, for good; an empty one gives it back its own", Args: cobra.ExactArgs(2),
		Example: `  drawbridge browser rename "Chrome on Linux" work`,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := a.connect()
			if err != nil {
				return err
			}
			renamed, err := c.RenameBrowser(cmd.Context(), args[0], args[1])
			if err != nil {
				return err
			}
			if a.flags.json {
				return a.printJSON(renamed)
			}
			return a.say("ok %s", browserLine(renamed))
		},
	})
	return cmd
}

// browserLine is one browser for people: name, id, how it is.
func browserLine(b protocol.BrowserInfo) string {
	words := []string{b.BrowserID}
	if b.Name != "" {
		words = append([]string{fmt.Sprintf("%q", b.Name)}, words...)
	}
	switch {
	case !b.Connected:
		words = append(words, "not connected")
	case b.Stopped:
		words = append(words, "stopped by its user: resume in its popup")
	case b.Unresponsive:
		words = append(words, "unresponsive: connected, but nothing is heard of it; see that it runs and its machine is awake")
	default:
		words = append(words, "connected")
	}
	if b.Connected && b.ConnectedAt > 0 {
		words = append(words, "since "+time.UnixMilli(b.ConnectedAt).Format(time.DateTime))
	}
	switch n := len(b.Tabs); n {
	case 0:
	case 1:
		words = append(words, "1 tab at work")
	default:
		words = append(words, fmt.Sprintf("%d tabs at work", n))
	}
	return strings.Join(words, "  ")
}
