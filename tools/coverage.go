package tools

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"bowerbird/ndb"
)

//go:embed coverage.md
var coverageDoc string

func coverageTool() Tool { return New("coverage", coverageDoc, None, runCoverage) }

// settling is how long after its time a note may still reach a relay: the newest
// minutes are never waited for.
const settling = 15 * time.Minute

// The states of a person's notes in a window.
const (
	stateComplete    = "complete"
	statePartly      = "partly"
	stateUnreachable = "unreachable"
)

// CoverageArgs are the arguments of coverage.
type CoverageArgs struct {
	Since When `json:"since,omitempty" jsonschema:"inclusive; default: everything"`
	Until When `json:"until,omitempty" jsonschema:"inclusive; default: now"`
}

// CoverageSummary counts people by how complete their notes are in a window.
// All are zero when nothing was ever synced; Note then says so.
type CoverageSummary struct {
	Complete    int `json:"complete"`
	Partly      int `json:"partly"`
	Unreachable int `json:"unreachable"` // nothing confirmed
	// OneRelay are those of the complete for whom it is one relay's word alone: another
	// was asked for them too, and did not confirm it.
	OneRelay int `json:"one_relay,omitempty"`
	// RelaysAsked is by how many relays' word the complete are called that: all that were
	// asked for them. What other relays hold, nobody knows.
	RelaysAsked int `json:"relays_asked,omitempty"`
	// Lacking are the kinds that the relays of some of the partly leave out; but for them
	// all is there. Unseen are those of which the relays of the complete never gave an
	// event to anybody: whether they would, nobody can tell.
	Lacking []uint16 `json:"lacking_kinds,omitempty"`
	Unseen  []uint16 `json:"unseen_kinds,omitempty"`
	AsOf    string   `json:"as_of,omitempty"` // when the time of the complete was last looked through: what reached a relay since, with an older date, may be missing
	Note    string   `json:"note,omitempty"`  // in words, when something is missing or nothing was ever synced
}

// PersonCoverage is how complete one person's notes are.
type PersonCoverage struct {
	PubKey string   `json:"pubkey"`
	Name   string   `json:"name"`
	State  string   `json:"state"`            // complete, partly, unreachable
	Relays []string `json:"relays,omitempty"` // that confirmed something of the window
	Asked  []string `json:"asked,omitempty"`  // that are asked for this person, where known
	From   string   `json:"from,omitempty"`   // the newest part confirmed, within the window
	To     string   `json:"to,omitempty"`
	// Lacking are the only kinds that are missing, for somebody who is not complete for
	// no other reason: no relay that confirmed the rest gives them.
	Lacking []uint16 `json:"lacking_kinds,omitempty"`
	// OwnLeftOut says that other relays confirmed all of it, but none of those that this
	// person writes to was asked.
	OwnLeftOut bool `json:"own_relays_not_asked,omitempty"`
}

// CoverageResult is the answer of coverage.
type CoverageResult struct {
	Scope   Scope            `json:"scope"`
	Summary CoverageSummary  `json:"summary"`
	People  []PersonCoverage `json:"people"` // all who are not complete
}

func runCoverage(ctx context.Context, env *Env, a CoverageArgs) (CoverageResult, error) {
	ctx, cancel := env.bounded(ctx)
	defer cancel()
	from, to, err := env.times(a.Since, a.Until)
	if err != nil {
		return CoverageResult{}, err
	}
	home, listed, err := env.home(ctx)
	if err != nil {
		return CoverageResult{}, err
	}
	if !listed {
		return CoverageResult{}, noContactList(env)
	}
	l, err := env.ledger(ctx, home, span{from, to})
	if err != nil {
		return CoverageResult{}, err
	}
	res := CoverageResult{
		Scope:   Scope{Context: contextHome, Authors: len(home), Since: env.stampOr(from), Until: env.stampOr(to)},
		Summary: l.summary(),
		People:  []PersonCoverage{},
	}
	if l.nothingSynced {
		return res, nil
	}
	names := env.nameBook()
	for _, p := range l.people {
		if p.state == stateComplete {
			continue
		}
		pc, err := p.view(ctx, env, names)
		if err != nil {
			return CoverageResult{}, err
		}
		res.People = append(res.People, pc)
	}
	return res, nil
}

