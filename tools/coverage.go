package tools

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"strings"

	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

//go:embed coverage.md
var coverageDoc string

// CoverageArgs are the arguments of coverage.
type CoverageArgs struct {
	Since When `json:"since,omitempty" jsonschema:"inclusive; default: everything"`
	Until When `json:"until,omitempty" jsonschema:"inclusive; default: now"`
}

// CoverageSummary counts people by how complete their notes are in a time span. All
// counts are zero if nothing was ever synced; Note then says so.
type CoverageSummary struct {
	Sample      bool `json:"sample,omitempty"` // the notes are made up; Note says so
	Complete    int  `json:"complete"`
	Partly      int  `json:"partly"`
	Unreachable int  `json:"unreachable"` // nothing confirmed
	// OneRelay counts the complete for whom only one relay confirms it, although another was
	// asked for them too.
	OneRelay int `json:"one_relay,omitempty"`
	// RelaysAsked is how many relays were asked for the complete. What other relays hold is
	// unknown.
	RelaysAsked int `json:"relays_asked,omitempty"`
	// Lacking are the kinds that the relays of some of the partly complete leave out; of
	// these people, everything else is there. Unseen are the kinds of which the relays of
	// the complete never served an event by anybody: whether they would is unknown.
	Lacking []uint16 `json:"lacking_kinds,omitempty"`
	Unseen  []uint16 `json:"unseen_kinds,omitempty"`
	AsOf    string   `json:"as_of,omitempty"` // when the span of the complete was last verified; what reached a relay since, with an older date, may be missing
	// KnownUntil is up to when a span that began a few minutes ago was requested.
	KnownUntil string `json:"known_until,omitempty"`
	Note       string `json:"note,omitempty"` // if something is missing or nothing was ever synced
}

// PersonCoverage is how complete one person's notes are.
type PersonCoverage struct {
	PubKey string   `json:"pubkey"`
	Name   string   `json:"name"`
	State  string   `json:"state"`            // partly, unreachable
	Relays []string `json:"relays,omitempty"` // the relays that confirmed part of the span
	Asked  []string `json:"asked,omitempty"`  // the relays that are asked for this person, if known
	From   string   `json:"from,omitempty"`   // the newest part confirmed, within the span
	To     string   `json:"to,omitempty"`
	// Lacking are the kinds that are missing, of somebody who is incomplete for no other
	// reason: no relay that confirmed the span serves them.
	Lacking []uint16 `json:"lacking_kinds,omitempty"`
	// OwnLeftOut means that other relays confirmed the whole span, but none of this person's
	// write relays was asked for all of it.
	OwnLeftOut bool `json:"own_relays_not_asked,omitempty"`
}

// CoverageResult is the result of coverage.
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
		Scope:   Scope{Context: ScopeHome, Authors: len(home), Since: env.stampOr(from), Until: env.stampOr(to)},
		Summary: l.summary(),
		People:  []PersonCoverage{},
	}
	if l.nothingSynced || env.Sample {
		return res, nil
	}
	for _, p := range l.people {
		if p.verdict.State == coverage.Complete {
			continue
		}
		pc, err := p.view(ctx, env)
		if err != nil {
			return CoverageResult{}, err
		}
		res.People = append(res.People, pc)
	}
	return res, nil
}

