package config

import (
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/crypto/scrypt"
	"golang.org/x/text/unicode/norm"
)

// KeyFile keeps API keys in a file protected by a password, for computers without a
// keyring. Each key is encrypted with XChaCha20-Poly1305 together with its host, so that
// a key that is moved to another host by editing the file cannot be decrypted; the
// encryption key is derived from the password with scrypt. Hosts are not encrypted.
//
// The file is read again each time, since another Bowerbird may write it; it is always
// written as a whole, and changed by one process at a time (exclusively). The methods may
// be called from any goroutine. Creating, unlocking and changing the password take up to
// a second and 128 MiB.
type KeyFile struct {
	path string
	now  func() time.Time
	cost int // scrypt's N

	mu  sync.Mutex
	key *opened // nil while locked
}

// opened is the result of unlocking.
type opened struct {
	salt string // of the file that was unlocked: a new file, or one with a new password, has another
	aead cipher.AEAD
}

// KeyFileState is whether there is a key file, and whether it is unlocked.
type KeyFileState string

// The states.
const (
	KeyFileNone    KeyFileState = "none"
	KeyFileLocked  KeyFileState = "locked" // its password has not been entered
	KeyFileOpen    KeyFileState = "open"
	KeyFileDamaged KeyFileState = "damaged" // it cannot be read; see DamagedKeyFileError
)

// Errors of a KeyFile.
var (
	ErrNoKeyFile     = errors.New("there is no file of keys yet")
	ErrKeyFileThere  = errors.New("there is a file of keys already")
	ErrKeysLocked    = errors.New("the file of keys is locked; it needs its password")
	ErrWrongPassword = errors.New("this is not the password of the file of keys")
	ErrPassword      = fmt.Errorf("a password has %d to %d characters", LeastPassword, mostPassword)
)

// DamagedKeyFileError is returned if a key file, or one key in it, cannot be read. The
// file is left as it is; Create renames it.
type DamagedKeyFileError struct {
	Path string
	Why  string
}

func (e *DamagedKeyFileError) Error() string {
	return fmt.Sprintf("the file of keys %s is damaged: %s", e.Path, e.Why)
}

// The cost of deriving a key from a password. Whoever gets the file, from a lost disk or
// a backup, has unlimited time to try passwords; at 128 MiB and a third of a second per
// attempt that is expensive, even with many machines. The user pays it once per start,
// and every computer that runs a window can. N is what a laptop of 2026 does without a
// noticeable pause.
const (
	scryptN = 1 << 17
	scryptR = 8
	scryptP = 1
)

// LeastPassword is the minimum length of a password, in characters.
const LeastPassword = 8

const (
	mostPassword = 256
	saltBytes    = 32
	// sealedCheck is encrypted beside the keys, to tell a wrong password from a damaged
	// key.
	sealedCheck = "bowerbird keys"
)

// NewKeyFile returns the key file at a path, locked. now dates renamed files.
func NewKeyFile(path string, now func() time.Time) *KeyFile {
	return &KeyFile{path: path, now: now, cost: scryptN}
}

// State returns whether there is a file and whether it is unlocked. The error is a
// *DamagedKeyFileError, or that of a file that cannot be read.
func (f *KeyFile) State() (KeyFileState, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	saved, err := f.read()
	switch {
	case errors.Is(err, ErrNoKeyFile):
		return KeyFileNone, nil
	case err != nil:
		return KeyFileDamaged, err
	case f.isOpen(saved):
		return KeyFileOpen, nil
	}
	return KeyFileLocked, nil
}

// Create makes an empty file with a password, and leaves it unlocked. A damaged file is
// renamed first; a sound one stays, with the error ErrKeyFileThere.
func (f *KeyFile) Create(password string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	secret, err := normalPassword(password)
	if err != nil {
		return err
	}
	return exclusively(f.path, func() error {
		var damaged *DamagedKeyFileError
		switch _, err := f.read(); {
		case err == nil:
			return ErrKeyFileThere
		case errors.As(err, &damaged):
			if _, err := f.setAside(); err != nil {
				return err
			}
		case !errors.Is(err, ErrNoKeyFile):
			return err
		}
		saved, open, err := f.fresh(secret)
		if err != nil {
			return err
		}
		if err := f.write(saved); err != nil {
			return err
		}
		f.key = open
		return nil
	})
}

// Unlock unlocks the file until the program ends. A wrong password gives
// ErrWrongPassword.
func (f *KeyFile) Unlock(password string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, open, err := f.unlock(password)
	if err != nil {
		return err
	}
	f.key = open
	return nil
}

// ChangePassword encrypts all keys again under another password, and leaves the file
// unlocked. If a key cannot be read, nothing is changed.
func (f *KeyFile) ChangePassword(old, password string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	secret, err := normalPassword(password)
	if err != nil {
		return err
	}
	return exclusively(f.path, func() error { return f.sealAnew(old, secret) })
}

// sealAnew is ChangePassword with a normalised new password.
func (f *KeyFile) sealAnew(old, password string) error {
	saved, before, err := f.unlock(old)
	if err != nil {
		return err
	}
	next, open, err := f.fresh(password)
	if err != nil {
		return err
	}
	for _, k := range saved.Keys {
		value, err := f.unseal(before, k)
		if err != nil {
			return err
		}
		next.Keys = append(next.Keys, seal(open, k.Host, value))
	}
	if err := f.write(next); err != nil {
		return err
	}
	f.key = open
	return nil
}

