// Package notesync decides what to ask which relay, so that the notes of the people whom an
// account follows arrive, newest first, and so that it is known which windows of time are
// complete.
//
// A run has stages. It finds the account's own lists, then the names and relay lists of the
// people followed; chooses up to twenty relays that together serve everybody (relays.go);
// opens live subscriptions there (live.go); and fills the windows that the coverage ledger
// does not confirm yet (gaps.go, fill.go), each until a page shows that nothing is left.
// Last it fetches the notes that stored ones refer to, and the names of their authors and
// of people mentioned (context.go).
//
// A note may reach a relay long after its date. So live subscriptions start in the past,
// and what was confirmed is confirmed again from time to time (recheck.go): by one
// comparison of sets where a relay can do that (compare.go), and after a week, or where it
// cannot, by pages. Complete therefore always means: as of the last confirmation, whose
// time the ledger records.
//
// It promises that an interval is written into the ledger only once a relay has shown that
// it has nothing more there, and never before its notes, and what is known of kinds that
// the relay leaves out, are on disk; that what the ledger confirms is not asked for again
// before its time, except for the newest quarter of an hour; that relays are asked as they
// wish (manners.go, pace.go), for fewer people or kinds if they refuse many (refuse.go,
// kinds.go), as learned from their refusals and saved; and that a bad relay does not hold
// up others (link.go).
//
// The number of events in a page proves nothing, since relays limit pages without saying
// so, and differently for each question. The proof is what a page shows below a time
// (fill.go), on one assumption: that a relay sends the newest events of those that were
// asked for.
//
// Coverage is judged for each person: complete if one of the relays that count for them
// ([RelaysAsked]) has confirmed the whole window. [coverage.Evidence] judges it, for the
// window and the assistant too, from what [Evidence] reads. A relay that silently leaves
// out a kind that others have of the same people does not count (unanswered.go); one that
// leaves out a kind even when asked for it alone makes nobody complete (kinds_left_out.go), and
// once it sends the kind, everything that it confirmed is fetched again. Whether other
// relays hold more cannot be known.
//
// A [Session] is a run that can be inspected ([Session.Relays]) and steered
// ([Session.Retry], [Session.Refresh]). With Options.Refresh it continues in rounds, each
// of which looks up again whom the account follows and where they write. It waits for a
// network that went away; one that was never there ends it with [ErrNoNetwork]. [Ask] asks
// relays a single question.
//
// It leaves connections and their limits to app/relay, signatures and storage to ndb, and
// when to run again to its caller.
package notesync
