package builtin

import (
	"strings"
	"testing"
)

// What people write around the news is not what is told of it: of a note, the sentence
// is quoted that others take up, and where nobody wrote more, the one with words of its own.
func TestBanterAroundTheNewsIsNotQuoted(t *testing.T) {
	for name, tt := range map[string]struct {
		usual   []string
		text    string
		answers []string
		news    string
	}{
		"English, an opener": {
			everyday, "Hi all, quick one from the bus, my thumbs are really cold by now. The Quendolin dam broke tonight. Buy your bread before the shelves are empty, my dears.",
			[]string{"Is the valley below Quendolin safe?", "They warned about that dam for years"}, "The Quendolin dam broke tonight",
		},
		"English, liked only": {
			append([]string{"The kids had a fever and the sink was full of plates", "Sorry for the long silence, the kids were ill"}, everyday...),
			"Sorry for the silence, the kids had a fever and the sink was full. Ostrowmere lost its ferry to a Wyndgate shipping trust.", nil, "Ostrowmere lost its ferry",
		},
		"German, a tale before": {
			[]string{"Heute Suppe mit Lauch aus dem Garten gekocht", "Der Bus kam zu spät und es hat geregnet", "Meine Nachbarin streicht den Zaun grün"},
			"Gestern haben die Zwillinge in Brünn den Toaster angezündet und gelacht. Das Stellwerk Wolpersrode ist ausgebrannt.",
			[]string{"Fährt nach Wolpersrode noch etwas?", "Das Stellwerk war von 1931"}, "Das Stellwerk Wolpersrode",
		},
		"Japanese, an opener": {
			[]string{"今日は庭の野菜でスープを作った", "バスが遅れて雨に濡れた", "隣の人が猫と散歩している"},
			"久しぶりの投稿です、電車の窓から海を眺めながら書いています。樒之瀬の水門が壊れた。",
			[]string{"樒之瀬の水門は古かったからね", "水門の下流は避難したのかな"}, "樒之瀬の水門が壊れた",
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCircle()
			c.used(30, tt.usual...)
			n := c.says("ann", 1, tt.text)
			for i, text := range tt.answers {
				c.answers(n, []string{"bob", "cat"}[i], 2+i, text)
			}
			c.liked(n, strings.Fields("dan eve fay gil hal ida")...)
			d := c.draft()
			for _, it := range d.main {
				if cited := it.cites[0]; cited.note == n && strings.HasPrefix(cited.raw, tt.news) {
					return
				}
			}
			t.Errorf("got\n%s", &d)
		})
	}
}
