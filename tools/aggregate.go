package tools

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"bowerbird/ndb"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

//go:embed aggregate.md
var aggregateDoc string

// Limits of the buckets that aggregate returns.
const (
	defaultTimeBuckets = 48
	defaultBuckets     = 20
	maxBuckets         = 500
)

// AggregateArgs are the arguments of aggregate.
type AggregateArgs struct {
	CountArgs
	By    string `json:"by" enum:"hour,day,week,author,hashtag,kind,term"`
	Zone  string `json:"zone,omitempty" maxLength:"64" jsonschema:"IANA name; default the user's"`
	Limit int    `json:"limit,omitempty" jsonschema:"buckets: default 48 of time, 20 else; more than 500 is cut to 500"`
}

// AggregateBucket is one row of aggregate.
type AggregateBucket struct {
	Key     string `json:"key"`             // time as RFC 3339, hex pubkey, hashtag, kind or term
	Label   string `json:"label,omitempty"` // a person's name, a day's name
	Count   int    `json:"count"`
	Authors int    `json:"authors"`
	// For terms: in how many notes of the whole store it occurs, and how many there are.
	StoreNotes int `json:"store_notes,omitempty"`
	StoreTotal int `json:"store_total,omitempty"`
}

// AggregateResult is the answer of aggregate.
type AggregateResult struct {
	Scope     Scope             `json:"scope"`
	By        string            `json:"by"`
	Total     int               `json:"total"` // as count returns it
	Buckets   []AggregateBucket `json:"buckets"`
	Truncated bool              `json:"truncated"` // there are more buckets
	// TotalAtLeast means that counting ran out of time (Env.Timeout), newest notes first:
	// there may be more in total, and in each bucket.
	TotalAtLeast bool `json:"total_at_least,omitempty"`
}

func runAggregate(ctx context.Context, env *Env, a AggregateArgs) (AggregateResult, error) {
	reading, cancel := env.bounded(ctx)
	defer cancel()
	env, err := env.in(a.Zone)
	if err != nil {
		return AggregateResult{}, err
	}
	sel, err := env.selection(reading, a.CountArgs)
	if err != nil {
		return AggregateResult{}, err
	}
	t := newTally(a.By, env.zone())
	read := sel.heads
	if a.By == "hashtag" || a.By == "term" {
		read = sel.each
	}
	cut, err := read(reading, t.add)
	if err != nil {
		return AggregateResult{}, err
	}
	// Names and rarities are looked up for what was counted, even if the time is used up.
	ctx, cancel = env.bounded(ctx)
	defer cancel()
	return sel.grouped(ctx, t, cut, a.Limit)
}

// grouped makes the result of a tally.
func (s *selection) grouped(ctx context.Context, t *tally, cut bool, limit int) (AggregateResult, error) {
	res := AggregateResult{Scope: s.scope, By: t.by, Total: t.total, TotalAtLeast: cut}
	if t.step != nil {
		limit, _ = clampLimit(limit, defaultTimeBuckets, maxBuckets)
		since := s.filter.Since
		if cut { // nothing is known of earlier ones
			since = &t.oldest
		}
		res.Buckets, res.Truncated = t.overTime(t.step, since, s.until(), limit)
		res.Truncated = res.Truncated || cut
		return res, nil
	}
	limit, _ = clampLimit(limit, defaultBuckets, maxBuckets)
	var err error
	if t.by == "term" {
		res.Buckets, res.Truncated, err = t.terms(ctx, s.env.Store, limit)
	} else {
		res.Buckets, res.Truncated = t.largest(limit)
	}
	if err != nil {
		return AggregateResult{}, err
	}
	return res, t.label(ctx, s.env, res.Buckets)
}

// in returns the Env for another zone: days begin and dates are read there.
func (env *Env) in(zone string) (*Env, error) {
	if zone == "" {
		return env, nil
	}
	z, err := time.LoadLocation(zone)
	if err != nil || zone == "Local" {
		return nil, wrongValue("zone", `an IANA name such as "Europe/Berlin"`, zone)
	}
	there := *env
	there.Zone = z
	return &there, nil
}

