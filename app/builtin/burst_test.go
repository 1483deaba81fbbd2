package builtin

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/app/builtin/question"
	"bowerbird/llm"
	"bowerbird/tools"
)

// busy fills so many hours with notes by people who have nothing to do with one another.
func (c *circle) busy(hours, anHour int) {
	syllables := strings.Fields("ba ko li mu ne po ra su ti vo wen dar fol gim hus jat")
	word := func(n int) string {
		return syllables[n%16] + syllables[n/16%16] + syllables[n/256%2]
	}
	for i := range hours * anHour {
		var said []string
		for j := range 7 {
			said = append(said, word((i*i*31+j*j*97+i*j*13+j*211)%512))
		}
		c.says(fmt.Sprint("busy", i%300), i/anHour, strings.Join(said, " "))
	}
}

// answered lets people answer a note, each with words of their own.
func (c *circle) answered(n *note, hour int, by ...string) {
	for i, who := range by {
		c.answers(n, who, hour, []string{"I walked past it on my way home", "Nobody told us a thing about that", "My uncle would have a word to say here"}[i%3]+" "+who)
	}
}

func TestANameThatComesUpNowAndThenIsNoStory(t *testing.T) {
	c := newCircle()
	c.busy(100, 60)
	for i, text := range []string{
		"We stayed a night in Santa Fe and the bread was good", "Thinking of a trip to Santa Fe with the children in spring",
		"A friend moved to Santa Fe and sends me pictures of pots", "The bus from Santa Fe was late again",
	} {
		c.answered(c.says(fmt.Sprint("far", i), 5+30*i, text), 6+30*i, fmt.Sprint("x", i), fmt.Sprint("y", i), fmt.Sprint("z", i))
	}
	for i, text := range []string{
		"The ferry Brindlewick ran aground off the lighthouse", "From the pier you can see Brindlewick lying on her side",
		"My sister was aboard Brindlewick and is wet but well", "Three tugs went out to Brindlewick at high tide",
	} {
		c.answered(c.says(fmt.Sprint("near", i), 50+i, text), 51+i, fmt.Sprint("p", i), fmt.Sprint("q", i), fmt.Sprint("r", i))
	}
	d := c.draft()
	about := func(words string) int {
		n := 0
		for _, it := range slices.Concat(d.main, d.also) {
			if slices.ContainsFunc(it.topic.notes, func(n *note) bool { return strings.Contains(n.text, words) }) {
				n++
			}
		}
		return n
	}
	if about("Brindlewick") != 1 || about("Santa Fe") < 4 {
		t.Errorf("%d items on the ferry, %d on what comes up now and then:\n%s", about("Brindlewick"), about("Santa Fe"), &d)
	}
	if it := d.main[0]; !strings.Contains(it.cites[0].text, "Brindlewick") {
		t.Errorf("the ferry does not come first:\n%s", &d)
	}
}

func TestTwoPeopleOfOneSurnameAreTwoStories(t *testing.T) {
	c := newCircle()
	c.used(100, everyday...)
	first := c.says("ann", 3, "Odette Tranter beat the champion in forty moves")
	second := c.says("bob", 4, "Priya Tranter won the recount by nine votes")
	c.answered(first, 4, "cat", "dan", "eve")
	c.answered(second, 5, "fay", "gil", "hal")
	if d := c.draft(); d.telling("Odette") == nil || d.telling("Odette") == d.telling("Priya") {
		t.Errorf("got\n%s", &d)
	}
	third := c.says("ida", 4, "Odette Tranter went home by bicycle as ever")
	c.answered(third, 5, "jon", "kim", "lea")
	if d := c.draft(); !slices.Contains(d.telling("Odette").topic.notes, third) || !slices.Contains(d.telling("Odette").topic.notes, first) {
		t.Errorf("one person is two:\n%s", &d)
	}
}

