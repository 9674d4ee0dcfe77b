//go:build unix

package chromium

import (
	"os"
	"os/exec"
	"syscall"
)

// killGroup ends the process group that pid leads.
func killGroup(pid int32) {
	_ = syscall.Kill(-int(pid), syscall.SIGKILL)
}

// passPipe gives the browser its two ends: it reads commands from descriptor 3 and writes answers to 4.
func passPipe(cmd *exec.Cmd, commands, answers *os.File) error {
	cmd.ExtraFiles = []*os.File{commands, answers}
	return nil
}

func superuser() bool { return os.Getuid() == 0 }
