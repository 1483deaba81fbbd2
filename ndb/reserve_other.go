//go:build !linux

package ndb

import "os"

// takeSpace makes a file of that length. Windows takes the space at once; macOS does so
// only as it is written, which would cost more than it is worth.
func takeSpace(file *os.File, bytes int64) error { return file.Truncate(bytes) }
