package main

import (
	_ "embed"

	"github.com/spf13/cobra"
)

// skill is the page that teaches an agent the command line.
//
//go:embed skill.md
var skill string

func newSkillCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "skill",
		Short: "Print the page that teaches an agent this command line",
		Args:  cobra.NoArgs,

		Annotations: standsAlone,
		RunE:        func(*cobra.Command, []string) error { return a.say("%s", skill) },
	}
}
