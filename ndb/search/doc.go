// Package search is the query language, and the words that notes are found by. It knows
// no store: it parses what somebody typed, says what is wrong with it, highlights matches
// in a text, and decides whether an event matches.
//
//	q, err := search.Parse(`"blue birds" OR #birds -from:ada since:7d`)
//	if err == nil {
//		q, err = q.Resolve(search.Resolver{Person: keyOf, Moment: unixOf}) // names, times
//	}
//	if err == nil && q.Match(note) {
//		stretches := q.Highlights(note.Content)
//	}
//
// For an index, [Terms] returns the terms that an event is found by, [Read] splits a
// search text into what a filter's fields express and a tree of [Node]s to look for, and
// [Weights] scores how well a note fits.
package search
