package ndb

import "golang.org/x/sys/unix"

// physicalMemory returns the bytes of memory that the computer has; 0 if that is unknown.
func physicalMemory() uint64 {
	size, _ := unix.SysctlUint64("hw.memsize") // 0 with an error
	return size
}
