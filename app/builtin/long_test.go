package builtin

import (
	"fmt"
	"testing"
)

// The tests of this file would take minutes if what they test took as long as the square
// of what it is given.

// fullNames is what a note says that has so many full names, no two of them with the same
// first name or surname.
func fullNames(v *vocabulary, g *grammar, first string, n int) []occurrence {
	var words []occurrence
	for i := range n {
		letters := string([]byte{'a' + byte(i/17576%26), 'a' + byte(i/676%26), 'a' + byte(i/26%26), 'a' + byte(i%26)})
		words = append(words, occurrence{word: v.word(first+letters, g), capital: true, name: true},
			occurrence{word: v.word("surname"+letters, g), capital: true, name: true, after: true})
	}
	return words
}

func TestNotesOfManyNamesAreComparedByEachNameOnce(t *testing.T) {
	const many = 100_000
	g, used := ownLanguages().grammar, newUsage(many, newVocabulary(many))
	ann, bob := &note{author: &person{}}, &note{author: &person{}}
	said := map[*note][]occurrence{ann: fullNames(used.vocabulary, g, "ann", many), bob: fullNames(used.vocabulary, g, "bob", many)}
	for n, words := range said {
		used.learn(n.author, words, pasted)
	}
	used.settle()
	for n, words := range said {
		n.own = used.own(words)
		if n.pointed(words); n.point <= 0 || len(n.newly) != 2*many {
			t.Errorf("%d new names, %.2f to the point", len(n.newly), n.point)
		}
	}
	for i := 1; i < 2*many; i += 2 {
		surname := said[ann][i].word
		if !namesakes(surname, ann, bob) || namesakes(surname, ann, ann) {
			t.Fatalf("%q is the surname of two people: %v, of one: %v", surname.term, namesakes(surname, ann, bob), !namesakes(surname, ann, ann))
		}
	}
}

func TestTheWordsOfAThreadAreCountedByEachOfItsPeopleOnce(t *testing.T) {
	const many, times = 100_000, 2
	v, g := newVocabulary(1), ownLanguages().grammar
	var terms []*word
	for i := range 20 {
		terms = append(terms, v.word(fmt.Sprint("word", i), g))
	}
	thread := &topic{}
	for i := range many * times {
		thread.notes = append(thread.notes, &note{author: &person{key: fmt.Sprint(i % many)}, own: own{terms: terms}})
	}
	for i, n := range thread.notes { // the second note is by the same person
		n.author = thread.notes[i%many].author
	}
	users := thread.users()
	for _, w := range terms {
		if users[w].people != many {
			t.Errorf("%d people of %d used %q", users[w].people, many, w.term)
		}
	}
}
