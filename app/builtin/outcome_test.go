package builtin

import (
	"slices"
	"strings"
	"testing"
)

// amongOthers is a circle in which these lines were written, each with its hour, who, the
// line that it answers or -, and its text, among conversations that have nothing to do with
// them.
func amongOthers(lines []string) *circle {
	c := newCircle()
	c.used(100, everyday...)
	for i, text := range everyday {
		for j, who := range strings.Fields("gil hal ida jon kim lea") {
			n := c.says(who, 10*i+j, text+" with "+who)
			c.answers(n, []string{"max", "nan", "oda"}[j%3], 10*i+j, "nice one, "+who)
		}
	}
	var said []*note
	for _, line := range lines {
		f := strings.SplitN(line, " ", 4)
		hour := 0
		for _, r := range f[0] {
			hour = 10*hour + int(r-'0')
		}
		if f[2] == "-" {
			said = append(said, c.says(f[1], hour, f[3]))
		} else {
			said = append(said, c.answers(said[f[2][0]-'0'], f[1], hour, f[3]))
		}
	}
	return c
}

// What came of a story is told beside how it began, whoever tells it and wherever: in a
// note of its own, by somebody else, or deep in the thread after a silence.
func TestWhatCameOfAStoryIsTold(t *testing.T) {
	for name, tt := range map[string]struct {
		lines   []string // see amongOthers
		began   string
		outcome string
	}{
		"a note of its own by somebody else": {[]string{
			"3 ann - The council closed the Harrowgate footbridge this morning, nobody may cross it.",
			"4 bob 0 How long do they reckon?", "4 cat 0 I crossed it yesterday and it was swaying",
			"50 dan - Walked down to the river. Harrowgate footbridge is open again, they swapped two cables.",
			"51 bob 3 finally!", "52 cat 3 I shall jump on it first",
		}, "council closed", "open again"},
		"deep in the thread": {[]string{
			"2 ann - Smoke over the old cannery at Pelham docks, four fire engines went past.",
			"3 bob 0 I can smell it up here", "3 cat 0 hope nobody sleeps in there", "5 dan 1 it is the paint store next to it",
			"19 dan 3 Fire is out, nobody is hurt, the cannery lost its roof.", "20 ann 4 he deserves a beer", "20 eve 4 thank your brother",
		}, "Smoke over", "Fire is out"},
		"Spanish, by somebody else": {[]string{
			"5 ann - Cierran el museo de relojes de Almorda por falta de dinero, me lo acaba de contar el guarda.",
			"6 bob 0 Qué pena, iba de niño con mi abuelo", "6 cat 0 Siempre pagan los mismos",
			"80 dan - Una fundación compra la colección de Almorda y el museo reabre en primavera.",
			"81 bob 3 Qué alegría", "82 cat 3 Llevaré a mis hijos el primer día",
		}, "Cierran el museo", "museo reabre"},
		"Japanese, by somebody else": {[]string{
			"3 ann - 駅前の栄月堂が今月で閉店するそうです。四十年通ったのに。", "4 bob 0 えっ、あの店がなくなるのか", "4 cat 0 最後にもう一度食べに行かなきゃ",
			"72 dan - 栄月堂はお孫さんが店を継ぐことになり、来月から再開します。", "73 bob 3 よかった", "74 cat 3 また通えますね",
		}, "閉店する", "再開します"},
		"by somebody else, that nobody took up, after a turn of who began": {[]string{
			"10 ann - The hot air balloon Marlinspike has not landed, two aboard, last seen over the Trent at dusk.",
			"11 bob 0 Which colours has it?", "11 cat 0 we are looking out from the tower",
			"60 ann 0 No trace of Marlinspike so far, the family waits at the airfield.", "61 bob 3 fingers crossed",
			"120 dan - Marlinspike is down in a beet field, basket on its side, both cold and cheerful! Who has dry socks?",
		}, "has not landed", "beet field"},
		"Chinese, by somebody else, that nobody took up": {[]string{
			"5 ann - 石榴湾隧道渗水，双向封闭，公交改道走老街。", "6 bob 0 怪不得迟到", "6 cat 0 要封多久",
			"130 dan - 石榴湾隧道今早重新放行，墙面还湿着，司机们按喇叭庆祝。",
		}, "双向封闭", "重新放行"},
	} {
		t.Run(name, func(t *testing.T) {
			d := amongOthers(tt.lines).draft()
			it := d.telling(tt.outcome)
			if it == nil || len(it.cites) < 2 || !it.cites[0].now || !strings.Contains(it.cites[0].text, tt.outcome) || !strings.Contains(it.cites[1].text, tt.began) {
				t.Errorf("got\n%s", &d)
			}
		})
	}
}

