// Package ndb is the note database: it stores signed Nostr events, answers
// queries and full-text searches, and never loses or shows a wrong note.
//
// It promises that every stored event had its id recomputed and its signature
// checked, that an acknowledged batch survives a kill, that a query's answer is
// complete and newest first, and that an id is hashed again when a note is read
// from disk. It knows no network and no window.
package ndb
