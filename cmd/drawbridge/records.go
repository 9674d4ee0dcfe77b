package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/drawbridge-browser/drawbridge/internal/render"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

func newEventsCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "events",
		Short: "Tell what happens in your browsers from now on, a line each, until Ctrl-C",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := a.connect()
			if err != nil {
				return err
			}
			for notice, err := range c.Events(cmd.Context()) {
				if err == nil {
					err = a.tellNotice(notice)
				}
				if err != nil {
					return err
				}
			}
			return nil // Ctrl-C is how a stream ends
		},
	}
	cmd.Flags().BoolP("follow", "f", true, "as it always does; for the habit")
	return cmd
}

func (a *app) tellNotice(n protocol.Notice) error {
	if a.flags.json {
		return a.printJSON(n)
	}
	words := []string{time.Now().Format(time.TimeOnly), string(n.Kind)}
	if n.Event != nil && n.Event.Event != nil {
		words[1] = protocol.Events.Tag(n.Event.Event)
		if told := render.Events([]protocol.Event{n.Event.Event}); len(told) > 0 {
			words[1] = strings.TrimPrefix(told[0], "event: ")
		}
	}
	if n.Lost > 0 {
		words = append(words, fmt.Sprintf("(%d before it were lost)", n.Lost))
	}
	words = append(words, "browser="+n.BrowserID)
	if n.AgentID != "" {
		words = append(words, "agent="+n.AgentID)
	}
	return a.say("%s", strings.Join(words, "  "))
}

func newAuditCommand(a *app) *cobra.Command {
	var follow bool
	var limit int
	cmd := &cobra.Command{
		Use:     "audit",
		Short:   "Show who did what, where and with what outcome",
		Example: "  drawbridge audit -n 20\n  drawbridge audit -f --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.audit(cmd.Context(), limit, follow)
		},
	}
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "go on with what is written from now on, until Ctrl-C")
	cmd.Flags().IntVarP(&limit, "lines", "n", 100, "how many of the last `lines`")
	return cmd
}

func (a *app) audit(ctx context.Context, limit int, follow bool) error {
	c, err := a.connect()
	if err != nil {
		return err
	}
	entries, err := c.Audit(ctx, limit)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := a.tellEntry(e); err != nil {
			return err
		}
	}
	if !follow {
		return nil
	}
	for e, err := range c.FollowAudit(ctx) {
		if err == nil {
			err = a.tellEntry(e)
		}
		if err != nil {
			return err
		}
	}
	return nil // Ctrl-C is how a stream ends
}

func (a *app) tellEntry(e protocol.AuditEntry) error {
	if a.flags.json {
		return a.printJSON(e)
	}
	return a.say("%s", entryLine(e))
}

// entryLine is an audit line for people.
func entryLine(e protocol.AuditEntry) string {
	words := []string{e.Time.Local().Format(time.DateTime), fmt.Sprintf("%-7s", e.Kind), e.Action}
	if e.TabID != 0 {
		words = append(words, fmt.Sprintf("tab %d", e.TabID))
	}
	words = append(words, e.Address)
	if e.Kind == protocol.AuditIntent {
		words = append(words, argumentWords(e.Arguments))
	}
	words = append(words, e.Result)
	if e.Outcome != "" {
		words = append(words, "("+e.Outcome+")")
	}
	if e.Millis != 0 {
		words = append(words, fmt.Sprintf("%d ms", e.Millis))
	}
	words = append(words, e.Detail)
	if e.AgentID != "" {
		words = append(words, "by "+e.AgentID)
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	return strings.Join(words, "  ")
}

func argumentWords(arguments map[string]any) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		value, err := json.Marshal(arguments[name])
		if err != nil {
			continue
		}
		words = append(words, name+"="+string(value))
	}
	return strings.Join(words, " ")
}
