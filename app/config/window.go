package config

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Appearance is how the window looks.
type Appearance struct {
	Mode     string `toml:"mode,omitempty"`     // ModeSystem, ModeLight or ModeDark; "" is ModeSystem
	Text     int    `toml:"text,omitempty"`     // size of texts in percent, LeastText to MostText; 0 is 100
	Density  string `toml:"density,omitempty"`  // Comfortable or Compact; "" is Comfortable
	Language string `toml:"language,omitempty"` // "en", "de"; "" is the system's
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
func (s Settings) check() error {
	if err := s.checkAssistant(); err != nil {
		return err
	}
	for _, e := range []struct {
		entry              string
		value, least, most int
		or                 string
	}{
		{"sync.days", s.Sync.Days, 1, MostDays, ""},
		{"storage.max_gb", s.Storage.MaxGB, 1, MostGB, ", or leave it out to keep everything"},
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
