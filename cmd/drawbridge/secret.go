package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

func newSecretCommand(a *app) *cobra.Command {
	secret := &cobra.Command{
		Use: "secret", Aliases: []string{"secrets"}, Short: "Keep values that agents may have typed by name, without ever seeing them",
	}
	var origins []string
	set := &cobra.Command{
		Use: "set NAME", Short: "Keep a value, read from a prompt or from stdin",
		Example: "  drawbridge secret set shop-password --origin https://shop.example\n  pass show shop | head -1 | drawbridge secret set shop-password --origin https://shop.example",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(origins) == 0 {
				return usagef("no --origin: expected the origins on which the secret may be typed, such as --origin https://example.com")
			}
			c, err := a.connect()
			if err != nil {
				return err
			}
			value, err := a.hiddenValue(args[0])
			if err != nil {
				return err
			}
			info, err := c.SetSecret(cmd.Context(), args[0], value, origins...)
			if err != nil {
				return err
			}
			for _, origin := range info.Origins {
				if strings.HasPrefix(origin, "http://") {
					a.note("%s is not encrypted: who is on the way there can read what is typed, or change the page", origin)
				}
			}
			return a.showSecrets(info, info)
		},
	}
	set.Flags().StringSliceVar(&origins, "origin", nil, "the only `origin` on which it may be typed, such as https://example.com; several are allowed")
	secret.AddCommand(set, &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: "List the secrets, without their values", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := a.connect()
			if err != nil {
				return err
			}
			all, err := c.Secrets(cmd.Context())
			if err != nil {
				return err
			}
			return a.showSecrets(protocol.SecretsResponse{Secrets: all}, all...)
		},
	}, &cobra.Command{
		Use: "rm NAME", Aliases: []string{"remove"}, Short: "Forget a secret", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := a.connect()
			if err != nil {
				return err
			}
			gone, err := c.RemoveSecret(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return a.showSecrets(gone, gone)
		},
	})
	return secret
}

func (a *app) showSecrets(whole any, secrets ...protocol.SecretInfo) error {
	if a.flags.json {
		return a.printJSON(whole)
	}
	for _, s := range secrets {
		if err := a.say("%s  %s  since %s", s.Name, strings.Join(s.Origins, " "), time.UnixMilli(s.ChangedAt).Format(time.DateTime)); err != nil {
			return err
		}
	}
	return nil
}

// hiddenValue reads a secret: from a prompt that shows nothing of it where a person types, else all of stdin but a last line end.
// It never comes from the command line, which other programs can read.
func (a *app) hiddenValue(name string) (string, error) {
	if file, ok := a.stdin.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		a.note("Type the value of %s, which is not shown, then Enter.", name)
		value, err := term.ReadPassword(int(file.Fd()))
		if err != nil {
			return "", fmt.Errorf("read the value: %w", err)
		}
		return string(value), nil
	}
	value, err := io.ReadAll(io.LimitReader(a.stdin, 64<<10))
	if err != nil {
		return "", fmt.Errorf("read the value from stdin: %w", err)
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(value), "\n"), "\r"), nil
}
