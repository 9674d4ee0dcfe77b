package main

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/drawbridge-browser/drawbridge/internal/config"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// withoutSettings marks a command that works with no settings, and so also where they are wrong.
const withoutSettings = "without settings"

// standsAlone is the annotation of such a command.
var standsAlone = map[string]string{withoutSettings: "true"}

// needsNoSettings tells whether a command is marked so, or is one of cobra's own.
func needsNoSettings(cmd *cobra.Command) bool {
	for ; cmd.HasParent(); cmd = cmd.Parent() {
		switch {
		case cmd.Annotations[withoutSettings] != "":
			return true
		case !cmd.Parent().HasParent() && slices.Contains([]string{"help", "completion", cobra.ShellCompRequestCmd}, cmd.Name()):
			return true
		}
	}
	return false
}

// settle finds out the settings and puts them where flags are read.
func (a *app) settle(cmd *cobra.Command) error {
	settings, err := config.Here(a.env).Load(givenFlags(cmd))
	if err != nil {
		return err
	}
	return a.take(settings)
}

// givenFlags are the flags of the command line that a setting stands behind.
func givenFlags(cmd *cobra.Command) map[string]string {
	given := map[string]string{}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		given[f.Name] = f.Value.String()
	})
	if on, ok := given["json"]; ok {
		given["json"] = "text"
		if yes, err := strconv.ParseBool(on); err == nil && yes {
			given["json"] = "json"
		}
	}
	return given
}

func (a *app) take(settings config.Settings) error {
	a.settings = settings
	a.flags.json = settings.Value("output") == "json"
	a.flags.browser, a.flags.session = settings.Value("browser"), settings.Value("session")
	a.flags.dataDir, a.flags.server = settings.Value("dataDir"), settings.Value("server")
	if text := settings.Value("timeout"); text != "" {
		timeout, err := time.ParseDuration(text)
		if err != nil {
			return usagef("the timeout of %s: %v", settings["timeout"].Where, err)
		}
		a.flags.timeout = timeout
	}
	return nil
}

func newConfigCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "config", Short: "Show each setting, and where it comes from", Args: cobra.NoArgs,
		Long: "Show each setting, and where it comes from. Flags stand over the environment, that over the project's\n" +
			config.FileName + " (the nearest upwards from here, as far as the repository's root or your home folder), and\n" +
			"that over your own. A project's file may set " + projectKeys() + ": it may be anybody's.",
		RunE: func(*cobra.Command, []string) error {
			if a.flags.json {
				return a.printJSON(map[string]any{"settings": a.inOrder(), "userFile": config.Here(a.env).UserFile})
			}
			for _, s := range a.inOrder() {
				if err := a.say("%s", settingLine(s)); err != nil {
					return err
				}
			}
			return a.say("\nYour own file is %s", config.Here(a.env).UserFile)
		},
	}
	cmd.AddCommand(&cobra.Command{
		Use: "schema", Short: "Print the JSON Schema of " + config.FileName, Args: cobra.NoArgs, Annotations: standsAlone,
		RunE: func(*cobra.Command, []string) error {
			_, err := a.stdout.Write(protocol.SettingsSchema)
			return err
		},
	})
	return cmd
}

func projectKeys() string {
	text := ""
	for _, key := range config.Keys {
		if key.Project && text != "" {
			text += ", "
		}
		if key.Project {
			text += key.Name
		}
	}
	return text
}

func (a *app) inOrder() []config.Setting {
	list := make([]config.Setting, 0, len(config.Keys))
	for _, key := range config.Keys {
		list = append(list, a.settings[key.Name])
	}
	return list
}

func settingLine(s config.Setting) string {
	value := "-"
	if s.Value != "" {
		value = strconv.Quote(s.Value)
	}
	line := fmt.Sprintf("%-10s %-24s %s", s.Name, value, s.Source)
	if s.Where != "" {
		line += " " + s.Where
	}
	return line
}

// examineSettings is what doctor says of the settings.
func (a *app) examineSettings(cmd *cobra.Command) finding {
	f := finding{Name: "settings", OK: true, Detail: "no file sets any"}
	err := a.settle(cmd)
	if err != nil {
		f.OK, f.Detail, f.Fix = false, err.Error(), "mend the file: drawbridge config schema says what may stand in it"
		// What else is missing is still worth knowing: by the flags and the environment alone.
		bare := config.Place{Env: a.env}
		if settings, err := bare.Load(givenFlags(cmd)); err == nil {
			_ = a.take(settings) // the same as above, of which was told
		}
		return f
	}
	for _, s := range a.inOrder() {
		if s.Source == config.FromProject || s.Source == config.FromUser {
			f.Detail = "drawbridge config shows what is set where"
		}
	}
	return f
}
