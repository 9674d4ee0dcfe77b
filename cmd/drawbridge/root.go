package main

import (
	"errors"
	"time"

	"github.com/spf13/cobra"
)

// The groups under which help lists the commands.
const (
	groupServer = "server"
	groupTabs   = "tabs"
	groupPage   = "page"
)

const rootHelp = `Drawbridge lets AI agents act in your own browser, in a window of their own that
never takes your focus, and that you can stop at any moment.

To begin:
  drawbridge up           start the server and get a pairing link
  drawbridge extension    write the extension, and see how to load it into your Chrome
  drawbridge launch       or: start a Chromium of its own, ready to use

Then:
  drawbridge open https://example.com
  drawbridge snapshot -i
  drawbridge click @e2

An element is named by its ref (@e2, e2 or ref=e2, as a snapshot or an earlier answer
told it) or by a CSS selector.`

// newRootCommand is the whole command line.
func newRootCommand(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:           "drawbridge",
		Short:         "Let agents act in your own browser",
		Long:          rootHelp,
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			// Cobra looks at these only after this, when an error is no longer one of usage.
			if err := errors.Join(cmd.ValidateRequiredFlags(), cmd.ValidateFlagGroups()); err != nil {
				return err
			}
			a.started = true
			if needsNoSettings(cmd) {
				return nil
			}
			return a.settle(cmd)
		},
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)

	flags := root.PersistentFlags()
	flags.BoolVar(&a.flags.json, "json", false, "answer with JSON, errors too")
	flags.StringVar(&a.flags.browser, "browser", "", "`name` or id of the browser, when several are connected ($DRAWBRIDGE_BROWSER)")
	flags.Int64Var(&a.flags.tab, "tab", 0, "`id` of the tab; 0 means your most recent one")
	flags.DurationVar(&a.flags.timeout, "timeout", 0, "give up after this `time`, such as 10s; 0 means the action's own limit ($DRAWBRIDGE_TIMEOUT)")
	flags.StringVarP(&a.flags.session, "session", "s", "", "`name` under which your tabs are kept apart from other agents' ($DRAWBRIDGE_SESSION; default cli)")
	flags.StringVar(&a.flags.dataDir, "data-dir", "", "data `directory` of the server to use ($DRAWBRIDGE_DATA_DIR)")
	flags.StringVar(&a.flags.server, "server", "", "`address` of a server elsewhere, with the token of $DRAWBRIDGE_TOKEN or the setting tokenFile ($DRAWBRIDGE_SERVER)")

	root.AddGroup(
		&cobra.Group{ID: groupServer, Title: "Server and browser:"},
		&cobra.Group{ID: groupTabs, Title: "Tabs:"},
		&cobra.Group{ID: groupPage, Title: "The page:"},
	)
	add := func(group string, commands ...*cobra.Command) {
		for _, c := range commands {
			c.GroupID = group
			root.AddCommand(c)
		}
	}
	add(groupServer,
		newUpCommand(a), newLaunchCommand(a), newDemoCommand(), newDoctorCommand(a), newExtensionCommand(a),
		newPairCommand(a), newMCPCommand(a), newBrowsersCommand(a),
		newTokenCommand(a), newSecretCommand(a), newDeviceCommand(a), newEventsCommand(a), newAuditCommand(a), newConfigCommand(a))
	add(groupTabs, newTabCommand(a), newSessionCommand(a))
	for _, v := range verbs {
		add(v.group, newVerbCommand(a, v))
	}
	add(groupPage, newActCommand(a), newBatchCommand(a))
	root.AddCommand(newSkillCommand(a), newVersionCommand(a), newExitCodesTopic())
	for _, group := range root.Commands() {
		if group.HasSubCommands() && !group.Runnable() {
			// By itself cobra answers a word that names no command of the group with help, as if all were well.
			group.Args = cobra.NoArgs
			group.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
	a.equip(root)
	return root
}

// shutdownTime is how long an end in order may take after Ctrl-C.
const shutdownTime = 5 * time.Second
