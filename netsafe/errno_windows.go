package netsafe

import "syscall"

// Winsock's numbers for failed connections: on Windows, most of those in package syscall are
// invented.
const (
	ConnRefused     = syscall.Errno(10061)
	ConnReset       = syscall.Errno(10054)
	ConnAborted     = syscall.Errno(10053)
	HostUnreachable = syscall.Errno(10065)
	NetUnreachable  = syscall.Errno(10051)
	netDown         = syscall.Errno(10050)
)
