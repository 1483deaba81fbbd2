package ndb

import (
	"fmt"
	"math"
	"os"

	"golang.org/x/sys/windows"
)

// FreeSpace returns the free bytes on the disk of dir for this user.
func FreeSpace(dir string) (int64, error) {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, fmt.Errorf("free space of %s: %w", dir, err)
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(path, &free, nil, nil); err != nil {
		return 0, fmt.Errorf("free space of %s: %w", dir, err)
	}
	return int64(min(free, math.MaxInt64)), nil
}

// blocksOnDisk returns the disk space that a file takes up.
func blocksOnDisk(info os.FileInfo) int64 { return info.Size() }
