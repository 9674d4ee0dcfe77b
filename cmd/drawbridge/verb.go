package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/internal/fields"
	"github.com/drawbridge-browser/drawbridge/internal/render"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// verb is one action as a command: what stands in arguments. Every other member of the action
// becomes a flag, by protocol's schema.
type verb struct {
	use, short, example string
	group               string
	aliases             []string
	action              protocol.ActionType
	// set are members that this verb sets by itself.
	set map[string]any
	// args puts the arguments into the action's members; nil where there are none.
	args func(a *app, args []string, members map[string]any) error
	// count checks how many arguments there are.
	count cobra.PositionalArgs
	// without are members that are no flags: set, or given as arguments.
	without []string
	// rename gives members another flag name, with a short form after a comma.
	rename map[string]string
	// scoped is true where selector is no target but a scope, and so a flag.
	scoped bool
	// targetFlag is true where an optional target is a flag, --on, since the arguments are taken.
	targetFlag bool
	// run performs the action in its own way; nil means show.
	run func(ctx context.Context, a *app, cmd *cobra.Command, action protocol.Action) error
	// flags adds flags of the command's own.
	flags func(*pflag.FlagSet)
}

// neverFlags are members that the command line has other ways for.
var neverFlags = []string{"tabId", "uid", "selector", "credentials", "onDisk", "onlyOn", "since"}

func newVerbCommand(a *app, v verb) *cobra.Command {
	cmd := &cobra.Command{
		Use: v.use, Aliases: v.aliases, Short: v.short, Example: v.example, Args: v.count,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	if v.count == nil {
		cmd.Args = cobra.NoArgs
	}
	for _, name := range v.rename {
		if strings.HasSuffix(name, ",s") {
			// Here -s is something else, so that the session has its long name only: pflag takes a flag of the command's own for it.
			cmd.Flags().String("session", "", "`name` under which your tabs are kept apart from other agents'; no -s here")
		}
	}
	if a.flagless == nil {
		a.flagless = map[*cobra.Command]func(){}
	}
	a.flagless[cmd] = func() { a.giveFlags(cmd, v) }
	return cmd
}

// equip gives the verb that the command line names its flags, or all verbs theirs where it names none, as for help: to read what
// each action takes is a large part of what a short command has to do.
func (a *app) equip(root *cobra.Command) {
	named, _, err := root.Find(a.args)
	if give, isVerb := a.flagless[named]; isVerb {
		give()
		return
	}
	if err == nil && named.Runnable() {
		return
	}
	for _, give := range a.flagless {
		give()
	}
}

// giveFlags makes a flag of each member of the verb's action that is no argument, and has the command perform the action.
func (a *app) giveFlags(cmd *cobra.Command, v verb) {
	known, _ := fields.Of(v.action)
	values := map[string]func() any{}
	for _, name := range slices.Sorted(maps.Keys(known.Fields)) {
		scope := name == "selector" && v.scoped
		if slices.Contains(neverFlags, name) && !scope || slices.Contains(v.without, name) {
			continue
		}
		if value := addFlag(cmd, v.flagName(name), known.Fields[name]); value != nil {
			values[name] = value
		}
	}
	var on string
	if v.targetFlag {
		cmd.Flags().StringVar(&on, "on", "", "the element: its `target`, a ref or a CSS selector")
	}
	if v.flags != nil {
		v.flags(cmd.Flags())
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		members := maps.Clone(v.set)
		if members == nil {
			members = map[string]any{}
		}
		for name, value := range values {
			long, _, _ := strings.Cut(v.flagName(name), ",")
			if cmd.Flags().Changed(long) {
				members[name] = value()
			}
		}
		if on != "" {
			putTarget(members, on)
		}
		if v.args != nil {
			if err := v.args(a, args, members); err != nil {
				return err
			}
		}
		action, err := a.actionOf(v.action, members)
		if err != nil {
			return err
		}
		if v.run != nil {
			return v.run(cmd.Context(), a, cmd, action)
		}
		return a.show(cmd.Context(), action)
	}
}

// humps are the places where a name in camel case goes on with a new word.
var humps = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// flagName is a member's flag: renamed, or in lower case with dashes.
func (v verb) flagName(member string) string {
	if name, ok := v.rename[member]; ok {
		return name
	}
	return strings.ToLower(humps.ReplaceAllString(member, "$1-$2"))
}

// addFlag makes a flag of a field and returns how to read it, nil for a field that no flag can hold.
func addFlag(cmd *cobra.Command, name string, f fields.Field) func() any {
	long, short, _ := strings.Cut(name, ",")
	usage := strings.TrimSuffix(strings.Join(strings.Fields(f.Description), " "), " Default false.")
	flags := cmd.Flags()
	enum := f.Enum
	var read func() any
	switch f.Kind {
	case fields.String:
		v := flags.StringP(long, short, "", usage)
		read = func() any { return *v }
	case fields.Boolean:
		v := flags.BoolP(long, short, false, usage)
		read = func() any { return *v }
	case fields.Integer:
		v := flags.Int64P(long, short, 0, usage)
		read = func() any { return *v }
	case fields.Number:
		v := flags.Float64P(long, short, 0, usage)
		read = func() any { return *v }
	case fields.Array:
		if f.ItemKind != fields.String {
			return nil
		}
		v := flags.StringSliceP(long, short, nil, usage)
		read, enum = func() any { return *v }, f.ItemEnum
	default:
		return nil
	}
	if len(enum) > 0 {
		flags.Lookup(long).Usage += " (" + strings.Join(enum, ", ") + ")"
		// It fails only for a flag that does not exist.
		_ = cmd.RegisterFlagCompletionFunc(long, cobra.FixedCompletions(enum, cobra.ShellCompDirectiveNoFileComp))
	}
	return read
}

// actionOf makes an action of its members; protocol's decoder says what is wrong with them.
func (a *app) actionOf(t protocol.ActionType, members map[string]any) (protocol.Action, error) {
	known, _ := fields.Of(t)
	if _, takesTab := known.Fields["tabId"]; takesTab && a.flags.tab != 0 {
		if _, given := members["tabId"]; !given {
			members["tabId"] = a.flags.tab
		}
	}
	members[protocol.Actions.Key] = t
	raw, err := json.Marshal(members)
	if err != nil {
		return nil, fmt.Errorf("make the action: %w", err)
	}
	return protocol.DecodeAction(raw)
}

// performed is what came of an action.
type performed struct {
	raw    json.RawMessage
	result protocol.Result
	events []protocol.Event
	file   *protocol.FileInfo // where the server keeps the bytes; nil where it was not asked to
}

// perform has the action done by the running server. A timeout or the end of ctx cancels it in
// the browser as well.
func (a *app) perform(ctx context.Context, action protocol.Action) (performed, error) {
	c, err := a.connect()
	if err != nil {
		return performed{}, err
	}
	return a.performBy(ctx, c, protocol.ActRequest{Action: protocol.AnyAction{Action: action}})
}

// performBy is perform with a request and a client of the caller's own.
func (a *app) performBy(ctx context.Context, c *client.Client, request protocol.ActRequest) (performed, error) {
	action := request.Action.Action
	if a.flags.timeout > 0 {
		request.TimeoutMS = max(a.flags.timeout.Milliseconds(), 1)
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, a.flags.timeout+protocol.TimeoutSlack)
		defer cancel()
	}
	answer, err := c.Act(ctx, request)
	if err != nil {
		return performed{}, failure(action, err, answer.Events)
	}
	result, err := protocol.ReadResult(protocol.TypeOf(action), answer.Result)
	if err != nil {
		broken := protocol.Errorf(protocol.CodeInternal, "the answer cannot be read: %v", err).WithOutcome(protocol.Done)
		return performed{}, failure(action, broken, answer.Events)
	}
	return performed{raw: answer.Result, result: result, events: answer.Events, file: answer.File}, nil
}

