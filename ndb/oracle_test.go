package ndb_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// The oracle answers filters by looking at every event. It shares no code with
// ndb: it reads JSON with encoding/json, keeps ids as text, and has rules of its
// own for what is replaced, deleted, expired and found.

type oracleEvent struct {
	ID        string     `json:"id"`
	PubKey    string     `json:"pubkey"`
	CreatedAt int64      `json:"created_at"`
	Kind      int        `json:"kind"`
	Tags      [][]string `json:"tags"`
	Content   string     `json:"content"`
	Sig       string     `json:"sig"`

	words    []string // of its text, for search
	hasWords bool     // whether search looks at it
}

type oracleFilter struct {
	IDs     []string `json:"ids"`
	Authors []string `json:"authors"`
	Kinds   []int    `json:"kinds"`
	Since   *int64   `json:"since"`
	Until   *int64   `json:"until"`
	Limit   *int     `json:"limit"`
	tags    map[string][]string
	search  *oracleSearch
	meets   func(*oracleEvent) bool // of a search with operators
}

// oracleSearch is what a filter's search text asks, known to who made it.
type oracleSearch struct {
	words, phrase, not []string // as they stand in the text once that is folded
}

func readOracleFilter(raw []byte, search *oracleSearch) (oracleFilter, error) {
	f := oracleFilter{search: search, tags: make(map[string][]string)}
	if err := json.Unmarshal(raw, &f); err != nil {
		return f, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return f, err
	}
	for name, value := range fields {
		if tag, ok := strings.CutPrefix(name, "#"); ok {
			var values []string
			if err := json.Unmarshal(value, &values); err != nil {
				return f, err
			}
			f.tags[tag] = values
		}
	}
	return f, nil
}

func (f *oracleFilter) matches(e *oracleEvent) bool {
	switch {
	case f.IDs != nil && !slices.Contains(f.IDs, e.ID),
		f.Authors != nil && !slices.Contains(f.Authors, e.PubKey),
		f.Kinds != nil && !slices.Contains(f.Kinds, e.Kind),
		f.Since != nil && e.CreatedAt < *f.Since,
		f.Until != nil && *f.Until < e.CreatedAt:
		return false
	}
	for name, wanted := range f.tags {
		if !slices.ContainsFunc(e.Tags, func(tag []string) bool {
			return len(tag) >= 2 && tag[0] == name && slices.Contains(wanted, tag[1])
		}) {
			return false
		}
	}
	return (f.search == nil || f.search.matches(e)) && (f.meets == nil || f.meets(e))
}

func (s *oracleSearch) matches(e *oracleEvent) bool {
	has := func(word string) bool { return slices.Contains(e.words, word) }
	if !e.hasWords || slices.ContainsFunc(s.not, has) || slices.ContainsFunc(s.words, func(w string) bool { return !has(w) }) {
		return false
	}
	line := " " + strings.Join(e.words, " ") + " "
	return len(s.phrase) == 0 || strings.Contains(line, " "+strings.Join(s.phrase, " ")+" ")
}

// oracleText returns what search looks at in an event, if it looks at it at all.
func oracleText(e *oracleEvent) (string, bool) {
	switch e.Kind {
	case 1, 11, 20, 1111, 30023:
		return e.Content, true
	case 0:
		var profile map[string]any
		if json.Unmarshal([]byte(e.Content), &profile) != nil {
			return "", false
		}
		var parts []string
		for _, field := range []string{"name", "display_name", "nip05", "about"} {
			if s, ok := profile[field].(string); ok {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, "\n"), true
	}
	return "", false
}

var oracleWord = regexp.MustCompile(`[\pL\pN]+`)

// oracleWords are a text's words without accents, in small letters.
func oracleWords(text string) []string {
	return oracleWord.FindAllString(oracleFold(text), -1)
}

func oracleFold(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(text))
	return strings.ReplaceAll(text, "ß", "ss")
}

// oracleStore is what a store should hold of the events that it was given, in
// whatever order they came.
type oracleStore struct {
	now    int64
	events map[string]*oracleEvent
}

