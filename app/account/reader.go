package account

import "errors"

// ErrNobodyChosen is returned by whatever needs an account while none is chosen.
var ErrNobodyChosen = errors.New("no account is chosen: name one with --as where a command takes it, or as key under [person] in the settings file")