// failure keeps the action beside its error, for the words in which it is told.
func failure(action protocol.Action, err error, events []protocol.Event) error {
	var known *protocol.Error
	if errors.As(err, &known) {
		return &actionError{action: action, err: known, events: events}
	}
	return err
}

// show performs the action and prints what came of it.
func (a *app) show(ctx context.Context, action protocol.Action) error {
	done, err := a.perform(ctx, action)
	if err != nil {
		return err
	}
	if a.flags.json {
		return a.printResult(done)
	}
	return a.tell(render.Result(action, done.result), done.events)
}

// printResult prints the result as it came, for programs. What happened besides goes to stderr,
// since it is told only once and belongs to no result.
func (a *app) printResult(done performed) error {
	for _, line := range render.Events(done.events) {
		a.note("%s", line)
	}
	return a.say("%s", done.raw)
}

func (a *app) tell(answer render.Answer, events []protocol.Event) error {
	return a.say("%s", strings.Join(append([]string{answer.String()}, render.Events(events)...), "\n"))
}

// wordOrStdin is an argument, or all of stdin for "-".
func (a *app) wordOrStdin(word string) (string, error) {
	if word != "-" {
		return word, nil
	}
	raw, err := io.ReadAll(a.stdin)
	if err != nil {
		return "", fmt.Errorf("read stdin: %w", err)
	}
	return string(raw), nil
}

// newActCommand performs any action of the table as it stands in protocol's reference.
func newActCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "act JSON|-",
		Short:   "Do any action, given as JSON, from an argument or stdin",
		Example: `  drawbridge act '{"type":"click","uid":"e2","button":"right"}'`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := a.wordOrStdin(args[0])
			if err != nil {
				return err
			}
			action, err := protocol.DecodeAction([]byte(text))
			if err != nil {
				return err
			}
			return a.show(cmd.Context(), action)
		},
	}
}
