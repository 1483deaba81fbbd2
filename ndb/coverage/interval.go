package coverage

import (
	"cmp"
	"slices"

	"bowerbird/ndb/nostr"
)

// Purpose is what a coverage row covers.
type Purpose uint8

// The purposes.
const (
	Feed    Purpose = iota + 1 // the kinds of a person's feed
	Profile                    // kinds 0, 3, 10002 and other lists
	Inbox                      // what mentions a person
)

// Proof is how an interval was found to be complete.
type Proof uint8

// The proofs.
const (
	ProofEmpty  Proof = iota + 1 // the relay answered with an empty page at the bottom
	ProofFinish                  // the relay declared it (NIP-67)
	_                            // is in no ledger
	ProofSame                    // paged once, and later the relay's set was equal to ours (NIP-77)
)

// Interval is a span of event time, both ends included, that one relay confirmed.
type Interval struct {
	From, To   int64 // unix seconds
	VerifiedAt int64 // when it was confirmed
	Proof      Proof
}

// Row is one row of the ledger: a relay served everything it has of an author in an
// interval.
type Row struct {
	Author   nostr.PubKey
	Relay    string // normalised url
	Purpose  Purpose
	Interval Interval
}

// MaxIntervals is how many intervals of one author and relay are kept.
const MaxIntervals = 200

const sameTime = 3600 // seconds: neighbours confirmed within it are merged

// Add adds a newly confirmed interval to a sorted list without overlaps. Where it
// overlaps older ones it replaces them: it is the later confirmation. Neighbours that
// were confirmed at about the same time are merged, with the older time, so that the list
// stays short.
func Add(list []Interval, add Interval) []Interval {
	var out []Interval
	for _, old := range list {
		if left := (Interval{old.From, min(old.To, add.From-1), old.VerifiedAt, old.Proof}); left.From <= left.To {
			out = append(out, left)
		}
		if right := (Interval{max(old.From, add.To+1), old.To, old.VerifiedAt, old.Proof}); right.From <= right.To && right.From > add.To {
			out = append(out, right)
		}
	}
	out = append(out, add)
	slices.SortFunc(out, func(a, b Interval) int { return cmp.Compare(a.From, b.From) })
	out = Join(out, func(a, b Interval) bool { return abs(a.VerifiedAt-b.VerifiedAt) <= sameTime })
	if len(out) > MaxIntervals {
		out = Join(out, func(Interval, Interval) bool { return true })
	}
	if len(out) > MaxIntervals { // too many islands: the oldest are dropped, and requested again
		out = out[len(out)-MaxIntervals:]
	}
	return out
}

// Join merges intervals of a sorted list that touch, if may agrees.
func Join(list []Interval, may func(a, b Interval) bool) []Interval {
	var out []Interval
	for _, next := range list {
		if len(out) > 0 {
			if last := &out[len(out)-1]; next.From <= last.To+1 && may(*last, next) {
				*last = Interval{last.From, max(last.To, next.To), min(last.VerifiedAt, next.VerifiedAt), last.Proof}
				continue
			}
		}
		out = append(out, next)
	}
	return out
}

func abs(v int64) int64 { return max(v, -v) }
