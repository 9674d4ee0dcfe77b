//go:build unix

package main

import "syscall"

// detached puts a child in a session of its own: neither the Ctrl-C nor the
// hang-up of the terminal that started us reaches it.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
