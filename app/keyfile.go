package app

import (
	"errors"

	"bowerbird/app/config"
)

// KeyFile returns the state of the file in which keys are kept under a password where
// the computer has no keyring: beside the settings, Places.Keys. The error says what
// is wrong with a damaged one.
func (a *App) KeyFile() (config.KeyFileState, error) { return a.keyFile.State() }

// CreateKeyFile makes the file of keys under a password, and puts the keys into it
// that were entered in this run. There may be none yet (ErrKeyFileThere); a damaged
// one is set aside. It takes up to a second, as do UnlockKeys and ChangeKeyPassword.
func (a *App) CreateKeyFile(password string) error {
	if err := a.keyFile.Create(password); err != nil {
		return err
	}
	return a.keepRunKeys()
}

// UnlockKeys opens the file of keys until the program ends, and puts the keys into it
// that were entered in this run. ErrWrongPassword says that the password is another.
func (a *App) UnlockKeys(password string) error {
	if err := a.keyFile.Unlock(password); err != nil {
		return err
	}
	for _, key := range a.keyFile.Open() {
		a.redactor.Know(key.Reveal())
	}
	return a.keepRunKeys()
}

// ChangeKeyPassword gives the file of keys another password.
func (a *App) ChangeKeyPassword(old, password string) error {
	return a.keyFile.ChangePassword(old, password)
}

// SetKeyFileAside renames the file of keys, whose password is forgotten: its keys are
// lost to Bowerbird until it is put back, and another file can be created. It returns
// where the file is now.
func (a *App) SetKeyFileAside() (to string, err error) { return a.keyFile.SetAside() }

// keepRunKeys moves the keys of this run into the open file.
func (a *App) keepRunKeys() error {
	var errs []error
	for host, key := range a.keys.all() {
		if err := a.keyFile.SetModelKey(host, key); err != nil {
			errs = append(errs, err)
			continue
		}
		a.keys.set(host, config.Secret{})
	}
	return errors.Join(errs...)
}
