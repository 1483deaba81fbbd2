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

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// maxRanked is how many matching notes are ranked, from the newest on.
const maxRanked = 10_000

// RankOptions refine Ranked.
type RankOptions struct {
	Match func(*nostr.Event) bool // as in QueryOptions
	Limit int                     // of hits; at most 1,000
	After *RankCursor             // go on behind this place
}

// SearchHit is a note and its score.
type SearchHit struct {
	Event *nostr.Event
	Score float64
}

// RankedPage is a page of hits, best first.
type RankedPage struct {
	Hits []SearchHit
	More bool // others follow

	state rankState
}

// RankCursor is a position in a ranked answer. It holds what the scores depend on, so
// that the pages of one answer fit together whatever is stored meanwhile: notes that
// arrived after its first page are in none of them.
type RankCursor struct {
	state rankState
	score float64
	at    Cursor
}

// rankState is what scores depend on, and which notes are ranked.
type rankState struct {
	search.Weights
	below uint32 // note numbers from here on came later
}

// Cursor returns the position of a hit, to continue after it.
func (p *RankedPage) Cursor(hit int) *RankCursor {
	h := p.Hits[hit]
	return &RankCursor{p.state, h.Score, Cursor{h.Event.CreatedAt, h.Event.ID}}
}

// Ranked returns the notes that match a filter with a search text, best first by
// rankWeights; at equal scores newest first, then by lowest id. The filter's Limit is
// ignored. Of the notes that match, the newest 10,000 are ranked.
func (s *Store) Ranked(ctx context.Context, f nostr.Filter, opt RankOptions) (RankedPage, error) {
	page, err := s.ranked(ctx, f, opt)
	if err != nil {
		err = fmt.Errorf("rank: %w", err)
	}
	return page, err
}

func (s *Store) ranked(ctx context.Context, f nostr.Filter, opt RankOptions) (RankedPage, error) {
	const most = 1_000
	text, err := search.Read(f.Search, s.now())
	if err != nil {
		return RankedPage{}, err
	}
	r := ranking{limit: min(max(opt.Limit, 1), most), after: opt.After}
	if text != nil {
		r.units = text.Query.Units()
	}
	if opt.After != nil {
		if r.state = opt.After.state; len(r.state.Notes) != len(r.units) {
			return RankedPage{}, errors.New("the place is of another search")
		}
	} else if r.state, err = s.rankState(ctx, r.units); err != nil {
		return RankedPage{}, err
	}
	f.Limit = nil
	weighed := 0
	for e, err := range s.Query(ctx, QueryOptions{Match: opt.Match, below: r.state.below}, f) {
		if errors.Is(err, ErrDamaged) {
			continue // returned after everything that could be read
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

// rankState reads the statistics as they are now.
func (s *Store) rankState(ctx context.Context, units []*search.Node) (rankState, error) {
	state := rankState{Weights: search.Weights{Now: s.now()}}
	err := s.view(ctx, func(txn *badger.Txn) error {
		m, err := readMarks(txn)
		if err != nil {
			return err
		}
		state.below, state.Texts, state.Words = m.note, m.texts, m.words
		for _, n := range units {
			rarest := uint32(math.MaxUint32)
			for i := range n.Terms {
				notes, err := s.notesWith(ctx, txn, n, i)
				if err != nil {
					return err
				}
				rarest = min(rarest, notes)
			}
			state.Notes = append(state.Notes, rarest)
		}
		return ctx.Err()
	})
	return state, err
}

// notesWith counts the notes that have one of a unit's terms in the index.
func (s *Store) notesWith(ctx context.Context, txn *badger.Txn, n *search.Node, term int) (notes uint32, err error) {
	if n.Prefix && term == len(n.Terms)-1 {
		leaf := &leafRows{bits: make(map[uint32]*bitset)}
		if err = (&rowLoader{txn: txn, span: allSegments()}).prefix(ctx, n.Terms[term], leaf, nil); err != nil {
			return 0, err
		}
		err = s.times.with(ctx, &s.reads, func() {
			for segment, bits := range leaf.bits {
				bits.and((&evaluator{store: s, segment: segment}).everything())
				notes += uint32(bits.len())
			}
		})
		return notes, err
	}
	rows, err := segmentsOf(txn, wordPrefix(n.Terms[term]), allSegments(), nil)
	if err != nil {
		return 0, err
	}
	counted, err := s.countStored(ctx, rows)
	return uint32(counted), err
}

// ranking gathers the best hits.
type ranking struct {
	units []*search.Node
	state rankState
	limit int
	after *RankCursor
	hits  []SearchHit // unordered until there are twice as many as wanted
	worst float64     // no hit below it is wanted
	more  bool
}

// take ranks a note.
func (r *ranking) take(e *nostr.Event) {
	hit := SearchHit{e, r.state.Score(r.units, e)}
	if r.after != nil && compareHits(hit, SearchHit{&nostr.Event{CreatedAt: r.after.at.CreatedAt, ID: r.after.at.ID}, r.after.score}) <= 0 {
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
	return nostr.Compare(a.Event, b.Event)
}

// isDone reports whether neither the note nor an older one can score higher than the
// worst of a full page.
func (r *ranking) isDone(e *nostr.Event) bool {
	if r.worst == 0 {
		return false
	}
	if r.state.Most(r.units, e) >= r.worst {
		return false
	}
	r.more = true
	return true
}

// MarshalBinary encodes the position, so that others can keep it.
func (c *RankCursor) MarshalBinary() ([]byte, error) {
	be := binary.BigEndian
	raw := be.AppendUint64(nil, uint64(c.state.Now))
	raw = be.AppendUint32(raw, c.state.below)
	raw = be.AppendUint64(raw, c.state.Texts)
	raw = be.AppendUint64(raw, c.state.Words)
	raw = be.AppendUint64(raw, math.Float64bits(c.score))
	raw = be.AppendUint64(raw, uint64(c.at.CreatedAt))
	raw = append(raw, c.at.ID[:]...)
	for _, notes := range c.state.Notes {
		raw = be.AppendUint32(raw, notes)
	}
	return raw, nil
}

// UnmarshalBinary reads what MarshalBinary wrote. A caller that received it from outside
// makes sure that it was not altered; if it was, the worst result is a wrong order.
func (c *RankCursor) UnmarshalBinary(raw []byte) error {
	const fixed = 8 + 4 + 4*8 + 32
	if len(raw) < fixed || (len(raw)-fixed)%4 != 0 || (len(raw)-fixed)/4 > search.MaxLength { // every unit takes up at least one byte
		return errors.New("place of a ranked answer: wrong length")
	}
	be := binary.BigEndian
	c.state = rankState{search.Weights{Now: int64(be.Uint64(raw)), Texts: be.Uint64(raw[12:]), Words: be.Uint64(raw[20:])}, be.Uint32(raw[8:])}
	c.score, c.at.CreatedAt = math.Float64frombits(be.Uint64(raw[28:])), int64(be.Uint64(raw[36:]))
	copy(c.at.ID[:], raw[44:])
	for rest := raw[fixed:]; len(rest) > 0; rest = rest[4:] {
		c.state.Notes = append(c.state.Notes, be.Uint32(rest))
	}
	return nil
}
