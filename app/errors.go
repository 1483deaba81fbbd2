package app

import "fmt"

// StoreError says that a store cannot be opened: in use, damaged, too new, or in
// a place that does not let it be.
type StoreError struct {
	Store string // "notes", "own data", "sample"
	Err   error
}

func (e *StoreError) Error() string { return e.Store + ": " + e.Err.Error() }

// Unwrap returns the cause, one of ndb.Open's errors.
func (e *StoreError) Unwrap() error { return e.Err }

// ArgumentError says that something was asked for in a way that cannot be carried
// out as written.
type ArgumentError struct {
	What string // "relay", "model", "days"
	Err  error
}

func (e *ArgumentError) Error() string { return e.What + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *ArgumentError) Unwrap() error { return e.Err }

func argumentf(what, format string, args ...any) error {
	return &ArgumentError{what, fmt.Errorf(format, args...)}
}