// A sentence that ends before what it announces is said is not what is quoted, and a short
// first sentence stands with the next one.
func TestASentenceThatSaysTooLittleIsNotQuotedAlone(t *testing.T) {
	for name, tt := range map[string]struct {
		text, goesOn, want string
	}{
		"a colon":                   {"Some news about what many of you have asked me over the last months:\nthe Quenby library keeps its doors open, the town found the money.", "", "the Quenby library keeps"},
		"a colon and a second note": {"Some news about what many of you have asked me over the last months:", "the Quenby library keeps its doors open, the town found the money.", "the Quenby library keeps"},
		"a short opening":           {"I passed! Third try, driving licence. The examiner laughed at how I park between lorries, but kindly.", "", "I passed! Third try"},
		"Portuguese":                {"Casámo-nos! Em segredo, no registo de Gamanha, com duas testemunhas do café.", "", "Casámo-nos! Em segredo"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCircle()
			c.used(60, everyday...)
			root := c.says("ann", 1, tt.text)
			if tt.goesOn != "" {
				c.answers(root, "ann", 1, tt.goesOn)
			}
			c.answers(root, "bob", 2, "how good to hear that at last")
			c.answers(root, "cat", 2, "I am so glad about this one")
			d := c.draft()
			if len(d.main) == 0 || !strings.HasPrefix(d.main[0].cites[0].raw, tt.want) {
				t.Errorf("got\n%s", &d)
			}
		})
	}
}

// A note of a few short sentences is quoted as a whole: which of them is the news, and which
// the joke behind it, no count of words tells.
func TestANoteOfAFewShortSentencesIsQuotedWhole(t *testing.T) {
	for _, text := range []string{
		"Mum got her pacemaker yesterday, all went as planned. She is already bossing the nurses around about the pudding.",
		"Der Kater ist wieder aufgetaucht! Er saß drei Tage im Heizungskeller der Schule und ist beleidigt.",
		"司法試験に受かりました！ 五回目です。家族みんなで泣きました。",
	} {
		c := newCircle()
		c.used(60, everyday...)
		root := c.says("ann", 1, text)
		c.answers(root, "bob", 2, "the pudding was always bad there, tell her")
		c.answers(root, "cat", 2, "how good to hear that at last")
		if d := c.draft(); len(d.main) == 0 || d.main[0].cites[0].raw != text {
			t.Errorf("%s: got\n%s", text, &d)
		}
	}
}

// So is none, however short, that begins with something else than what others take up.
func TestAShortNoteThatDigressesIsNotQuotedWhole(t *testing.T) {
	c := newCircle()
	c.used(60, append([]string{"In the queue at the baker's somebody sang this morning"}, everyday...)...)
	root := c.says("ann", 1, "In the queue at the baker's somebody sang this morning. Harrowgate footbridge is closed for good.")
	c.answers(root, "bob", 2, "Harrowgate footbridge of all bridges")
	c.answers(root, "cat", 2, "how do I get over from Harrowgate now")
	if d := c.draft(); len(d.main) == 0 || d.main[0].cites[0].raw != "Harrowgate footbridge is closed for good." {
		t.Errorf("got\n%s", &d)
	}
}

