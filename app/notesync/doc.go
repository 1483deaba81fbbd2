// Package notesync decides what to ask of which relay, so that the notes of the
// people somebody follows arrive, newest first, and so that it is known which
// stretches of time are complete.
//
// A run goes through stages. It finds the reader's own lists, then names and
// relay lists of the people followed, chooses up to twenty relays that reach
// everybody (choose.go), opens live subscriptions there (live.go), and fills the
// windows of time that the coverage ledger lacks (gaps.go, fill.go), each down
// to the page that shows that nothing is left. Last come the notes that stored ones
// refer to, and the names of their authors and of those spoken of (context.go).
//
// Notes may arrive at a relay long after the time that they bear. Live subscriptions
// reach back for them, and what was confirmed is confirmed again now and then
// (recheck.go): where a relay compares sets by one question (compare.go) and after a
// week by pages, all of which are read before sets are compared again, else always by
// pages. So complete always means: as of when a time was last looked through, which the
// ledger holds.
//
// It promises that an interval is written into the ledger only when a relay has
// shown that it has nothing more there, and never before the notes of that
// interval are on disk, and what is known of kinds that it leaves out; that what the ledger holds is not asked again before its
// time, but for its newest quarter of an hour; that a relay is asked as it wants to be
// (manners.go, pace.go), which is learnt from its refusals and kept (pace_kept.go), and
// for fewer people or kinds where it refuses many (refuse.go, kindparts.go); and that one bad relay holds up no
// other (link.go).
//
// How many events a page holds is no proof, since relays cap pages in silence and
// not all questions alike. Proof is what a page shows below a time (fill.go,
// narrow.go), by the one thing that is taken for granted: that a relay gives the
// newest of what was asked for.
//
// What is complete is said person by person: when one of the relays that count
// for them (RelaysAsked) confirmed the whole time. [coverage.Evidence] judges that, here as
// in the window and for the assistant, by what Evidence reads. One that leaves out a kind in
// silence counts for nobody where another shows it (unanswered.go), and makes nobody
// complete where it does so itself when it is asked for that kind alone (lacking.go);
// once it gives the kind, all that it confirmed is fetched again. It cannot say that no
// other relay holds more.
//
// A Session is a run that can be looked into while it goes on (Relays) and steered
// (Retry, Refresh). With Options.Refresh it goes on in rounds: whom the reader
// follows, and where they write, is looked up again now and then and when a list
// of theirs arrives. A network that went away is waited for; one that was never
// there ends the run with ErrNoNetwork. Ask asks relays something once, beside all
// that.
//
// Connections and their limits are app/relay's, signatures and storage ndb's.
// When to run again after the end is left to others.
package notesync
