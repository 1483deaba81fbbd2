//go:build !linux && !darwin

package ndb

// physicalMemory returns 0: it is unknown.
func physicalMemory() uint64 { return 0 }
