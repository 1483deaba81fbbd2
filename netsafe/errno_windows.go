package netsafe

import "syscall"

// How a connection fails, in Winsock's own numbers: most of those in package syscall
// are made up on Windows.
const (
	ConnRefused     = syscall.Errno(10061)
	ConnReset       = syscall.Errno(10054)
	ConnAborted     = syscall.Errno(10053)
	HostUnreachable = syscall.Errno(10065)
	NetUnreachable  = syscall.Errno(10051)
	netDown         = syscall.Errno(10050)
)
