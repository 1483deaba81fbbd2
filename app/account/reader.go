package account

import "errors"

// ErrNobodyChosen is returned by whatever needs an account while none is chosen.
var ErrNobodyChosen = errors.New("nobody is chosen to read as; name somebody with --as, or sync as them once")
