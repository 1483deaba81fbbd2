package ndb

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dgraph-io/badger/v4"
)

// How well a note fits is BM25 times how new it is:
//
//	score   = BM25 · (1/4 + 3/4 · 2^(−age/30 days))
//	BM25    = Σ idf · tf·2.2 / (tf + 1.2·(0.25 + 0.75·length/average length))
//	idf     = ln(1 + (texts − notes + 1/2) / (notes + 1/2))
//
// summed over the words, phrases and links of the query that no - stands before; tf
// is how often one stands in the note, notes in how many notes of the store it does
// (of a phrase: its rarest word), texts how many notes have text, length how many
// tokens one has. A query without words ranks by age alone. Equal scores come newest
// first, then by lowest id.
const (
	rankSaturation = 1.2
	rankLength     = 0.75
	rankHalfLife   = 30 * 24 * 3600
	rankFloor      = 0.25
	// maxRanked is how many matching notes are weighed, from the newest on.
	maxRanked = 10_000
)

// RankOptions refine Ranked.
type RankOptions struct {
	Match func(*Event) bool // as in QueryOptions
	Limit int               // of hits; at most 1,000
	After *RankCursor       // go on behind this place
}

// SearchHit is a note and how well it fits.
type SearchHit struct {
	Event *Event
	Score float64
}

// RankedPage is a page of hits, best first.
type RankedPage struct {
	Hits []SearchHit
	More bool // others follow

	state rankState
}

// RankCursor is a place in a ranked answer. It holds what the scores rest on, so that
// the pages of one answer fit together whatever is stored meanwhile: notes that came
// after its first page are in none of them.
type RankCursor struct {
	state rankState
	score float64
	at    Cursor
}

// rankState is what scores rest on.
type rankState struct {
	now          int64
	below        uint32 // note numbers from here on came later
	texts, words uint64
	notes        []uint32 // by unit of the query: how many have it
}

// Cursor returns the place of a hit, to go on behind it.
func (p *RankedPage) Cursor(hit int) *RankCursor {
	h := p.Hits[hit]
	return &RankCursor{p.state, h.Score, Cursor{h.Event.CreatedAt, h.Event.ID}}
}

// Ranked returns the notes that match a filter with a search text, best first; the
// formula stands at the top of rank.go. The filter's Limit is not looked at. Of the
// notes that match, the newest 10,000 are weighed.
func (s *Store) Ranked(ctx context.Context, f Filter, opt RankOptions) (RankedPage, error) {
	page, err := s.ranked(ctx, f, opt)
	if err != nil {
		err = fmt.Errorf("rank: %w", err)
	}
	return page, err
}

func (s *Store) ranked(ctx context.Context, f Filter, opt RankOptions) (RankedPage, error) {
	const most = 1_000
	text, err := readText(f.Search, s.now())
	if err != nil {
		return RankedPage{}, err
	}
	r := ranking{limit: min(max(opt.Limit, 1), most), after: opt.After}
	if text != nil {
		r.units = rankUnits(text.query.root)
	}
	if opt.After != nil {
		if r.state = opt.After.state; len(r.state.notes) != len(r.units) {
			return RankedPage{}, errors.New("the place is of another search")
		}
	} else if r.state, err = s.rankState(ctx, r.units); err != nil {
		return RankedPage{}, err
	}
	f.Limit = nil
	weighed := 0
	for e, err := range s.Query(ctx, QueryOptions{Match: opt.Match, below: r.state.below}, f) {
		if errors.Is(err, ErrDamaged) {
			continue // it comes after all that could be read
		}
		if err != nil {
			return RankedPage{}, err
		}
		if weighed++; weighed > maxRanked || r.isDone(e) {
			break
		}
		r.take(e)
	}
	return RankedPage{Hits: r.sorted(), More: r.more, state: r.state}, nil
}

// rankUnits are the leaves of a query that add to a score.
func rankUnits(root *searchNode) (units []*searchNode) {
	for n := range root.wanted() {
		if n.op == opWords || n.op == opLink || n.op == opTerm && n.terms[0][0] > ' ' {
			units = append(units, n)
		}
	}
	return units
}

// rankState reads the statistics as they are now.
func (s *Store) rankState(ctx context.Context, units []*searchNode) (rankState, error) {
	state := rankState{now: s.now()}
	err := s.view(ctx, func(txn *badger.Txn) error {
		m, err := readMarks(txn)
		if err != nil {
			return err
		}
		state.below, state.texts, state.words = m.note, m.texts, m.words
		for _, n := range units {
			rarest := uint32(math.MaxUint32)
			for i := range n.terms {
				notes, err := notesWith(ctx, txn, n, i)
				if err != nil {
					return err
				}
				rarest = min(rarest, notes)
			}
			state.notes = append(state.notes, rarest)
		}
		return ctx.Err()
	})
	return state, err
}

// notesWith counts the notes that the index has for one of a unit's terms.
func notesWith(ctx context.Context, txn *badger.Txn, n *searchNode, term int) (notes uint32, err error) {
	if n.prefix && term == len(n.terms)-1 {
		leaf := &leafRows{bits: make(map[uint32]*bitset)}
		err = (&rowLoader{txn: txn, span: allSegments()}).prefix(ctx, n.terms[term], leaf, nil)
		for _, bits := range leaf.bits {
			notes += uint32(bits.len())
		}
		return notes, err
	}
	rows, err := segmentsOf(txn, wordPrefix(n.terms[term]), allSegments(), nil)
	for _, row := range rows {
		notes += uint32(postingsLen(row))
	}
	return notes, err
}

