package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/drawbridge-browser/drawbridge/internal/render"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// lookBytes is how much of a page a look shows unless it is told otherwise: what a model is
// shown by MCP, at four bytes a token.
const lookBytes = render.DefaultTokens * 4

func allFlag(flags *pflag.FlagSet) {
	flags.Bool("all", false, "show the whole page, however long; without it about 2,000 tokens, then the word to go on with by --from")
}

// look performs a read or snapshot. What is printed for a reader is kept short and says how to
// go on; --json, --max-bytes and --all leave the action as it was asked for.
func look(ctx context.Context, a *app, cmd *cobra.Command, action protocol.Action) error {
	all, err := cmd.Flags().GetBool("all")
	if err != nil {
		return err
	}
	if a.flags.json {
		return a.show(ctx, action)
	}
	switch asked := action.(type) {
	case protocol.Extract:
		if len(asked.Parts) == 0 {
			asked.Parts = []string{"markdown", "elements"} // text says the same as markdown
		}
		if asked.MaxBytes == 0 && !all {
			asked.MaxBytes = lookBytes
		}
		action = asked
	case protocol.Snapshot:
		if asked.MaxBytes == 0 && !all {
			asked.MaxBytes = lookBytes
		}
		action = asked
	}
	done, err := a.perform(ctx, action)
	if err != nil {
		return err
	}
	answer := render.Result(action, done.result)
	if answer.More != "" {
		if answer.Tail != "" {
			answer.Tail += "\n"
		}
		answer.Tail += "Next: the same with --from " + answer.More + " for more, or with --all"
	}
	return a.tell(answer, done.events)
}