// view shows one person's coverage.
func (p personLedger) view(ctx context.Context, env *Env, names *nameBook) (PersonCoverage, error) {
	name, err := names.of(ctx, p.key)
	if err != nil {
		return PersonCoverage{}, err
	}
	pc := PersonCoverage{PubKey: p.key.String(), Name: name, State: p.state, Relays: p.relays, Lacking: p.lacking, OwnLeftOut: p.ownLeftOut}
	if env.RelaysAsked != nil {
		pc.Asked = env.RelaysAsked(p.key)
	}
	if p.state == statePartly {
		pc.From, pc.To = env.stamp(p.part.From), env.stamp(p.part.To)
	}
	return pc, nil
}

// ForModel implements Result.
func (r CoverageResult) ForModel(limit int) string {
	type person struct {
		Name  string `json:"name"`
		State string `json:"state"`
		From  string `json:"from,omitempty"`
		To    string `json:"to,omitempty"`
	}
	return Fit(limit, len(r.People), func(show, text int) any {
		people := make([]person, 0, show)
		for _, p := range r.People[:show] {
			people = append(people, person{clip(p.Name, 40), p.State, p.From, p.To})
		}
		return struct {
			Scope   Scope           `json:"scope"`
			Summary CoverageSummary `json:"summary"`
			People  []person        `json:"people"`
			LeftOut int             `json:"left_out,omitempty"`
		}{r.Scope, r.Summary, people, r.Summary.Partly + r.Summary.Unreachable - show}
	})
}

// span is a time with both ends included; nil is open.
type span struct{ from, to *int64 }

// ledger is what the store can say about how complete people's notes are.
type ledger struct {
	people        []personLedger
	nothingSynced bool
	asOf          string // when those complete were last looked through, the longest ago of them; "" for nobody
}

type personLedger struct {
	key             ndb.PubKey
	state           string
	relays          []string
	whole           []string     // of them those that confirmed all of it
	asked           []string     // whose word counts: those chosen, else those that gave it
	ownLeftOut      bool         // complete by the word of others, but no relay of theirs was asked
	alone           bool         // complete by one relay's word, though another was chosen
	lacking, unseen []uint16     // kinds that whole leave out, or never had
	part            ndb.Interval // the newest part confirmed
	asOf            int64        // when the whole window was last confirmed, by the relay that did it last; for the complete
}

// ledger reads the coverage rows of people for a window.
func (env *Env) ledger(ctx context.Context, keys []ndb.PubKey, s span) (ledger, error) {
	from, to := env.windowOf(s)
	l := ledger{people: make([]personLedger, 0, len(keys)), nothingSynced: true}
	oldest := int64(math.MaxInt64)
	for _, pk := range keys {
		if pk == env.Me && len(keys) > 1 {
			continue // it says it of the people they follow
		}
		said, err := env.confirmed(ctx, pk)
		if err != nil {
			return ledger{}, err
		}
		rows, asked := said.rows, said.asked
		l.nothingSynced = l.nothingSynced && len(rows) == 0
		p := personIn(pk, counting(rows, asked), from, to)
		if env.KindsLacking != nil && p.state == stateComplete {
			if p.lacking, p.unseen = env.KindsLacking(p.whole); len(p.lacking) > 0 {
				p.state = statePartly
			}
		}
		if p.state == stateComplete && env.OwnLeftOut != nil && env.OwnLeftOut(pk, from, to) {
			p.state, p.ownLeftOut = statePartly, true
		}
		if p.asked = asked; asked == nil {
			p.asked = p.relays
		}
		p.alone = p.state == stateComplete && oneWord(rows, asked, from, to)
		l.people = append(l.people, p)
		if p.state == stateComplete && p.asOf < oldest {
			oldest = p.asOf
			l.asOf = env.stamp(oldest)
		}
	}
	if l.nothingSynced && env.Me != (ndb.PubKey{}) {
		// A sync that reached nobody has at least asked for the reader.
		rows, err := env.Store.Coverage(ctx, env.Me, ndb.PurposeProfile)
		if err != nil {
			return ledger{}, fmt.Errorf("read coverage of the reader: %w", err)
		}
		l.nothingSynced = len(rows) == 0
	}
	return l, nil
}

