package config

import "fmt"

// ArgumentError is returned for a request that cannot be carried out as it is written.
type ArgumentError struct {
	What string // "relay", "model", "key"
	Err  error
}

func (e *ArgumentError) Error() string { return e.What + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *ArgumentError) Unwrap() error { return e.Err }

// Argumentf returns an ArgumentError with a cause of these words.
func Argumentf(what, format string, args ...any) error {
	return &ArgumentError{what, fmt.Errorf(format, args...)}
}
