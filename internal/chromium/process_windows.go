package chromium

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"syscall"

	"github.com/shirou/gopsutil/v4/process"
)

func ownGroup(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	cmd.SysProcAttr.CreationFlags |= syscall.CREATE_NEW_PROCESS_GROUP
}

// killGroup ends the process and its children: Windows has no process groups that a kill reaches.
func killGroup(pid int32) {
	p, err := process.NewProcess(pid)
	if err != nil {
		return
	}
	children, _ := p.Children()
	_ = p.Kill()
	for _, child := range children {
		_ = child.Kill()
	}
}

// passPipe gives the browser its two ends as inherited handles: it has no descriptors 3 and 4 on Windows.
func passPipe(cmd *exec.Cmd, commands, answers *os.File) error {
	ownGroup(cmd)
	in, out := syscall.Handle(commands.Fd()), syscall.Handle(answers.Fd())
	for _, handle := range []syscall.Handle{in, out} {
		if err := syscall.SetHandleInformation(handle, syscall.HANDLE_FLAG_INHERIT, syscall.HANDLE_FLAG_INHERIT); err != nil {
			return fmt.Errorf("hand the debugging pipe to the browser: %w", err)
		}
	}
	cmd.SysProcAttr.AdditionalInheritedHandles = append(cmd.SysProcAttr.AdditionalInheritedHandles, in, out)
	handles := strconv.FormatUint(uint64(in), 10) + "," + strconv.FormatUint(uint64(out), 10)
	cmd.Args = slices.Insert(cmd.Args, 1, "--remote-debugging-io-pipes="+handles)
	return nil
}

func superuser() bool { return false }
