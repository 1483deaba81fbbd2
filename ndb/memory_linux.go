package ndb

import "golang.org/x/sys/unix"

// physicalMemory returns the bytes of memory that the computer has; 0 if that is unknown.
func physicalMemory() uint64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return uint64(info.Totalram) * uint64(info.Unit)
}
