package main

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"

	"github.com/adrg/xdg"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/internal/server"
	"github.com/drawbridge-browser/drawbridge/internal/store"
)

// served is a server that runs inside this process.
type served struct {
	server *server.Server
	// client speaks to it as the command line does.
	client *client.Client
	// done gets the server's end, once.
	done <-chan error
	stop context.CancelFunc
}

// serve starts a server in this process, with how's settings but those that are the same for all commands. ctx ends it, and so does close.
func (a *app) serve(ctx context.Context, how server.Options, verbose bool) (*served, error) {
	dir, err := a.dataDir()
	if err != nil {
		return nil, err
	}
	if how.Addr == "" {
		how.Addr = a.settings.Value("addr")
	}
	if how.Downloads, err = a.downloads(how.Public != nil); err != nil {
		return nil, err
	}
	level := slog.LevelWarn
	if verbose {
		level = slog.LevelDebug
	}
	how.DataDir, how.Version, how.DrainTime, how.Keyring = dir, buildVersion(), shutdownTime, a.keyring()
	how.Logger = slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level}))
	s, err := server.New(&how)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	up := &served{server: s, done: done, stop: stop}
	if up.client, err = a.clientAt(s.URL(), dir); err == nil {
		_, err = up.client.Health(ctx) // it answers when Run runs
	}
	if err != nil {
		return nil, fmt.Errorf("start the server: %w", up.closeAfter(err))
	}
	return up, nil
}

// downloads is the folder in which the server may read what browsers saved; empty means none.
func (a *app) downloads(public bool) (string, error) {
	switch folder := a.settings.Value("downloads"); {
	case folder == "none", folder == "" && public: // whose browsers come from elsewhere did not save here
		return "", nil
	case folder == "":
		return xdg.UserDirs.Download, nil
	case !filepath.IsAbs(folder):
		return "", usagef("downloads is %q: expected the whole path of a folder, or none", folder)
	default:
		return folder, nil
	}
}

func (a *app) clientAt(url, dir string) (*client.Client, error) {
	token, err := store.ReadCredential(dir)
	if err != nil {
		return nil, err
	}
	return client.New(url, token, &client.Options{Session: a.flags.session, Browser: a.flags.browser})
}

// close ends the server in order and returns its error.
func (s *served) close() error {
	s.stop()
	return <-s.done
}

// closeAfter ends the server because of err.
func (s *served) closeAfter(err error) error {
	if closed := s.close(); closed != nil {
		return fmt.Errorf("%w (and it did not stop in order: %v)", err, closed)
	}
	return err
}
