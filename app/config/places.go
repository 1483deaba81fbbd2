package config

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

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