// A name that a long tale happens to have joins it with nothing.
func TestATaleIsNotJoinedWithAStoryByAName(t *testing.T) {
	c := newCircle()
	c.used(100, everyday...)
	for i, who := range []string{"ann", "bob", "cat"} {
		n := c.says(who, 10*i, []string{
			"The ferry Brindlewick ran aground off the northern lighthouse, everybody is safe.",
			"We saw how Brindlewick was towed free at high tide this evening.",
			strings.Repeat("My cousin tells of gardens, waiters, speeches, plates, gravel, curtains, lorries, jars, puddles and umbrellas all evening long. ", 4) + "He came with Brindlewick once.",
		}[i])
		c.answers(n, "dan", 10*i+1, "so I heard on the radio")
		c.answers(n, "eve", 10*i+1, "tell me more of it, please")
	}
	d := c.draft()
	if it := d.telling("ran aground"); it == nil || d.telling("towed free") != it {
		t.Errorf("the story is in parts:\n%s", &d)
	}
	if it := d.telling("ran aground"); it != nil {
		for _, n := range it.topic.notes {
			if strings.Contains(n.text, "My cousin") {
				t.Errorf("the tale is part of it:\n%s", &d)
			}
		}
	}
}

// The same sentence copied by two people makes no story of what they write around it.
func TestACopiedSentenceJoinsNothing(t *testing.T) {
	c := newCircle()
	c.used(100, everyday...)
	copied := " Her buddies were seen with lanterns, kites and marmalade near the pier."
	first := c.says("ann", 1, "Planted radishes behind the shed today."+copied)
	second := c.says("bob", 30, "The accordion needs new bellows again."+copied)
	for _, n := range []*note{first, second} {
		c.answers(n, "cat", 31, "well done, keep at it")
		c.answers(n, "dan", 31, "that takes patience, as I know")
	}
	if d := c.draft(); d.telling("radishes") == nil || d.telling("radishes") == d.telling("accordion") {
		t.Errorf("got\n%s", &d)
	}
}

// What takes a claim back is told with it, whoever says so and where; what somebody would do
// if the claim were true takes it no further.
func TestAClaimStandsWithWhatTookItBack(t *testing.T) {
	for name, tt := range map[string]struct {
		lines       []string
		claim, back string
	}{
		"a third person, after a condition": {[]string{
			"60 ann - Henrike Osterloh leaves the Malvern orchestra for Bergen, the contract is signed.",
			"61 bob 0 who told you that?", "61 cat 0 oh no, not her", "64 dan 0 wish her luck",
			"70 bob - If Henrike Osterloh moves to Bergen I shall sell my cello, my bicycle and my aquarium.", "71 cat 4 all of it?", "72 eve 4 I take the aquarium",
			"110 fay - Henrike Osterloh denies it on the radio: she was in Bergen for a wedding.",
		}, "contract is signed", "denies it"},
		"Japanese, that nobody took up": {[]string{
			"60 ann - 速報、紅葉坂ロープウェイは来年廃止とのこと。", "61 cat 0 乗りおさめしないと", "61 dan 0 さびしい",
			"100 bob - 紅葉坂ロープウェイの廃止は事実無根、運営会社に電話で確かめました。",
		}, "来年廃止", "事実無根"},
	} {
		t.Run(name, func(t *testing.T) {
			d := amongOthers(tt.lines).draft()
			it := d.telling(tt.back)
			if it == nil || !it.cites[0].now || !strings.Contains(it.cites[0].text, tt.back) || d.telling(tt.claim) != it {
				t.Errorf("got\n%s", &d)
			}
		})
	}
}

