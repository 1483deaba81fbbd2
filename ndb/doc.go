// Package ndb is the note database: it stores signed Nostr events, answers
// queries and full-text searches, and never loses or shows a wrong note.
//
// It promises that the id of every stored event was recomputed and its signature
// verified, that an acknowledged batch survives a kill, that the answer to a query is
// complete and newest first, and that an id is hashed again when a note is read from
// disk. Which events are stored does not depend on the order of their arrival: a deletion
// may come before its target, an old version after a new one. It knows no network and no
// window.
//
//	store, err := ndb.Open(dir, ndb.Options{})
//	results, err := store.Put(ctx, ndb.Batch{Events: events, Relay: "wss://relay.example"})
//	for note, err := range store.Query(ctx, ndb.QueryOptions{}, nostr.Filter{Search: "blue birds"}) {
//	}
//	err = store.Close()
//
// What needs no store is in packages below it: what an event is and says (ndb/nostr), the
// language and the words of a search (ndb/search), how complete notes are (ndb/coverage),
// the reading of damaged files (ndb/rawread).
//
// The store is one Badger database in a folder; its keys are listed below. One goroutine
// writes (writer.go): Put and Import parse, look up and verify on all cores, then hand
// over events with their rows prepared (prepare.go), and the writer puts as many as fit
// into one synced transaction (tx.go). All rows of one event are in one transaction. What
// one transaction cannot hold, such as the thousands of notes that one deletion may name,
// is queued in it (famRemoval) and done before the caller gets an answer, or by the next
// Open.
//
// A query (query.go) merges scans, one per filter; a scan (scan.go) merges streams over
// the indexes that its plan (plan.go) has chosen. Pages are gathered in short
// transactions, so a slow consumer blocks nothing. An export reads a snapshot
// (moment.go). A subscription (subscribe.go) holds no events: it is a position in the
// sequence of notes, and reads on from there.
//
// The store removes notes only by the rules of the protocol (delete.go, expire.go) and by
// Prune (prune.go), which withdraws in the coverage ledger what it removes of the notes;
// Compact gives the disk space back. Export and Backup write everything out.
//
// What is stored is counted in the same transaction (ledger.go), and a file beside the
// database records how far it had come (witness.go), so that a loss is noticed where
// Badger sees none. A store that was not closed is checked on a copy, in another process
// if the caller wishes (check.go, still.go), before Badger may change anything. Salvage
// makes a new store of what can be read of a damaged one, without Badger (salvage.go,
// ndb/rawread), and puts it in its place (swap.go). docs/faults.md says how this is
// tested.
//
// # Layout
//
// The keys, schema version 2. All numbers are big-endian, so that byte order is number
// order; its is the inverted time, so that iterating forward gives the newest first. n
// numbers notes, a numbers authors; numbers are never reused.
//
//	key                  value                                  code
//	n n                  packed note                            pack.go, cache.go
//	i id16               n, then the numbers of the relays      insert.go
//	                     that sent it (uvarints)
//	p pubkey32           a                                      numbering.go
//	k kind its n         a                                      rows.go; read by scan.go,
//	                                                            and all at once by columns.go
//	a a kind its n       -                                      rows.go, scan.go
//	t letter value its n a, kind                                prepare.go, scan.go
//	o letter its n       a, kind: has tags of this letter       prepare.go, scan.go
//	                     that t does not hold
//	w term 0 ^segment    postings; a term is a token of a       postings.go, ndb/search;
//	                     text, or one that no text has: a       read by
//	                     feature, a hashtag. Notes that were    textrows.go
//	                     replaced may still be in a text's
//	g word 0 n           -: a word of a profile's name,         profiles.go
//	                     display_name or nip05
//	r a kind hash(d)     time, n, id: the winner of a           replace.go
//	                     replaceable
//	v a kind its id      packed note: an older version of an    replace.go
//	                     own list
//	d 'e' id a           time of the kind 5                     delete.go
//	d 'a' a kind hash(d) time, 0, id: versions up to this one   delete.go
//	                     are deleted
//	d 'v' a              time of the kind 62                    delete.go
//	x expiry n           -                                      expire.go
//	f due n              -: dated in the future, takes effect   expire.go
//	                     when due
//	c id16               counters                               counters.go
//	c id16 type a        how many reactions or reposts this     counters.go
//	                     author has given
//	q n                  -: to be removed, when one             expire.go
//	                     transaction could not do it all
//	b bucket 0 key       value of the app                       bucket.go
//	m ...                schema, high-water marks, relay        schema.go, ledger.go,
//	                     names, coverage, the ledger            coverage.go, numbering.go
package ndb
