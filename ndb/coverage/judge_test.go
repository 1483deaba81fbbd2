package coverage

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestCoverageIsJudgedAsTheRulesSay holds Judge against the rules, said second by second,
// on ledgers as they come about: relays confirm stretches one after the other, each is
// put into the ledger as the store does it, and some by a clock that was ahead.
func TestCoverageIsJudgedAsTheRulesSay(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	met := map[string]int{}
	for i := range 10_000 {
		e, now := randomEvidence(rng)
		from := now - 2*settling + rng.Int64N(3*settling)
		to := from + []int64{0, 1, rng.Int64N(settling), 10 * settling}[rng.IntN(4)]
		if rng.IntN(8) == 0 {
			from, to = now+rng.Int64N(3)-1, now+settling
		}
		got, want := e.Judge(from, to, now), plainly(e, from, to, now)
		if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Fatalf("seed %d, ledger %d: of %d to %d at %d, with\n%+v\nit says\n%+v, want\n%+v", seed, i, from, to, now, e, got, want)
		}
		met[string(got.State)]++
		for what, is := range map[string]bool{
			"own left out": got.OwnLeftOut, "kinds lacking": len(got.Lacking) > 0, "alone": got.Alone,
			"kinds unseen": got.State == Complete && len(got.Unseen) > 0, "until": got.Until > 0, "clock ahead": got.AsOf > now,
		} {
			if is {
				met[what]++
			}
		}
	}
	for _, what := range []string{string(Complete), string(Partly), string(Nothing), "own left out", "kinds lacking", "alone", "kinds unseen", "until"} {
		if met[what] < 50 {
			t.Errorf("only %d of the ledgers were %q: %v", met[what], what, met)
		}
	}
	if met["clock ahead"] > 0 {
		t.Errorf("%d are complete as of a time to come", met["clock ahead"])
	}
}

// randomEvidence makes what four relays may have confirmed of one person by now: two of
// them the person's own, at times, and one that is not asked.
func randomEvidence(rng *rand.Rand) (e Evidence, now int64) {
	now = 20 * settling
	relays := []string{"wss://own.example", "wss://own2.example", "wss://base.example", "wss://gone.example"}
	for _, url := range relays {
		var list []Interval
		for at := now - 5*settling; rng.IntN(6) > 0; at += 1 + rng.Int64N(2*settling) {
			add := Interval{To: at - []int64{0, 0, 60}[rng.IntN(3)], VerifiedAt: at}
			add.From = add.To - []int64{0, 10, settling, 5 * settling, 9 * settling}[rng.IntN(5)]
			if rng.IntN(3) == 0 && len(list) > 0 {
				add.From = min(add.To, list[len(list)-1].To+[]int64{0, 1, 1, 2}[rng.IntN(4)])
			}
			if at > now && rng.IntN(10) > 0 {
				break // the others were confirmed by a clock that was ahead
			}
			list = Add(list, add)
		}
		for _, iv := range list {
			e.Rows = append(e.Rows, Row{Relay: url, Purpose: Feed, Interval: iv})
		}
	}
	slices.SortStableFunc(e.Rows, func(a, b Row) int { return slices.Index(relays, a.Relay) - slices.Index(relays, b.Relay) })
	e.Asked = [][]string{nil, {}, relays[:1], relays[:2], relays[:2], relays[2:3], relays[:3]}[rng.IntN(7)]
	e.Own = [][]string{nil, relays[:1], relays[:2]}[rng.IntN(3)]
	if rng.IntN(4) > 0 {
		lacking, unseen := map[string][]uint16{}, map[string][]uint16{}
		for _, url := range relays {
			lacking[url] = [][]uint16{nil, nil, {7}, {6, 7}}[rng.IntN(4)]
			unseen[url] = union(lacking[url], [][]uint16{nil, {1111}, {7}}[rng.IntN(3)])
		}
		e.Kinds = func(url string) (_, _ []uint16) { return slices.Clone(lacking[url]), slices.Clone(unseen[url]) }
	}
	return e, now
}

// plainly says the rules of Judge with no thought of cost.
func plainly(e Evidence, from, to, now int64) Verdict {
	v := Verdict{State: Nothing, Word: e.Asked}
	to = min(to, now)
	if from > to {
		return v // nobody was asked of what is to come
	}
	settled := max(from, min(to, now-settling))
	// seen holds when a relay confirmed each second; never where there is none.
	const never = -1
	seen := map[string][]int64{}
	for _, row := range e.Rows {
		if seen[row.Relay] == nil {
			seen[row.Relay] = slices.Repeat([]int64{never}, int(to-from)+1)
		}
		for s := max(from, row.Interval.From); s <= min(to, row.Interval.To) && row.Interval.VerifiedAt <= now+settling; s++ {
			seen[row.Relay][s-from] = row.Interval.VerifiedAt
		}
	}
	counts := e.Asked
	if counts == nil {
		for _, row := range e.Rows {
			if !slices.Contains(counts, row.Relay) {
				counts = append(counts, row.Relay)
			}
		}
	}
	all := func(url string) bool {
		return seen[url] != nil && !slices.Contains(seen[url][:settled-from+1], never)
	}
	var whole []string
	for _, url := range counts {
		held, newest := 0, Interval{}
		for s := from; s <= settled; s++ {
			if seen[url] == nil || seen[url][s-from] == never {
				continue
			}
			if held++; newest.To == 0 || newest.To < s-1 {
				newest.From = s
			}
			newest.To = s
		}
		if held == 0 {
			continue
		}
		v.State, v.By = Partly, append(v.By, url)
		v.Share = max(v.Share, float64(held)/float64(settled-from+1))
		if newest.To > v.Newest.To || newest.To == v.Newest.To && newest.From < v.Newest.From {
			v.Newest = newest
		}
		if all(url) {
			whole = append(whole, url)
		}
	}
	if e.Asked == nil {
		v.Word = v.By
	}
	if len(whole) == 0 {
		return v
	}
	ownSaid := len(e.Own) == 0
	for _, url := range e.Own {
		ownSaid = ownSaid || slices.Contains(e.Asked, url) || all(url)
	}
	if !ownSaid {
		v.OwnLeftOut = true
		return v
	}
	// Of each kind, by the relays that give it: how far, and as of when.
	var unseen []uint16
	asOf, until := now, to
	for _, kind := range []uint16{1, 6, 7, 1111} {
		var kindAsOf, kindUntil int64
		gives, none := 0, 0
		for _, url := range whole {
			if e.Kinds != nil {
				lacking, unseen := e.Kinds(url)
				if slices.Contains(unseen, kind) {
					none++
				}
				if slices.Contains(lacking, kind) {
					continue
				}
			}
			gives++
			kindAsOf = max(kindAsOf, from, min(now, slices.Min(seen[url][:settled-from+1])))
			last := slices.Index(append(slices.Clone(seen[url]), never), never)
			kindUntil = max(kindUntil, from+int64(last)-1)
		}
		if gives == 0 {
			v.Lacking = append(v.Lacking, kind)
			continue
		}
		if none == len(whole) {
			unseen = append(unseen, kind)
		}
		asOf, until = min(asOf, kindAsOf), min(until, kindUntil)
	}
	if len(v.Lacking) > 0 {
		return v
	}
	v.State, v.Unseen, v.AsOf, v.Alone = Complete, unseen, asOf, len(whole) == 1 && len(e.Asked) > 1
	if from > now-settling && until < to {
		v.Until = until
	}
	return v
}
