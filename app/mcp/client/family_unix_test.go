//go:build !windows

package client

import (
	"os/signal"
	"syscall"
)

func deaf() { signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP) }

func alive(pid int) bool { return syscall.Kill(pid, 0) == nil }
