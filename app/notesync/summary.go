package notesync

import (
	"context"
	"errors"
	"fmt"

	"bowerbird/app/netsafe"
	"bowerbird/app/relay"
	"bowerbird/ndb"
)

// Summary is what a run did, and what is known now.
type Summary struct {
	People      int           `json:"people"`
	Complete    int           `json:"complete"`    // a relay that counts for them confirmed the whole time asked for
	Partly      int           `json:"partly"`      // some of it
	Unreachable int           `json:"unreachable"` // nothing
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
}

// summary counts what the ledger holds for the time that the run was about.
func (r *run) summary(ctx context.Context, authors []ndb.PubKey) Summary {
	ctx = context.WithoutCancel(ctx) // a run that was stopped is summed up too
	s := Summary{People: len(authors), Stored: r.progress.Stored, Relays: []RelayReport{}}
	want := span{r.start - int64(r.opt.Days)*day, r.start}
	for _, a := range authors {
		switch r.covered(ctx, a, want) {
		case "complete":
			s.Complete++
		case "partly":
			s.Partly++
		default:
			s.Unreachable++
		}
	}
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
	for _, url := range r.choice.counted[author] {
		open := gaps(want, byRelay[url])
		if len(open) == 0 {
			return "complete"
		}
		if len(open) != 1 || open[0] != want {
			state = "partly"
		}
	}
	return state
}

func (r *run) relayReport(l *link) RelayReport {
	stats := l.close()
	rep := RelayReport{URL: l.url, State: "done", Events: stats.Events, Bytes: stats.Bytes}
	if cause := r.reasons[l.url]; cause != nil {
		rep.Error = inWords(cause)
		rep.State = "partly"
		if stats.Events == 0 {
			rep.State = "failed"
		}
	}
	return rep
}

// inWords says why a relay failed to a person who never heard of frames.
func inWords(err error) string {
	var (
		web   *netsafe.Error
		wrong *relay.Error
	)
	switch {
	case errors.Is(err, context.Canceled):
		return "the sync was stopped"
	case errors.As(err, &wrong):
		return relayWords(wrong)
	case errors.As(err, &web):
		return webWords(web)
	}
	return err.Error()
}

func relayWords(e *relay.Error) string {
	detail := ""
	if e.Detail != "" {
		detail = ": " + e.Detail
	}
	switch e.Kind {
	case relay.Rejected:
		switch e.Prefix {
		case "auth-required":
			return "it wants a login, which Bowerbird does not do yet"
		case "restricted":
			return "it does not serve everybody" + detail
		case "rate-limited":
			return "it asked for fewer questions" + detail
		}
		return "it refused to answer" + detail
	case relay.NoReply, relay.Silent, relay.Stalled, relay.TooLong:
		return "it stopped answering"
	case relay.Lost:
		return "the connection was lost"
	case relay.Misbehaved:
		return "it sent too much that is not valid" + detail
	case relay.Overrun, relay.Unruly:
		return "it sent more than was asked for"
	case relay.Frame:
		return "it sent what no relay should" + detail
	case relay.TooLarge:
		return "our questions are too long for it"
	}
	return string(e.Kind) + detail
}

func webWords(e *netsafe.Error) string {
	switch e.Kind {
	case netsafe.Offline:
		return "this computer is offline"
	case netsafe.DNS:
		return "no such address"
	case netsafe.TLS:
		return "its certificate is not valid"
	case netsafe.Refused:
		return "its address is not permitted" + cause(e)
	case netsafe.Unreachable:
		return "nobody answers at its address"
	case netsafe.Timeout:
		return "it did not answer in time"
	case netsafe.Status:
		return fmt.Sprintf("it answered with status %d", e.Status)
	}
	return string(e.Kind) + cause(e)
}

func cause(e *netsafe.Error) string {
	if e.Err == nil {
		return ""
	}
	return ": " + e.Err.Error()
}
