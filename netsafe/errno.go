//go:build !windows

package netsafe

import "syscall"

// How a connection fails, in the numbers of the system.
const (
	ConnRefused     = syscall.ECONNREFUSED
	ConnReset       = syscall.ECONNRESET
	ConnAborted     = syscall.ECONNABORTED
	HostUnreachable = syscall.EHOSTUNREACH
	NetUnreachable  = syscall.ENETUNREACH
	netDown         = syscall.ENETDOWN
)
