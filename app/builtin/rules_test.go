package builtin

import (
	"context"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"bowerbird/app/builtin/language"
)

// weighed weighs a circle and returns what it knows of words.
func (c *circle) weighed() ([]*note, *lexis) {
	sorted := c.sorted()
	c.markRepeated(sorted)
	return sorted, c.weigh(context.Background(), sorted, ownLanguages().grammar)
}

func TestGreetingsAreKnownByHabitInAnyLanguage(t *testing.T) {
	for lang, greeting := range map[string][]string{
		"Japanese": {"おはようございます", "おはようございます！今日も"},
		"Arabic":   {"صباح الخير", "صباح الخير يا اصدقاء"},
		"Polish":   {"Dzień dobry", "dzień dobry wszystkim ☕"},
		"English":  {"Good morning", "good morning nostr 🌅"},
		"Finnish":  {"Huomenta", "Huomenta kaikille"},
	} {
		t.Run(lang, func(t *testing.T) {
			c := newCircle()
			c.used(5, greeting[0])
			hello := c.says("ann", 1, greeting[1])
			back := c.answers(hello, "bob", 2, greeting[0])
			news := c.says("cat", 3, greeting[0]+". The dam above the village broke tonight and the road to the valley is under two metres of water.")
			c.weighed()
			if !hello.greets || !back.greets || hello.news > 0 {
				t.Errorf("%q greets: %v, its answer: %v, its news: %v", hello.text, hello.greets, back.greets, hello.news)
			}
			if news.greets {
				t.Errorf("%q is taken for a greeting", news.text)
			}
			if n := c.greetings(); n != 2 {
				t.Errorf("%d greetings counted", n)
			}
		})
	}
}

func TestAFewWordsOnWhatHappenedAreNoGreeting(t *testing.T) {
	c := newCircle()
	c.used(60, everyday...)
	first := c.says("ann", 1, "Lindqvist resigned")
	for i, who := range []string{"bob", "cat", "dan", "eve"} {
		c.says(who, 2+i, "Lindqvist resigned")
	}
	c.weighed()
	if first.greets {
		t.Error("what five people wrote on one day is taken for a greeting")
	}
}

func TestGreetingsNeverLeadHoweverManyTakePart(t *testing.T) {
	c := newCircle()
	c.used(40, everyday...)
	c.used(40, "좋은 아침입니다")
	hello := c.says("ann", 1, "좋은 아침입니다 ☀️")
	for _, who := range strings.Fields("bob cat dan eve fay gil hal ida jon kim") {
		c.answers(hello, who, 2, "좋은 아침!")
	}
	c.liked(hello, strings.Fields("bob cat dan eve fay gil hal ida jon kim lea mia")...)
	story := c.says("lea", 3, "The Quendolin reactor was shut down after a leak in the second cooling loop.")
	c.answers(story, "mia", 4, "Quendolin is forty years old, the loop was never replaced")
	c.answers(story, "ned", 4, "Is the river safe below Quendolin?")
	d := c.draft()
	if len(d.main) == 0 || d.main[0].cites[0].note.in != story.in || d.telling("좋은") != nil {
		t.Errorf("got\n%s", &d)
	}
}

func TestAGreetingThatNobodyElseWritesIsKnownByItsAnswers(t *testing.T) {
	c := newCircle()
	c.used(40, append(everyday, "Good morning")...)
	hello, short := c.says("ann", 1, "Dzień dobry wszystkim ☕"), c.says("bob", 2, "Most runął")
	for i, who := range strings.Fields("cat dan eve fay gil hal") {
		c.answers(hello, who, 3, "Good morning")
		c.answers(short, who, 3, []string{"Good morning", "Which bridge do you mean?"}[i%2])
	}
	c.weighed()
	if !hello.greets || short.greets {
		t.Errorf("greets: %v, and what is asked about: %v", hello.greets, short.greets)
	}
}

