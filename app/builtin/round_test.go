package builtin

import (
	"fmt"
	"strings"
	"testing"
)

// A round of answers to a question or a game tells nothing, however many take part; news
// that a few talk of does.
func TestARoundOfAnswersDoesNotLead(t *testing.T) {
	news := "The Quendolin footbridge is closed since a cable snapped at noon."
	for name, tt := range map[string]struct {
		root    string
		answers []string
	}{
		"a question":        {"What does everybody cook tonight in this cold?", []string{"Lentils with bacon", "leftover pizza", "gnocchi and sage", "ramen", "shakshuka again", "toasted rye"}},
		"a game":            {"Name the first job you had in three words.", []string{"sold soggy waffles", "peeled boiled eggs", "mopped a cinema", "feeding angry geese", "stapled tax forms", "fax machine whisperer"}},
		"German":            {"Was steht bei euch heute auf dem Tisch?", []string{"Linsen mit Spätzle", "Kartoffelpuffer", "Flammkuchen", "Grießbrei", "Labskaus", "Maultaschen"}},
		"Japanese":          {"今日の晩ごはんは何にしますか?", []string{"湯豆腐", "納豆一択", "冷やし中華", "鯖の味噌煮", "おでん", "親子丼"}},
		"answered in a nod": {"POLL: pineapple on pizza?", []string{"yes", "no", "never", "of course", "yes", "no way"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCircle()
			c.used(60, everyday...)
			root := c.says("ann", 1, tt.root)
			for i, text := range tt.answers {
				c.answers(root, fmt.Sprint("guest", i), 2, text)
			}
			c.liked(root, strings.Fields("dan eve fay gil hal ida")...)
			n := c.says("bob", 3, news)
			c.answers(n, "cat", 4, "I crossed it an hour before, it was swaying")
			c.answers(n, "dan", 4, "And how do the children get to school?")
			d := c.draft()
			if len(d.main) == 0 || d.main[0].cites[0].note.author.name == "ann" || d.telling("footbridge") == nil {
				t.Errorf("got\n%s", &d)
			}
		})
	}
}

// What a question was answered with may be news: it is no round where few answer.
func TestAQuestionThatFewAnswerIsNoRound(t *testing.T) {
	c := newCircle()
	c.used(60, everyday...)
	root := c.says("ann", 1, "Does anybody know why Corbel Square was dug up this morning?")
	c.answers(root, "bob", 2, "They found a Roman cellar under Corbel Square, my cousin works there.")
	c.answers(root, "cat", 3, "Roman, here?")
	if d := c.draft(); d.telling("Roman cellar") == nil {
		t.Errorf("got\n%s", &d)
	}
}

// Greetings with a tail, which those who answer only greet back, are counted as greetings.
func TestALongGreetingThatIsGreetedBackIsNone(t *testing.T) {
	c := newCircle()
	c.used(60, append([]string{"good morning", "good morning all"}, everyday...)...)
	root := c.says("ann", 1, "good morning from a grey balcony, coffee is ready")
	for i := range 6 {
		c.answers(root, fmt.Sprint("guest", i), 2, "good morning")
	}
	if c.draft(); !root.greets {
		t.Errorf("%q is no greeting", root.text)
	}
}

// Who says where and who in few words is told before who tells long of nothing.
func TestNewsComesBeforeALongTale(t *testing.T) {
	c := newCircle()
	c.used(60, everyday...)
	tale := c.says("ann", 1, strings.Repeat("Then the waiter brought another plate of something brown, and my uncle began a speech about gravel and weather. ", 5))
	news := c.says("bob", 2, "Ines Talvik won the harbour race at Brimmeer by a minute.")
	for i, who := range []string{"cat", "dan"} {
		c.answers(tale, who, 3+i, "my uncles would do the same at any table")
		c.answers(news, who, 3+i, "what a runner she is in that wind")
	}
	c.liked(tale, "eve")
	d := c.draft()
	if len(d.main) == 0 || d.main[0].cites[0].note != news {
		t.Errorf("got\n%s", &d)
	}
}
