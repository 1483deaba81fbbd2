// Package notesync decides what to ask of which relay, so that the notes of the
// people somebody follows arrive, newest first, and so that it is known which
// stretches of time are complete.
//
// It promises that an interval is written into the coverage ledger only when a
// relay has shown that it has nothing more there, and never before the notes of
// that interval are on disk; that what the ledger holds is not asked again; and
// that one bad relay holds up no other. Connections and their limits are
// app/relay's, signatures and storage ndb's.
package notesync
