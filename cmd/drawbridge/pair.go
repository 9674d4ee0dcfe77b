package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

func newPairCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "pair",
		Short: "Make a link that pairs one browser with the running server",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := a.connect()
			if err != nil {
				return err
			}
			pairing, err := c.Pair(cmd.Context())
			if err != nil {
				return err
			}
			if a.flags.json {
				return a.printJSON(pairing)
			}
			return a.say("%s", pairingText(pairing))
		},
	}
}

// pairingText says what to do with a pairing link.
func pairingText(p protocol.PairResponse) string {
	return "Pairing link, for one browser, until " + time.UnixMilli(p.ExpiresAt).Format(time.TimeOnly) + ":\n\n" +
		"  " + p.Link + "\n\n" +
		"Paste it into the popup of the Drawbridge extension. (Code by hand: " + p.Code + ")"
}
