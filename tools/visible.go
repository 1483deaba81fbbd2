package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// futureGrace is how far ahead of now a note may be dated and still be shown.
const futureGrace = 15 * time.Minute

// privateKind reports whether events of a kind are in no result for a model: direct
// messages and their wraps (NIP-04, NIP-17, NIP-59), mute lists (NIP-51), drafts and
// their checkpoints (NIP-23, NIP-37).
func privateKind(kind uint16) bool {
	switch kind {
	case 4, 13, 14, 15, 1059, 10000, 1234, 30024, 31234:
		return true
	}
	return false
}

// refusePrivate is the error for asking for a private kind.
func refusePrivate(kinds []uint16) error {
	for _, k := range kinds {
		if privateKind(k) {
			return wrongValue("kind", "public kinds (messages, drafts and mute lists are never shown to a model)", json.Number(strconv.Itoa(int(k))))
		}
	}
	return nil
}

// viewer decides what may be shown: it is made once per call and holds the account's mute
// list. Every event in a result passes shows.
type viewer struct {
	me      nostr.PubKey
	now     int64
	people  map[string]bool // hex
	topics  map[string]bool // lower case
	words   []string        // lower case
	threads map[string]bool // hex
}

// viewer reads the account's mute list: only its public items, since the others are
// encrypted for a signer.
func (env *Env) viewer(ctx context.Context) (*viewer, error) {
	v := &viewer{me: env.Me, now: env.Now().Unix(), people: map[string]bool{}, topics: map[string]bool{}, threads: map[string]bool{}}
	if env.Me == (nostr.PubKey{}) {
		return v, nil
	}
	list, err := env.Store.Latest(ctx, 10000, env.Me, "")
	if errors.Is(err, ndb.ErrNotFound) {
		return v, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the mute list: %w", err)
	}
	for _, tag := range list.Tags {
		if len(tag) < 2 || tag[1] == "" {
			continue
		}
		switch tag[0] {
		case "p":
			v.people[tag[1]] = true
		case "t":
			v.topics[strings.ToLower(tag[1])] = true
		case "word":
			v.words = append(v.words, strings.ToLower(tag[1]))
		case "e":
			v.threads[tag[1]] = true
		}
	}
	return v, nil
}

// shows reports whether an event may be in a result.
func (v *viewer) shows(e *nostr.Event) bool {
	if privateKind(e.Kind) || e.CreatedAt > v.now+int64(futureGrace/time.Second) || v.expired(e) {
		return false
	}
	return e.PubKey == v.me || !v.muted(e)
}

// expired reads NIP-40's tag; the store sweeps, but not at this very second.
func (v *viewer) expired(e *nostr.Event) bool {
	at, ok := e.Tags.Value("expiration")
	if !ok {
		return false
	}
	n, err := strconv.ParseInt(at, 10, 64)
	return err == nil && n <= v.now
}

func (v *viewer) muted(e *nostr.Event) bool {
	if v.people[e.PubKey.String()] {
		return true
	}
	if e.Kind == 9735 {
		zap, err := nostr.ParseZap(e)
		return err == nil && v.people[zap.Sender.String()]
	}
	if len(v.topics) > 0 && slices.ContainsFunc(e.Tags, func(t nostr.Tag) bool {
		return len(t) > 1 && t[0] == "t" && v.topics[strings.ToLower(t[1])]
	}) {
		return true
	}
	if len(v.threads) > 0 {
		if v.threads[e.ID.String()] {
			return true
		}
		if r, ok := nostr.ReplyTo(e); ok && (v.threads[r.Root.String()] || v.threads[r.Parent.String()]) {
			return true
		}
	}
	if len(v.words) > 0 {
		text := strings.ToLower(e.Content)
		return slices.ContainsFunc(v.words, func(w string) bool { return holdsWord(text, w) })
	}
	return false
}

// holdsWord finds word in text, both in lower case, but not inside a longer word: muting
// "art" does not hide parties. Scripts without spaces have no such borders, so there any
// position counts.
func holdsWord(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(word)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(text[end:])
		first, size := utf8.DecodeRuneInString(word)
		last, _ := utf8.DecodeLastRuneInString(word)
		if !(joins(before) && joins(first)) && !(joins(after) && joins(last)) {
			return true
		}
		from = start + size
	}
}

// joins reports whether a rune makes one word with a neighbour of its sort.
func joins(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) &&
		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer)
}