func newOracleStore(now int64, lines [][]byte) (*oracleStore, error) {
	o := &oracleStore{now: now, events: make(map[string]*oracleEvent)}
	for _, line := range lines {
		var e oracleEvent
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, err
		}
		if text, ok := oracleText(&e); ok {
			e.words, e.hasWords = oracleWords(text), true
		}
		o.events[e.ID] = &e
	}
	maps.DeleteFunc(o.events, func(_ string, e *oracleEvent) bool {
		return e.Kind >= 20000 && e.Kind < 30000 || o.expired(e)
	})
	// The best version of an address counts even when it is deleted: the older
	// ones do not come back. One that is dated in the future has no effect yet.
	best := make(map[string]*oracleEvent)
	requests := make(map[string][]*oracleEvent) // to delete and to vanish, by author
	for _, e := range o.events {
		address := oracleAddress(e)
		if other := best[address]; e.CreatedAt <= now && (other == nil || oracleOrder(e, other) < 0) {
			best[address] = e
		}
		if e.Kind == 5 || e.Kind == 62 {
			requests[e.PubKey] = append(requests[e.PubKey], e)
		}
	}
	maps.DeleteFunc(o.events, func(_ string, e *oracleEvent) bool {
		address := oracleAddress(e)
		return address != "" && e.CreatedAt <= now && best[address] != e || deleted(requests[e.PubKey], e)
	})
	return o, nil
}

func (o *oracleStore) expired(e *oracleEvent) bool {
	for _, tag := range e.Tags {
		if len(tag) > 1 && tag[0] == "expiration" {
			at, err := strconv.ParseInt(tag[1], 10, 64)
			return err == nil && at <= o.now
		}
	}
	return false
}

// oracleAddress names what an event is a version of; "" when it has no versions.
func oracleAddress(e *oracleEvent) string {
	switch {
	case e.Kind == 0, e.Kind == 3, e.Kind >= 10000 && e.Kind < 20000:
		return strconv.Itoa(e.Kind) + ":" + e.PubKey + ":"
	case e.Kind >= 30000 && e.Kind < 40000:
		d := ""
		for _, tag := range e.Tags {
			if len(tag) > 1 && tag[0] == "d" {
				d = tag[1]
				break
			}
		}
		return strconv.Itoa(e.Kind) + ":" + e.PubKey + ":" + d
	}
	return ""
}

// deleted reports whether one of its author's requests takes an event away.
func deleted(requests []*oracleEvent, e *oracleEvent) bool {
	for _, r := range requests {
		if r.Kind == 62 && e.Kind != 62 && e.CreatedAt <= r.CreatedAt {
			return true
		}
		if r.Kind != 5 || e.Kind == 5 || e.Kind == 62 {
			continue
		}
		for _, tag := range r.Tags {
			if len(tag) > 1 && (tag[0] == "e" && tag[1] == e.ID ||
				tag[0] == "a" && tag[1] == oracleAddress(e) && e.CreatedAt <= r.CreatedAt) {
				return true
			}
		}
	}
	return false
}

// oracleOrder sorts newest first, equal times by lowest id.
func oracleOrder(a, b *oracleEvent) int {
	return cmp.Or(cmp.Compare(b.CreatedAt, a.CreatedAt), strings.Compare(a.ID, b.ID))
}

// query returns the ids that match, in order: those of each filter up to its
// limit, each once.
func (o *oracleStore) query(hidden bool, filters ...oracleFilter) []string {
	union := make(map[string]*oracleEvent)
	for _, f := range filters {
		var found []*oracleEvent
		for _, e := range o.events {
			if (hidden || e.CreatedAt <= o.now+15*60) && f.matches(e) {
				found = append(found, e)
			}
		}
		slices.SortFunc(found, oracleOrder)
		if f.Limit != nil {
			found = found[:min(len(found), *f.Limit)]
		}
		for _, e := range found {
			union[e.ID] = e
		}
	}
	all := slices.SortedFunc(maps.Values(union), oracleOrder)
	ids := []string{}
	for _, e := range all {
		ids = append(ids, e.ID)
	}
	return ids
}
