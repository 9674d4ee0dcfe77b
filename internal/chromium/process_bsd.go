//go:build unix && !linux

package chromium

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the browser into a process group of its own, so that all of it can be ended at once. When we die the
// closed debugging pipe makes it exit.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