// Those who speak a language that few do meet in all that is written in it.
func TestThatPeopleShareALanguageJoinsNothing(t *testing.T) {
	c := newCircle()
	c.used(100, everyday...)
	for i := range 300 {
		n := c.says(fmt.Sprint("en", i%100), i/3, strings.Replace(everyday[i%6], " the ", fmt.Sprintf(" the old %c%c ", 'a'+i%26, 'a'+i/26), 1))
		c.answers(n, fmt.Sprint("en", (7*i+3)%100), i/3, "that is what I would have done with it")
	}
	circle := strings.Fields("uwe ute jan kai eva ina ole pia tom max")
	all := func(n *note, hour int) {
		for i, who := range circle[1:] {
			c.answers(n, who, hour, []string{"Das hat mir schon meine Schwester erzählt", "Wer hätte das noch gedacht", "Ich war leider nicht dabei"}[i%3]+" "+who)
		}
	}
	for i := range 30 {
		all(c.says(circle[i%len(circle)], 3*i, "Heute war ich wieder mit dem Hund am Fluss und es hat nur geregnet "+fmt.Sprint(i)), 3*i)
	}
	first := c.says("uwe", 10, "Ein Erdrutsch hat die Bahnstrecke verschüttet, alles ist zugemauert und eingestürzt")
	second := c.says("ute", 80, "Die neue Kapelle spielt am Sonntag, das Tor ist nicht mehr zugemauert, wir beginnen um zehn")
	all(first, 11)
	all(second, 81)
	if d := c.draft(); d.telling("Erdrutsch") == nil || d.telling("Erdrutsch") == d.telling("Kapelle") {
		t.Errorf("got\n%s", &d)
	}
}

func TestAWordThatKeepsComingIsNoNews(t *testing.T) {
	c := newCircle()
	c.busy(100, 60)
	for i, text := range []string{"Listening to Kestrel with the windows open", "My cat hates mushrooms and loves Kestrel", "Fried mushrooms for the whole street", "Found mushrooms while humming Kestrel loudly"} {
		c.says(fmt.Sprint("habit", i), 28*i, text)
	}
	habit := c.says("ann", 99, "Noodles with mushrooms, listening to Kestrel while fried")
	news := c.says("bob", 50, "Flooding in Harrowmere, boats ferry patients from Ulstead")
	c.says("cat", 51, "Sandbags by the hundred for Harrowmere, Ulstead is an island")
	c.weighed()
	if habit.news > news.news/2 || len(habit.newly) > 0 || len(news.newly) < 2 {
		t.Errorf("news %.2f and %d new names of what comes every day, %.2f and %d of what happened", habit.news, len(habit.newly), news.news, len(news.newly))
	}
}

func TestWhatOthersWriteOfByThemselvesIsNoRound(t *testing.T) {
	for _, alone := range []bool{true, false} {
		c := newCircle()
		c.busy(100, 60)
		root := c.says("ann", 50, "笹川見線が今夜で廃線になるって本当ですか？")
		for i, answer := range []string{"祖母と乗った", "切符を買った", "泣いた", "写真ある？", "寂しい", "駅弁好き"} {
			c.answers(root, fmt.Sprint("ja", i), 51, answer)
		}
		if !alone {
			c.says("bob", 50, "祖父が保線をしていた笹川見線、汽笛を録音してきた。")
		}
		sorted, l := c.weighed()
		for _, conv := range c.topics(t.Context(), sorted, l) {
			if slices.Contains(conv.notes, root) && conv.round != alone {
				t.Errorf("a round is %v, while another note speaks of it is %v", conv.round, !alone)
			}
		}
	}
}

func TestLikesAreLessThanAnswers(t *testing.T) {
	c := newCircle()
	c.used(100, everyday...)
	liked := c.says("ann", 1, "Varnished my grandmother's rocking chair, walnut with brass tacks")
	c.liked(liked, strings.Fields("bob cat dan eve fay gil hal ida")...)
	talked := c.says("jon", 2, "Inspectors condemned our swimming baths, cracked girders above the shallow end")
	c.answered(talked, 3, "kim", "lea", "max")
	d := c.draft()
	if len(d.main) == 0 || !strings.Contains(d.main[0].cites[0].text, "condemned") {
		t.Errorf("got\n%s", &d)
	}
}

func TestAWeekOfManyNotesIsReadWholeInThreeSteps(t *testing.T) {
	until := time.Date(2026, 11, 19, 15, 0, 0, 0, time.UTC).Add(-time.Second)
	w := question.Window{Since: until.Add(-200 * time.Hour), Until: until}
	var counts []int
	for i := range 168 {
		counts = append(counts, 120+(i%24)*10)
	}
	pages, left := pagesOf(counted(w, 0, counts...), w, maxPostPages)
	if left > 0 {
		t.Errorf("%d pages, %d notes left", len(pages), left)
	}
	if most := maxPostPages + maxReactPages + maxPastPages; most > pageSteps*stepCalls {
		t.Errorf("%d pages are more than %d steps ask for", most, pageSteps)
	}
}

