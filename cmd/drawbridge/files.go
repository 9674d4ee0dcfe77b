package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/drawbridge-browser/drawbridge/internal/render"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

func fileFlag(flags *pflag.FlagSet) {
	flags.StringP("output", "o", "", "write it to this `file`, or to stdout for -; without it a new file is made here")
}

func targetAndValues(_ *app, args []string, members map[string]any) error {
	putTarget(members, args[0])
	members["values"] = args[1:]
	return nil
}

func mouseArgs(_ *app, args []string, members map[string]any) error {
	members["kind"] = args[0]
	for i, name := range []string{"x", "y"} {
		pixels, err := strconv.ParseFloat(strings.TrimSuffix(args[i+1], "px"), 64)
		if err != nil {
			return usagef("%q is no number of pixels", args[i+1])
		}
		members[name] = pixels
	}
	return nil
}

// pointForm is a point of the viewport: 320,40.
var pointForm = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?),([0-9]+(?:\.[0-9]+)?)$`)

func dragArgs(_ *app, args []string, members map[string]any) error {
	from := map[string]any{}
	putTarget(from, args[0])
	members["from"] = from
	if point := pointForm.FindStringSubmatch(args[1]); point != nil {
		members["point"] = map[string]any{"x": jsonNumber(point[1]), "y": jsonNumber(point[2])}
		return nil
	}
	to := map[string]any{}
	putTarget(to, args[1])
	members["to"] = to
	return nil
}

// jsonNumber is what pointForm matched, which is a number.
func jsonNumber(text string) float64 {
	number, _ := strconv.ParseFloat(text, 64)
	return number
}

// uploadArgs reads the files here: the browser may be on another machine.
func uploadArgs(_ *app, args []string, members map[string]any) error {
	putTarget(members, args[0])
	files := make([]protocol.File, 0, len(args)-1)
	for _, path := range args[1:] {
		data, err := os.ReadFile(path)
		if err != nil {
			return usagef("the file cannot be read: %v", err)
		}
		kind := mime.TypeByExtension(filepath.Ext(path))
		if kind == "" {
			kind = http.DetectContentType(data)
		}
		kind, _, _ = strings.Cut(kind, ";")
		files = append(files, protocol.File{Name: filepath.Base(path), MimeType: kind, Data: base64.StdEncoding.EncodeToString(data)})
	}
	members["files"] = files
	return nil
}

func downloadArgs(_ *app, args []string, members map[string]any) error {
	id, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		return usagef("%q is no download's id: it stands in the answer of the action that began it", args[0])
	}
	members["id"] = id
	return nil
}

// download brings a file: whole from the server, which gathers its parts, or part by part where it is larger than what a server keeps.
func download(ctx context.Context, a *app, cmd *cobra.Command, action protocol.Action) error {
	asked, ok := action.(protocol.Download)
	if !ok {
		return fmt.Errorf("a download is asked for by a %T", action)
	}
	c, err := a.connect()
	if err != nil {
		return err
	}
	done, err := a.performBy(ctx, c, protocol.ActRequest{Action: protocol.AnyAction{Action: asked}, As: protocol.AsFile})
	var failed *actionError
	switch {
	case errors.As(err, &failed) && failed.err.Code == protocol.CodeUnsupported:
		return a.downloadParts(ctx, cmd, asked)
	case err != nil:
		return err
	case done.file == nil: // it is not complete
		return a.tell(render.Result(asked, done.result), done.events)
	}
	file, err := c.File(ctx, done.file.ID)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("fetch the file from the server: %w", err)
	}
	return a.keep(cmd, done, written{name: done.file.Name, mimeType: done.file.MimeType, data: data})
}

// downloadParts brings all parts of a file, one call after the other.
func (a *app) downloadParts(ctx context.Context, cmd *cobra.Command, asked protocol.Download) error {
	var all []byte
	for {
		done, err := a.perform(ctx, asked)
		if err != nil {
			return err
		}
		part, ok := done.result.(protocol.DownloadResult)
		if !ok {
			return fmt.Errorf("the answer to a download is a %T", done.result)
		}
		data, err := base64.StdEncoding.DecodeString(part.Data)
		if err != nil {
			return fmt.Errorf("the file is no base64: %w", err)
		}
		all = append(all, data...)
		if part.State != "complete" {
			return a.tell(render.Result(asked, part), done.events)
		}
		if part.Next <= asked.From {
			return a.keep(cmd, done, written{name: filepath.Base(filepath.Clean("/" + part.Name)), mimeType: part.MimeType, data: all})
		}
		asked.From = part.Next
	}
}

// printed writes the page as a document.
func printed(ctx context.Context, a *app, cmd *cobra.Command, action protocol.Action) error {
	done, err := a.perform(ctx, action)
	if err != nil {
		return err
	}
	document, ok := done.result.(protocol.PDFResult)
	if !ok {
		return fmt.Errorf("the answer to a pdf is a %T", done.result)
	}
	data, err := base64.StdEncoding.DecodeString(document.Data)
	if err != nil {
		return fmt.Errorf("the document is no base64: %w", err)
	}
	return a.keep(cmd, done, written{name: stamped("page", ".pdf"), mimeType: document.MimeType, data: data})
}

// written is a file to write: name is what it is called where no other name was given.
type written struct {
	name, mimeType string
	data           []byte
}

// keep writes a file where -o says, and says where it is.
func (a *app) keep(cmd *cobra.Command, done performed, file written) error {
	output, err := cmd.Flags().GetString("output")
	if err != nil {
		return err
	}
	if output == "-" {
		_, err := a.stdout.Write(file.data)
		return err
	}
	path, err := save(output, file.name, file.data)
	if err != nil {
		return err
	}
	if a.flags.json {
		return a.printJSON(map[string]any{"file": path, "mimeType": file.mimeType, "size": len(file.data)})
	}
	return a.tell(render.Answer{Head: fmt.Sprintf("ok %d bytes → %s", len(file.data), path)}, done.events)
}
