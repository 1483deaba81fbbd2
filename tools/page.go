package tools

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// notePage is one page of a selection, and how many notes match in total.
type notePage struct {
	events  []*nostr.Event
	more    bool // there are others
	total   int
	atLeast bool // counting ran out of time
	damaged bool // some notes could not be read
}

// page reads the notes after a position, and goes on counting to the end as long as the
// time of ctx allows. If the time ends before the page is full, that is an error: half of
// a page would look like the whole.
func (s *selection) page(ctx context.Context, after *ndb.Cursor, limit int) (notePage, error) {
	var p notePage
	opt := ndb.QueryOptions{Match: s.matches, After: after}
	for e, err := range s.env.Store.Query(ctx, opt, s.filter) {
		switch {
		case errors.Is(err, ndb.ErrDamaged): // comes after everything that could be read
			p.damaged = true
			continue
		case p.more && errors.Is(err, context.DeadlineExceeded):
			p.atLeast = true
			continue
		case err != nil:
			return p, s.tooSlow(err)
		}
		if p.total++; len(p.events) < limit {
			p.events = append(p.events, e)
			continue
		}
		p.more = true
	}
	if after == nil || p.atLeast {
		return p, nil
	}
	before, err := s.countTo(ctx, *after)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		p.atLeast = true
	case errors.Is(err, ndb.ErrDamaged):
		p.damaged = true
	case err != nil:
		return p, err
	}
	p.total += before
	return p, nil
}

// best reads the notes with the highest scores after a position, and counts all that
// match as long as the time of ctx allows.
func (s *selection) best(ctx context.Context, after *ndb.RankCursor, limit int) (notePage, *ndb.RankedPage, error) {
	ranked, err := s.env.Store.Ranked(ctx, s.filter, ndb.RankOptions{Match: s.matches, Limit: limit, After: after})
	if err != nil {
		return notePage{}, nil, s.tooSlow(err)
	}
	p := notePage{more: ranked.More}
	for _, hit := range ranked.Hits {
		p.events = append(p.events, hit.Event)
	}
	for _, err := range s.env.Store.Query(ctx, ndb.QueryOptions{Match: s.matches}, s.filter) {
		switch {
		case errors.Is(err, ndb.ErrDamaged):
			p.damaged = true
		case errors.Is(err, context.DeadlineExceeded):
			p.atLeast = true
		case err != nil:
			return p, nil, s.tooSlow(err)
		default:
			p.total++
		}
	}
	p.total = max(p.total, len(p.events))
	return p, &ranked, nil
}

// countTo counts the matching notes up to and including a position.
func (s *selection) countTo(ctx context.Context, to ndb.Cursor) (int, error) {
	f, n := s.filter, 0
	if f.Since == nil || *f.Since < to.CreatedAt {
		f.Since = &to.CreatedAt
	}
	for e, err := range s.env.Store.Query(ctx, ndb.QueryOptions{Match: s.matches}, f) {
		if err != nil {
			return n, s.tooSlow(err)
		}
		// Equal times come lowest id first.
		if e.CreatedAt > to.CreatedAt || bytes.Compare(e.ID[:], to.ID[:]) <= 0 {
			n++
		}
	}
	return n, nil
}

// each calls do with every note of the selection, newest first; it is for tools that
// count. cut means that the time of ctx ended before the last one.
func (s *selection) each(ctx context.Context, do func(*nostr.Event)) (cut bool, err error) {
	n := 0
	for e, err := range s.env.Store.Query(ctx, ndb.QueryOptions{Match: s.matches}, s.filter) {
		switch {
		case n > 0 && errors.Is(err, context.DeadlineExceeded):
			return true, nil
		case err != nil:
			return false, s.tooSlow(err)
		}
		n++
		do(e)
	}
	return false, nil
}

// counted is what was read to count the notes of a selection, newest first.
type counted struct {
	of    string // the selection, but for its kinds and since
	kinds []uint16
	since int64 // the earliest time that was asked for
	heads []head
	cut   bool
	err   error
	done  chan struct{}
}

type head struct {
	author nostr.PubKey
	at     int64
	kind   uint16
}

// covers reports whether c has read all that other is to read.
func (c *counted) covers(other *counted) bool {
	return c.of == other.of && c.since <= other.since && (len(c.kinds) == 0) == (len(other.kinds) == 0) &&
		!slices.ContainsFunc(other.kinds, func(k uint16) bool { return !slices.Contains(c.kinds, k) })
}

// heads does what each does, but the events only have their author, kind and time. In a
// turn they are read once, however often they are counted.
func (s *selection) heads(ctx context.Context, do func(*nostr.Event)) (cut bool, err error) {
	if s.env.Kept == nil {
		return s.each(ctx, do)
	}
	c, err := s.counted(ctx)
	if err != nil {
		return false, err
	}
	var e nostr.Event
	for _, h := range c.heads {
		if s.filter.Since != nil && h.at < *s.filter.Since {
			return false, nil
		}
		if len(s.filter.Kinds) > 0 && !slices.Contains(s.filter.Kinds, h.kind) {
			continue
		}
		e.PubKey, e.CreatedAt, e.Kind = h.author, h.at, h.kind
		do(&e)
	}
	return c.cut, nil
}

