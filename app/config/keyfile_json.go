package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// savedKeys is the key file on disk, as JSON.
type savedKeys struct {
	Version int        `json:"version"`
	KDF     savedKDF   `json:"kdf"`
	Check   []byte     `json:"check"` // nonce and nothing, sealed with sealedCheck
	Keys    []savedKey `json:"keys"`
}

// savedKDF is how the key is derived from the password. It is in the file so that other
// programs can decrypt it; read accepts the parameters that this version writes and no
// others, since a tampered file could ask for any amount of memory.
type savedKDF struct {
	Name string `json:"name"`
	N    int    `json:"n"`
	R    int    `json:"r"`
	P    int    `json:"p"`
	Salt []byte `json:"salt"`
}

type savedKey struct {
	Host   string `json:"host"`
	Sealed []byte `json:"sealed"` // nonce and key, encrypted with hostBound(Host)
}

const (
	keysVersion = 1
	kdfName     = "scrypt"
	mostKeyFile = 1 << 20 // bytes
)

// find returns the index of a host's key; -1 if there is none.
func (s *savedKeys) find(host string) int {
	return slices.IndexFunc(s.Keys, func(k savedKey) bool { return strings.EqualFold(k.Host, host) })
}

// read reads the file. Errors: ErrNoKeyFile, a *DamagedKeyFileError, and those of the
// disk.
func (f *KeyFile) read() (*savedKeys, error) {
	var raw []byte
	file, err := os.Open(f.path)
	if err == nil {
		raw, err = io.ReadAll(io.LimitReader(file, mostKeyFile+1))
		_ = file.Close()
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, ErrNoKeyFile
	}
	if err != nil {
		return nil, fmt.Errorf("file of keys: %w", err)
	}
	if len(raw) > mostKeyFile {
		return nil, &DamagedKeyFileError{f.path, fmt.Sprintf("it has more than %d bytes", mostKeyFile)}
	}
	var saved savedKeys
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&saved); err != nil || dec.More() {
		return nil, &DamagedKeyFileError{f.path, "it is not what Bowerbird writes"}
	}
	if why := saved.check(f.cost); why != "" {
		return nil, &DamagedKeyFileError{f.path, why}
	}
	return &saved, nil
}

// check returns what is wrong with a file; "" for nothing.
func (s *savedKeys) check(cost int) string {
	switch {
	case s.Version != keysVersion:
		return fmt.Sprintf("it has version %d, and this program writes version %d", s.Version, keysVersion)
	case s.KDF.Name != kdfName || s.KDF.N != cost || s.KDF.R != scryptR || s.KDF.P != scryptP || len(s.KDF.Salt) != saltBytes:
		return "it derives the key from the password in another way than Bowerbird"
	}
	hosts := map[string]bool{}
	for _, k := range s.Keys {
		host := strings.ToLower(k.Host)
		if host == "" || hosts[host] {
			return "a host is in it twice, or missing"
		}
		hosts[host] = true
	}
	return ""
}

func (f *KeyFile) write(s *savedKeys) error {
	raw, err := json.MarshalIndent(s, "", "  ")
	if err == nil {
		err = WriteFile(f.path, append(raw, '\n'))
	}
	if err != nil {
		return fmt.Errorf("file of keys: %w", err)
	}
	return nil
}

// SetAside renames the file, whose password may be forgotten, so that another can be
// created. It returns the new path.
func (f *KeyFile) SetAside() (to string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.key = nil
	err = exclusively(f.path, func() (err error) {
		to, err = f.setAside()
		return err
	})
	return to, err
}

// KeyFiles returns the key files at a path: that one, and the renamed ones.
func KeyFiles(path string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("looking for files of keys: %w", err)
	}
	var out []string
	for _, e := range entries {
		if name := e.Name(); name == filepath.Base(path) || strings.HasPrefix(name, filepath.Base(path)+aside) {
			out = append(out, filepath.Join(filepath.Dir(path), name))
		}
	}
	return out, nil
}

// aside comes after the name of a renamed key file, before the time.
const aside = ".aside-"

// setAside never replaces a file that was renamed earlier.
func (f *KeyFile) setAside() (string, error) {
	base := fmt.Sprintf("%s%s%s", f.path, aside, f.now().UTC().Format("20060102-150405"))
	to := base
	for i := 2; ; i++ {
		if _, err := os.Lstat(to); errors.Is(err, os.ErrNotExist) {
			break
		}
		to = fmt.Sprintf("%s-%d", base, i)
	}
	if err := os.Rename(f.path, to); err != nil {
		return "", fmt.Errorf("setting the file of keys aside: %w", err)
	}
	return to, nil
}
