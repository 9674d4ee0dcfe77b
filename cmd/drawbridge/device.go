package main

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// newDeviceCommand is about the browsers that may connect, each by the token that it got when it was paired.
func newDeviceCommand(a *app) *cobra.Command {
	device := &cobra.Command{Use: "device", Aliases: []string{"devices"}, Short: "List the browsers that may connect, and revoke one"}
	device.AddCommand(&cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: "List the paired browsers: name, id, when last seen", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, devices, err := a.devices(cmd.Context())
			if err != nil {
				return err
			}
			if a.flags.json {
				return a.printJSON(protocol.TokensResponse{Tokens: devices})
			}
			if len(devices) == 0 {
				return a.say("no browser is paired\nNext: drawbridge pair")
			}
			for _, d := range devices {
				if err := a.say("%s", deviceLine(d)); err != nil {
					return err
				}
			}
			return nil
		},
	}, &cobra.Command{
		Use: "revoke NAME|BROWSER", Short: "End a browser's pairing, and its connection at once", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, devices, err := a.devices(cmd.Context())
			if err != nil {
				return err
			}
			meant := slices.DeleteFunc(slices.Clone(devices), func(d protocol.TokenInfo) bool {
				return d.BrowserID != args[0] && d.Name != args[0] && d.ID != args[0]
			})
			if len(meant) != 1 {
				return notOne(args[0], meant, devices)
			}
			gone, err := c.RevokeToken(cmd.Context(), meant[0].ID)
			if err != nil {
				return err
			}
			if a.flags.json {
				return a.printJSON(gone)
			}
			return a.say("ok revoked: %s\nIts popup says so; to let it in again: drawbridge pair", deviceLine(gone))
		},
	})
	return device
}

// devices are the tokens of browsers that are still good.
func (a *app) devices(ctx context.Context) (*client.Client, []protocol.TokenInfo, error) {
	c, err := a.connect()
	if err != nil {
		return nil, nil, err
	}
	tokens, err := c.Tokens(ctx)
	if err != nil {
		return nil, nil, err
	}
	return c, slices.DeleteFunc(tokens, func(t protocol.TokenInfo) bool { return t.BrowserID == "" || t.RevokedAt != 0 }), nil
}

// notOne says that a word names no device, or several, and which there are.
func notOne(word string, meant, all []protocol.TokenInfo) error {
	how, list := "no paired browser", all
	if len(meant) > 1 {
		how, list = "more than one paired browser", meant
	}
	lines := make([]string, 0, len(list))
	for _, d := range list {
		lines = append(lines, strconv.Quote(d.Name)+" "+d.BrowserID)
	}
	if len(lines) == 0 {
		lines = append(lines, "none is paired")
	}
	return usagef("%q names %s; give the id of one: %s", word, how, strings.Join(lines, "; "))
}

func deviceLine(d protocol.TokenInfo) string {
	words := []string{d.Name, d.BrowserID, "paired " + time.UnixMilli(d.CreatedAt).Format(time.DateTime)}
	if d.Name == "" {
		words = words[1:]
	}
	if d.SeenAt != 0 {
		words = append(words, "last seen "+time.UnixMilli(d.SeenAt).Format(time.DateTime))
	}
	return strings.Join(words, "  ")
}
