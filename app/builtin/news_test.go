package builtin

import (
	"fmt"
	"strings"
	"testing"
)

// reposted lets people pass a note on.
func (c *circle) reposted(n *note, by ...string) {
	for _, who := range by {
		c.acts = append(c.acts, takingUp{by: c.member(who), target: n.id, repost: true})
	}
}

// quotes is a note that quotes another one.
func (c *circle) quotes(n *note, who string, hour int, text string) *note {
	q := c.says(who, hour, text)
	q.quotes = []string{n.id}
	return q
}

// leads reports whether a digest tells this note first.
func (d *draft) leads(n *note) bool {
	return len(d.main) > 0 && d.main[0].cites[0].note == n
}

// The greater the news, the shorter are the answers: what it is, it says itself.
func TestNewsThatIsAnsweredInAWordOrTwoIsNoRound(t *testing.T) {
	for name, tt := range map[string]struct {
		root    string
		answers []string
	}{
		"a figure": {"Twins arrived before dawn, 2610 and 2480 grams, everybody sleeps.", []string{"hooray", "sweet dreams", "wonderful", "cuddles", "fantastic", "bravissimo", "double trouble"}},
		"a name":   {"From today on the observatory of Quarnfeld is mine to lead.", []string{"hooray", "stellar", "wonderful", "respect", "fantastic", "bravissimo", "toast tonight"}},
		"Japanese": {"昨日、祖父の蔵から江戸時代の時計が見つかりました。", []string{"羨望", "驚愕", "見学希望", "感激", "拍手", "家宝", "夢物語"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCircle()
			c.used(60, everyday...)
			root := c.says("ann", 1, tt.root)
			for i, text := range tt.answers {
				c.answers(root, fmt.Sprint("guest", i), 2, text)
			}
			c.liked(root, strings.Fields("dan eve fay gil hal")...)
			tale := c.says("bob", 3, "Somebody in the lift hummed an operetta and the whole office joined in.")
			c.answers(tale, "cat", 4, "our lift only squeaks, in a minor key")
			c.answers(tale, "dan", 4, "which operetta, and did the accountants join")
			if d := c.draft(); !d.leads(root) {
				t.Errorf("got\n%s", &d)
			}
		})
	}
}

// Who passes a note on tells it to others; who answers may only chat.
func TestWhatIsPassedOnComesBeforeWhatIsChattedAbout(t *testing.T) {
	c := newCircle()
	c.used(60, everyday...)
	chat := c.says("ann", 1, "my grandmother always hid the liquorice behind the encyclopedia")
	for i, text := range []string{"ours used the piano, nobody played it", "liquorice deserves better than dust", "which volume, surely the one with sweets", "mine locked it away with the sherry"} {
		c.answers(chat, fmt.Sprint("guest", i), 2, text)
	}
	news := c.says("bob", 1, "the lighthouse keeper resigned over unpaid lamps and took the logbooks along")
	c.quotes(news, "cat", 2, "so who lights it tonight, with a gale coming")
	c.quotes(news, "dan", 2, "he warned the council about it in spring")
	c.reposted(news, "eve", "fay")
	if d := c.draft(); !d.leads(news) {
		t.Errorf("got\n%s", &d)
	}
}

// A question beside the news is not what the note says, nor is it with a saying.
func TestAQuestionAsideIsNoQuestion(t *testing.T) {
	for text, asks := range map[string]bool{
		"Has anybody seen my umbrella? The viaduct at Ostermoor lost two of its arches to the flood last night, nobody was on it.": false,
		"The viaduct at Ostermoor lost two of its arches. Was anybody there when it happened, and what did you see?":               true,
		"Quick poll: window or aisle? Answer below": true,
		"窓側がいいですか、通路側がいいですか?":                       true,
	} {
		if isQuestion(text) != asks {
			t.Errorf("isQuestion(%q) is not %t", text, asks)
		}
	}
}

func TestASayingOfSomebodyElseCountsLess(t *testing.T) {
	for text, said := range map[string]bool{
		"The obstacle is the way. -- Tomas Welder":                        true,
		"Courage is a muscle.\n— Ilse von Brandt. Off to bed, good night": true,
		"The ferry to Norsund stopped — storm over the whole coast":       false,
		"We met Ilse Brandt in Norsund - lovely evening":                  false,
		"Odette won the recount — Priya Tranter concedes tonight":         false,
		"The winner – Halvard Tingstad – gets 4000 sats from the club":    false,
	} {
		c := newCircle()
		c.used(60, everyday...)
		n := c.says("ann", 1, text)
		c.draft()
		plain := c.says("ann", 1, strings.NewReplacer("--", "", "—", "").Replace(text))
		c.draft()
		if (n.point < plain.point) != said {
			t.Errorf("%q comes to the point by %.2f, without its dash by %.2f", text, n.point, plain.point)
		}
	}
}

// A figure tells how much, and makes news as a name does.
func TestAFigureComesToThePoint(t *testing.T) {
	c := newCircle()
	c.used(60, everyday...)
	without := c.says("ann", 1, "the reservoir rose by some metres since the dam was mended")
	with := c.says("bob", 2, "the reservoir rose by 14 metres since the dam was mended")
	if c.draft(); with.point <= without.point {
		t.Errorf("%.2f with a figure, %.2f without", with.point, without.point)
	}
}

// Who answers the same note, which is not here, talks about one thing; the answer that says
// what it is stands for it.
func TestAnswersToAMissingNoteAreToldByTheOneThatSaysWhatItIs(t *testing.T) {
	c := newCircle()
	c.used(60, everyday...)
	missing := &note{id: strings.Repeat("f", 64)}
	c.answers(missing, "ann", 1, "beer mats belong into a museum, I keep saying it")
	tells := c.answers(missing, "bob", 2, "Read it twice: the brewers of Vellin voted 31 to 4 to close the Ostermoor malt house by June.")
	c.answers(missing, "cat", 3, "sad day")
	c.answers(missing, "dan", 3, "what happens to the apprentices?")
	c.answers(missing, "eve", 4, "my father worked there all his life")
	for i := range 3 {
		chat := c.says(fmt.Sprint("host", i), 2, []string{"liquorice hides behind encyclopedias", "the lift hummed an operetta today", "gravel has moods and argues well"}[i])
		c.answers(chat, fmt.Sprint("friend", i), 3, "and so does marmalade, with every spoonful")
	}
	ts := func() []*topic {
		sorted := c.sorted()
		l := c.weigh(t.Context(), sorted, ownLanguages().grammar)
		return c.topics(t.Context(), sorted, l)
	}()
	if ts[0].begin != tells {
		t.Errorf("the heaviest topic turns on %q", ts[0].begin.text)
	}
}

// News in the midst of a tale is not as thin as all of the tale.
func TestNewsInALongNoteIsWeighedWhereItStands(t *testing.T) {
	c := newCircle()
	c.used(60, everyday...)
	tale := "the porridge had too much cinnamon, the queue at the counter was longer than my patience and the kettle hummed all through it"
	spread := c.says("ann", 1, "so Tavelin was wet, "+tale+", then Marbrook was dry, "+tale+", and Osterly closed")
	dense := c.says("bob", 2, tale+", so Ravelin and Harbrook and Westerly closed, "+tale+", as it had hummed the day before and the day before that")
	if c.draft(); dense.point <= spread.point {
		t.Errorf("%.2f where the names stand together, %.2f where they are spread", dense.point, spread.point)
	}
}