// until is the end of the selection's time span, at most now.
func (s *selection) until() *int64 {
	if s.filter.Until == nil || *s.filter.Until > s.view.now {
		return &s.view.now
	}
	return s.filter.Until
}

// tally counts notes and the people behind them by key.
type tally struct {
	by      string
	step    func(time.Time) time.Time // the start of the bucket that holds a time
	zone    *time.Location
	total   int
	buckets map[string]*bucket
	oldest  int64
	texts   [][]string // by term: each note's terms
	// The bucket of the last note: notes come in order, so the next one is mostly in it too.
	from, to int64 // its start, and a time in it
	key      string
}

type bucket struct {
	count   int
	authors people
	// By term: the threads it occurs in, and whether it is a hashtag in one.
	talks map[nostr.ID]bool
	tag   bool
}

func newTally(by string, zone *time.Location) *tally {
	return &tally{by: by, step: stepOf(by), zone: zone, buckets: map[string]*bucket{}, oldest: latestTime}
}

func (t *tally) add(e *nostr.Event) {
	t.total++
	t.oldest = min(t.oldest, e.CreatedAt)
	switch {
	case t.step != nil:
		if e.CreatedAt < t.from || e.CreatedAt > t.to || t.key == "" {
			start := t.step(time.Unix(e.CreatedAt, 0).In(t.zone))
			t.from, t.to, t.key = start.Unix(), e.CreatedAt, start.Format(time.RFC3339)
		}
		t.put(t.key, e)
	case t.by == "author":
		t.put(e.PubKey.String(), e)
	case t.by == "kind":
		t.put(strconv.Itoa(int(e.Kind)), e)
	case t.by == "hashtag":
		for _, tag := range hashtagsOf(e) {
			t.put(tag, e)
		}
	case t.by == "term":
		terms := termsOf(e)
		t.texts = append(t.texts, terms)
		tags, talk := hashtagsOf(e), conversationOf(e)
		for _, term := range terms {
			b := t.put(term, e)
			b.talks[talk] = true
			b.tag = b.tag || slices.Contains(tags, term)
		}
	}
}

func (t *tally) put(key string, e *nostr.Event) *bucket {
	b := t.buckets[key]
	if b == nil {
		b = &bucket{authors: people{}, talks: map[nostr.ID]bool{}}
		t.buckets[key] = b
	}
	b.count++
	b.authors[e.PubKey] = true
	return b
}

// conversationOf is the thread of a note.
func conversationOf(e *nostr.Event) nostr.ID {
	if r, reply := nostr.ReplyTo(e); reply && r.Root != (nostr.ID{}) {
		return r.Root
	}
	return e.ID
}

