// Package coverage judges how complete somebody's notes are. A relay that served
// everything it has of a person and a time span confirms an [Interval]; the store keeps
// these as [Row]s; and [Evidence] is the one place that judges what follows from them.
//
//	rows, err := store.Confirmed(ctx, author, coverage.Feed)
//	if err == nil {
//		verdict := coverage.Evidence{Rows: rows, Asked: relays}.Judge(from, to, now)
//		complete := verdict.State == coverage.Complete
//	}
package coverage

import (
	"math"
	"slices"
)

// settling is for how many seconds after its date a note may still be on its way to a
// relay: the newest minutes are never waited for.
const settling = 15 * 60

// Reach is how complete a person's notes of some time span are.
type Reach string

// The values of Reach.
const (
	Complete Reach = "complete"    // a relay that counts for them confirms that it has no more
	Partly   Reach = "partly"      // part of the span, or all of it except for what Verdict names
	Nothing  Reach = "unreachable" // nothing of the span
)

// Evidence is what is known of how complete one person's notes are.
type Evidence struct {
	Rows []Row // as Store.Confirmed returns them
	// Asked are the relays that count; nil if that is not known: then all relays that
	// confirmed anything count. Any other relay may well confirm that it has nothing of
	// somebody who does not write there.
	Asked []string
	Own   []string // the relays that the person writes to, if they name any
	// Kinds returns the kinds of events that a relay leaves out, and those of which it
	// never served one of anybody; nil if nothing is known about it.
	Kinds func(relay string) (lacking, unseen []uint16)
}

// Verdict is how complete a person's notes of some time span are according to the relays.
// What relays hold that were not asked is not known.
type Verdict struct {
	State  Reach
	Share  float64  // of the span, 0 to 1, by the relay that confirmed the most
	By     []string // the relays that confirmed part of the span, of those that count
	Word   []string // all that count
	Newest Interval // the newest part that was confirmed, within the span; only From and To are set

	// For a person who is Partly complete although the whole span was confirmed, one of
	// these says why.
	OwnLeftOut bool     // they write to relays none of which was asked or confirmed the whole span
	Lacking    []uint16 // the kinds that no relay serves that confirmed the whole span

	// The rest is for the complete.
	Alone  bool     // only one relay confirms it, though another was asked
	Unseen []uint16 // kinds of which none of those relays ever served an event of anybody: whether they would is not known
	AsOf   int64    // when the whole span was last verified: what reached a relay since, with an older date, may be missing
	// Until is set for a span that began within the last 15 minutes, the rest of which
	// has not been requested yet; else 0.
	Until int64
}

// Whole reports whether a relay confirmed the whole span, so that waiting adds nothing
// that is missing.
func (v *Verdict) Whole() bool { return v.State == Complete || v.OwnLeftOut || len(v.Lacking) > 0 }

// Judge returns how complete the person's notes are from one second to another, both
// included. What is ahead of now or still settling is not waited for, and a span that is
// entirely in the future is known of nobody. Each relay counts for what it holds: two
// halves by two relays are not a whole. What was confirmed while a clock was ahead counts
// for nothing.
func (e Evidence) Judge(from, to, now int64) Verdict {
	v := Verdict{State: Nothing, Word: e.Asked}
	end := min(to, now)
	if from > end {
		return v
	}
	to = max(from, min(end, now-settling))
	var whole []confirmation
	for _, w := range e.confirmations(e.Asked, from, to, now) {
		v.State = Partly
		v.By = append(v.By, w.relay)
		v.Share = max(v.Share, float64(w.held)/float64(to-from+1))
		if w.newest.To > v.Newest.To || w.newest.To == v.Newest.To && w.newest.From < v.Newest.From {
			v.Newest = w.newest
		}
		if w.held == to-from+1 {
			whole = append(whole, w)
		}
	}
	if e.Asked == nil {
		v.Word = v.By
	}
	if len(whole) == 0 {
		return v
	}
	if v.OwnLeftOut = e.ownLeftOut(from, to, now); v.OwnLeftOut {
		return v
	}
	e.byKind(&v, whole)
	if len(v.Lacking) > 0 {
		return Verdict{State: Partly, Share: v.Share, By: v.By, Word: v.Word, Newest: v.Newest, Lacking: v.Lacking}
	}
	v.State = Complete
	if v.Until >= end || from <= now-settling {
		v.Until = 0
	}
	return v
}

// confirmation is what one relay confirmed of a span.
type confirmation struct {
	relay  string
	held   int64    // seconds of it
	newest Interval // the last of its parts without a gap
	asOf   int64    // when the part confirmed longest ago was confirmed
	until  int64    // how far it continues, for a relay that confirmed everything
}

