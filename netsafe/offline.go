//go:build !windows

package netsafe

import (
	"errors"
	"syscall"
)

// isOffline reports whether the system says that it has no way to the network.
func isOffline(err error) bool {
	return errors.Is(err, syscall.ENETUNREACH) || errors.Is(err, syscall.ENETDOWN)
}