// hashtagsOf are a note's hashtags, each once, in lower case and clean.
func hashtagsOf(e *nostr.Event) []string {
	var out []string
	for _, tag := range e.Tags {
		if len(tag) < 2 || tag[0] != "t" {
			continue
		}
		t := clean.Line(strings.ToLower(strings.TrimPrefix(tag[1], "#")), 100)
		if t != "" && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// row is the bucket of a key, which may be empty.
func (t *tally) row(key string) AggregateBucket {
	b := t.buckets[key]
	if b == nil {
		return AggregateBucket{Key: key}
	}
	return AggregateBucket{Key: key, Count: b.count, Authors: len(b.authors)}
}

// largest are the buckets with the most people behind them, so that nobody can make a row
// by posting often; then by count, then by key.
func (t *tally) largest(limit int) ([]AggregateBucket, bool) {
	rows := make([]AggregateBucket, 0, len(t.buckets))
	for key := range t.buckets {
		rows = append(rows, t.row(key))
	}
	slices.SortFunc(rows, func(a, b AggregateBucket) int {
		return cmp.Or(t.weigh(a, b), cmp.Compare(a.Key, b.Key))
	})
	return rows[:min(limit, len(rows))], len(rows) > limit
}

func (t *tally) weigh(a, b AggregateBucket) int {
	if t.by == "hashtag" {
		return cmp.Or(cmp.Compare(b.Authors, a.Authors), cmp.Compare(b.Count, a.Count))
	}
	return cmp.Compare(b.Count, a.Count)
}

// label adds people's names.
func (t *tally) label(ctx context.Context, env *Env, rows []AggregateBucket) error {
	if t.by != "author" {
		return nil
	}
	for i := range rows {
		pk, err := nostr.ParsePubKey(rows[i].Key)
		if err != nil {
			return fmt.Errorf("label an author: %w", err)
		}
		if rows[i].Label, err = env.name(ctx, pk); err != nil {
			return err
		}
	}
	return nil
}

// Partial reports whether there may be more than was counted.
func (r AggregateResult) Partial() bool { return r.TotalAtLeast }

// ForModel implements Result.
func (r AggregateResult) ForModel(limit int) string {
	return Fit(limit, len(r.Buckets), func(show, text int) any {
		rows := make([]AggregateBucket, 0, show)
		for _, b := range r.Buckets[:show] {
			b.Label = clip(b.Label, 40)
			rows = append(rows, b)
		}
		return struct {
			Scope     Scope             `json:"scope"`
			By        string            `json:"by"`
			Total     int               `json:"total"`
			AtLeast   bool              `json:"total_at_least,omitempty"`
			Buckets   []AggregateBucket `json:"buckets"`
			LeftOut   int               `json:"left_out,omitempty"`
			Truncated bool              `json:"truncated"`
		}{r.Scope, r.By, r.Total, r.TotalAtLeast, rows, len(r.Buckets) - show, r.Truncated}
	})
}

// stepOf returns the function that finds the start of a time bucket, or nil.
func stepOf(by string) func(time.Time) time.Time {
	switch by {
	case "hour":
		return func(t time.Time) time.Time {
			return t.Add(-time.Duration(t.Minute())*time.Minute - time.Duration(t.Second())*time.Second).Truncate(time.Second)
		}
	case "day":
		return func(t time.Time) time.Time { return StartOfDay(t.Year(), t.Month(), t.Day(), t.Location()) }
	case "week":
		return func(t time.Time) time.Time {
			return StartOfDay(t.Year(), t.Month(), t.Day()-sinceMonday(t), t.Location())
		}
	}
	return nil
}

// overTime lists the buckets from since (else the oldest note) to until, including empty
// ones, so that a chart of them is true; if there are too many, the newest.
func (t *tally) overTime(step func(time.Time) time.Time, since, until *int64, limit int) ([]AggregateBucket, bool) {
	from := t.oldest
	if since != nil {
		from = *since
	}
	rows := []AggregateBucket{}
	if t.total == 0 && since == nil {
		return rows, false
	}
	// Backwards from the end: a window may reach back for decades.
	first := step(time.Unix(from, 0).In(t.zone))
	at := step(time.Unix(*until, 0).In(t.zone))
	for !at.Before(first) && len(rows) < limit {
		row := t.row(at.Format(time.RFC3339))
		row.Label = timeLabel(t.by, at)
		rows = append(rows, row)
		at = step(at.Add(-time.Second))
	}
	slices.Reverse(rows)
	return rows, !at.Before(first)
}

// timeLabel names a bucket for a person.
func timeLabel(by string, t time.Time) string {
	switch by {
	case "hour":
		return t.Format("Mon 2 Jan 15:04")
	case "day":
		return t.Format("Mon 2 Jan")
	}
	year, week := t.ISOWeek()
	return fmt.Sprintf("week %d of %d", week, year)
}

// The bounds of looking for terms.
const (
	maxTermsWeighed = 2000 // each costs a look-up in the store's text index
	// A term in this part of a store's notes means nothing, like "the", unless it is
	// twice as common in the result.
	usualTerm   = 0.10
	minForUsual = 100 // notes; a smaller store has no common words yet
	// The same within the notes of one language; less is enough for short words, which in
	// all languages are mostly the common ones.
	usualInLanguage      = 0.12
	usualShortInLanguage = 0.03
	shortWord            = 3  // letters
	minLanguage          = 15 // notes; fewer say nothing about a language
)

// termsOf are a note's words, each once.
func termsOf(e *nostr.Event) []string {
	var terms []string
	seen := map[string]bool{}
	for tok := range search.Tokens(e.Content) {
		if tok.Kind == search.TokenWord && !seen[tok.Term] {
			seen[tok.Term] = true
			terms = append(terms, tok.Term)
		}
	}
	return terms
}

// usualWords finds the words that mean nothing in their language. None of them is
// frequent in a store of several languages, so notes are first grouped by the most common
// word in them: "the" gathers English, "und" German.
func (t *tally) usualWords() map[string]bool {
	notes := map[string]int{}
	holds := map[string]map[string]int{} // language's word, term: notes
	for _, terms := range t.texts {
		language := t.commonest(terms)
		if holds[language] == nil {
			holds[language] = map[string]int{}
		}
		notes[language]++
		for _, term := range terms {
			holds[language][term]++
		}
	}
	usual := map[string]bool{}
	for language, terms := range holds {
		if notes[language] < minLanguage {
			continue
		}
		for term, n := range terms {
			limit := usualInLanguage
			if utf8.RuneCountInString(term) <= shortWord && lettersOnly(term) {
				limit = usualShortInLanguage
			}
			if float64(n) > limit*float64(notes[language]) && n > 1 {
				usual[term] = true
			}
		}
	}
	return usual
}

// commonest is the term of a note that most notes have.
func (t *tally) commonest(terms []string) string {
	best, most := "", 0
	for _, term := range terms {
		if n := t.buckets[term].count; n > most || n == most && term < best {
			best, most = term, n
		}
	}
	return best
}

// lettersOnly reports whether a term is a word of an alphabet: scripts without spaces
// come in pairs of characters, which are short and mean much.
func lettersOnly(term string) bool {
	for _, r := range term {
		if !unicode.IsLetter(r) || !joins(r) {
			return false
		}
	}
	return true
}

// terms are the words that distinguish the notes: in many of them, by many people, and
// rare in the store.
func (t *tally) terms(ctx context.Context, store *ndb.Store, limit int) ([]AggregateBucket, bool, error) {
	rows := make([]AggregateBucket, 0, len(t.buckets))
	usual := t.usualWords()
	for key := range t.buckets {
		if utf8.RuneCountInString(key) > 1 && !usual[key] {
			rows = append(rows, t.row(key))
		}
	}
	slices.SortFunc(rows, func(a, b AggregateBucket) int {
		return cmp.Or(cmp.Compare(b.Authors, a.Authors), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Key, b.Key))
	})
	more := len(rows) > maxTermsWeighed
	rows = rows[:min(len(rows), maxTermsWeighed)]
	for i := range rows {
		notes, of, err := store.TermFrequency(ctx, rows[i].Key)
		if err != nil {
			return nil, false, fmt.Errorf("look up how usual a term is: %w", err)
		}
		rows[i].StoreNotes, rows[i].StoreTotal = max(notes, rows[i].Count), max(of, t.total)
	}
	rows = slices.DeleteFunc(rows, t.tooUsual)
	slices.SortStableFunc(rows, func(a, b AggregateBucket) int { return cmp.Compare(t.termWeight(b), t.termWeight(a)) })
	return rows[:min(limit, len(rows))], more || len(rows) > limit, nil
}

// tooUsual reports whether a term is too common to mean anything.
func (t *tally) tooUsual(b AggregateBucket) bool {
	if b.StoreTotal < minForUsual {
		return false
	}
	inStore := float64(b.StoreNotes) / float64(b.StoreTotal)
	inAnswer := float64(b.Count) / float64(max(t.total, 1))
	return inStore > usualTerm && inAnswer < 2*inStore
}

// termWeight is how much a term means: people times rarity; more if it stays within few
// threads, as the words of a topic do and common words do not, and if it is a hashtag.
func (t *tally) termWeight(b AggregateBucket) float64 {
	hit := t.buckets[b.Key]
	gathered := float64(b.Count) / float64(len(hit.talks))
	weight := float64(b.Authors) * math.Log(float64(b.StoreTotal+1)/float64(b.StoreNotes+1)+1) * gathered * gathered
	if hit.tag {
		weight *= 3
	}
	return weight
}
