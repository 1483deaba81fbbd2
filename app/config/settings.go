package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/pelletier/go-toml/v2"
)

// Settings are what the user has chosen. The zero value is a new user's.
type Settings struct {
	Person    Person    `toml:"person"`
	Assistant Assistant `toml:"assistant"`
	Sync      Sync      `toml:"sync"`
	Storage   Storage   `toml:"storage"`
	// Models are what holds for single models: under "provider:name", or under
	// "provider" for all of its models.
	Models map[string]ModelOptions `toml:"models,omitempty"`

	// Of the window.
	Appearance Appearance `toml:"appearance"`
	Window     Window     `toml:"window"`
	Digest     Digest     `toml:"digest"`
	Pictures   Pictures   `toml:"pictures"`
}

// Person is who the notes are read as.
type Person struct {
	Key string `toml:"key,omitempty"` // npub of the reader; "" when nobody is chosen
}

// Sync says where notes come from.
type Sync struct {
	Relays []string `toml:"relays,omitempty"` // read relays of the user's choice, beside those of their relay list
	// Indexers are asked for profiles and relay lists; none given: the usual ones.
	Indexers []string `toml:"indexers,omitempty"`
	Without  []string `toml:"without,omitempty"`  // relays that are never asked, whoever names them
	OnlyOwn  bool     `toml:"only_own,omitempty"` // ask none but Relays and those of the reader's own relay list
	Days     int      `toml:"days,omitempty"`     // how far back the first sync goes; 0 is DefaultDays
}

// Storage says how much of the notes is kept; the zero value is everything. What is
// the reader's own, and what they bookmarked, answered or reacted to, stays always.
type Storage struct {
	MaxGB int `toml:"max_gb,omitempty"` // the oldest notes go when they take more on disk; 0 for no limit
	Days  int `toml:"days,omitempty"`   // for so long are notes of people kept whom the reader does not follow; 0 for ever
}

// Bytes is MaxGB in bytes.
func (s Storage) Bytes() int64 { return int64(s.MaxGB) * 1e9 }

// MostGB is the largest Storage.MaxGB.
const MostGB = 100_000

// Defaults of the settings.
const (
	DefaultDays = 3
	MostDays    = 10_000 // older than Nostr
)

// DaysBack returns the chosen number of days, or the default one.
func (s Sync) DaysBack() int {
	if s.Days <= 0 {
		return DefaultDays
	}
	return s.Days
}

// Load reads the settings file; a file that is not there gives the zero Settings.
// An unknown or mistyped entry is an error that names the file, the line and the
// entry, so that nothing a user wrote is silently ignored.
func Load(file string) (Settings, error) {
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return Settings{}, nil
	}
	if err != nil {
		return Settings{}, fmt.Errorf("settings: %w", err)
	}
	var s Settings
	dec := toml.NewDecoder(bytes.NewReader(raw)).DisallowUnknownFields()
	if err := dec.Decode(&s); err != nil {
		return Settings{}, fmt.Errorf("settings file %s: %s; correct the entry or remove the file", file, explain(err))
	}
	if err := s.check(); err != nil {
		return Settings{}, fmt.Errorf("settings file %s: %w", file, err)
	}
	return s, nil
}

// explain turns a decoder's error into one line with place and entry.
func explain(err error) string {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		first := unknown.Errors[0]
		line, _ := first.Position()
		return fmt.Sprintf("line %d: unknown entry %q", line, strings.Join(first.Key(), "."))
	}
	var wrong *toml.DecodeError
	if errors.As(err, &wrong) {
		line, _ := wrong.Position()
		if key := wrong.Key(); len(key) > 0 {
			return fmt.Sprintf("line %d, entry %q: %s", line, strings.Join(key, "."), wrong.Error())
		}
		return fmt.Sprintf("line %d: %s", line, wrong.Error())
	}
	return err.Error()
}

// Save writes the settings file whole, or not at all, readable by the user alone.
// Settings that Load would refuse are not written. Comments of the file are lost.
func Save(file string, s Settings) error {
	if err := s.check(); err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	raw, err := toml.Marshal(s)
	if err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	if err := writeWhole(file, raw); err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	return nil
}

// Update lets change alter the settings of a file and saves them; it returns what they
// are then. The file is read before, so that an entry that was written into it
// meanwhile, also by another process, stays; without a file the settings begin as
// otherwise. Errors are those of Load and Save: then nothing is changed.
func Update(file string, otherwise Settings, change func(*Settings)) (Settings, error) {
	var next Settings
	err := Exclusively(file, func() error {
		var err error
		next = otherwise
		if _, missing := os.Stat(file); !errors.Is(missing, fs.ErrNotExist) {
			if next, err = Load(file); err != nil {
				return err
			}
		}
		change(&next)
		return Save(file, next)
	})
	if err != nil {
		return Settings{}, err
	}
	return next, nil
}