// ranking gathers the best hits.
type ranking struct {
	units []*searchNode
	state rankState
	limit int
	after *RankCursor
	hits  []SearchHit // unordered until there are twice as many as wanted
	worst float64     // no hit below it is wanted
	more  bool
}

// take weighs a note.
func (r *ranking) take(e *Event) {
	hit := SearchHit{e, r.score(e)}
	if r.after != nil && compareHits(hit, SearchHit{&Event{CreatedAt: r.after.at.CreatedAt, ID: r.after.at.ID}, r.after.score}) <= 0 {
		return
	}
	if r.hits = append(r.hits, hit); len(r.hits) > 2*r.limit {
		r.hits = r.sorted()
	}
}

// sorted returns the best hits in order and forgets the others.
func (r *ranking) sorted() []SearchHit {
	slices.SortFunc(r.hits, compareHits)
	if len(r.hits) > r.limit {
		r.more = true
		r.hits = r.hits[:r.limit]
		r.worst = r.hits[r.limit-1].Score
	}
	return r.hits
}

func compareHits(a, b SearchHit) int {
	if c := cmp.Compare(b.Score, a.Score); c != 0 {
		return c
	}
	return compareEvents(a.Event, b.Event)
}

// isDone reports whether neither the note nor an older one can be better than the
// worst of a full page.
func (r *ranking) isDone(e *Event) bool {
	if r.worst == 0 {
		return false
	}
	best := 0.0
	for i := range r.units {
		best += r.idf(i) * (1 + rankSaturation)
	}
	if r.units == nil {
		best = 1
	}
	if r.freshness(e)*best >= r.worst {
		return false
	}
	r.more = true
	return true
}

func (r *ranking) idf(unit int) float64 {
	notes := float64(min(uint64(r.state.notes[unit]), r.state.texts))
	return math.Log(1 + (float64(r.state.texts)-notes+0.5)/(notes+0.5))
}

func (r *ranking) freshness(e *Event) float64 {
	age := float64(max(r.state.now-e.CreatedAt, 0))
	return rankFloor + (1-rankFloor)*math.Exp2(-age/rankHalfLife)
}

func (r *ranking) score(e *Event) float64 {
	if r.units == nil {
		return r.freshness(e)
	}
	d := &searchDoc{event: e}
	d.text()
	average := float64(max(r.state.words, 1)) / float64(max(r.state.texts, 1))
	norm := rankSaturation * (1 - rankLength + rankLength*float64(len(d.tokens))/average)
	sum := 0.0
	for i, n := range r.units {
		tf := float64(d.times(n))
		sum += r.idf(i) * tf * (1 + rankSaturation) / (tf + norm)
	}
	return sum * r.freshness(e)
}

// times counts how often a unit stands in the note.
func (d *searchDoc) times(n *searchNode) (times int) {
	if n.op == opWords {
		for at := d.place(n, 0); at >= 0; at = d.place(n, at+1) {
			times++
		}
		return times
	}
	text := searchText(d.event)
	for _, t := range d.tokens {
		if t.Kind == TokenHost && (n.op == opLink && n.isLinkAt(text, t) || n.op == opTerm && t.Term == n.terms[0]) {
			times++
		}
	}
	return times
}

// MarshalBinary writes the place, for a cursor that others keep.
func (c *RankCursor) MarshalBinary() ([]byte, error) {
	be := binary.BigEndian
	raw := be.AppendUint64(nil, uint64(c.state.now))
	raw = be.AppendUint32(raw, c.state.below)
	raw = be.AppendUint64(raw, c.state.texts)
	raw = be.AppendUint64(raw, c.state.words)
	raw = be.AppendUint64(raw, math.Float64bits(c.score))
	raw = be.AppendUint64(raw, uint64(c.at.CreatedAt))
	raw = append(raw, c.at.ID[:]...)
	for _, notes := range c.state.notes {
		raw = be.AppendUint32(raw, notes)
	}
	return raw, nil
}

// UnmarshalBinary reads what MarshalBinary wrote. Whoever takes it from elsewhere makes
// sure that it was not altered: nothing worse than a wrong order comes of it.
func (c *RankCursor) UnmarshalBinary(raw []byte) error {
	const fixed = 8 + 4 + 4*8 + 32
	if len(raw) < fixed || (len(raw)-fixed)%4 != 0 || (len(raw)-fixed)/4 > maxResolved { // no unit without a byte
		return errors.New("place of a ranked answer: wrong length")
	}
	be := binary.BigEndian
	c.state = rankState{
		now: int64(be.Uint64(raw)), below: be.Uint32(raw[8:]), texts: be.Uint64(raw[12:]), words: be.Uint64(raw[20:]),
	}
	c.score, c.at.CreatedAt = math.Float64frombits(be.Uint64(raw[28:])), int64(be.Uint64(raw[36:]))
	copy(c.at.ID[:], raw[44:])
	for rest := raw[fixed:]; len(rest) > 0; rest = rest[4:] {
		c.state.notes = append(c.state.notes, be.Uint32(rest))
	}
	return nil
}