// confirmed is what relays confirmed of a person, and which are asked for them.
type confirmed struct {
	rows  []ndb.Coverage
	asked []string
}

func (env *Env) confirmed(ctx context.Context, pk ndb.PubKey) (confirmed, error) {
	if env.Kept != nil {
		if c, ok := env.Kept.ledger.Load(pk); ok {
			return c.(confirmed), nil
		}
	}
	rows, err := env.Store.Confirmed(ctx, pk, ndb.PurposeFeed)
	if err != nil {
		return confirmed{}, fmt.Errorf("read coverage of %s: %w", pk, err)
	}
	c := confirmed{rows: rows}
	if env.RelaysAsked != nil {
		c.asked = env.RelaysAsked(pk)
	}
	if env.Kept != nil {
		env.Kept.ledger.Store(pk, c)
	}
	return c, nil
}

// LookedThrough returns when all of a person's window was last confirmed, unix seconds,
// and whether that is the word of one relay alone, though another is asked for them too;
// zeros when it was not. rows are those of ndb.Store.Confirmed, and asked the relays whose
// word counts for the person; nil where that is not known.
func LookedThrough(rows []ndb.Coverage, asked []string, from, to int64) (asOf int64, alone bool) {
	p := personIn(ndb.PubKey{}, counting(rows, asked), from, to)
	return p.asOf, p.state == stateComplete && oneWord(rows, asked, from, to)
}

// counting keeps the rows of the relays whose word counts for a person, where it
// is known which do. Another relay may well confirm that it has nothing of them.
func counting(rows []ndb.Coverage, asked []string) []ndb.Coverage {
	if asked == nil {
		return rows
	}
	return slices.DeleteFunc(slices.Clone(rows), func(row ndb.Coverage) bool { return !slices.Contains(asked, row.Relay) })
}

// oneWord reports whether only one relay confirmed all of a person's window, though
// more than one was chosen for them.
func oneWord(rows []ndb.Coverage, asked []string, from, to int64) bool {
	if len(asked) < 2 {
		return false
	}
	byRelay := map[string][]ndb.Coverage{}
	for _, row := range rows {
		byRelay[row.Relay] = append(byRelay[row.Relay], row)
	}
	whole := 0
	for _, of := range byRelay {
		if personIn(ndb.PubKey{}, of, from, to).state == stateComplete {
			whole++
		}
	}
	return whole == 1
}

// windowOf closes a window's open ends. What lies ahead, or has not settled, is
// not asked of any relay.
func (env *Env) windowOf(s span) (from, to int64) {
	to = env.Now().Add(-settling).Unix()
	if s.to != nil {
		to = min(to, *s.to)
	}
	if s.from != nil {
		from = *s.from
	}
	return from, max(from, to)
}

// personIn judges the rows of one person, sorted by relay and time: complete when one
// relay alone confirmed all of the window, since each relay answers only for what it
// holds.
func personIn(pk ndb.PubKey, rows []ndb.Coverage, from, to int64) personLedger {
	p := personLedger{key: pk, state: stateUnreachable}
	var run ndb.Interval // of rows that follow upon each other
	for i, row := range rows {
		iv := row.Interval
		if i > 0 && rows[i-1].Relay == row.Relay && iv.From == run.To+1 {
			iv.From = run.From
			if run.To >= from {
				iv.VerifiedAt = min(iv.VerifiedAt, run.VerifiedAt)
			}
		}
		run = iv
		if iv.To < from || iv.From > to {
			continue
		}
		if !slices.Contains(p.relays, row.Relay) {
			p.relays = append(p.relays, row.Relay)
		}
		if iv.From <= from && iv.To >= to && row.Interval.From <= to {
			p.state = stateComplete
			if !slices.Contains(p.whole, row.Relay) {
				p.whole = append(p.whole, row.Relay)
			}
			p.asOf = max(p.asOf, iv.VerifiedAt)
		} else if p.state == stateUnreachable {
			p.state = statePartly
		}
		if iv.To > p.part.To {
			p.part = ndb.Interval{From: max(iv.From, from), To: min(iv.To, to)}
		}
	}
	return p
}

