package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"bowerbird/ndb"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
)

// Suggestion is a question that the stored notes can answer. The window words it: a kind,
// with what it is about.
type Suggestion struct {
	Kind    SuggestionKind
	Person  nostr.PubKey // SuggestPerson
	Name    string       // of the person, on one line
	Hashtag string       // SuggestHashtag: a plain word, without #
	Thread  nostr.ID     // SuggestThread: its first note
	Notes   int          // how many notes there are about it
}

// SuggestionKind is what a suggestion asks.
type SuggestionKind string

// The kinds.
const (
	SuggestPerson  SuggestionKind = "person"  // what a person says
	SuggestHashtag SuggestionKind = "hashtag" // what is new about a hashtag
	SuggestThread  SuggestionKind = "thread"  // to summarise the longest thread
)

// What suggestions are made from.
const (
	suggestDays   = 7
	mostSuggested = 3000 // notes that are read
	leastNotes    = 3    // on anything worth asking about
)

// Suggestions returns questions made from what the people followed wrote in the last
// seven days: the thread in which most of them wrote, the hashtag that most of them used,
// the person who wrote most to others. The list is short, and empty if little is stored:
// then ask what can be asked of any store.
func (a *App) Suggestions(ctx context.Context) ([]Suggestion, error) {
	people, err := a.notes.Contacts(ctx, a.Me())
	if errors.Is(err, ndb.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	now := a.opt.Now()
	s := newSurvey()
	filter := nostr.Filter{Authors: people, Kinds: []uint16{1, 1111}, Since: new(now.AddDate(0, 0, -suggestDays).Unix()), Until: new(now.Unix()), Limit: new(mostSuggested)}
	for e, err := range a.notes.Query(ctx, ndb.QueryOptions{}, filter) {
		if err != nil {
			return nil, fmt.Errorf("looking for what to ask: %w", err)
		}
		s.add(e)
	}
	var out []Suggestion
	for _, find := range []func(context.Context, *survey) (Suggestion, bool){a.suggestThread, a.suggestHashtag, a.suggestPerson} {
		if one, ok := find(ctx, s); ok {
			out = append(out, one)
		}
	}
	return out, ctx.Err()
}

// survey counts what notes are about, and who took part.
type survey struct {
	threads  map[nostr.ID]people
	hashtags map[string]people
	authors  map[nostr.PubKey]int
	notes    map[nostr.ID]int // of a thread
}

// people is a set of authors.
type people map[nostr.PubKey]bool

func newSurvey() *survey {
	return &survey{map[nostr.ID]people{}, map[string]people{}, map[nostr.PubKey]int{}, map[nostr.ID]int{}}
}

func (s *survey) add(e *nostr.Event) {
	root := e.ID
	if r, ok := nostr.ReplyTo(e); ok {
		root = r.Root
		s.notes[root]++
	}
	join(s.threads, root, e.PubKey)
	s.authors[e.PubKey]++
	for _, tag := range e.Tags {
		if len(tag) > 1 && tag[0] == "t" {
			if word := plainHashtag(tag[1]); word != "" {
				join(s.hashtags, word, e.PubKey)
			}
		}
	}
}

func join[K comparable](sets map[K]people, key K, who nostr.PubKey) {
	if sets[key] == nil {
		sets[key] = people{}
	}
	sets[key][who] = true
}

// plainHashtag returns a hashtag that can be part of a question, or "".
func plainHashtag(tag string) string {
	tag = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(tag), "#"))
	if len(tag) > 30 || strings.ContainsFunc(tag, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		return ""
	}
	return tag
}

// largest returns the key with the largest count; equal ones in the order of their text.
func largest[K comparable](counts map[K]int) (best K, most int) {
	for key, n := range counts {
		if n > most || n == most && fmt.Sprint(key) < fmt.Sprint(best) {
			best, most = key, n
		}
	}
	return best, most
}

func sizes[K comparable](sets map[K]people) map[K]int {
	out := make(map[K]int, len(sets))
	for key, set := range sets {
		out[key] = len(set)
	}
	return out
}

func (a *App) suggestThread(ctx context.Context, s *survey) (Suggestion, bool) {
	counts := sizes(s.threads)
	for range 5 { // threads whose first note is missing cannot be read
		root, n := largest(counts)
		if n < leastNotes {
			return Suggestion{}, false
		}
		if _, err := a.notes.Event(ctx, root); err == nil {
			return Suggestion{Kind: SuggestThread, Thread: root, Notes: s.notes[root] + 1}, true
		}
		delete(counts, root)
	}
	return Suggestion{}, false
}

func (a *App) suggestHashtag(_ context.Context, s *survey) (Suggestion, bool) {
	tag, n := largest(sizes(s.hashtags))
	return Suggestion{Kind: SuggestHashtag, Hashtag: tag, Notes: n}, n >= 2
}

func (a *App) suggestPerson(ctx context.Context, s *survey) (Suggestion, bool) {
	type row struct {
		key nostr.PubKey
		n   int
	}
	var rows []row
	for key, n := range s.authors {
		if key != a.Me() && n >= leastNotes {
			rows = append(rows, row{key, n})
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Or(cmp.Compare(b.n, a.n), slices.Compare(a.key[:], b.key[:])) })
	for _, r := range rows[:min(len(rows), 5)] {
		profile, err := a.notes.Profile(ctx, r.key)
		if err != nil {
			continue
		}
		name := clean.Line(cmp.Or(profile.DisplayName, profile.Name), 40)
		if plainName(name) {
			return Suggestion{Kind: SuggestPerson, Person: r.key, Name: name, Notes: r.n}, true
		}
	}
	return Suggestion{}, false
}

// plainName reports whether a name can be part of a question and be recognised in it: a
// few words of letters.
func plainName(name string) bool {
	words := strings.Fields(name)
	if len(words) == 0 || len(words) > 3 {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != ' ' && r != '-' && r != '\''
	})
}
