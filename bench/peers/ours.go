package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// ourRef finds an element in an answer of ours: its ref stands first.
var ourRef = regexp.MustCompile(`\b(?P<ref>e\d+) (?P<role>[a-z]+) "(?P<name>[^"]*)"`)

// theirRef finds an element in the answers of those that write the ref last.
var theirRef = regexp.MustCompile(`(?P<role>[a-z]+) "(?P<name>[^"]*)"[^\n]*?\bref=(?P<ref>\w+)`)

func ours(opened *bool) *language {
	browser := func(args map[string]any) call { return call{tool: "browser", args: args} }
	return &language{
		open: func(url string) call {
			if *opened {
				return browser(map[string]any{"action": "navigate", "url": url})
			}
			*opened = true
			return browser(map[string]any{"action": "open_tab", "url": url})
		},
		look:  func(reading bool) call { return browser(map[string]any{"action": "snapshot", "interactive": !reading}) },
		more:  func(word string, _ bool) call { return browser(map[string]any{"more": word}) },
		click: func(ref string) call { return browser(map[string]any{"action": "click", "ref": ref}) },
		fill: func(ref, text string) call {
			return browser(map[string]any{"action": "fill", "ref": ref, "text": text})
		},
		choose: func(ref, option string) call {
			return browser(map[string]any{"action": "select", "ref": ref, "values": []string{option}})
		},
		evaluate: func(body string) call {
			return browser(map[string]any{"action": "evaluate", "expression": "return " + body})
		},
		ref: ourRef,
		cut: regexp.MustCompile(`more=(\w+)`),
	}
}

func oursByShell(opened *bool) *language {
	line := func(argv ...string) call { return call{argv: argv} }
	return &language{
		open: func(url string) call {
			if *opened {
				return line("navigate", url)
			}
			*opened = true
			return line("open", url)
		},
		look: func(reading bool) call {
			if reading {
				return line("snapshot")
			}
			return line("snapshot", "-i")
		},
		more: func(word string, reading bool) call {
			if reading {
				return line("snapshot", "--from", word)
			}
			return line("snapshot", "-i", "--from", word)
		},
		click:    func(ref string) call { return line("click", "@"+ref) },
		fill:     func(ref, text string) call { return line("fill", "@"+ref, text) },
		choose:   func(ref, option string) call { return line("select", "@"+ref, option) },
		evaluate: func(body string) call { return line("eval", "return "+body) },
		ref:      ourRef,
		cut:      regexp.MustCompile(`--from (\S+)`),
	}
}

// server is `drawbridge launch --headless`: our server with a Chromium, until it is told to end.
type server struct {
	cmd    *exec.Cmd
	done   chan error
	stderr *bytes.Buffer
}

func startServer(ctx context.Context, program string, p *place) (*server, error) {
	cmd := exec.Command(program, "launch", "--headless", "--json", "--addr", "127.0.0.1:0", "--data-dir", data(p))
	cmd.Env, cmd.Dir = p.env(), p.dir
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	s := &server{cmd: cmd, done: make(chan error, 1), stderr: &said}
	ready := make(chan error, 1)
	go func() {
		line, err := bufio.NewReader(out).ReadString('\n')
		if err == nil && !strings.Contains(line, `"browser"`) {
			err = errors.New(firstLines(line))
		}
		ready <- err
		s.done <- cmd.Wait()
	}()
	select {
	case err = <-ready:
		if err != nil {
			err = fmt.Errorf("start the server: %w (%w) %s", err, <-s.done, firstLines(said.String()))
		}
	case <-ctx.Done():
		err = errors.Join(ctx.Err(), s.close())
	}
	return s, err
}

func data(p *place) string { return filepath.Join(p.dir, "data") }

func (s *server) close() error {
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	if err := <-s.done; err != nil {
		return fmt.Errorf("the server ended with %w: %s", err, firstLines(s.stderr.String()))
	}
	return nil
}
