//go:build !windows

package netsafe

import "syscall"

// The system's numbers for failed connections.
const (
	ConnRefused     = syscall.ECONNREFUSED
	ConnReset       = syscall.ECONNRESET
	ConnAborted     = syscall.ECONNABORTED
	HostUnreachable = syscall.EHOSTUNREACH
	NetUnreachable  = syscall.ENETUNREACH
	netDown         = syscall.ENETDOWN
)
