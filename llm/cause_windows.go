package llm

import "syscall"

// How a connection fails, in Winsock's own numbers: most of those in package syscall
// are made up on Windows.
const (
	connRefused     = syscall.Errno(10061)
	connReset       = syscall.Errno(10054)
	connAborted     = syscall.Errno(10053)
	hostUnreachable = syscall.Errno(10065)
	netUnreachable  = syscall.Errno(10051)
)
