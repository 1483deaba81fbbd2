package notesync

import (
	"cmp"
	"slices"
	"sync/atomic"

	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// span is a window of event time in unix seconds, both ends included.
type span struct{ from, to int64 }

func (s span) empty() bool { return s.from > s.to }

// gaps returns the parts of a window that intervals do not cover, the newest first.
func gaps(want span, have []coverage.Interval) []span {
	have = slices.Clone(have)
	slices.SortFunc(have, func(a, b coverage.Interval) int { return cmp.Compare(b.To, a.To) })
	var open []span
	for _, h := range have {
		if want.empty() {
			break
		}
		if h.To < want.from || h.From > want.to {
			continue
		}
		if h.To < want.to {
			open = append(open, span{h.To + 1, want.to})
		}
		want.to = min(want.to, h.From-1)
	}
	if !want.empty() {
		open = append(open, want)
	}
	return open
}

const day = 24 * 60 * 60

// from returns the windows without what is before earliest.
func from(ws []span, earliest int64) (cut []span) {
	for _, w := range ws {
		if w.from = max(w.from, earliest); !w.empty() {
			cut = append(cut, w)
		}
	}
	return cut
}

// windows divides a span into the windows that are filled one after another, newest first:
// days at first, so that a usable feed is there soon and a run that is stopped has little
// to ask again; then longer ones, since old notes are few.
func windows(all span) []span {
	var ws []span
	length := int64(day)
	for !all.empty() {
		w := span{max(all.from, all.to-length+1), all.to}
		ws = append(ws, w)
		all.to = w.from - 1
		if len(ws) >= 3 {
			length *= 2
		}
	}
	return ws
}

// clockSkew is by how many seconds the clocks of relays and authors may be off.
const clockSkew = 15 * 60

// settled returns what a ledger proves for good. When its newest seconds were confirmed,
// notes of that time may still have been on their way to the relay, so these are asked for
// again. A confirmation by a clock that was ahead proves nothing past its own time.
func settled(have []coverage.Interval, now int64) []coverage.Interval {
	have = sober(have, now+clockSkew)
	end := newest(have) - clockSkew
	var kept []coverage.Interval
	for _, h := range have {
		if h.To = min(h.To, end); h.From <= h.To {
			kept = append(kept, h)
		}
	}
	return kept
}

// sober removes what was confirmed later than now, or extends past it.
func sober(have []coverage.Interval, now int64) (kept []coverage.Interval) {
	for _, h := range have {
		if h.To > now {
			h.To = h.VerifiedAt
		}
		if h.VerifiedAt <= now && h.From <= h.To {
			kept = append(kept, h)
		}
	}
	return kept
}

// task is one window to fill for some authors at one relay.
type task struct {
	span    span
	authors []nostr.PubKey
	purpose coverage.Purpose
	depth   int           // how often it was halved
	asked   *int          // pages, halves included; nil before the first
	kinds   []uint16      // those to ask for
	part    bool          // kinds are only some of those that the window needs
	left    *atomic.Int64 // pages that it and others may still take; nil for any number
}

// plan groups the gaps of many authors into tasks: authors with the same gap are asked for
// together. Newest windows come first.
func plan(ws []span, purpose coverage.Purpose, authors []nostr.PubKey, have func(nostr.PubKey) []coverage.Interval) []task {
	byGap := map[span][]nostr.PubKey{}
	for _, w := range ws {
		for _, a := range authors {
			for _, g := range gaps(w, have(a)) {
				byGap[g] = append(byGap[g], a)
			}
		}
	}
	var tasks []task
	for s, who := range byGap {
		slices.SortFunc(who, byKey)
		for part := range slices.Chunk(who, perFilter) {
			tasks = append(tasks, task{span: s, authors: part, purpose: purpose})
		}
	}
	slices.SortFunc(tasks, func(a, b task) int {
		return cmp.Or(
			cmp.Compare(b.span.to, a.span.to),
			cmp.Compare(b.span.from, a.span.from),
			byKey(a.authors[0], b.authors[0]),
		)
	})
	return tasks
}
