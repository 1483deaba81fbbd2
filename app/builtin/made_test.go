package builtin

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// A circle is a corpus made by hand: people who are followed, what they wrote in the
// window, and what they used to write before it.
type circle struct {
	*corpus
	n int
}

func newCircle() *circle { return &circle{corpus: newCorpus("")} }

func (c *circle) member(name string) *person {
	p := c.people[name]
	if p == nil {
		p = &person{key: name, name: name, followed: true}
		c.people[name] = p
	}
	return p
}

// says is a note of the window, so many hours after its begin.
func (c *circle) says(who string, hour int, text string) *note {
	c.n++
	n := &note{id: fmt.Sprintf("%064x", c.n), author: c.member(who), at: int64(1_000_000 + hour*3600 + c.n), kind: kindNote, text: text, fresh: true}
	c.notes[n.id] = n
	return n
}

// answers is an answer to a note.
func (c *circle) answers(to *note, who string, hour int, text string) *note {
	n := c.says(who, hour, text)
	n.parent, n.root = to.id, to.root
	if n.root == "" {
		n.root = to.id
	}
	return n
}

// liked lets people react to a note.
func (c *circle) liked(n *note, by ...string) {
	for _, who := range by {
		c.acts = append(c.acts, takingUp{by: c.member(who), target: n.id})
	}
}

// used is what people wrote before, as often as it takes to be usual.
func (c *circle) used(times int, texts ...string) {
	for i := range times {
		for _, text := range texts {
			c.n++
			c.past = append(c.past, &note{id: fmt.Sprintf("%064x", c.n), author: c.member(fmt.Sprint("old", i)), at: 1, kind: kindNote, text: text})
		}
	}
}

// small talk that the notes of a circle hide in.
var everyday = []string{
	"Made soup with leeks from the garden, the kitchen smells of thyme", "The bus was late and the rain came in at the door",
	"My neighbour painted the fence green and the cat walked over it", "Reading a long book about bridges and the people who built them",
	"The coffee machine broke so I had tea with lemon at work", "Cleaned the bicycle chain and found the missing screw under the bench",
}

// draft is what a digest of the circle would say.
func (c *circle) draft() draft {
	p := &plan{Model: New(Options{}), turn: &turn{ctx: context.Background()}, words: ownLanguages().words["en"]}
	return p.draft(&reading{corpus: c.corpus})
}

// telling returns the first item that quotes these words, and where there is none, nil.
func (d *draft) telling(words string) *item {
	for _, list := range [][]item{d.main, d.also, d.articles} {
		for i := range list {
			for _, c := range list[i].cites {
				if strings.Contains(c.text, words) {
					return &list[i]
				}
			}
		}
	}
	return nil
}

func (d *draft) String() string {
	var b strings.Builder
	for _, list := range [][]item{d.main, d.also, d.articles} {
		for _, it := range list {
			fmt.Fprintf(&b, "- %s:", it.heading)
			for _, c := range it.cites {
				fmt.Fprintf(&b, " %s %s", c.note.author.name, c.text)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func TestTheNumbersOfAnItemAreThoseOfTheConversationsThatItQuotes(t *testing.T) {
	c := newCircle()
	c.used(100, everyday...)
	first := c.says("ann", 1, "The ferry Brindlewick ran aground off the northern lighthouse, everybody is safe.")
	c.answers(first, "bob", 2, "Brindlewick again, the captain was warned about that sandbank")
	c.answers(first, "cat", 3, "I saw the lifeboats leave from the pier")
	second := c.says("dan", 4, "Went past Brindlewick on the way home, tugboats all around the ferry")
	c.answers(second, "eve", 5, "How deep is the water there at low tide?")
	c.answers(second, "fay", 5, "The tugboats came from two harbours")
	third := c.says("gil", 6, "Brindlewick was towed free at high tide and is back in the harbour.")
	c.answers(third, "hal", 7, "Towed by three tugboats, what a sight")
	c.liked(third, "ida", "jon")
	d := c.draft()
	it := d.telling("towed free")
	if it == nil {
		t.Fatalf("the end is not told:\n%s", &d)
	}
	cited := map[*note]bool{}
	for _, c := range it.cites {
		cited[c.note] = true
	}
	wantPeople, wantNotes := 0, 0
	for n, numbers := range map[*note][2]int{first: {3, 3}, second: {3, 3}, third: {4, 2}} {
		if cited[n] {
			wantPeople, wantNotes = wantPeople+numbers[0], wantNotes+numbers[1]
		}
	}
	if people, notes := it.tookPart(); people != wantPeople || notes != wantNotes || len(cited) == 3 {
		t.Errorf("%d people and %d notes, want %d and %d for %d conversations quoted of three:\n%s", people, notes, wantPeople, wantNotes, len(cited), &d)
	}
}