// Where the machine is so busy that the tools do not come to an end of counting, what was
// not counted is read too.
func TestWhatWasNotCountedIsRead(t *testing.T) {
	until := time.Date(2026, 11, 19, 15, 0, 0, 0, time.UTC).Add(-time.Second)
	w := question.Window{Since: until.Add(time.Second).Add(-40 * time.Hour), Until: until}
	part := counted(w, 0, slices.Repeat([]int{100}, 10)...)
	part.TotalAtLeast = true
	pages, left := pagesOf(whole(part, w), w, 100)
	sum := 0
	for _, p := range pages {
		sum += p.notes
	}
	if oldest := pages[len(pages)-1]; oldest.since != w.Since.Unix() || sum != 4000 || left != 0 {
		t.Errorf("pages from %d on with %d notes, want them from %d on with 4000", oldest.since, sum, w.Since.Unix())
	}
}

// Nothing is looked up in the last steps, and then it is not said that it is not here.
func TestNothingIsLookedUpInTheLastSteps(t *testing.T) {
	for steps, want := range map[int]int{lookUpUntil - 1: 1, lookUpUntil: 0} {
		c := newCircle()
		lone := c.says("ann", 1, "And then the whole gearbox fell out on the motorway")
		lone.parent, lone.orphan = strings.Repeat("ab", 32), true
		turn := &turn{results: map[string]llm.Message{}, offered: map[string]bool{"get_note": true}, steps: steps}
		p := &plan{Model: New(Options{}), turn: turn, words: ownLanguages().words["en"]}
		it := item{cites: []cite{{note: lone}}}
		asked := p.answered(draft{also: []item{it}}, c.corpus)
		if len(turn.pending) != want {
			t.Errorf("after %d steps %d notes are looked up, want %d", steps, len(turn.pending), want)
		}
		if said := p.speaker(&it, 0, 0, asked, nil); said != "ann, answering another note:" {
			t.Errorf("after %d steps it says %q", steps, said)
		}
		for _, call := range turn.pending {
			turn.results[callKey(call.Name, call.Arguments)] = llm.Message{Role: llm.ToolRole, Failed: true, Text: "no such note"}
			asked = p.answered(draft{also: []item{it}}, c.corpus)
			if said := p.speaker(&it, 0, 0, asked, nil); said != "ann, answering a note that is not stored here:" {
				t.Errorf("of a note that was looked up and not found it says %q", said)
			}
		}
	}
}

func TestWhatIsSaidAllTheTimeJoinsNothing(t *testing.T) {
	c := newCircle()
	c.busy(100, 60)
	var habits []*note
	for i, text := range []string{
		"raisins in the porridge, beetles on the podcast", "my podcast on beetles, with porridge and raisins", "beetles: a podcast while the porridge and raisins cool",
		"porridge, raisins, then that podcast about beetles",
	} {
		n := c.says(fmt.Sprint("habit", i), 5+30*i, text)
		c.answered(n, 6+30*i, fmt.Sprint("x", i), fmt.Sprint("y", i))
		habits = append(habits, n)
	}
	sorted, l := c.weighed()
	for _, told := range c.topics(t.Context(), sorted, l) {
		if slices.Contains(told.notes, habits[0]) && slices.ContainsFunc(told.notes, func(n *note) bool { return slices.Contains(habits[1:], n) }) {
			t.Error("what is said all the time is one story")
		}
	}
}

func TestACircleThatMeetsTwiceHasTwoStories(t *testing.T) {
	c := newCircle()
	c.used(100, everyday...)
	for i := range 300 {
		n := c.says(fmt.Sprint("en", i%100), i/3, strings.Replace(everyday[i%6], " the ", fmt.Sprintf(" the old %c%c ", 'a'+i%26, 'a'+i/26), 1))
		c.answers(n, fmt.Sprint("en", (7*i+3)%100), i/3, "that is what I would have done with it")
	}
	circle := strings.Fields("uwe ute jan kai eva ina ole pia tom max")
	first := c.says("uwe", 10, "The landslide buried both tracks, everything is crooked and bricked up now")
	second := c.says("ute", 80, "Our brass band plays on Sunday, the gate is no longer bricked and we begin at ten")
	c.answered(first, 11, circle[1:]...)
	c.answered(second, 81, append([]string{"uwe"}, circle[2:]...)...)
	if d := c.draft(); d.telling("landslide") == nil || d.telling("landslide") == d.telling("brass band") {
		t.Errorf("got\n%s", &d)
	}
}

func TestAWordThatIsWrittenSmallElsewhereIsNoName(t *testing.T) {
	c := newCircle()
	c.used(100, everyday...)
	for i, who := range strings.Fields("ann bob cat") {
		c.says(who, 3+i, "We used their balloons for our Walk Against Hunger event last year.")
	}
	c.says("dan", 5, "I am against it, whatever they say")
	sorted, l := c.weighed()
	for _, n := range sorted {
		for _, name := range n.names {
			if name.word == l.words.words["against"] {
				t.Errorf("a name in %q", n.text)
			}
		}
	}
}

