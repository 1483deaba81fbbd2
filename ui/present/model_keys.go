package present

import (
	"errors"
	"strconv"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/ndb/clean"
)

// KeyOffer is what can be done about where keys are kept.
type KeyOffer string

// The offers.
const (
	NoKeyOffer     KeyOffer = ""
	CreateKeyFile  KeyOffer = "create" // a file under a password, which there is not yet
	UnlockKeyFile  KeyOffer = "unlock"
	ChangePassword KeyOffer = "change"
	RenewKeyFile   KeyOffer = "renew" // the file cannot be read; a new one takes its place
)

// keyLine says where the key of a provider is, and what can be done about that.
type keyLine struct {
	Text  string
	Tone  Tone
	Offer KeyOffer
}

// KeyAt says where the key of a provider is. file is the state of the file of keys, err
// what Registry.KeyPlace said.
func (w Words) KeyAt(p models.Provider, place models.KeyPlace, file config.KeyFileState, err error) keyLine {
	switch {
	case file == config.KeyFileDamaged && (place == models.KeyInFile || err != nil):
		return keyLine{w.say("The key file is damaged and cannot be read. It stays as it is; you can create a new one."), ToneBad, RenewKeyFile}
	case errors.Is(err, config.ErrKeysLocked), errors.Is(err, config.ErrWrongPassword):
		return keyLine{w.say("A key is saved in the key file, which is locked. Your password unlocks it."), ToneWarn, UnlockKeyFile}
	case place == models.KeyInFile:
		return keyLine{w.say("A key is saved in the key file, under your password."), ToneNone, ChangePassword}
	case place == models.KeyInMemory:
		return w.keyInMemory(file)
	case errors.Is(err, config.ErrNoKeyring):
		return w.keyWithoutKeyring(p, file)
	case err != nil:
		return keyLine{w.say("This did not work: {{.Reason}}", "Reason", clean.Line(err.Error(), 300)), ToneWarn, NoKeyOffer}
	}
	return keyLine{Text: w.keyWords(p, place)}
}

// keyInMemory offers to keep for longer what is gone when the program ends.
func (w Words) keyInMemory(file config.KeyFileState) keyLine {
	l := keyLine{w.say("A key is kept until you close Bowerbird: this computer has no keyring to save it in."), ToneWarn, CreateKeyFile}
	if file == config.KeyFileLocked {
		l.Offer = UnlockKeyFile
	}
	return l
}

// keyWithoutKeyring says where a key that is entered will be kept.
func (w Words) keyWithoutKeyring(p models.Provider, file config.KeyFileState) keyLine {
	switch {
	case file == config.KeyFileOpen:
		return keyLine{w.say("No key yet. A key that you enter is saved in the key file, under your password."), ToneNone, ChangePassword}
	case !p.NeedsKey:
		return keyLine{Text: w.keyWords(p, models.KeyNowhere)}
	case file == config.KeyFileLocked:
		return keyLine{w.say("No key yet. This computer has no keyring; unlock the key file to save the key there."), ToneWarn, UnlockKeyFile}
	}
	return keyLine{w.say("No key yet. This computer has no working keyring: a key can be saved in a file with a password, or kept only until you close Bowerbird."), ToneWarn, CreateKeyFile}
}

// KeyFileDo says what a button does that takes an offer up.
func (w Words) KeyFileDo(o KeyOffer) string {
	switch o {
	case CreateKeyFile:
		return w.say("Save keys in a file with a password…")
	case UnlockKeyFile:
		return w.say("Unlock the keys…")
	case ChangePassword:
		return w.say("Change the password…")
	case RenewKeyFile:
		return w.say("Create a new key file…")
	}
	return ""
}

// PasswordTwice says what is wrong with a new password that was typed twice; "" for
// nothing.
func (w Words) PasswordTwice(one, two string) string {
	switch {
	case len([]rune(one)) < config.LeastPassword:
		return w.say("A password has at least {{.N}} characters.", "N", strconv.Itoa(config.LeastPassword))
	case one != two:
		return w.say("The passwords are not the same.")
	}
	return ""
}

// KeyFileRefused says why the file of keys could not be made, opened or changed. No
// password is in it.
func (w Words) KeyFileRefused(err error) string {
	switch {
	case errors.Is(err, config.ErrWrongPassword):
		return w.say("Wrong password.")
	case errors.Is(err, config.ErrPassword):
		return w.say("This password is too short or too long.")
	case errors.Is(err, config.ErrKeyFileThere):
		return w.say("There is already a key file. Unlock it.")
	}
	return w.say("This did not work: {{.Reason}}", "Reason", clean.Line(err.Error(), 300))
}
