package live

import (
	"context"
	"slices"
	"strings"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/notesync"
	"bowerbird/app/relay"
	"bowerbird/ndb/clean"
)

// AddRelay asks a relay for everybody from now on. It accepts an address with or without
// wss:// and returns its normal form. An invalid or forbidden address gives a
// [*config.ArgumentError].
func (l *Live) AddRelay(text string) (url string, err error) {
	url, err = l.parseRelay(text)
	if err != nil {
		return "", err
	}
	is := l.relayIs(url)
	return url, l.save(func(s *config.Settings) {
		s.Sync.Without = slices.DeleteFunc(s.Sync.Without, is)
		if !slices.ContainsFunc(s.Sync.Relays, is) {
			s.Sync.Relays = append(s.Sync.Relays, url)
		}
	})
}

const checkWait = 8 * time.Second

// CheckRelay connects to a relay that the user may add, and returns what is wrong, if
// anything. An unusable address gives a [*config.ArgumentError].
func (l *Live) CheckRelay(ctx context.Context, text string) (url string, trouble notesync.Trouble, err error) {
	if l.opt.Sample {
		return "", notesync.NoTrouble, ErrSample
	}
	if url, err = l.parseRelay(text); err != nil {
		return "", notesync.NoTrouble, err
	}
	ctx, cancel := context.WithTimeout(ctx, checkWait)
	defer cancel()
	conn, err := relay.Dial(ctx, url, relay.Options{Client: l.client()})
	if err != nil {
		trouble, _ := notesync.TroubleOf(err)
		return url, trouble, nil
	}
	conn.Close()
	return url, notesync.NoTrouble, nil
}

// RemoveRelay stops asking a relay, whoever lists it, until AddRelay or RestoreRelay. Its
// notes stay, and so does its entry among the user's own relays, for RestoreRelay.
func (l *Live) RemoveRelay(url string) error {
	is := l.relayIs(url)
	return l.save(func(s *config.Settings) {
		if !slices.ContainsFunc(s.Sync.Without, is) {
			s.Sync.Without = append(s.Sync.Without, url)
		}
	})
}

// RestoreRelay asks a removed relay again, for what it was asked before.
func (l *Live) RestoreRelay(url string) error {
	is := l.relayIs(url)
	return l.save(func(s *config.Settings) { s.Sync.Without = slices.DeleteFunc(s.Sync.Without, is) })
}

// Removed returns the removed relays, sorted.
func (l *Live) Removed() []string {
	removed := l.normalRelays(l.syncSettings().Without)
	slices.Sort(removed)
	return slices.Compact(removed)
}

// OnlyOwn reports whether only the user's own relays are asked: those that were added and
// those of the account's relay list.
func (l *Live) OnlyOwn() bool { return l.syncSettings().OnlyOwn }

// SetOnlyOwn changes that. Other relays then learn nothing, and people who write nowhere
// else are not reached.
func (l *Live) SetOnlyOwn(only bool) error {
	return l.save(func(s *config.Settings) { s.Sync.OnlyOwn = only })
}

func (l *Live) save(change func(*config.Settings)) error {
	if l.opt.Sample {
		return ErrSample
	}
	return l.opt.Save(change)
}

// OwnRelays returns the user's own relays: those that were added and those of the account's
// relay list, for whatever use.
func (l *Live) OwnRelays(ctx context.Context) []string {
	return l.stillAsked(slices.Concat(l.normalRelays(l.syncSettings().Relays), l.listedRelays(ctx, "read"), l.listedRelays(ctx, "write")))
}

// stillAsked returns those of a list that were not removed, each once; never nil.
func (l *Live) stillAsked(list []string) []string {
	removed, urls := l.normalRelays(l.syncSettings().Without), []string{}
	for _, url := range list {
		if !slices.Contains(urls, url) && !slices.Contains(removed, url) {
			urls = append(urls, url)
		}
	}
	return urls
}

// normalRelays returns the valid addresses of a list in normal form; the settings hold them
// as they were typed.
func (l *Live) normalRelays(list []string) []string {
	policy, normal := l.client().Policy(), make([]string, 0, len(list))
	for _, text := range list {
		if url, err := relay.ParseURL(text, policy); err == nil {
			normal = append(normal, url)
		}
	}
	return normal
}

func (l *Live) relayIs(url string) func(text string) bool {
	policy := l.client().Policy()
	return func(text string) bool {
		normal, err := relay.ParseURL(text, policy)
		return text == url || err == nil && normal == url
	}
}

func (l *Live) parseRelay(text string) (string, error) {
	text = strings.TrimSpace(clean.Line(text, 0))
	if text == "" {
		return "", config.Argumentf("relay", "type an address such as relay.example.com")
	}
	if !strings.Contains(text, "://") {
		text = "wss://" + text
	}
	url, err := relay.ParseURL(text, l.client().Policy())
	if err != nil {
		return "", config.Argumentf("relay", "this address cannot be used: %w", err)
	}
	return url, nil
}

// LookUpRelays returns the relays to ask for profiles and lists.
func (l *Live) LookUpRelays(ctx context.Context, hints []string) []string {
	settings := l.syncSettings()
	if settings.OnlyOwn {
		return l.OwnRelays(ctx)
	}
	urls := settings.Indexers
	if len(urls) == 0 {
		urls = notesync.DefaultIndexers()
	}
	return slices.Concat(urls, settings.Relays, hints)
}

func (l *Live) syncSettings() config.Sync { return l.opt.Settings().Sync }
