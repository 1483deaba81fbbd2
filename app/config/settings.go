// Package config reads and writes the user's settings, knows where files belong on each
// system, and keeps secrets in the system's keyring.
//
//	places := config.Locate("", "") // where the system puts them
//	settings, err := config.Load(places.Settings)
//	settings, err = config.Update(places.Settings, settings, func(s *config.Settings) { s.Updates.Off = true })
//
// A secret is never written to the settings file, and a settings file that cannot be
// understood is never overwritten. What the settings mean is left to the packages that
// use them.
package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// Settings are the user's choices. The zero value is a new user's.
type Settings struct {
	Person    Person    `toml:"person"`
	Assistant Assistant `toml:"assistant"`
	Sync      Sync      `toml:"sync"`
	Storage   Storage   `toml:"storage"`
	// Models holds the options of single models, under "provider:name", or of all models
	// of a provider, under "provider".
	Models map[string]ModelOptions `toml:"models,omitempty"`
	Tools  Tools                   `toml:"tools"`
	// MCP holds the servers of tools that the user set up, by name.
	MCP map[string]MCPServer `toml:"mcp,omitempty"`

	// The window.
	Appearance Appearance `toml:"appearance"`
	Window     Window     `toml:"window"`
	Digest     Digest     `toml:"digest"`
	Pictures   Pictures   `toml:"pictures"`
	Updates    Updates    `toml:"updates"`
}

// Person is the account.
type Person struct {
	Key string `toml:"key,omitempty"` // npub; "" if none is chosen
}

// Sync configures where notes come from.
type Sync struct {
	Relays []string `toml:"relays,omitempty"` // read relays that the user added to those of their relay list
	// Indexers are asked for profiles and relay lists; default: the usual ones.
	Indexers []string `toml:"indexers,omitempty"`
	Without  []string `toml:"without,omitempty"`  // relays that are never asked, whoever lists them
	OnlyOwn  bool     `toml:"only_own,omitempty"` // ask only Relays and those of the account's own relay list
	Days     int      `toml:"days,omitempty"`     // how far back the first sync goes; 0 is DefaultDays
}

// Storage limits how much of the notes is kept; the zero value keeps everything. The
// account's own notes, and what they bookmarked, replied to or reacted to, always stay.
type Storage struct {
	MaxGB int `toml:"max_gb,omitempty"` // the oldest notes are removed if they take up more on disk; 0 for no limit
	Days  int `toml:"days,omitempty"`   // for so long notes of people whom the account does not follow are kept; 0 for ever
}

// Bytes is MaxGB in bytes.
func (s Storage) Bytes() int64 { return int64(s.MaxGB) * 1e9 }

// mostGB is the largest Storage.MaxGB.
const mostGB = 100_000

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

// Load reads the settings file; without a file it returns the zero Settings. An unknown
// or mistyped entry is an error that names the file, the line and the entry, so that
// nothing a user wrote is silently ignored.
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
	if err := s.Check(); err != nil {
		return Settings{}, fmt.Errorf("settings file %s: %w", file, err)
	}
	return s, nil
}

// explain turns a decoder's error into one line with position and entry.
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

// Save writes the settings file completely or not at all, readable by the user alone.
// Settings that Load would refuse are not written. Comments in the file are lost.
func Save(file string, s Settings) error {
	if err := s.Check(); err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	raw, err := toml.Marshal(s)
	if err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	if err := WriteFile(file, raw); err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	return nil
}

