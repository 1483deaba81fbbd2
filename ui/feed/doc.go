// Package feed holds the screens that notes are read on: home, a thread, a person,
// an article, and the search.
//
// Notes are read from the store, off the window's thread, in pages; of a timeline
// only the ids are kept, and the notes of the pages around what is read. What is
// read never jumps: new notes wait behind a pill until they are asked for.
package feed
