package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

func newTokenCommand(a *app) *cobra.Command {
	token := &cobra.Command{Use: "token", Aliases: []string{"tokens"}, Short: "Make, list and revoke tokens, those of paired browsers too"}
	var scopes []string
	make := &cobra.Command{
		Use: "new NAME", Short: "Make a token and print it, this once",
		Example: "  drawbridge token new ci-agent\n  drawbridge token new ops --scope agent,admin",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := a.connect()
			if err != nil {
				return err
			}
			made, err := c.NewToken(cmd.Context(), args[0], scopes...)
			if err != nil {
				return err
			}
			if a.flags.json {
				return a.printJSON(made)
			}
			a.note("token %s for %s: it is told this once, and ends with: drawbridge token revoke %s", made.Info.ID, strings.Join(made.Info.Scopes, ", "), made.Info.ID)
			return a.say("%s", made.Token)
		},
	}
	make.Flags().StringSliceVar(&scopes, "scope", []string{protocol.ScopeAgent}, "what it is good for: agent, browser, admin")
	token.AddCommand(make, &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: "List the tokens, without what they are", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := a.connect()
			if err != nil {
				return err
			}
			tokens, err := c.Tokens(cmd.Context())
			if err != nil {
				return err
			}
			if a.flags.json {
				return a.printJSON(protocol.TokensResponse{Tokens: tokens})
			}
			for _, t := range tokens {
				if err := a.say("%s", tokenLine(t)); err != nil {
					return err
				}
			}
			return nil
		},
	}, &cobra.Command{
		Use: "revoke ID", Short: "End a token for good, and what is connected by it at once", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := a.connect()
			if err != nil {
				return err
			}
			gone, err := c.RevokeToken(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if a.flags.json {
				return a.printJSON(gone)
			}
			return a.say("%s", tokenLine(gone))
		},
	})
	return token
}

func tokenLine(t protocol.TokenInfo) string {
	words := []string{t.ID, strings.Join(t.Scopes, ","), t.Name}
	if t.BrowserID != "" {
		words = append(words, "browser "+t.BrowserID)
	}
	words = append(words, "since "+time.UnixMilli(t.CreatedAt).Format(time.DateTime))
	if t.RevokedAt != 0 {
		words = append(words, "revoked "+time.UnixMilli(t.RevokedAt).Format(time.DateTime))
	}
	return strings.Join(words, "  ")
}
