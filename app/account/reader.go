package account

import "errors"

// ErrNobodyChosen is the error of what needs to know who is reading.
var ErrNobodyChosen = errors.New("nobody is chosen to read as; name somebody with --as, or sync as them once")
