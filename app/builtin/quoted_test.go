package builtin

import (
	"strings"
	"testing"
)

// What is quoted of a note is its news, wherever it stands.
func TestTheTellingSentenceIsQuoted(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"a short note whole":         {"A cobbler on Lindholm Quay takes sats. I handed over 31200 to be told that my heels are crooked.", "takes sats. I handed"},
		"a short paragraph":          {"Brace yourselves.\n\nBiopsy came back clean. Seven weeks of waiting. I hugged the receptionist so hard that her glasses flew off.", "came back clean"},
		"behind tales":               {"Porridge again, with too much cinnamon and not enough patience for the queue at the counter. My uncle believes that gravel has moods, and he argues it well over dinner. In Ostermoor the viaduct lost 2 of its 9 arches overnight, trains end at Vellin. Anyhow, the kettle whistles and the dishwasher hums its favourite melody.", "viaduct lost 2 of its 9 arches"},
		"before somebody's own joke": {"The kettle philosophised, gloomily and at length, about lukewarm ambitions and porcelain jealousies all morning. Halvard Tingstad won the Vellin regatta by 4 minutes in a borrowed dinghy. Somewhere a spoon is proud, the saucer resentful, and the sugar bowl pretends indifference as usual.", "Halvard Tingstad won"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCircle()
			c.used(60, everyday...)
			n := c.says("ann", 1, tt.text)
			c.liked(n, strings.Fields("bob cat dan eve fay gil hal")...)
			if d := c.draft(); d.telling(tt.want) == nil {
				t.Errorf("got\n%s", &d)
			}
		})
	}
}

// What somebody says in several notes, one after another, is one text.
func TestASelfThreadIsOneText(t *testing.T) {
	c := newCircle()
	c.used(60, everyday...)
	one := c.says("ann", 1, "1/3 a spoon, a saucer and a lukewarm kettle walk into an orchestra pit, philosophising about porcelain 👇")
	two := c.answers(one, "ann", 1, "2/3 gravel has moods, says my uncle, and marmalade too, and he argues it well over dinner")
	three := c.answers(two, "ann", 1, "3/3 Tavelin Lodge opens its doors on 3 May with 48 beds.")
	three.root = one.id
	c.liked(one, strings.Fields("bob cat dan eve fay gil hal")...)
	c.answers(one, "ida", 2, "finally, well done")
	if d := c.draft(); d.telling("opens its doors") == nil {
		t.Errorf("got\n%s", &d)
	}
}