func TestWhatTakesAClaimBack(t *testing.T) {
	g := ownLanguages().grammar
	c := newCircle()
	c.used(400, everyday...)
	c.used(40, "An error again, the parser returns an error for every empty line", "Eine Ente schwimmt im Teich hinter dem Haus")
	for text, want := range map[string]bool{
		"Correction: the bridge is open.":                    true,
		"The report about Lund was a hoax.":                  true,
		"That was not true, I got it wrong.":                 true,
		"Das war eine Falschmeldung, die Brücke steht.":      true,
		"Das stimmt nicht, Lund ist nicht zurückgetreten.":   true,
		"C'était faux, le pont est ouvert.":                  true,
		"訂正します。橋は通れます。":                                      true,
		"그 소식은 오보였습니다":                                       true,
		"هذا خبر كاذب، الجسر مفتوح":                          true,
		"Опровержение: мост открыт":                          true,
		"The build fails with an error on line seven.":       false,
		"Eine Ente brütet am Kanal.":                         false,
		"Hay un error en la línea siete.":                    false,
		"The bridge is open again and everybody is relieved": false,
		"橋は今日も混んでいます。":                                       false,
	} {
		n := c.says("ann", 1, text)
		_, l := c.weighed()
		words, _ := g.words(text, newVocabulary(1))
		if got := g.denies(n, words, l); got != want {
			t.Errorf("%q: denies is %v", text, got)
		}
	}
}

func TestAWordOfDenialThatIsUsedEveryDayDeniesNothing(t *testing.T) {
	c := newCircle()
	c.used(300, "The match was postponed, we had soup and went home early")
	n := c.says("ann", 1, "Postponed my haircut and cleaned the windows.")
	c.weighed()
	if n.denies {
		t.Error("a word of every day takes something back")
	}
}

func TestAClaimIsNotToldWithoutItsDenial(t *testing.T) {
	for name, tt := range map[string]struct{ claim, denial string }{
		"English, a lone name":  {"The ferry Brindlewick sank off the coast last night, nobody has heard from the crew.", "Brindlewick lies safe in the harbour of the island, the radio was broken. I talked to the captain."},
		"English, with a word":  {"So sad: Dagny Ulphurn has died, the voice of my childhood.", "Dagny Ulphurn is alive, the report was a hoax by a fake account."},
		"Japanese, with a word": {"女優の樫村紗英さんが昨夜亡くなったそうです。とても悲しいです。", "樫村紗英さんは無事です。昨日の話は誤報でした。"},
		"Arabic, with a word":   {"توفي المغني زهران القسطلاني الليلة الماضية في منزله", "زهران القسطلاني حي يرزق، كان خبر كاذب من حساب مزيف"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCircle()
			c.used(100, everyday...)
			claim := c.says("ann", 1, tt.claim)
			c.answers(claim, "bob", 2, "I cannot believe it, what a terrible night for all of us")
			c.answers(claim, "cat", 2, "My thoughts are with the family tonight, so very sudden")
			c.liked(claim, "dan", "eve", "fay")
			denial := c.says("gil", 8, tt.denial)
			c.answers(denial, "hal", 9, "What a relief, thank you for asking them")
			c.liked(denial, "ida")
			for _, who := range []string{"jon", "kim", "lea"} { // other talk
				c.says(who, 3, everyday[len(who)]+" and more of the same")
			}
			d := c.draft()
			for _, list := range [][]item{d.main, d.also} {
				for _, it := range list {
					for i, cite := range it.cites {
						if cite.note == claim && (i == 0 || it.cites[0].note != denial || !it.cites[0].now) {
							t.Errorf("the claim is told as it stood:\n%s", &d)
						}
					}
				}
			}
			if d.telling(denial.text[:12]) == nil {
				t.Errorf("the denial is not told:\n%s", &d)
			}
		})
	}
}

func TestAPairOfPlainWordsJoinsNothing(t *testing.T) {
	c := newCircle()
	c.used(100, everyday...)
	one := c.says("ann", 1, "The plumber looked charming today. He never found the leak behind the boiler.")
	c.answers(one, "bob", 2, "Ours forgot his wrench twice last month")
	two := c.says("cat", 3, "That was a mistaken idea: the hotel looked charming in the pictures, the pool was empty.")
	c.answers(two, "dan", 4, "Always read the reviews of the pool first")
	sorted, l := c.weighed()
	for _, topic := range c.topics(t.Context(), sorted, l) {
		if len(topic.developments) > 0 {
			t.Errorf("%q was joined with %q", topic.begin.text, topic.developments[0].text)
		}
	}
}

