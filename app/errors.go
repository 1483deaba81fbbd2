package app

// StoreError says that a store cannot be opened: in use, damaged, too new, or in
// a place that does not let it be.
type StoreError struct {
	Store string // "notes", "own data", "sample"
	Err   error
}

func (e *StoreError) Error() string { return e.Store + ": " + e.Err.Error() }

// Unwrap returns the cause, one of ndb.Open's errors.
func (e *StoreError) Unwrap() error { return e.Err }
