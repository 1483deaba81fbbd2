package builtin

import "testing"

func TestNotesThatDifferOnlyInFiguresAreAllRepeated(t *testing.T) {
	bot, ann := &person{key: "bot"}, &person{key: "ann"}
	notes := []*note{
		{author: bot, text: "Block 886760 was found"},
		{author: bot, text: "Block 886761 was found"},
		{author: ann, text: "Block 886760 was found"},
		{author: ann, text: "See you at 7"},
		{author: ann, text: "see you  at 7"},
	}
	newCorpus("").markRepeated(notes)
	for i, want := range []bool{true, true, false, false, true} {
		if notes[i].repeated != want {
			t.Errorf("%q of %s: repeated is %v", notes[i].text, notes[i].author.key, notes[i].repeated)
		}
	}
}
