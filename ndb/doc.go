// Package ndb is the note database: it stores signed Nostr events, answers
// queries and full-text searches, and never loses or shows a wrong note.
//
// It promises that every stored event had its id recomputed and its signature
// checked, that an acknowledged batch survives a kill, that a query's answer is
// complete and newest first, and that an id is hashed again when a note is read
// from disk. It knows no network and no window.
//
// Beside the store stand the readers of what strangers write: events, filters,
// search texts, zap receipts, profiles, NIP-19 codes, and the words of a text.
// They are pure, take time linear in their input, say what is wrong and where,
// and never panic. What they let through is checked, not trusted: names and links
// are claims, and text is shown only by way of CleanLine and CleanText.
package ndb
