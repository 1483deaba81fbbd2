package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"
)

// EnvData is the environment variable for --data.
const EnvData = "BOWERBIRD_DATA"

// Places are the folders and files of one installation.
type Places struct {
	Data     string // the folder that holds everything below
	Notes    string // the note store
	Own      string // the store of the user's own data
	Sample   string // the sample's data folder, with a Notes and Own of its own
	Pictures string // small pictures that were loaded
	Backups  string // dated copies of Own
	Tools    string // how the tools of MCP servers looked when the user saw them
	Settings string // the settings file
	Keys     string // API keys under a password, if there is no keyring; beside Settings
}

// Locate returns where files belong: in data and settings if given, else in the system's
// places for them (XDG, Application Support, AppData). With a data folder of its own the
// settings are in it too, so that a folder can be tried, moved and removed as one.
func Locate(data, settings string) Places {
	if settings == "" {
		settings = filepath.Join(xdg.ConfigHome, "bowerbird", "settings.toml")
		if data != "" {
			settings = filepath.Join(data, "settings.toml")
		}
	}
	if data == "" {
		data = filepath.Join(xdg.DataHome, "bowerbird")
	}
	return at(data, settings)
}

// ForSample returns the places of the sample inside p.
func (p Places) ForSample() Places { return at(p.Sample, p.Settings) }

func at(data, settings string) Places {
	return Places{
		Data:     data,
		Notes:    filepath.Join(data, "notes"),
		Own:      filepath.Join(data, "own"),
		Sample:   filepath.Join(data, "sample"),
		Pictures: filepath.Join(data, "pictures"),
		Backups:  filepath.Join(data, "backups"),
		Tools:    filepath.Join(data, "tools"),
		Settings: settings,
		Keys:     filepath.Join(filepath.Dir(settings), "keys.json"),
	}
}

// FolderKind is what one of the user's folders is for.
type FolderKind string

// The folders that systems make for their users.
const (
	Downloads FolderKind = "downloads"
	Documents FolderKind = "documents"
	Images    FolderKind = "pictures"
	Desktop   FolderKind = "desktop"
	Home      FolderKind = "home"
)

// Folder is a folder that holds the user's files.
type Folder struct {
	Kind FolderKind
	Path string
}

// Folders returns those of the user's own folders that exist, the likeliest place for a
// saved file first. It reads the disk.
func Folders() []Folder {
	all := []Folder{
		{Downloads, xdg.UserDirs.Download},
		{Documents, xdg.UserDirs.Documents},
		{Images, xdg.UserDirs.Pictures},
		{Desktop, xdg.UserDirs.Desktop},
		{Home, xdg.Home},
	}
	seen := map[string]bool{} // a system without a folder for some purpose names the home folder
	return slices.DeleteFunc(all, func(f Folder) bool {
		if f.Path == xdg.Home && f.Kind != Home {
			return true
		}
		info, err := os.Stat(f.Path)
		gone := err != nil || !info.IsDir() || seen[f.Path]
		seen[f.Path] = true
		return gone
	})
}

// ShortPath formats a path for display: the user's home folder becomes ~ where the
// system's own programs write it that way.
func ShortPath(path string) string {
	home, err := os.UserHomeDir()
	if err != nil || home == "" || runtime.GOOS == "windows" {
		return path
	}
	inside, err := filepath.Rel(home, path)
	switch {
	case err != nil || inside == ".." || strings.HasPrefix(inside, "../"):
		return path
	case inside == ".":
		return "~"
	}
	return "~/" + inside
}

const unfinished = ".settings-" // begins the name of a file that is being written

// WriteFile writes a file completely or not at all, readable by the user alone.
func WriteFile(file string, raw []byte) error {
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, unfinished+"*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tmp.Name()) }() // no longer there if all went well
	_, err = tmp.Write(raw)
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}

// DropUnfinished removes what a kill left of writing a file beside the settings.
func DropUnfinished(file string) error {
	if _, err := os.Stat(filepath.Dir(file)); errors.Is(err, fs.ErrNotExist) {
		return nil // without making a folder just to look
	}
	return exclusively(file, func() error {
		entries, err := os.ReadDir(filepath.Dir(file))
		for _, entry := range entries {
			if strings.HasPrefix(entry.Name(), unfinished) {
				err = errors.Join(err, os.Remove(filepath.Join(filepath.Dir(file), entry.Name())))
			}
		}
		return err
	})
}

// lockName is the file in a folder that is locked while another file in it is changed. It
// is empty and stays: removing it would let two processes in at once.
const lockName = ".bowerbird.lock"

// LockFile returns the path of the file that exclusively locks for a file.
func LockFile(file string) string { return filepath.Join(filepath.Dir(file), lockName) }

// ErrBusy is returned if another Bowerbird has been changing the same files for longer
// than that ever takes.
var ErrBusy = errors.New("another Bowerbird is changing it; try again")

// How long to wait for another process, which needs a second at most, for a new password;
// and how often to try.
const (
	lockWait = 10 * time.Second
	lockLook = 5 * time.Millisecond
)

// errHeld is returned by tryLock while somebody else has the lock.
var errHeld = errors.New("locked")

// exclusively runs do while no other process, and nobody else in this one, changes the
// files in the folder of file: what do reads there does not change until it has written.
// do must not call it. A lock ends with its process.
//
// If a folder supports no locks, as some network drives, do runs without one; if it
// accepts no files at all, do will run into that too, with a better error.
func exclusively(file string, do func() error) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return do()
	}
	lock, err := os.OpenFile(LockFile(file), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return do()
	}
	defer func() { _ = lock.Close() }() // releases the lock
	for waited := time.Duration(0); ; waited += lockLook {
		err := tryLock(lock)
		if !errors.Is(err, errHeld) {
			return do()
		}
		if waited >= lockWait {
			return fmt.Errorf("changing %s: %w", file, ErrBusy)
		}
		time.Sleep(lockLook)
	}
}