// confirmations returns what the given relays confirmed of a span, if anything; nil means
// all relays.
func (e Evidence) confirmations(relays []string, from, to, now int64) (all []confirmation) {
	var w confirmation
	var run Interval // of adjacent rows
	add := func() {
		if w.held > 0 {
			all = append(all, w)
		}
	}
	for _, row := range e.Rows {
		iv := row.Interval
		if relays != nil && !slices.Contains(relays, row.Relay) || iv.VerifiedAt > now+settling {
			continue
		}
		if row.Relay != w.relay {
			add()
			w, run = confirmation{relay: row.Relay, asOf: now}, iv
		}
		if iv.From > run.To+1 {
			run = iv
		}
		run.To = max(run.To, iv.To)
		if first, last := max(iv.From, from), min(iv.To, to); first <= last {
			w.held += last - first + 1
			w.newest = Interval{From: max(run.From, from), To: last}
			w.asOf = max(from, min(w.asOf, iv.VerifiedAt)) // a second is not confirmed before it is over
		}
		if run.From <= from {
			w.until = run.To
		}
	}
	add()
	return all
}

// ownLeftOut reports whether the person writes to relays none of which was asked or has
// confirmed the whole span: what others confirm then says nothing about what they wrote.
func (e Evidence) ownLeftOut(from, to, now int64) bool {
	return len(e.Own) > 0 &&
		!slices.ContainsFunc(e.Asked, func(url string) bool { return slices.Contains(e.Own, url) }) &&
		!slices.ContainsFunc(e.confirmations(e.Own, from, to, now), func(w confirmation) bool { return w.held == to-from+1 })
}

// byKind judges by the relays that confirmed the whole span, for each kind by those that
// serve it: all kinds together are no better than each of them.
func (e Evidence) byKind(v *Verdict, whole []confirmation) {
	var some []uint16
	lacking := make([][]uint16, len(whole))
	for i, w := range whole {
		var unseen []uint16
		if e.Kinds != nil {
			lacking[i], unseen = e.Kinds(w.relay)
		}
		some = union(some, lacking[i])
		if i == 0 {
			v.Unseen = union(nil, unseen)
		}
		v.Unseen = slices.DeleteFunc(v.Unseen, func(kind uint16) bool { return !slices.Contains(unseen, kind) })
	}
	v.Alone = len(whole) == 1 && len(e.Asked) > 1
	v.AsOf, v.Until = math.MaxInt64, math.MaxInt64
	v.restOn(whole)
	for _, kind := range some {
		var give []confirmation
		for i, w := range whole {
			if !slices.Contains(lacking[i], kind) {
				give = append(give, w)
			}
		}
		if len(give) == 0 {
			v.Lacking = append(v.Lacking, kind)
			continue
		}
		v.restOn(give)
	}
}

// restOn limits a verdict to what the best of some relays confirm.
func (v *Verdict) restOn(of []confirmation) {
	var asOf, until int64
	for _, w := range of {
		asOf, until = max(asOf, w.asOf), max(until, w.until)
	}
	v.AsOf, v.Until = min(v.AsOf, asOf), min(v.Until, until)
}

// Totals count people by their verdicts.
type Totals struct {
	People, Complete, Partly, Nothing int
	OwnLeftOut, ButKinds              int      // of Partly, those for whom the whole span was confirmed
	Lacking                           []uint16 // the kinds that some of ButKinds lack

	// The rest is for the complete.
	OneRelay int
	Relays   int // how many relays confirm it
	Unseen   []uint16
	AsOf     int64 // the earliest of them; 0 for nobody
	Until    int64 // likewise the first
}

// SumUp counts people by their verdicts.
func SumUp(all []Verdict) Totals {
	t := Totals{People: len(all)}
	relays := map[string]bool{}
	first := func(a, b int64) int64 {
		if a == 0 || b != 0 && b < a {
			return b
		}
		return a
	}
	for _, v := range all {
		switch {
		case v.State == Complete:
			t.Complete++
			if v.Alone {
				t.OneRelay++
			}
			for _, url := range v.Word {
				relays[url] = true
			}
			t.Unseen = union(t.Unseen, v.Unseen)
			t.AsOf, t.Until = first(t.AsOf, v.AsOf), first(t.Until, v.Until)
		case v.State == Nothing:
			t.Nothing++
		default:
			t.Partly++
			t.Lacking = union(t.Lacking, v.Lacking)
			if v.OwnLeftOut {
				t.OwnLeftOut++
			} else if len(v.Lacking) > 0 {
				t.ButKinds++
			}
		}
	}
	t.Relays = len(relays)
	return t
}

func union(a, b []uint16) []uint16 {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