// Two people who share a surname are two, two words that are written alike in two languages
// say two things, and a word that only sentences begin with is no name.
func TestNamesakesAreNotOneStory(t *testing.T) {
	for name, lines := range map[string][]string{
		"by one author": {
			"5 ann - Sang old shanties by Wilhelmina Brackwater on the pier until the tide came.", "6 bob 0 lovely evening", "6 cat 0 which ones?",
			"50 ann - The mail server at our club is gone for good, Hubert Brackwater says nothing was kept.", "51 bob 3 not a single backup?", "51 dan 3 my letters!",
		},
		"by two": {
			"5 ann - Judge Wilhelmina Brackwater closed the hearing about the harbour fees.", "6 bob 0 about time", "6 cat 0 who pays now?",
			"50 dan - Young Hubert Brackwater jumped eight metres at the games in Lund!", "51 bob 3 what a leap", "51 eve 3 I was there",
		},
		"a unit": {
			"5 ann - Mein Beitrag zum Wettbewerb: Roggenmischbrot, 60 Prozent, gebacken im Topf meiner Tante.", "6 bob 0 das riecht man bis hierher", "6 cat 0 hebst du mir eins auf?",
			"50 dan - Ausgezählt: der Radweg kommt, mit 57,3 Prozent bei der höchsten Beteiligung seit dem Hallenbad.", "51 bob 3 endlich!", "51 eve 3 und die Parkplätze?",
		},
		"an opening word": {
			"5 ann - Bewilderingly the oven bakes again since the third repair man kicked it.", "6 bob 0 a good kick", "6 cat 0 cake soon?",
			"50 dan - Bewilderingly my tax return came back with an apology and a stamp.", "51 bob 3 frame it", "51 eve 3 never heard of that",
		},
		"a word in two languages": {
			"5 ann - Our pan burned and the whole house smells of it, we ordered from the corner.", "6 bob 0 again?", "6 cat 0 soak it in soda",
			"6 dan - El pan de la esquina se acabó y la panadera cierra hasta el lunes.", "7 bob 3 qué hambre", "7 cat 3 voy a la otra",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := amongOthers(lines).draft()
			first, second := strings.SplitN(lines[0], " ", 4)[3], strings.SplitN(lines[3], " ", 4)[3]
			if a, b := d.telling(first[:20]), d.telling(second[:20]); a == nil || b == nil || a == b {
				t.Errorf("got\n%s", &d)
			}
		})
	}
}

// What somebody says of their own story without a word of it is a remark, not how it stands.
func TestARemarkIsNoTurn(t *testing.T) {
	c := newCircle()
	c.used(60, everyday...)
	found := c.says("ann", 10, "Found! Tibbs sat in the cellar of the Orlowick bakery, five kilos heavier and not sorry")
	for _, who := range []string{"bob", "cat", "dan", "eve"} {
		c.answers(found, who, 11, "Tibbs in the Orlowick bakery, of all places")
	}
	c.answers(found, "ann", 16, "That picture goes up on the wall tonight, framed")
	d := c.draft()
	if d.telling("Found!") == nil || d.telling("on the wall") != nil {
		t.Errorf("got\n%s", &d)
	}
}

// What is told beside a story is no part of how it began.
func TestWhatIsToldBesideAStoryHasItsOwnLine(t *testing.T) {
	c := newCircle()
	it, index := item{}, map[string]int{}
	for i, text := range []string{"“It is open.”", "“It is closed.”", "“They sing on it.”"} {
		n := c.says([]string{"ann", "bob", "cat"}[i], 10-i, text)
		index[n.id] = i + 1
		it.cites = append(it.cites, cite{note: n, text: text, now: i == 0})
	}
	p := &plan{Model: New(Options{}), turn: &turn{}, words: ownLanguages().words["en"]}
	it.topic = &topic{}
	var got []string
	for _, l := range p.item(&it, index, &reading{}, nil).Lines {
		got = append(got, l.Label+" "+l.Text)
	}
	if want := []string{"Now ann: “It is open.” ^1", "Before bob: “It is closed.” ^2", " cat: “They sing on it.” ^3"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
