package feed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bowerbird/app"
	"bowerbird/ndb"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
)

// suggestion is a way to continue a query.
type suggestion struct {
	label string // cleaned
	text  string // the whole search text with it
}

const mostSuggestions = 6

// suggest completes the last word of a query: people after "from:" and "to:", hashtags
// after "#", and the values of other operators.
func suggest(ctx context.Context, a *app.App, text string) ([]suggestion, error) {
	start := lastWord(text)
	if strings.HasPrefix(text[start:], "-") {
		start++
	}
	word, before := text[start:], text[:start]
	if tag, ok := strings.CutPrefix(word, "#"); ok {
		return suggestTags(ctx, a, before, tag)
	}
	op, value, ok := strings.Cut(word, ":")
	if !ok {
		return nil, nil
	}
	op = strings.ToLower(op)
	if op == "from" || op == "to" {
		return suggestPeople(ctx, a, before+op+":", strings.Trim(value, `"@`))
	}
	value = strings.ToLower(value)
	var out []suggestion
	for _, v := range operatorValues[op] {
		if strings.HasPrefix(v, value) && v != value {
			out = append(out, suggestion{op + ":" + v, before + op + ":" + v + " "})
		}
	}
	return out, nil
}

// operatorValues are offered behind an operator.
var operatorValues = map[string][]string{
	"since": {"today", "yesterday", "24h", "7d", "30d"},
	"until": {"today", "yesterday", "24h", "7d", "30d"},
	"has":   {"image", "video", "audio", "link", "article", "quote"},
	"is":    {"reply", "article", "picture", "comment"},
	"kind":  {"note", "article", "picture", "comment", "repost", "profile"},
}

// lastWord returns where the last word of a query begins; a quoted value belongs to its
// word.
func lastWord(text string) int {
	quoted, start := false, 0
	for i, r := range text {
		if r == '"' {
			quoted = !quoted
		}
		if !quoted && unicode.IsSpace(r) {
			start = i + utf8.RuneLen(r)
		}
	}
	return start
}

func suggestTags(ctx context.Context, a *app.App, before, prefix string) ([]suggestion, error) {
	used, err := a.Notes().SuggestHashtags(ctx, prefix, mostSuggestions+1)
	if err != nil {
		return nil, fmt.Errorf("look for hashtags: %w", err)
	}
	var out []suggestion
	for _, u := range used {
		if !strings.EqualFold(u.Tag, prefix) && len(out) < mostSuggestions && !strings.ContainsFunc(u.Tag, unicode.IsSpace) {
			out = append(out, suggestion{"#" + clean.Line(u.Tag, 30), before + "#" + u.Tag + " "})
		}
	}
	return out, nil
}

func suggestPeople(ctx context.Context, a *app.App, before, name string) ([]suggestion, error) {
	if strings.TrimSpace(name) == "" || isKey(name) {
		return nil, nil
	}
	follows, err := followed(ctx, a)
	if err != nil {
		return nil, err
	}
	found, err := a.Notes().SearchProfiles(ctx, name, mostSuggestions, func(pk nostr.PubKey) bool { return follows[pk] })
	if err != nil {
		return nil, fmt.Errorf("look for people: %w", err)
	}
	var out []suggestion
	for _, p := range found {
		label, value := personWords(p, found)
		if strings.Trim(value, `"`) != name {
			out = append(out, suggestion{label, before + value + " "})
		}
	}
	return out, nil
}

// personWords returns the label of a person and how a query names them: by a name that is
// unique among those found, else by their npub.
func personWords(p nostr.Profile, among []nostr.Profile) (label, value string) {
	label = clean.Line(p.Best(), 40)
	for _, name := range []string{p.Name, p.DisplayName} {
		if name == "" || strings.ContainsAny(name, `"“”„«»`) {
			continue
		}
		same := slices.ContainsFunc(among, func(o nostr.Profile) bool {
			return o.PubKey != p.PubKey && (strings.EqualFold(o.Name, name) || strings.EqualFold(o.DisplayName, name))
		})
		if same {
			continue
		}
		if strings.ContainsFunc(name, unicode.IsSpace) {
			name = `"` + name + `"`
		}
		return label, name
	}
	npub := p.PubKey.Npub()
	if label != "" {
		label += " "
	}
	return label + nostr.ShortCode(npub), npub
}

// followed returns whom the user follows.
func followed(ctx context.Context, a *app.App) (map[nostr.PubKey]bool, error) {
	keys, err := a.Notes().Contacts(ctx, a.Me())
	if err != nil && !errors.Is(err, ndb.ErrNotFound) {
		return nil, fmt.Errorf("read whom the reader follows: %w", err)
	}
	set := make(map[nostr.PubKey]bool, len(keys))
	for _, pk := range keys {
		set[pk] = true
	}
	return set, nil
}

func isKey(name string) bool {
	_, err := nostr.ParseCode(name)
	_, hexErr := nostr.ParsePubKey(name)
	return err == nil || hexErr == nil
}

// joined joins two texts with a dot, unless one is empty.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " · " + b
}