// errBrokenOff is the error of a count until it has ended, so that one that ends by a panic
// is not taken for a whole one.
var errBrokenOff = errors.New("the count was broken off")

// counted returns what another call has read or is reading, if that is of the same notes or
// more. It waits for the other's time to end, not for its own, so that both are cut alike.
func (s *selection) counted(ctx context.Context) (*counted, error) {
	f := s.filter
	c := &counted{kinds: f.Kinds, since: math.MinInt64, err: errBrokenOff, done: make(chan struct{})}
	if f.Since != nil {
		c.since = *f.Since
	}
	f.Since, f.Kinds = nil, nil
	filter, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("count notes: %w", err)
	}
	c.of = fmt.Sprint(string(filter), s.replies, s.to)
	kept := s.env.Kept
	for other := kept.count(c); other != nil; other = kept.count(c) {
		if <-other.done; other.err == nil {
			return other, nil
		}
	}
	defer func() {
		if c.cut || c.err != nil { // a later call may have the time
			kept.uncount(c)
		}
		close(c.done)
	}()
	c.cut, c.err = s.each(ctx, func(e *nostr.Event) { c.heads = append(c.heads, head{e.PubKey, e.CreatedAt, e.Kind}) })
	return c, c.err
}

// tooSlow adds advice to a timeout.
func (s *selection) tooSlow(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("reading the store took too long: narrow the time, the people or the words: %w", err)
	}
	return fmt.Errorf("read notes: %w", err)
}

// A cursor is the position of the last note shown, and a hash over that position and the
// query: a cursor that was cut, altered or belongs to another query is refused. It is a
// position in time, so notes that arrive meanwhile do not shift it.
const (
	cursorSum  = 8
	cursorSize = 8 + 32 + cursorSum
)

// binding ties a cursor to its query.
type binding [sha256.Size]byte

// bind hashes a query without what may change from page to page.
func bind(env *Env, context string, a QueryArgs) (binding, error) {
	a.Cursor, a.Limit, a.Counters, a.Context = "", 0, false, context
	raw, err := json.Marshal(a)
	if err != nil {
		return binding{}, fmt.Errorf("bind a cursor: %w", err)
	}
	return sha256.Sum256(append(raw, env.Me[:]...)), nil
}

func (b binding) sum(place []byte) []byte {
	h := sha256.New()
	h.Write(b[:])
	h.Write(place)
	return h.Sum(nil)[:cursorSum]
}

// seal makes a cursor of a position.
func (b binding) seal(place []byte) string {
	return base64.RawURLEncoding.EncodeToString(append(place, b.sum(place)...))
}

// open returns the position in a cursor made by seal.
func (b binding) open(text string) ([]byte, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if end := len(raw) - cursorSum; err == nil && end >= 0 && bytes.Equal(raw[end:], b.sum(raw[:end])) {
		return raw[:end], nil
	}
	return nil, wrongCursor(text)
}

func wrongCursor(text string) error {
	return wrongValue("cursor", "the cursor of an earlier answer to the same question", text)
}

func (b binding) cursor(at ndb.Cursor) string {
	raw := binary.BigEndian.AppendUint64(make([]byte, 0, cursorSize), uint64(at.CreatedAt))
	return b.seal(append(raw, at.ID[:]...))
}

func (b binding) parse(text string) (*ndb.Cursor, error) {
	place, err := b.open(text)
	if err != nil {
		return nil, err
	}
	if len(place) != cursorSize-cursorSum || binary.BigEndian.Uint64(place) > latestTime {
		return nil, wrongCursor(text)
	}
	return &ndb.Cursor{CreatedAt: int64(binary.BigEndian.Uint64(place)), ID: nostr.ID(place[8:])}, nil
}

// parseRanked parses a cursor of a result that is ordered by score.
func (b binding) parseRanked(text string) (*ndb.RankCursor, error) {
	place, err := b.open(text)
	if err != nil {
		return nil, err
	}
	at := new(ndb.RankCursor)
	if err := at.UnmarshalBinary(place); err != nil {
		return nil, wrongCursor(text)
	}
	return at, nil
}

// cursorBehind is the cursor that continues after a note of the result.
func (r QueryResult) cursorBehind(n Note) string {
	if r.ranked != nil {
		i := slices.IndexFunc(r.ranked.Hits, func(h ndb.SearchHit) bool { return h.Event.ID.String() == n.NoteID })
		if i < 0 {
			return ""
		}
		place, err := r.ranked.Cursor(i).MarshalBinary()
		if err != nil {
			return ""
		}
		return r.bind.seal(place)
	}
	id, err := nostr.ParseID(n.NoteID)
	if err != nil {
		return ""
	}
	return r.bind.cursor(ndb.Cursor{CreatedAt: n.CreatedAtUnix, ID: id})
}
