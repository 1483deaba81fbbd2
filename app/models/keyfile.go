package models

import (
	"errors"

	"bowerbird/app/config"
)

// KeyFile returns the state of the file in which keys are kept under a password where
// the computer has no keyring: beside the settings, Places.Keys. The error says what
// is wrong with a damaged one.
func (r *Registry) KeyFile() (config.KeyFileState, error) { return r.keyFile.State() }

// CreateKeyFile makes the file of keys under a password, and puts the keys into it
// that were entered in this run. There may be none yet (ErrKeyFileThere); a damaged
// one is set aside. It takes up to a second, as do UnlockKeys and ChangeKeyPassword.
func (r *Registry) CreateKeyFile(password string) error {
	if err := r.keyFile.Create(password); err != nil {
		return err
	}
	return r.keepRunKeys()
}

// UnlockKeys opens the file of keys until the program ends, and puts the keys into it
// that were entered in this run. ErrWrongPassword says that the password is another.
func (r *Registry) UnlockKeys(password string) error {
	if err := r.keyFile.Unlock(password); err != nil {
		return err
	}
	for _, key := range r.keyFile.Open() {
		r.opt.Redactor.Know(key.Reveal())
	}
	return r.keepRunKeys()
}

// ChangeKeyPassword gives the file of keys another password.
func (r *Registry) ChangeKeyPassword(old, password string) error {
	return r.keyFile.ChangePassword(old, password)
}

// SetKeyFileAside renames the file of keys, whose password is forgotten: its keys are
// lost to Bowerbird until it is put back, and another file can be created. It returns
// where the file is now.
func (r *Registry) SetKeyFileAside() (to string, err error) { return r.keyFile.SetAside() }

// keepRunKeys moves the keys of this run into the open file.
func (r *Registry) keepRunKeys() error {
	var errs []error
	for host, key := range r.keys.all() {
		if err := r.keyFile.SetModelKey(host, key); err != nil {
			errs = append(errs, err)
			continue
		}
		r.keys.set(host, config.Secret{})
	}
	return errors.Join(errs...)
}
