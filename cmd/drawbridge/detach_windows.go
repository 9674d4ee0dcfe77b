package main

import "syscall"

// detachedProcess is DETACHED_PROCESS of the Windows API: no console is shared.
const detachedProcess = 0x00000008

// detached puts a child in a process group of its own, without our console:
// its Ctrl-C does not reach the child.
func detached() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | detachedProcess}
}