// ModelKey returns the key for a model server's host. Errors: ErrNoSecret if the file has
// none for it, ErrKeysLocked if it has one and is locked, and those of State.
func (f *KeyFile) ModelKey(host string) (Secret, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	saved, err := f.read()
	if errors.Is(err, ErrNoKeyFile) {
		return Secret{}, ErrNoSecret
	}
	if err != nil {
		return Secret{}, err
	}
	i := saved.find(host)
	if i < 0 {
		return Secret{}, ErrNoSecret
	}
	if !f.isOpen(saved) {
		return Secret{}, ErrKeysLocked
	}
	return f.unseal(f.key, saved.Keys[i])
}

// Open returns the keys of the unlocked file, by host; none if it is locked or damaged.
func (f *KeyFile) Open() map[string]Secret {
	f.mu.Lock()
	defer f.mu.Unlock()
	saved, err := f.read()
	if err != nil || !f.isOpen(saved) {
		return nil
	}
	out := map[string]Secret{}
	for _, k := range saved.Keys {
		if key, err := f.unseal(f.key, k); err == nil {
			out[k.Host] = key
		}
	}
	return out
}

// SetModelKey stores a key for a host in the unlocked file; a zero secret removes it,
// with ErrNoSecret if there is none. Removing needs no password.
func (f *KeyFile) SetModelKey(host string, key Secret) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.read(); errors.Is(err, ErrNoKeyFile) && key.IsZero() {
		return ErrNoSecret // without making a folder just to find that out
	}
	return exclusively(f.path, func() error { return f.setModelKey(host, key) })
}

func (f *KeyFile) setModelKey(host string, key Secret) error {
	saved, err := f.read()
	if err != nil {
		return err
	}
	i := saved.find(host)
	if key.IsZero() {
		if i < 0 {
			return ErrNoSecret
		}
		saved.Keys = slices.Delete(saved.Keys, i, i+1)
		return f.write(saved)
	}
	if !f.isOpen(saved) {
		return ErrKeysLocked
	}
	sealed := seal(f.key, host, key)
	if i >= 0 {
		saved.Keys[i] = sealed
	} else {
		saved.Keys = append(saved.Keys, sealed)
	}
	return f.write(saved)
}

func (f *KeyFile) isOpen(saved *savedKeys) bool {
	return f.key != nil && f.key.salt == string(saved.KDF.Salt)
}

// unlock tries a password.
func (f *KeyFile) unlock(password string) (*savedKeys, *opened, error) {
	saved, err := f.read()
	if err != nil {
		return nil, nil, err
	}
	// Too short a password is simply wrong here: it is compared, not chosen.
	open, err := f.derive(norm.NFKC.String(password), saved.KDF.Salt)
	if err != nil {
		return nil, nil, err
	}
	if _, err := openSealed(open, sealedCheck, saved.Check); err != nil {
		return nil, nil, ErrWrongPassword
	}
	return saved, open, nil
}

// fresh makes an empty file and unlocks it.
func (f *KeyFile) fresh(password string) (*savedKeys, *opened, error) {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails
	open, err := f.derive(password, salt)
	if err != nil {
		return nil, nil, err
	}
	return &savedKeys{
		Version: keysVersion,
		KDF:     savedKDF{Name: kdfName, N: f.cost, R: scryptR, P: scryptP, Salt: salt},
		Check:   sealText(open, sealedCheck, ""),
		Keys:    []savedKey{},
	}, open, nil
}

func (f *KeyFile) derive(password string, salt []byte) (*opened, error) {
	key, err := scrypt.Key([]byte(password), salt, f.cost, scryptR, scryptP, chacha20poly1305.KeySize)
	if err != nil {
		return nil, fmt.Errorf("making a key of the password: %w", err)
	}
	defer clear(key)
	aead, err := chacha20poly1305.NewX(key)
	if err != nil {
		return nil, fmt.Errorf("making a key of the password: %w", err)
	}
	return &opened{salt: string(salt), aead: aead}, nil
}

// unseal decrypts one key of the file.
func (f *KeyFile) unseal(o *opened, k savedKey) (Secret, error) {
	value, err := openSealed(o, hostBound(k.Host), k.Sealed)
	if err != nil {
		return Secret{}, &DamagedKeyFileError{f.path, fmt.Sprintf("the key for %s does not open; enter it again", k.Host)}
	}
	return NewSecret(value), nil
}

func seal(o *opened, host string, key Secret) savedKey {
	host = strings.ToLower(host)
	return savedKey{Host: host, Sealed: sealText(o, hostBound(host), key.Reveal())}
}

// hostBound is the additional data that a key is encrypted with.
func hostBound(host string) string { return "bowerbird model key for " + strings.ToLower(host) }

func sealText(o *opened, with, text string) []byte {
	nonce := make([]byte, chacha20poly1305.NonceSizeX, chacha20poly1305.NonceSizeX+len(text)+chacha20poly1305.Overhead)
	_, _ = rand.Read(nonce) // never fails; 24 random bytes never repeat
	return o.aead.Seal(nonce, nonce, []byte(text), []byte(with))
}

func openSealed(o *opened, with string, sealed []byte) (string, error) {
	if len(sealed) < chacha20poly1305.NonceSizeX {
		return "", errors.New("too short")
	}
	nonce, rest := sealed[:chacha20poly1305.NonceSizeX], sealed[chacha20poly1305.NonceSizeX:]
	text, err := o.aead.Open(nil, nonce, rest, []byte(with))
	return string(text), err
}

// normalPassword normalises a new password: the same letters can be typed as different
// bytes on different systems.
func normalPassword(password string) (string, error) {
	password = norm.NFKC.String(password)
	if n := utf8.RuneCountInString(password); n < LeastPassword || n > mostPassword {
		return "", ErrPassword
	}
	return password, nil
}