func TestAnAnswerWithoutItsQuestionDoesNotLead(t *testing.T) {
	c := newCircle()
	c.used(100, everyday...)
	for i, who := range []string{"ann", "bob", "cat", "dan"} {
		story := c.says(who, 2, []string{
			"The Quendolin reactor was shut down after a leak.", "Voters in Marrowby chose a baker as their mayor.",
			"The last tram in Ostelund ran tonight with brass music.", "A humpback whale swims between the ferries at Pellworth.",
		}[i])
		c.answers(story, who+"2", 3, []string{
			"Sirens all evening on the Quendolin side", "Marrowby deserves good bread at last", "Cried at the Ostelund terminus", "The Pellworth captain slowed down for it",
		}[i])
	}
	lost := c.answers(&note{id: "not stored"}, "eve", 1, "I watched it twice already, the second half in the corridor, with the Zornhild people.")
	c.answers(lost, "fay", 2, "The corridor has the better seats at Zornhild")
	c.liked(lost, "gil", "hal")
	d := c.draft()
	for _, it := range d.main {
		if it.cites[0].note == lost {
			t.Errorf("it leads:\n%s", &d)
		}
	}
}

func TestAHeadingIsCutInsideNoWord(t *testing.T) {
	for name, tt := range map[string]struct {
		texts []string
		want  string
	}{
		"Japanese": {[]string{"市立図書館が来月から夜も開くそうです。", "市立図書館の夜間開館はうれしいです。", "市立図書館に行く人が増えそう。"}, "市立図書館"},
		"English":  {[]string{"The Harbour Bakery closes for good on Sunday.", "Nobody makes rye like the Harbour Bakery did.", "Bought the last loaf at the Harbour Bakery."}, "Harbour Bakery"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCircle()
			c.used(100, everyday...)
			c.used(100, "今日は天気がいいので散歩に行きました。")
			begin := c.says("ann", 1, tt.texts[0])
			c.answers(begin, "bob", 2, tt.texts[1])
			c.answers(begin, "cat", 3, tt.texts[2])
			d := c.draft()
			if len(d.main) == 0 || d.main[0].heading != tt.want {
				t.Errorf("want %q, got\n%s", tt.want, &d)
			}
		})
	}
}

// TestWhatNotesSayIsLearntFromAFileAlone: a language that no code knows.
func TestWhatNotesSayIsLearntFromAFileAlone(t *testing.T) {
	files := fstest.MapFS{}
	for _, name := range []string{"en.toml", "xx.toml"} {
		data := []byte("language = \"xx\"\norder = 99\n[notes]\nusual = \"ozo uz\"\ndenials = \"zorbo, klap ven\"\nnegations = \"nuk, -qua\"\nconditions = \"zot\"\nselves = \"bim\"\n")
		if name == "en.toml" {
			var err error
			if data, err = os.ReadFile("language/" + name); err != nil {
				t.Fatal(err)
			}
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	all, err := language.Load(files)
	if err != nil {
		t.Fatal(err)
	}
	learnt := makeLanguages(all).grammar
	for _, g := range []*grammar{learnt, ownLanguages().grammar} {
		is := func(what, text string, got bool) {
			if got != (g == learnt) {
				t.Errorf("%s: %q: %v, with the file: %v", what, text, got, g == learnt)
			}
		}
		c := newCircle()
		for _, text := range []string{"Zorbo, mira tal.", "Mira klap ven tal."} {
			n := c.says("ann", 1, text)
			_, l := c.weighed()
			said, _ := g.words(text, newVocabulary(1))
			is("denies", text, g.denies(n, said, l))
		}
		for _, text := range []string{"mira nuk tal", "mira talqua"} {
			is("negates", text, g.negates(text, newVocabulary(1)))
		}
		is("supposes", "Zot mira", g.supposes("Zot mira tal", "xx"))
		is("speaks of themselves", "mira bim", g.ofSelf(&note{text: "mira bim tal"}))
		_, lang := g.words("mira ozo uz", newVocabulary(1))
		is("is of the language", "mira ozo uz", lang == "xx")
	}
}
