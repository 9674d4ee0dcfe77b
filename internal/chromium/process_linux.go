package chromium

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the browser into a process group of its own, so that all of it can be ended at once, and has the
// kernel end it when the thread that started it does.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
