//go:build !windows

package client

import (
	"os/exec"
	"syscall"
)

// neededToRun are variables without which no program runs.
var neededToRun []string

// family is a process and its children: a process group.
type family int

func startFamily(cmd *exec.Cmd) (family, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	return family(cmd.Process.Pid), nil
}

func (f family) ask()  { _ = syscall.Kill(-int(f), syscall.SIGTERM) }
func (f family) kill() { _ = syscall.Kill(-int(f), syscall.SIGKILL) }