func TestWhatSixtyNotesHaveIsNotSeldomHoweverManyThereAre(t *testing.T) {
	l := newLexis(1)
	l.now.notes = 39000
	for notes, want := range map[int32]bool{3: true, 60: false} {
		if got := l.seldom(&word{now: notes}); got != want {
			t.Errorf("a word of %d notes is seldom: %v", notes, got)
		}
	}
}

func TestNamesThatNobodyUsedBeforeJoinOnlyWhatIsNear(t *testing.T) {
	for word, times := range map[string]int{"Wimble": 4, "Kestrel": 2} {
		c := newCircle()
		c.used(1000, everyday...)
		c.busy(100, 60)
		var notes []*note
		for i := range times {
			n := c.says(fmt.Sprint("far", i), 5+90*i/(times-1), []string{"Bought a lamp from %s today", "The radio played %s at breakfast", "Nobody in our house likes %s", "A letter came for %s, wrong address"}[i])
			n.text = fmt.Sprintf(n.text, word)
			c.answered(n, 6+90*i/(times-1), fmt.Sprint("x", i), fmt.Sprint("y", i), fmt.Sprint("z", i))
			notes = append(notes, n)
		}
		sorted, l := c.weighed()
		for _, told := range c.topics(t.Context(), sorted, l) {
			if slices.Contains(told.notes, notes[0]) && slices.ContainsFunc(told.notes, func(n *note) bool { return slices.Contains(notes[1:], n) }) {
				t.Errorf("%s is one story", word)
			}
		}
	}
}

func TestAPageThatCouldNotBeReadIsCounted(t *testing.T) {
	turn := &turn{results: map[string]llm.Message{}, offered: map[string]bool{"query": true}}
	p := &plan{Model: New(Options{}), turn: turn, words: ownLanguages().words["en"]}
	pages := []page{{since: 100, until: 199, notes: 150}, {since: 0, until: 99, notes: 120}}
	if _, lost := p.pages(tools.CountArgs{Context: "home"}, pages); lost != 0 || len(turn.pending) != 2 {
		t.Fatalf("%d notes lost before they were asked for, %d calls", lost, len(turn.pending))
	}
	for i, call := range turn.pending {
		answer := llm.Message{Role: llm.ToolRole, Value: tools.QueryResult{Notes: []tools.Note{{NoteID: "a"}}}}
		if i == 1 {
			answer = llm.Message{Role: llm.ToolRole, Failed: true, Text: "out of time"}
		}
		turn.results[callKey(call.Name, call.Arguments)] = answer
	}
	if notes, lost := p.pages(tools.CountArgs{Context: "home"}, pages); len(notes) != 1 || lost != 120 {
		t.Errorf("%d notes read, %d lost", len(notes), lost)
	}
}

// So is what a page holds that is read to no end, since it holds far more than was counted.
func TestWhatIsLeftOfAPageIsCounted(t *testing.T) {
	turn := &turn{results: map[string]llm.Message{}, offered: map[string]bool{"query": true}}
	p := &plan{Model: New(Options{}), turn: turn, words: ownLanguages().words["en"]}
	for range maxRounds {
		if _, lost := p.pages(tools.CountArgs{}, []page{{since: 0, until: 99, notes: 150}}); lost != 0 {
			t.Fatalf("%d notes lost before they were asked for", lost)
		}
		call := turn.pending[0]
		turn.pending, turn.results[callKey(call.Name, call.Arguments)] = nil, llm.Message{
			Role: llm.ToolRole, Value: tools.QueryResult{Total: 700, Truncated: true, Cursor: "behind " + call.ID},
		}
	}
	if _, lost := p.pages(tools.CountArgs{}, []page{{since: 0, until: 99, notes: 150}}); lost != 700-mostOfAPage {
		t.Errorf("%d notes lost of 700", lost)
	}
}

func TestASeriesThatWasSeenIsNotToldAgain(t *testing.T) {
	c := newCircle()
	old := c.says("bot", 1, "Block 874,001 found")
	newer := c.says("bot", 2, "Block 874,002 found")
	old.repeated, newer.repeated = true, true
	if c.corpus.markRepeated(c.corpus.sorted()); !old.repeated || !newer.repeated {
		t.Errorf("told again: %v, %v", !old.repeated, !newer.repeated)
	}
}
