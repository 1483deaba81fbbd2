package builtin

import "testing"

func TestOfNotesThatSayNearlyTheSameOneStandsForAll(t *testing.T) {
	bot, ann, eve := &person{key: "bot"}, &person{key: "ann"}, &person{key: "eve"}
	tests := []struct {
		note     note
		repeated bool
		times    int
	}{
		{note{author: bot, text: "Block 886760 was found"}, true, 0},
		{note{author: bot, text: "Block 886761 was found"}, true, 0},
		{note{author: bot, text: "Block 886762 was found"}, false, 3}, // the newest figures are right
		{note{author: ann, text: "Block 886760 was found"}, false, 0}, // somebody else's
		{note{author: ann, text: "See you at 7"}, false, 2},           // the same words: others answered the first
		{note{author: ann, text: "see you  at 7"}, true, 0},
		{note{author: eve, text: "Week 1 of the race", fresh: true}, false, 1}, // what is asked about is told
		{note{author: eve, text: "Week 2 of the race"}, true, 0},
	}
	notes := make([]*note, len(tests))
	for i := range tests {
		notes[i] = &tests[i].note
	}
	newCorpus("").markRepeated(notes)
	for i, want := range tests {
		if got := notes[i]; got.repeated != want.repeated || got.times != want.times {
			t.Errorf("%q of %s: repeated is %v, told %d times", got.text, got.author.key, got.repeated, got.times)
		}
	}
}
