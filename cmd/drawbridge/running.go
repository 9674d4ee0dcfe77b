package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// noServer says that no server runs on dir.
func noServer(dir string) error {
	return &adviceError{
		err:  protocol.Errorf(protocol.CodeNotConnected, "no drawbridge server runs on the data directory %s", dir),
		next: "drawbridge up",
	}
}

// running finds the server of this data directory. It trusts server.json only as far as the
// process that wrote it still lives: the credential is not sent to whoever has the port now.
func (a *app) running() (store.ServerInfo, string, error) {
	dir, err := a.dataDir()
	if err != nil {
		return store.ServerInfo{}, "", err
	}
	info, err := store.ReadServerInfo(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return info, "", noServer(dir)
	}
	if err != nil {
		return info, "", err
	}
	if !alive(info.PID) {
		return info, "", noServer(dir)
	}
	token, err := store.ReadCredential(dir)
	return info, token, err
}

// connect makes a client of the running server. It does not start one: a verb that brings up
// a server behind its user's back leaves something running that nobody asked for.
func (a *app) connect() (*client.Client, error) {
	if a.flags.server != "" {
		return a.elsewhere(a.flags.session)
	}
	info, token, err := a.running()
	if err != nil {
		return nil, err
	}
	return a.clientOf(info, token, a.flags.session)
}

func (a *app) clientOf(info store.ServerInfo, token, session string) (*client.Client, error) {
	c, err := client.New("http://"+info.Addr, token, &client.Options{Session: session, Browser: a.flags.browser})
	if err != nil {
		return nil, fmt.Errorf("use the server of server.json: %w", err)
	}
	return c, nil
}

// elsewhere makes a client of the server that the settings name.
func (a *app) elsewhere(session string) (*client.Client, error) {
	token, err := a.token()
	if err != nil {
		return nil, err
	}
	c, err := client.New(a.flags.server, token, &client.Options{Session: session, Browser: a.flags.browser})
	if err != nil {
		return nil, usagef("%v", err)
	}
	return c, nil
}

// token is what the server elsewhere knows this user by.
func (a *app) token() (string, error) {
	if token := a.env("DRAWBRIDGE_TOKEN"); token != "" {
		return token, nil
	}
	path := a.settings.Value("tokenFile")
	if path == "" {
		return "", usagef("the server %s asks for a token: put one into $DRAWBRIDGE_TOKEN, or name its file by tokenFile in your drawbridge.json", a.flags.server)
	}
	token, err := store.ReadToken(path)
	if err != nil {
		return "", usagef("the setting tokenFile: %v", err)
	}
	return token, nil
}

// hold keeps a server that ends when nobody needs it from doing so until ctx ends, or the server does: whoever reads the events needs
// it.
func hold(ctx context.Context, c *client.Client) {
	for _, err := range c.Events(ctx) {
		if err != nil {
			return // the next call finds out the same
		}
	}
}

// present tells the server that this process is there, until ctx ends or the server does: when the process is killed its tabs are given
// back all the same. It keeps a server from ending as hold does, and returns once the server knows. Towards a server elsewhere it begins
// again after the network has cut it off.
func present(ctx context.Context, c *client.Client, elsewhere bool) {
	over, err := c.Present(ctx)
	go func() {
		for {
			if err == nil {
				err = <-over
			}
			if ctx.Err() != nil || !elsewhere {
				return // the next call finds out the same
			}
			again := time.NewTimer(presentAgain)
			select {
			case <-ctx.Done():
				again.Stop()
				return
			case <-again.C:
			}
			over, err = c.Present(ctx)
		}
	}()
}

// presentAgain is how soon a stream that the network cut is asked for again. The server waits longer for it.
const presentAgain = 2 * time.Second

// healthy finds the running server and asks it whether it is one.
func (a *app) healthy(ctx context.Context) (store.ServerInfo, string, error) {
	info, token, err := a.running()
	if err != nil {
		return info, token, err
	}
	c, err := a.clientOf(info, token, "")
	if err != nil {
		return info, token, err
	}
	_, err = c.Health(ctx)
	return info, token, err
}
