package app

import (
	"context"
	"fmt"
	"slices"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/app/relay"
)

// AddRelay asks a relay from now on, for everybody. It takes an address as people
// write it, with or without wss://, and returns it as it is kept. An address that
// is none, or is not permitted, gives an *ArgumentError.
func (l *Live) AddRelay(text string) (url string, err error) {
	url, err = l.app.parseRelay(text)
	if err != nil {
		return "", err
	}
	return url, l.app.SaveSettings(func(s *Settings) {
		s.Sync.Without = without(s.Sync.Without, url)
		if !slices.Contains(s.Sync.Relays, url) {
			s.Sync.Relays = append(s.Sync.Relays, url)
		}
	})
}

// checkWait is how long a relay has to show that it is one.
const checkWait = 8 * time.Second

// CheckRelay connects to a relay that the user would add, and says what is in the
// way, if anything is. An address that cannot be used gives an *ArgumentError.
func (l *Live) CheckRelay(ctx context.Context, text string) (url string, trouble RelayTrouble, err error) {
	if url, err = l.app.parseRelay(text); err != nil {
		return "", RelayFine, err
	}
	ctx, cancel := context.WithTimeout(ctx, checkWait)
	defer cancel()
	conn, err := relay.Dial(ctx, url, relay.Options{Client: l.app.client()})
	if err != nil {
		return url, notesync.TroubleOf(err), nil
	}
	conn.Close()
	return url, RelayFine, nil
}

// RemoveRelay asks a relay no more, whoever names it, until it is added again.
// What came from it stays.
func (l *Live) RemoveRelay(url string) error {
	return l.app.SaveSettings(func(s *Settings) {
		s.Sync.Relays = without(s.Sync.Relays, url)
		if !slices.Contains(s.Sync.Without, url) {
			s.Sync.Without = append(s.Sync.Without, url)
		}
	})
}

// Removed returns the relays that are asked no more.
func (l *Live) Removed() []string { return slices.Clone(l.app.syncSettings().Without) }

// OnlyOwn reports whether none but the user's own relays are asked: those that were
// added and those of the reader's relay list.
func (l *Live) OnlyOwn() bool { return l.app.syncSettings().OnlyOwn }

// SetOnlyOwn changes it. Others then are not asked for anything, which tells them
// less, and people who write nowhere else are not reached.
func (l *Live) SetOnlyOwn(only bool) error {
	return l.app.SaveSettings(func(s *Settings) { s.Sync.OnlyOwn = only })
}

// ownRelays returns the user's own relays: those added and those of the reader's
// list, whatever they are listed for.
func (a *App) ownRelays(ctx context.Context) []string {
	settings := a.syncSettings()
	urls := append([]string{}, settings.Relays...)
	read, write := a.listedRelays(ctx, a.Me())
	for _, url := range append(read, write...) {
		if !slices.Contains(urls, url) && !slices.Contains(settings.Without, url) {
			urls = append(urls, url)
		}
	}
	return urls
}

// parseRelay reads a relay's address as people write it.
func (a *App) parseRelay(text string) (string, error) {
	text = cleanInput(text)
	if text == "" {
		return "", argumentf("relay", "type an address such as relay.example.com")
	}
	if !hasScheme(text) {
		text = "wss://" + text
	}
	url, err := relay.ParseURL(text, a.client().Policy())
	if err != nil {
		return "", &ArgumentError{"relay", fmt.Errorf("this address cannot be used: %w", err)}
	}
	return url, nil
}

func without(list []string, drop string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == drop })
}
