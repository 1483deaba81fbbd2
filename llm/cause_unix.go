//go:build !windows

package llm

import "syscall"

// How a connection fails, in the numbers of the system.
const (
	connRefused     = syscall.ECONNREFUSED
	connReset       = syscall.ECONNRESET
	connAborted     = syscall.ECONNABORTED
	hostUnreachable = syscall.EHOSTUNREACH
	netUnreachable  = syscall.ENETUNREACH
)
