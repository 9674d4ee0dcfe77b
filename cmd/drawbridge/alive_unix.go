//go:build unix

package main

import "syscall"

// alive tells whether a process of this user has that id. Another user's does not count: it
// is not our server, whatever it is.
func alive(pid int) bool { return pid > 0 && syscall.Kill(pid, 0) == nil }
