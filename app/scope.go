package app

import (
	"bowerbird/app/builtin"
	"bowerbird/app/chats"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// Scope is whose notes a question is about if its words do not say. The zero value is the
// people whom the account follows.
type Scope struct {
	Everyone bool         // all stored notes
	Thread   nostr.ID     // a note of the thread that is open; zero for none
	Person   nostr.PubKey // whose profile is open; zero for nobody
}

// env sets whose notes the tools read if a call does not say.
func (s Scope) env(e *tools.Env) {
	e.Open = s.Person
	switch {
	case s.Person != (nostr.PubKey{}):
		e.Scope = tools.ScopeProfile
	case s.Everyone, s.Thread != (nostr.ID{}):
		e.Scope = tools.ScopeAny
	}
}

// looking describes for the model what is open and whose notes are meant.
func (s Scope) looking(open string) string {
	said := ""
	switch {
	case s.Thread != (nostr.ID{}):
		said = "the thread of note " + s.Thread.String() + ": the question is about it unless it says otherwise (get_thread)"
	case s.Person != (nostr.PubKey{}):
		said = "the profile of " + s.Person.Npub() + ": the question is about this person's notes unless it says otherwise (context profile)"
	case s.Everyone:
		said = "the question is about all stored notes, not only those of people followed, unless it says otherwise (context any)"
	}
	if open == "" {
		return said
	}
	if said == "" {
		return open
	}
	return open + "; " + said
}

func (s Scope) builtin() builtin.Scope { return builtin.Scope(s.saved()) }

// saved returns the scope as chats store it.
func (s Scope) saved() chats.Scope {
	c := chats.Scope{Everyone: s.Everyone}
	if s.Thread != (nostr.ID{}) {
		c.Thread = s.Thread.String()
	}
	if s.Person != (nostr.PubKey{}) {
		c.Person = s.Person.String()
	}
	return c
}

// SavedScope returns a scope as chats stored it. What cannot be read is left out.
func SavedScope(c chats.Scope) Scope {
	s := Scope{Everyone: c.Everyone}
	if id, err := nostr.ParseID(c.Thread); err == nil {
		s.Thread = id
	}
	if pk, err := nostr.ParsePubKey(c.Person); err == nil {
		s.Person = pk
	}
	return s
}