func (l ledger) summary() CoverageSummary {
	var s CoverageSummary
	if l.nothingSynced {
		s.Note = "Nothing was synced: answers come from what was imported."
		return s
	}
	kinds, leftOut := 0, 0 // people of whom only some kinds are missing, or only their own relays' word
	var relays []string
	for _, p := range l.people {
		switch p.state {
		case stateComplete:
			s.Complete++
			relays = append(relays, p.asked...)
			s.Unseen = union(s.Unseen, p.unseen)
			if p.alone {
				s.OneRelay++
			}
		case statePartly:
			s.Partly++
			switch {
			case len(p.lacking) > 0:
				kinds++
				s.Lacking = union(s.Lacking, p.lacking)
			case p.ownLeftOut:
				leftOut++
			}
		default:
			s.Unreachable++
		}
	}
	s.AsOf = l.asOf
	slices.Sort(relays)
	s.RelaysAsked = len(slices.Compact(relays))
	var gaps []string
	if n := s.Partly - kinds - leftOut; n > 0 {
		gaps = append(gaps, fmt.Sprintf("only a part of this time was synced for %s", count(n, "person", "people")))
	}
	if kinds > 0 {
		gaps = append(gaps, fmt.Sprintf("all but events of %s, which no relay asked gives, was synced for %s", kindsInWords(s.Lacking), count(kinds, "person", "people")))
	}
	if leftOut > 0 {
		gaps = append(gaps, fmt.Sprintf("none of their own relays was asked for %s", count(leftOut, "person", "people")))
	}
	if s.Unreachable > 0 {
		gaps = append(gaps, fmt.Sprintf("nothing of it was confirmed for %s", count(s.Unreachable, "person", "people")))
	}
	if len(gaps) > 0 {
		s.Note = fmt.Sprintf("Of %s: %s.", count(len(l.people), "person", "people"), strings.Join(gaps, "; "))
	}
	return s
}

func union(a, b []uint16) []uint16 {
	all := append(slices.Clone(a), b...)
	slices.Sort(all)
	return slices.Compact(all)
}

// kindsInWords names kinds: "kind 6", "kinds 6 and 7".
func kindsInWords(kinds []uint16) string {
	words := make([]string, len(kinds))
	for i, kind := range kinds {
		words[i] = fmt.Sprint(kind)
	}
	last := len(words) - 1
	if last == 0 {
		return "kind " + words[0]
	}
	return "kinds " + strings.Join(words[:last], ", ") + " and " + words[last]
}

// coverage is the statement that goes with a selection's answer.
func (s *selection) coverage(ctx context.Context, window span, found int) (CoverageSummary, error) {
	if len(s.watched) == 0 {
		return CoverageSummary{Note: "All stored notes were searched; nothing tells whether there are more elsewhere."}, nil
	}
	l, err := s.env.ledger(ctx, s.watched, window)
	if err != nil {
		return CoverageSummary{}, err
	}
	sum := l.summary()
	if found > 0 {
		return sum, nil
	}
	switch {
	case l.nothingSynced:
		sum.Note = "Nothing is stored for this, and nothing was synced: that says nothing about what was posted."
	case sum.Partly+sum.Unreachable == 0:
		sum.Note = "Nothing is stored that matches, and the relays asked say that they have no more of this time; other relays may."
	default:
		sum.Note = "Nothing is stored that matches, but it may only be missing here. " + sum.Note
	}
	return sum, nil
}

// count writes a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
