package present

import (
	"context"
	"fmt"
	"strings"
	"time"

	"bowerbird/app/agent"
	"bowerbird/ndb"
)

// Card is a note as a card or a line of sources shows it.
type Card struct {
	PubKey  ndb.PubKey
	ID      ndb.ID
	Author  string // the name to show, or a shortened npub
	At      time.Time
	Text    string // cleaned and clamped
	Clamped bool   // Text was cut: offer "show more"
	Title   string // of an article (NIP-23); else ""
	Link    string // nostr:nevent1…
}

// The most of a note's text that a card shows before "show more".
const (
	cardLines = 20
	cardRunes = 1200
)

// NoteCard reads a note and its author's name from the store.
func NoteCard(ctx context.Context, s *ndb.Store, id ndb.ID) (Card, error) {
	e, err := s.Event(ctx, id)
	if err != nil {
		return Card{}, fmt.Errorf("note %s: %w", id, err)
	}
	p, err := s.Profile(ctx, e.PubKey)
	if err != nil {
		return Card{}, fmt.Errorf("author of note %s: %w", id, err)
	}
	code, err := ndb.Code{Prefix: ndb.CodeEvent, Event: e.ID, PubKey: e.PubKey}.Encode()
	if err != nil {
		return Card{}, fmt.Errorf("link to note %s: %w", id, err)
	}
	card := Card{
		ID:     id,
		PubKey: e.PubKey,
		Author: Name(p),
		At:     time.Unix(e.CreatedAt, 0),
		Link:   "nostr:" + code,
	}
	if title, ok := e.Tags.Value("title"); ok && e.Kind == 30023 {
		card.Title = ndb.CleanLine(withoutSecrets(title), 120)
	}
	text, err := spokenText(ctx, s, e)
	if err != nil {
		return Card{}, err
	}
	card.Text, card.Clamped = Clamp(withoutSecrets(text), cardLines, cardRunes)
	return card, nil
}

// withoutSecrets cuts out of a text what nobody should have posted: secret keys. A list
// of sources is copied and sent on.
func withoutSecrets(s string) string { return agent.NewRedactor().Text(s) }

// spokenText is the text of a note, cleaned, with names in the place of the codes of
// people and notes.
func spokenText(ctx context.Context, s *ndb.Store, e *ndb.Event) (string, error) {
	if !strings.Contains(e.Content, "nostr:") {
		return ndb.CleanText(e.Content), nil
	}
	r := &Reader{Store: s, Now: func() time.Time { return time.Unix(e.CreatedAt, 0) }} // no age is shown
	n, err := r.FromEvent(ctx, e)
	if err != nil {
		return "", err
	}
	if n.Whole != nil {
		return Text(n.Whole), nil
	}
	return Text(n.Body), nil
}

// Name returns the name to show for a person: their own, else the start and the
// end of their npub.
func Name(p ndb.Profile) string {
	if name := p.Best(); name != "" {
		return name
	}
	return shortNpub(p.PubKey)
}

// ToldApart returns names with the beginning and the end of the key behind those that
// several people have, in whatever case.
func ToldApart(names []string, keys []ndb.PubKey) []string {
	owner, shared := map[string]ndb.PubKey{}, map[string]bool{}
	for i, name := range names {
		name = strings.ToLower(name)
		if first, known := owner[name]; known && first != keys[i] {
			shared[name] = true
		}
		owner[name] = keys[i]
	}
	out := make([]string, len(names))
	for i, name := range names {
		if out[i] = name; shared[strings.ToLower(name)] && name != "" {
			out[i] += " (" + shortNpub(keys[i]) + ")"
		}
	}
	return out
}

func shortNpub(key ndb.PubKey) string {
	npub := key.Npub()
	return npub[:9] + "…" + npub[len(npub)-4:]
}

// Clamp cuts a text to so many lines and runes, and reports whether it cut.
func Clamp(text string, lines, runes int) (string, bool) {
	cut := false
	if parts := strings.SplitAfterN(text, "\n", lines+1); len(parts) > lines {
		text, cut = strings.TrimRight(strings.Join(parts[:lines], ""), "\n"), true
	}
	n := 0
	for i := range text {
		if n == runes {
			return strings.TrimRight(text[:i], " \n") + "…", true
		}
		n++
	}
	return text, cut
}
