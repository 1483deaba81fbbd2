package search

import (
	"math"

	"bowerbird/ndb/nostr"
)

// The score of a note is BM25 times how new it is:
//
//	score   = BM25 · (1/4 + 3/4 · 2^(−age/30 days))
//	BM25    = Σ idf · tf·2.2 / (tf + 1.2·(0.25 + 0.75·length/average length))
//	idf     = ln(1 + (texts − notes + 1/2) / (notes + 1/2))
//
// summed over the words, phrases and links of the query without a "-"; tf is how often
// one occurs in the note, notes in how many notes of the store it does (for a phrase: its
// rarest word), texts how many notes have text, length how many tokens the note has. A
// query without words ranks by age alone.
const (
	rankSaturation = 1.2
	rankLength     = 0.75
	rankHalfLife   = 30 * 24 * 3600
	rankFloor      = 0.25
)

// Weights are what the scores of one answer depend on.
type Weights struct {
	Now          int64    // unix seconds
	Texts, Words uint64   // notes with text, and the tokens of all of them
	Notes        []uint32 // by unit of the query: how many notes have it
}

// Score scores a note by the units of a query, as many as the weights have.
func (w *Weights) Score(units []*Node, e *nostr.Event) float64 {
	if units == nil {
		return w.freshness(e)
	}
	d := newDoc(e, nil)
	d.text()
	average := float64(max(w.Words, 1)) / float64(max(w.Texts, 1))
	norm := rankSaturation * (1 - rankLength + rankLength*float64(len(d.tokens))/average)
	sum := 0.0
	for i, n := range units {
		tf := float64(d.times(n))
		sum += w.idf(i) * tf * (1 + rankSaturation) / (tf + norm)
	}
	return sum * w.freshness(e)
}

// Most returns a score that neither a note nor an older one can exceed.
func (w *Weights) Most(units []*Node, e *nostr.Event) float64 {
	best := 0.0
	for i := range units {
		best += w.idf(i) * (1 + rankSaturation)
	}
	if units == nil {
		best = 1
	}
	return w.freshness(e) * best
}

func (w *Weights) idf(unit int) float64 {
	notes := float64(min(uint64(w.Notes[unit]), w.Texts))
	return math.Log(1 + (float64(w.Texts)-notes+0.5)/(notes+0.5))
}

func (w *Weights) freshness(e *nostr.Event) float64 {
	age := float64(max(w.Now-e.CreatedAt, 0))
	return rankFloor + (1-rankFloor)*math.Exp2(-age/rankHalfLife)
}

// times counts how often a unit occurs in the note.
func (d *doc) times(n *Node) (times int) {
	if n.Op == OpWords {
		for at := d.place(n, 0); at >= 0; at = d.place(n, at+1) {
			times++
		}
		return times
	}
	text := textOf(d.event)
	for _, t := range d.tokens {
		if t.Kind == TokenHost && (n.Op == OpLink && n.isLinkAt(text, t) || n.Op == OpTerm && t.Term == n.Terms[0]) {
			times++
		}
	}
	return times
}
