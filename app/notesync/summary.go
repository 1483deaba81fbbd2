package notesync

import (
	"context"
	"fmt"
	"slices"

	"bowerbird/ndb"
)

// Summary is what a run did, and what is known now.
type Summary struct {
	People      int `json:"people"`      // without the reader, unless there is nobody else
	Complete    int `json:"complete"`    // a relay that counts for them confirmed the whole time asked for
	Partly      int `json:"partly"`      // some of it, or all but for some kinds, or all by relays that are not theirs
	Unreachable int `json:"unreachable"` // nothing
	ButKinds    int `json:"-"`           // those of Partly of whom the whole time was confirmed: but for some kinds, or OwnLeftOut
	// OwnLeftOut are those of Partly who write to relays of their own, none of which was
	// asked, while others confirmed the whole time.
	OwnLeftOut int `json:"own_relays_not_asked,omitempty"`
	// RelaysAsked is by how many relays' word the complete are: all asked for them.
	RelaysAsked int           `json:"relays_asked,omitempty"`
	Relays      []RelayReport `json:"relays"`
	Stored      int           `json:"stored"`
}

// RelayReport is how it went with one relay.
type RelayReport struct {
	URL    string `json:"url"`
	State  string `json:"state"` // "done", "partly" (something was given up), "failed" (nothing could be had)
	Error  string `json:"error"` // in words; "" when done
	Events int    `json:"events"`
	Bytes  int64  `json:"bytes"`
	// Refused are the people of whom it answered no question, though it did others'.
	Refused []string `json:"refused,omitempty"`
	// Lacking are the kinds of a feed that it is known to leave out.
	Lacking []uint16 `json:"lacking_kinds,omitempty"`
}

// summary counts what the ledger holds for the time that the run was about.
func (r *run) summary(ctx context.Context, authors []ndb.PubKey) Summary {
	ctx = context.WithoutCancel(ctx) // a run that was stopped is summed up too
	if len(r.opt.Authors) == 0 && len(authors) > 1 {
		authors = slices.DeleteFunc(slices.Clone(authors), func(a ndb.PubKey) bool { return a == r.opt.Me })
	}
	s := Summary{People: len(authors), Stored: r.stored(), Relays: []RelayReport{}}
	asked := map[string]bool{}
	for _, a := range authors {
		switch r.covered(ctx, a, r.past()) {
		case "complete":
			s.Complete++
			for _, url := range r.counted(ctx, a) {
				asked[url] = true
			}
		case "partly":
			s.Partly++
		case "but kinds":
			s.Partly++
			s.ButKinds++
		case "but own":
			s.Partly++
			s.ButKinds++
			s.OwnLeftOut++
		default:
			s.Unreachable++
		}
	}
	s.RelaysAsked = len(asked)
	for _, url := range r.order {
		s.Relays = append(s.Relays, r.relayReport(r.links[url]))
	}
	return s
}

func (r *run) covered(ctx context.Context, author ndb.PubKey, want span) string {
	rows, err := r.opt.Store.Coverage(ctx, author, ndb.PurposeFeed)
	if err != nil {
		return ""
	}
	byRelay := map[string][]ndb.Interval{}
	for _, row := range rows {
		byRelay[row.Relay] = append(byRelay[row.Relay], row.Interval)
	}
	state := ""
	var whole []string
	for _, url := range r.counted(ctx, author) {
		open := gaps(want, byRelay[url])
		if len(open) == 0 {
			whole = append(whole, url)
		}
		if len(open) != 1 || open[0] != want {
			state = "partly"
		}
	}
	if len(whole) == 0 {
		return state
	}
	if lacking, _ := KindsLacking(ctx, r.opt.Store, whole); len(lacking) > 0 {
		return "but kinds"
	}
	if OwnLeftOut(ctx, r.opt.Store, author, want.from, want.to) {
		return "but own"
	}
	return "complete"
}

// counted returns the relays whose word counts for an author.
func (r *run) counted(ctx context.Context, author ndb.PubKey) []string {
	if urls := r.choice.counted[author]; urls != nil {
		return urls
	}
	return RelaysAsked(ctx, r.opt.Store, author) // the run ended before it chose
}

func (r *run) relayReport(l *link) RelayReport {
	stats := l.stats()
	rep := RelayReport{URL: l.url, State: "done", Events: stats.Events, Bytes: stats.Bytes}
	rep.Lacking = l.learnt.kinds.known().lacking()
	cause := r.reason(l.url)
	refused := l.learnt.refused()
	for _, pk := range refused {
		rep.Refused = append(rep.Refused, pk.String())
	}
	if cause == nil && l.stopped() {
		cause = context.Canceled
	}
	if cause != nil {
		rep.Error = inWords(cause)
		if ofTheQuestion(cause) && len(refused) > 0 {
			rep.Error = fmt.Sprintf("for %d of the people %s", len(refused), rep.Error)
		}
		rep.State = "partly"
		if stats.Events == 0 {
			rep.State = "failed"
		}
	}
	return rep
}
