package notesync

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"bowerbird/app/relay"
	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
	"bowerbird/netsafe"
)

// Summary is the result of a run and the coverage after it.
type Summary struct {
	People      int `json:"people"` // without the account, unless there is nobody else
	Complete    int `json:"complete"`
	Partly      int `json:"partly"`
	Unreachable int `json:"unreachable"`
	ButKinds    int `json:"-"` // of Partly, those whose whole window was confirmed except for what waiting does not bring
	// OwnLeftOut counts those of Partly who have write relays of their own, none of which
	// was asked for the whole window, while others confirmed it.
	OwnLeftOut int `json:"own_relays_not_asked,omitempty"`
	// RelaysAsked is how many relays the complete depend on.
	RelaysAsked int           `json:"relays_asked,omitempty"`
	Relays      []RelayReport `json:"relays"`
	Stored      int           `json:"stored"`
}

// RelayReport is the result of a run at one relay.
type RelayReport struct {
	URL    string `json:"url"`
	State  string `json:"state"` // "done", "partly" (something was given up), "failed" (nothing was fetched)
	Error  string `json:"error"` // in words; "" if done
	Events int    `json:"events"`
	Bytes  int64  `json:"bytes"`
	// Refused are the people about whom it answers no questions, though it does about
	// others.
	Refused []nostr.PubKey `json:"refused,omitempty"`
	// Missing are the kinds of the feed that it is known to leave out.
	Missing []uint16 `json:"lacking_kinds,omitempty"`
}

func (r *run) summary(ctx context.Context, authors []nostr.PubKey) (Summary, error) {
	ctx = context.WithoutCancel(ctx) // a run that was stopped has a summary too
	if len(r.opt.Authors) == 0 && len(authors) > 1 {
		authors = slices.DeleteFunc(slices.Clone(authors), func(a nostr.PubKey) bool { return a == r.opt.Me })
	}
	now := r.opt.Now().Unix()
	verdicts := make([]coverage.Verdict, len(authors))
	for i, a := range authors {
		known, err := Evidence(ctx, r.opt.Store, a)
		if err != nil {
			return Summary{}, err
		}
		verdicts[i] = known.Judge(r.past().from, now, now)
	}
	t := coverage.SumUp(verdicts)
	s := Summary{
		People: t.People, Complete: t.Complete, Partly: t.Partly, Unreachable: t.Nothing, ButKinds: t.ButKinds + t.OwnLeftOut,
		OwnLeftOut: t.OwnLeftOut, RelaysAsked: t.Relays, Stored: r.stored(), Relays: []RelayReport{},
	}
	for _, url := range r.order {
		s.Relays = append(s.Relays, r.relayReport(r.links[url]))
	}
	return s, nil
}

func (r *run) relayReport(l *link) RelayReport {
	stats := l.stats()
	rep := RelayReport{URL: l.url, State: "done", Events: stats.Events, Bytes: stats.Bytes}
	rep.Missing = l.learned.kinds.known().leftOut()
	cause := r.reason(l.url)
	rep.Refused = l.learned.refused()
	if cause == nil && l.stopped() {
		cause = context.Canceled
	}
	if cause != nil {
		rep.Error = inWords(cause)
		if refusedThisQuery(cause) && len(rep.Refused) > 0 {
			rep.Error = fmt.Sprintf("for %d of the people %s", len(rep.Refused), rep.Error)
		}
		rep.State = "partly"
		if stats.Events == 0 {
			rep.State = "failed"
		}
	}
	return rep
}

// askedBucket holds for each author the relays that count for their coverage, so that
// coverage can be judged without a sync.
const askedBucket = "sync-asked"

// SaveAsked saves which relays count for whose coverage.
func SaveAsked(ctx context.Context, s *ndb.Store, asked map[nostr.PubKey][]string) error {
	values := make(map[string][]byte, len(asked))
	for a, urls := range asked {
		raw, err := json.Marshal(urls)
		if err != nil {
			return err
		}
		values[a.String()] = raw
	}
	if err := s.Bucket(askedBucket).Put(ctx, values); err != nil {
		return fmt.Errorf("saving the choice of relays: %w", err)
	}
	return nil
}

// RelaysAsked returns the relays that count for an author's coverage; none if the author
// was never synced.
func RelaysAsked(ctx context.Context, s *ndb.Store, author nostr.PubKey) []string {
	raw, err := s.Bucket(askedBucket).Get(ctx, author.String())
	if err != nil {
		return nil
	}
	var urls []string
	if json.Unmarshal(raw, &urls) != nil {
		return nil
	}
	return urls
}

// Evidence returns what is known about the coverage of an author's notes.
func Evidence(ctx context.Context, s *ndb.Store, author nostr.PubKey) (coverage.Evidence, error) {
	rows, err := s.Confirmed(ctx, author, coverage.Feed)
	if err != nil {
		return coverage.Evidence{}, fmt.Errorf("reading how complete notes are: %w", err)
	}
	e := coverage.Evidence{Rows: rows, Asked: RelaysAsked(ctx, s, author)}
	for _, url := range ListedRelays(ctx, s, author, "write") {
		if normal, err := relay.ParseURL(url, netsafe.Policy{AllowPrivate: true}); err == nil {
			e.Own = append(e.Own, normal)
		}
	}
	kinds := map[string]keptKinds{}
	for _, row := range rows {
		if _, read := kinds[row.Relay]; !read {
			kinds[row.Relay] = readKinds(ctx, s, row.Relay)
		}
	}
	e.Kinds = func(relay string) (missing, unseen []uint16) {
		k := kinds[relay]
		return k.leftOut(), slices.Concat(k.Silent, k.Refused)
	}
	return e, ctx.Err() // after the end of ctx, rows that could not be read would count as missing
}