// view shows one person's coverage.
func (p personLedger) view(ctx context.Context, env *Env) (PersonCoverage, error) {
	name, err := env.name(ctx, p.key)
	if err != nil {
		return PersonCoverage{}, err
	}
	v := p.verdict
	pc := PersonCoverage{PubKey: p.key.String(), Name: name, State: string(v.State), Relays: v.By, Asked: p.asked, Lacking: v.Lacking, OwnLeftOut: v.OwnLeftOut}
	if v.State == coverage.Partly {
		pc.From, pc.To = env.stamp(v.Newest.From), env.stamp(v.Newest.To)
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

// span is a time span with both ends included; nil is open.
type span struct{ from, to *int64 }

// ledger is what is recorded of how complete people's notes are.
type ledger struct {
	env           *Env
	people        []personLedger
	nothingSynced bool
}

type personLedger struct {
	key     nostr.PubKey
	asked   []string
	verdict coverage.Verdict
}

// ledger judges how complete people's notes are in a span.
func (env *Env) ledger(ctx context.Context, keys []nostr.PubKey, s span) (ledger, error) {
	now := env.Now().Unix()
	from, to := *cmp.Or(s.from, new(int64(0))), *cmp.Or(s.to, &now)
	l := ledger{env: env, people: make([]personLedger, 0, len(keys)), nothingSynced: true}
	for _, pk := range keys {
		if pk == env.Me && len(keys) > 1 {
			continue // the account itself does not count among those whom it follows
		}
		known, err := env.evidence(ctx, pk)
		if err != nil {
			return ledger{}, err
		}
		l.nothingSynced = l.nothingSynced && len(known.Rows) == 0
		l.people = append(l.people, personLedger{pk, known.Asked, known.Judge(from, to, now)})
	}
	if l.nothingSynced && env.Me != (nostr.PubKey{}) {
		// A sync that reached nobody has at least asked for the account.
		rows, err := env.Store.Coverage(ctx, env.Me, coverage.Profile)
		if err != nil {
			return ledger{}, fmt.Errorf("reading the coverage of the account: %w", err)
		}
		l.nothingSynced = len(rows) == 0
	}
	return l, nil
}

func (env *Env) evidence(ctx context.Context, pk nostr.PubKey) (known coverage.Evidence, err error) {
	if env.Kept != nil {
		if kept, ok := env.Kept.ledger.Load(pk); ok {
			return kept.(coverage.Evidence), nil
		}
	}
	if env.Evidence != nil {
		known, err = env.Evidence(ctx, pk)
	} else {
		known.Rows, err = env.Store.Confirmed(ctx, pk, coverage.Feed)
	}
	if err != nil {
		return known, fmt.Errorf("reading the coverage of %s: %w", pk, err)
	}
	if env.Kept != nil {
		env.Kept.ledger.Store(pk, known)
	}
	return known, nil
}

// sampleNote stands in for what relays confirmed, since none was asked.
const sampleNote = "This is the sample: its notes are made up, and no relay is asked."

func (l ledger) summary() CoverageSummary {
	if l.nothingSynced {
		return CoverageSummary{Note: "Nothing was ever synced: answers come from imported notes."}
	}
	if l.env.Sample {
		return CoverageSummary{Sample: true, Complete: len(l.people), Note: sampleNote}
	}
	verdicts := make([]coverage.Verdict, len(l.people))
	for i, p := range l.people {
		verdicts[i] = p.verdict
	}
	t := coverage.SumUp(verdicts)
	s := CoverageSummary{
		Complete: t.Complete, Partly: t.Partly, Unreachable: t.Nothing,
		OneRelay: t.OneRelay, RelaysAsked: t.Relays, Lacking: t.Lacking, Unseen: t.Unseen,
	}
	if t.AsOf > 0 {
		s.AsOf = l.env.stamp(t.AsOf)
	}
	if t.Until > 0 {
		s.KnownUntil = l.env.stamp(t.Until)
	}
	var gaps []string
	if n := t.Partly - t.ButKinds - t.OwnLeftOut; n > 0 {
		gaps = append(gaps, fmt.Sprintf("only part of this period was synced for %s", count(n, "person", "people")))
	}
	if n := t.ButKinds; n > 0 {
		gaps = append(gaps, fmt.Sprintf("everything except %s, which none of the queried relays serves, was synced for %s", nostr.KindsInWords(s.Lacking), count(n, "person", "people")))
	}
	if n := t.OwnLeftOut; n > 0 {
		gaps = append(gaps, fmt.Sprintf("none of the relays that %s to was asked for the whole period", count(n, "person writes", "people write")))
	}
	if n := t.Nothing; n > 0 {
		gaps = append(gaps, fmt.Sprintf("no relay confirmed any of it for %s", count(n, "person", "people")))
	}
	if len(gaps) > 0 {
		s.Note = fmt.Sprintf("Of %s: %s.", count(t.People, "person", "people"), strings.Join(gaps, "; "))
	}
	if s.KnownUntil != "" {
		s.Note = strings.TrimSpace(fmt.Sprintf("Known up to %s: nothing newer was requested yet. %s", s.KnownUntil, s.Note))
	}
	return s
}

// coverage returns the coverage that is part of the result of a selection.
func (s *selection) coverage(ctx context.Context, window span, found int) (CoverageSummary, error) {
	if len(s.watched) == 0 {
		return CoverageSummary{Note: "All stored notes were searched; there may be more elsewhere."}, nil
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
		sum.Note = "Nothing that matches is stored, but nothing was synced either: it is unknown whether anything was posted."
	case sum.Sample:
		sum.Note = "Nothing that matches is stored. " + sum.Note
	case sum.Partly+sum.Unreachable == 0:
		sum.Note = strings.TrimSpace("Nothing that matches is stored, and the queried relays report that they have no more from this period; other relays may. " + sum.Note)
	default:
		sum.Note = "Nothing that matches is stored, but it may just be missing here. " + sum.Note
	}
	return sum, nil
}

// count formats a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
