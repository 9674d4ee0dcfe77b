package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"time"
)

// sdk is the module whose server for the suite ours is compared with, at the version that we are built with.
const sdk = "github.com/modelcontextprotocol/go-sdk"

// judgeReference plays the suite against the SDK's own server.
func judgeReference(ctx context.Context, scratch string) (scenarios []scenario, err error) {
	program := filepath.Join(scratch, "reference")
	if said, err := exec.CommandContext(ctx, "go", "build", "-o", program, sdk+"/conformance/everything-server").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the SDK's server: %w\n%s", err, said)
	}
	address, err := free(ctx)
	if err != nil {
		return nil, err
	}
	running, stop := context.WithCancel(ctx)
	server := exec.CommandContext(running, program, "-http", address, "-stateless=false") // as the SDK runs it for the suite
	if err := server.Start(); err != nil {
		stop()
		return nil, fmt.Errorf("start the SDK's server: %w", err)
	}
	defer func() {
		stop()
		_ = server.Wait() // it was killed
	}()
	if err := answers(ctx, address); err != nil {
		return nil, err
	}
	scenarios, _, err = suite(ctx, filepath.Join(scratch, "reference-results"), "http://"+address)
	return scenarios, err
}

// free is an address of this machine that nobody listens at: the SDK's server takes one and tells none.
func free(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// answers waits until somebody takes connections at an address.
func answers(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the SDK's server does not listen: %w", errors.Join(err, ctx.Err()))
		case <-again.C:
		}
	}
}
