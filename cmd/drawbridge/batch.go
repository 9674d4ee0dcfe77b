package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/mattn/go-shellwords"
	"github.com/spf13/cobra"
)

// maxLine is the longest line of a batch, in bytes: an upload as JSON carries its files.
const maxLine = 64 << 20

// newBatchCommand does actions from stdin, one a line.
func newBatchCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "batch",
		Short: "Do actions from stdin, one a line, and stop at the first error",
		Long: "Do actions from stdin, one a line, and stop at the first error.\n" +
			"A line is a command without drawbridge in front, quoted as in a shell, or an action as JSON.\n" +
			"Empty lines, and lines that begin with #, are passed over.",
		Example: "  printf 'open https://example.com\\nsnapshot -i\\n' | drawbridge batch",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			lines := bufio.NewScanner(a.stdin)
			lines.Buffer(nil, maxLine)
			for number := 1; lines.Scan(); number++ {
				line := strings.TrimSpace(lines.Text())
				if line == "" || strings.HasPrefix(line, "#") {
					continue
				}
				if err := a.batchLine(cmd, line); err != nil {
					a.note("batch stopped at line %d: %.200s", number, line)
					return err
				}
			}
			if err := lines.Err(); err != nil {
				return fmt.Errorf("read stdin: %w", err)
			}
			return nil
		},
	}
}

// batchLine does one line with the flags of the batch; flags of the line itself are over them.
func (a *app) batchLine(cmd *cobra.Command, line string) error {
	words := []string{"act", line}
	if !strings.HasPrefix(line, "{") {
		var err error
		if words, err = shellwords.Parse(line); err != nil {
			return usagef("the line cannot be read: %v", err)
		}
	}
	if len(words) == 0 {
		return nil
	}
	switch words[0] {
	case "batch", "up", "mcp", "launch", "demo":
		return usagef("%s does not go into a batch", words[0])
	}
	once := *a
	once.stdin = strings.NewReader("") // the batch has it
	once.args = words
	root := newRootCommand(&once)
	once.flags = a.flags // what newRootCommand set are defaults
	root.SetArgs(words)
	return root.ExecuteContext(cmd.Context())
}
