package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/drawbridge-browser/drawbridge/internal/render"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

func outputFlag(flags *pflag.FlagSet) {
	flags.StringP("output", "o", "", "write the picture to this `file`, or to stdout for -; without it a new file is made here")
}

// screenshot takes the picture and writes it to a file. Without -o it makes a new one and never
// replaces what is there.
func screenshot(ctx context.Context, a *app, cmd *cobra.Command, action protocol.Action) error {
	output, err := cmd.Flags().GetString("output")
	if err != nil {
		return err
	}
	done, err := a.perform(ctx, action)
	if err != nil {
		return err
	}
	picture, ok := done.result.(protocol.ScreenshotResult)
	if !ok {
		return fmt.Errorf("the answer to a screenshot is a %T", done.result)
	}
	if a.flags.json && output == "" {
		return a.printResult(done)
	}
	data, err := base64.StdEncoding.DecodeString(picture.Data)
	if err != nil {
		return fmt.Errorf("the picture is no base64: %w", err)
	}
	if output == "-" {
		_, err := a.stdout.Write(data)
		return err
	}
	path, err := save(output, stamped("screenshot", extensionOf(picture.MimeType)), data)
	if err != nil {
		return err
	}
	if a.flags.json {
		return a.printJSON(map[string]any{"file": path, "mimeType": picture.MimeType, "width": picture.Width, "height": picture.Height})
	}
	answer := render.Result(action, picture)
	answer.Head += " → " + path
	return a.tell(answer, done.events)
}

func extensionOf(mimeType string) string {
	switch mimeType {
	case "image/jpeg":
		return ".jpg"
	case "image/webp":
		return ".webp"
	}
	return ".png"
}

// stamped is a file name of our own: what it is, and when it was made.
func stamped(what, extension string) string {
	return what + "-" + time.Now().Format("20060102-150405") + extension
}

// save writes data to the file that was named, or to a new one of this name that replaces none.
func save(path, name string, data []byte) (string, error) {
	if path != "" {
		return path, os.WriteFile(path, data, 0o600)
	}
	extension := filepath.Ext(name)
	stem := strings.TrimSuffix(name, extension)
	for n := range 100 {
		path = name
		if n > 0 {
			path = fmt.Sprintf("%s-%d%s", stem, n, extension)
		}
		file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = file.Write(data)
		return path, errors.Join(err, file.Close())
	}
	return "", fmt.Errorf("write the file: %s and its like are all taken, name a file with -o", name)
}
