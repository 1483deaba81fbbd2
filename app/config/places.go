package config

import (
	"path/filepath"

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
