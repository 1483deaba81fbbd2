package netsafe

import (
	"errors"
	"syscall"
)

// Winsock's own numbers; package syscall's ENETUNREACH is made up on Windows.
const (
	wsaNetDown        = syscall.Errno(10050)
	wsaNetUnreachable = syscall.Errno(10051)
)

// isOffline reports whether the system says that it has no way to the network.
func isOffline(err error) bool {
	return errors.Is(err, wsaNetDown) || errors.Is(err, wsaNetUnreachable)
}