// Update lets change alter the settings in a file and saves and returns them. The file is
// read first, so that an entry written meanwhile, also by another process, is kept;
// without a file it starts from otherwise. The errors are those of Load and Save; after
// one, nothing is changed.
func Update(file string, otherwise Settings, change func(*Settings)) (Settings, error) {
	var next Settings
	err := exclusively(file, func() error {
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

// ArgumentError is returned for a request that cannot be carried out as it is written.
type ArgumentError struct {
	What string // "relay", "model", "key"
	Err  error
}

func (e *ArgumentError) Error() string { return e.What + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *ArgumentError) Unwrap() error { return e.Err }

// Argumentf returns an ArgumentError with a cause of these words.
func Argumentf(what, format string, args ...any) error {
	return &ArgumentError{what, fmt.Errorf(format, args...)}
}

// Appearance is how the window looks.
type Appearance struct {
	Mode     string `toml:"mode,omitempty"`        // ModeSystem, ModeLight or ModeDark; "" is ModeSystem
	Text     int    `toml:"text,omitempty"`        // size of texts in percent, LeastText to MostText; 0 is 100
	Density  string `toml:"density,omitempty"`     // Comfortable or Compact; "" is Comfortable
	Language string `toml:"language,omitempty"`    // "en", "de"; "" is the system's
	Calm     bool   `toml:"less_motion,omitempty"` // nothing fades or glides
}

// The modes and densities.
const (
	ModeSystem  = "system"
	ModeLight   = "light"
	ModeDark    = "dark"
	Comfortable = "comfortable"
	Compact     = "compact"
)

// The bounds of Appearance.Text, in percent.
const (
	LeastText = 80
	MostText  = 200
)

// TextPercent returns the text size in percent; 100 if none is chosen.
func (a Appearance) TextPercent() int { return cmp.Or(a.Text, 100) }

// Window is the size and state of the window when it was closed, to be opened the same
// way.
type Window struct {
	Width  int  `toml:"width,omitempty"`  // points; 0 is the default
	Height int  `toml:"height,omitempty"` // points; 0 is the default
	Column int  `toml:"column,omitempty"` // width of the column beside the main area, points; 0 is the default
	Sample bool `toml:"sample,omitempty"` // the sample was open
	Stays  bool `toml:"stays,omitempty"`  // the user was shown that the program goes on without it
}

// Digest configures when the digest is made by itself.
type Digest struct {
	Daily   bool   `toml:"daily,omitempty"`
	At      string `toml:"at,omitempty"`       // "07:30", local time; "" is DefaultDigestAt
	AtStart bool   `toml:"at_start,omitempty"` // when the window opens
}

// DefaultDigestAt is when the daily digest is made unless another time is chosen.
const DefaultDigestAt = "08:00"

// Clock returns the hour and minute of the daily digest.
func (d Digest) Clock() (hour, minute int) {
	t, err := time.Parse("15:04", cmp.Or(d.At, DefaultDigestAt))
	if err != nil { // checked when it was read and when it was changed
		t, _ = time.Parse("15:04", DefaultDigestAt)
	}
	return t.Hour(), t.Minute()
}

// Updates configures whether newer versions of the program are looked for.
type Updates struct {
	Off bool `toml:"off,omitempty"`
}

// Pictures configures which pictures are fetched without a click.
type Pictures struct {
	Show string `toml:"show,omitempty"` // PicturesOnClick or PicturesOfFollowed; "" is PicturesOnClick
}

// Pictures by strangers are never fetched without a click: the server would learn who
// reads, from where and when.
const (
	PicturesOnClick    = "click"
	PicturesOfFollowed = "follows" // those by people whom the account follows are shown at once
)

// The largest window size that is restored, in points: a mistyped figure must not open a
// window that nobody can reach.
const mostPoints = 20_000

// check returns what is wrong with an entry that has the right type.
func (s Settings) Check() error {
	if err := errors.Join(s.checkAssistant(), s.Tools.check(), s.checkMCP()); err != nil {
		return err
	}
	for _, e := range []struct {
		entry              string
		value, least, most int
		or                 string
	}{
		{"sync.days", s.Sync.Days, 1, MostDays, ""},
		{"storage.max_gb", s.Storage.MaxGB, 1, mostGB, ", or leave it out to keep everything"},
		{"storage.days", s.Storage.Days, 1, MostDays, ", or leave it out to keep everything"},
		{"appearance.text", s.Appearance.Text, LeastText, MostText, ""},
		{"window.width", s.Window.Width, 0, mostPoints, ""},
		{"window.height", s.Window.Height, 0, mostPoints, ""},
		{"window.column", s.Window.Column, 0, mostPoints, ""},
	} {
		if e.value != 0 && (e.value < e.least || e.value > e.most) {
			return fmt.Errorf("entry %q is %d; want %d to %d%s", e.entry, e.value, e.least, e.most, e.or)
		}
	}
	for _, e := range []struct {
		entry, value string
		known        []string
	}{
		{"appearance.mode", s.Appearance.Mode, []string{ModeSystem, ModeLight, ModeDark}},
		{"appearance.density", s.Appearance.Density, []string{Comfortable, Compact}},
		{"appearance.language", s.Appearance.Language, languages},
		{"pictures.show", s.Pictures.Show, []string{PicturesOnClick, PicturesOfFollowed}},
	} {
		if e.value != "" && !slices.Contains(e.known, e.value) {
			return fmt.Errorf("entry %q is %q; want one of %q", e.entry, e.value, e.known)
		}
	}
	if at := s.Digest.At; at != "" {
		if _, err := time.Parse("15:04", at); err != nil {
			return fmt.Errorf("entry \"digest.at\" is %q; want a time such as %q", at, DefaultDigestAt)
		}
	}
	return nil
}

// languages are those of the window, as BCP 47 tags.
var languages = []string{"en", "de"}
