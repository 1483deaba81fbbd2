// Package ndb is the note database: it stores signed Nostr events, answers
// queries and full-text searches, and never loses or shows a wrong note.
//
// It promises that every stored event had its id recomputed and its signature
// checked, that an acknowledged batch survives a kill, that a query's answer is
// complete and newest first, and that an id is hashed again when a note is read
// from disk. Which events are there does not depend on the order in which they
// came: a deletion may come before its target, an old version after a new one. It
// knows no network and no window.
//
// The store is one Badger database in a folder. keys.go lists what is in it. One
// goroutine writes (writer.go): Put and Import parse, look up and verify on all
// cores, then hand over events with their rows worked out (prepare.go), and the
// writer puts as many as fit into one synced transaction (tx.go). All rows of one
// event are in one transaction. What one transaction cannot hold, such as the
// thousands of notes that one deletion may name, is queued in it (famRemoval) and
// done before the caller gets an answer, or by the next Open.
//
// A query (query.go) is a merge of scans, one a filter; a scan (scan.go) is a
// merge of streams over the indexes that its plan (plan.go) has chosen. Pages are
// gathered in short transactions, so a slow consumer holds nothing. Several queries
// of one moment are made of a Snapshot (snapshot.go). A subscription (subscribe.go)
// holds no events: it is a place in the sequence of notes, and reads on from there.
//
// The store gives notes up only by the rules of the protocol (delete.go, expire.go)
// and by Prune (prune.go), which takes back in the coverage ledger what it takes from
// the notes; Compact gives the space back. Export and Backup write all of it out.
//
// What is stored is counted in the same transaction (ledger.go), and a file beside
// the database says how far it had come (witness.go), so that a loss is noticed
// where Badger sees none. A store that was not closed is looked at on a copy, in
// another process where the caller wishes (probe.go, clone.go), before Badger may
// change anything. Salvage makes a new store of what can be read of a damaged one,
// without Badger (salvage.go, rawread.go). docs/faults.md tells how this is tested.
package ndb
