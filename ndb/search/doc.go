// Package search is the language that notes are looked for in, and the words that they
// are found by. It knows no store: it reads what somebody typed, says what is wrong with
// it, marks what was found in a text, and tells whether an event is met.
//
//	q, err := search.Parse(`"blue birds" OR #birds -from:ada since:7d`)
//	if err == nil {
//		q, err = q.Resolve(search.Resolver{Person: keyOf, Moment: unixOf}) // names, times
//	}
//	if err == nil && q.Match(note) {
//		stretches := q.Highlights(note.Content)
//	}
//
// For whoever keeps an index, [Terms] says which terms an event is found by, [Read] what
// of a text the fields of a filter say already and which tree of [Node]s is left to look
// for, and [Weights] how well a note fits.
package search
