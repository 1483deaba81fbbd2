// Command shots draws the window's screens into pictures, light and dark, with
// Fyne's software renderer: no display is needed, and the pictures are the same on
// every machine that has the same fonts.
//
// The window is the real one, on the sample, with the clock stopped.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/assets"
	"bowerbird/ui/theme"
)

func main() {
	out := flag.String("out", "docs/screenshots", "folder for the pictures")
	only := flag.String("only", "", "draw one screen only")
	flag.Parse()
	if err := run(context.Background(), *out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "shots:", err)
		os.Exit(1)
	}
}

// clock is when the pictures are taken: the sample is made for it.
var clock = time.Date(2026, 11, 20, 18, 30, 0, 0, time.UTC)

// shot is one picture.
type shot struct {
	name string
	size fyne.Size
	text int // size of texts, in percent
	// own opens the user's (empty) notes in place of the sample.
	own bool
	do  func(*stage) error
}

var full = fyne.NewSize(1280, 832)

// shots are the pictures of the gallery.
var shots = []shot{
	{name: "welcome", size: full, own: true, do: func(s *stage) error { return s.wait("welcome.sample") }},
	{name: "digest", size: full, do: digest},
	{name: "thread", size: full, do: thread},
	{name: "search", size: full, do: func(s *stage) error {
		s.shell.Search("relay since:9d")
		return s.wait("note:*")
	}},
	{name: "relays", size: full, do: func(s *stage) error { s.shell.OpenRelays(); return s.wait("relays.everybody") }},
	{name: "states", size: full, do: refusedKey},
	{name: "settings", size: full, do: settingsPage("appearance")},
	{name: "assistant-settings", size: full, do: settingsPage("assistant")},
	{name: "account-settings", size: full, do: settingsPage("account")},
	{name: "relays-settings", size: full, do: settingsPage("relays")},
	{name: "about-settings", size: full, do: settingsPage("about")},
	{name: "home", size: full, do: func(s *stage) error { return errors.Join(s.wait("note:*"), s.tap("rail.home")) }},
	{name: "profile", size: full, do: func(s *stage) error { return errors.Join(s.wait("note:*"), s.tap("author:*"), s.wait("profile.*")) }},
	{name: "history", size: full, do: func(s *stage) error { return errors.Join(digest(s), s.tap("chat.history")) }},
	{name: "small", size: fyne.NewSize(480, 600), do: digest},
	{name: "large-text", size: full, text: 200, do: digest},
}

func settingsPage(page string) func(*stage) error {
	return func(s *stage) error {
		s.shell.OpenSettings(page)
		return s.wait("settings.about")
	}
}

func digest(s *stage) error {
	s.shell.Ask("What did I miss since yesterday?", "")
	return s.wait("cite:1")
}

func thread(s *stage) error {
	if err := digest(s); err != nil {
		return err
	}
	if err := errors.Join(s.tap("cite:1"), s.tap("source:1")); err != nil {
		return err
	}
	return s.wait("thread.back")
}

// refusedKey asks a model's server that does not accept the key.
func refusedKey(s *stage) error {
	s.shell.Ask("Who talks about moderation?", "")
	return s.wait("chat.problem")
}

func run(ctx context.Context, out, only string) error {
	if err := lang.AddTranslationsFS(assets.Translations, "translations"); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, sh := range shots {
		if only != "" && sh.name != only {
			continue
		}
		for _, mode := range []theme.Mode{theme.Light, theme.Dark} {
			file := filepath.Join(out, fmt.Sprintf("%s-%s.png", sh.name, mode))
			if err := take(ctx, sh, mode, file); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			fmt.Println(file)
		}
	}
	return nil
}
