package feed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/ndb"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/widgets"
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
	if label == "" {
		label = npub[:12] + "…"
	} else {
		label += " " + npub[:9] + "…"
	}
	return label, npub
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

// operator is a part of the search language that is offered as a chip.
type operator struct {
	label, insert, tip string
	back               int // characters between the cursor and the end
}

// operators are the most useful operators of [search.Parse].
func operators() []operator {
	return []operator{
		{label: "from:", insert: "from:", tip: lang.L("Only by one person")},
		{label: lang.L("#tag"), insert: "#", tip: lang.L("Only with a hashtag")},
		{label: "since:", insert: "since:", tip: lang.L("Only from a certain time: today, 7d, 2026-03-01")},
		{label: "has:image", insert: "has:image ", tip: lang.L("Only with a picture; has:video, has:audio, has:link, has:article and has:quote work too")},
		{label: lang.L("\"exact words\""), insert: `""`, back: 1, tip: lang.L("Only with these words in this order")},
		{label: "OR", insert: "OR ", tip: lang.L("Either the part before it or the part after it")},
		{label: "is:reply", insert: "is:reply ", tip: lang.L("Only replies; a - before it leaves them out, as it does words")},
		{label: "lang:", insert: "lang:", tip: lang.L("Only in a language: lang:en, lang:de, lang:ja")},
	}
}

// offer shows suggestions as chips, or the operators if there are none.
func (s *Search) offer(suggestions []suggestion) {
	s.chips.Objects = nil
	for _, sg := range suggestions {
		chip := widgets.Named("search.suggest", widgets.NewChip(sg.label, func() { s.take(sg.text, 0) }))
		chip.SetLow()
		s.chips.Add(chip)
	}
	if len(suggestions) == 0 {
		for _, op := range operators() {
			chip := widgets.NewChip(op.label, func() { s.insert(op) })
			chip.ID, chip.Tip = "search.op:"+op.insert, op.tip
			chip.SetLow()
			s.chips.Add(chip)
		}
	}
	s.chips.Refresh()
	if s.content != nil {
		s.content.Refresh()
	}
}

// insert appends an operator to the query.
func (s *Search) insert(op operator) {
	text := s.entry.Text
	if text != "" && text[len(text)-1] != ' ' {
		text += " "
	}
	s.take(text+op.insert, op.back)
}

// take puts a text into the field and moves the keyboard there; back is how many
// characters before the end the cursor is.
func (s *Search) take(text string, back int) {
	s.entry.SetText(text)
	s.entry.CursorColumn = len([]rune(text)) - back
	if c := fyne.CurrentApp().Driver().CanvasForObject(s.entry); c != nil {
		c.Focus(s.entry)
	}
	s.entry.Refresh()
	s.look(false)
}

// suggest shows ways to continue the query, which it reads off the window's thread.
func (s *Search) suggest() {
	text := s.text
	s.work(func() func() {
		found, err := suggest(s.ctx, s.env.App, text)
		return func() {
			if err == nil && text == s.text {
				s.offer(found)
			}
		}
	})
}

// joined joins two texts with a dot, unless one is empty.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " · " + b
}
