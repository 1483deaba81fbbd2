package sample

import "bowerbird/ndb"

// World is a made-up part of Nostr, seen by one person.
type World struct {
	Me      ndb.PubKey
	MeName  string // display name
	People  []Person
	Events  []*ndb.Event // oldest first; nil when they were written elsewhere
	Planted []Fact       // what a good digest of the whole time tells
	Collude *Collusion   // nil unless asked for
}

// Person is somebody in a World.
type Person struct {
	PubKey   ndb.PubKey
	Handle   string // short name, the key in the sample's texts
	Name     string // display name
	NIP05    string // at a .example host, which never resolves
	About    string
	Lang     string // what the person mostly writes: a BCP 47 tag, or a made-up language's name
	Followed bool   // by Me
}

// Fact is something that happened in a World and that people I follow took up.
type Fact struct {
	Text     string       // the content of the note that tells it
	Sentence string       // the sentence of Text that holds all Terms
	Terms    []string     // its distinctive words, as written in Sentence
	Author   ndb.PubKey   // who tells it, a person followed
	Events   []ndb.ID     // the note first, then what took it up, oldest first
	Takers   []ndb.PubKey // the others followed who took it up: at least 3
}

// Collusion is what a ring of strangers pushes together: nothing of it belongs
// into a digest.
type Collusion struct {
	Terms  []string     // the words they push
	People []ndb.PubKey // none of them followed
	Events []ndb.ID
}
