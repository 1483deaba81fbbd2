package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// redirectStderr makes a copy of a file the standard error and returns the previous one. Go
// writes to the current one when it crashes.
func redirectStderr(to *os.File) (was *os.File, err error) {
	var own windows.Handle
	this := windows.CurrentProcess()
	if err := windows.DuplicateHandle(this, windows.Handle(to.Fd()), this, &own, 0, false, windows.DUPLICATE_SAME_ACCESS); err != nil {
		return nil, err
	}
	if err := windows.SetStdHandle(windows.STD_ERROR_HANDLE, own); err != nil {
		_ = windows.CloseHandle(own)
		return nil, err
	}
	return os.Stderr, nil // it has kept its handle
}
