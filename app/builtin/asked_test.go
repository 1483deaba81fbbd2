package builtin_test

import (
	"slices"
	"strings"
	"testing"

	"bowerbird/app/builtin"
	"bowerbird/ndb/nostr"
)

// smallCircle is a small store: the user, two people followed and a stranger.
func smallCircle(t *testing.T) *reader {
	me, ann, bob, eve := named("me"), named("ann"), named("bob"), named("eve")
	at := noon.Unix()
	mine := me.event(t, 1, at-50_000, "Has anybody seen the ladder from the workshop?")
	bridge := ann.event(t, 1, at-40_000, "The bridge at the mill opens on Saturday with a brass band.")
	return newReader(t, me.key(t), noon, []*nostr.Event{
		follows(t, me, ann, bob),
		me.event(t, 0, at-90_000, `{"name":"mira"}`),
		ann.event(t, 0, at-90_000, `{"name":"Annika"}`),
		bob.event(t, 0, at-90_000, `{"name":"Bob Weiss"}`),
		eve.event(t, 0, at-90_000, `{"name":"eve"}`),
		mine, bridge,
		eve.event(t, 1, at-30_000, "The ladder leans behind the old shed by the river.", noteTag(mine, "root"), personTag(me, t)),
		ann.event(t, 1, at-20_000, "The baker asked about our friend and the choir on Sunday.", personTag(me, t)),
		bob.event(t, 1, at-10_000, "A brass band on that bridge will shake the bolts loose.", noteTag(bridge, "root"), personTag(ann, t)),
		ann.event(t, 1, at-9_000, "The bolts are new, and the tuba stays on the bank.", noteTag(bridge, "root"), personTag(bob, t)),
		eve.event(t, 7, at-8_000, "+", noteTag(mine, ""), personTag(me, t)),
		eve.event(t, 7, at-7_000, "+", noteTag(bridge, ""), personTag(me, t), personTag(ann, t)), // of hers, where I am only named
	})
}

func noteTag(of *nostr.Event, marker string) []string {
	if marker == "" {
		return []string{"e", of.ID.String()}
	}
	return []string{"e", of.ID.String(), "", marker}
}

func personTag(who someone, t testing.TB) []string { return []string{"p", who.key(t).String()} }

func TestWhatCameToMeIsToldByWhomeverItIs(t *testing.T) {
	r := smallCircle(t)
	for question, want := range map[string][]string{
		"who answered me?":                         {"1 answer, by 1 person", "eve answered you", "ladder leans"},
		"Did anyone mention me?":                   {"1 answer, 1 mention, by 2 people", "Annika mentioned you"},
		"has anybody liked my notes":               {"1 reaction on your note “Has anybody seen the ladder from the workshop?” ^1, Fri 09:46, by eve."},
		"did anyone like my note about the ladder": {"1 reaction on your note “Has anybody seen the ladder from the workshop?” ^1"},
		"who answered my note about cheese":        {"Not taken into account: “cheese”"},
		"Did Annika answer me?":                    {"Nothing for you is stored here", "answers"},
		"Who zapped me yesterday?":                 {"Nothing for you is stored here from Thu", "zaps"},
		"how many people replied to me":            {"1 answer, by 1 person"},
		"Wer hat mich erwähnt?":                    {"Annika hat dich erwähnt"},
		"my mentions, please":                      {"Annika mentioned you"},
		"誰か私に返信しましたか？":                             {"eveさんの返信"},
		"is anybody talking about me??":            {"Annika mentioned you"},
		"¿Me ha respondido alguien?":               {"eve te respondió"},
		"quelqu'un m'a répondu ?":                  {"eve t'a répondu"},
		"alguém me respondeu esta semana?":         {"eve respondeu-te"},
	} {
		a := r.ask(t, question)
		for _, w := range want {
			if !strings.Contains(a.text, w) {
				t.Errorf("%s: %q is missing in\n%s", question, w, a)
			}
		}
		if strings.Contains(a.text, "bolts") {
			t.Errorf("%s: what is for others is told:\n%s", question, a)
		}
	}
	a := r.ask(t, "Who has mentioned me today? As a table")
	if len(a.tables) != 1 || len(a.tables[0].Rows) != 2 || !slices.Contains(a.tables[0].Rows[0], "Annika") {
		t.Errorf("no table of two rows, the newest first: %v\n%s", a.tables, a)
	}
}

func TestWhatCameToOneOfMyNotesIsToldApart(t *testing.T) {
	me, ann, bob := named("me"), named("ann"), named("bob")
	at := noon.Unix()
	older, newest := me.event(t, 1, at-60_000, "The ladder is in the workshop."), me.event(t, 1, at-50_000, "The paint on the bench is dry.")
	r := newReader(t, me.key(t), noon, []*nostr.Event{
		follows(t, me, ann, bob),
		ann.event(t, 0, at-90_000, `{"name":"Annika"}`),
		bob.event(t, 0, at-90_000, `{"name":"Bob Weiss"}`),
		older, newest,
		ann.event(t, 7, at-40_000, "+", noteTag(older, ""), personTag(me, t)),
		bob.event(t, 7, at-30_000, "+", noteTag(newest, ""), personTag(me, t)),
		bob.event(t, 1, at-20_000, "Which ladder do you mean?", noteTag(older, "root"), personTag(me, t)),
	})
	for question, want := range map[string][2]string{
		"who liked my newest note":                     {"The paint on the bench", "Annika"},
		"Wem gefällt mein letzter Beitrag?":            {"Bob Weiss", "Annika"},
		"did anyone like my note about the ladder":     {"Annika", "Bob Weiss"},
		"who answered my note about the ladder":        {"Which ladder", "paint"},
		"did anybody answer my last post":              {"Nothing for you", "Which ladder"},
		"did anybody answer my note about the tractor": {"Not taken into account: “tractor”", "paint"},
	} {
		if a := r.ask(t, question); !strings.Contains(a.text, want[0]) || strings.Contains(a.text, want[1]) {
			t.Errorf("%s: want %q, not %q:\n%s", question, want[0], want[1], a)
		}
	}
}

func TestNotesPerDayAreDrawnAndCounted(t *testing.T) {
	r := smallCircle(t)
	for question, want := range map[string]string{
		"notes per day of me as a chart":                 "1 note by mira",
		"Chart of Annika's notes per week":               "3 notes by Annika",
		"Annika's notes per week since Wednesday, chart": "Most in the week from Wed 18 Nov: 3 notes.",
		"notes per day of the people I follow this week": "5 notes by people you follow",
		"Notizen pro Tag von Annika als Diagramm":        "3 Notizen von Annika",
	} {
		a := r.ask(t, question)
		if len(a.charts) != 1 || a.charts[0].Refused != "" || !strings.Contains(a.text, want) {
			t.Errorf("%s: no chart, or %q is missing in\n%s", question, want, a)
		}
	}
	if a := r.ask(t, "Annika's notes this week as a table"); len(a.tables) != 1 || len(a.tables[0].Rows) != 3 {
		t.Errorf("no table of her three notes:\n%s", a)
	}
}

func TestWhatTwoPeopleSaidToEachOther(t *testing.T) {
	r := smallCircle(t)
	a := r.ask(t, "What did Annika and Bob Weiss talk about today?")
	if checkQuotes(t, r, a) != 2 || !strings.Contains(a.text, "said to each other since Fri 00:00 (2 notes)") || strings.Contains(a.text, "choir") {
		t.Errorf("not just what they said to each other:\n%s", a)
	}
	if a := r.ask(t, "What did Bob Weiss and eve talk about?"); !strings.Contains(a.text, "No conversation between Bob Weiss and eve") {
		t.Errorf("got\n%s", a)
	}
	if a := r.ask(t, "What do Annika and Bob Weiss write about the bridge?"); checkQuotes(t, r, a) == 0 || !strings.Contains(a.text, "(“bridge”)") || !strings.Contains(a.text, "**Bob Weiss**") {
		t.Errorf("not what each of them said about it:\n%s", a)
	}
	if a := r.ask(t, "anything about the umbrella or the bridge this week?"); checkQuotes(t, r, a) == 0 || !strings.Contains(a.text, "“umbrella or the bridge”") {
		t.Errorf("not what was said about either:\n%s", a)
	}
	if a := r.ask(t, "show me the whole conversation under Annika's note about the bridge"); checkQuotes(t, r, a) < 2 || !strings.Contains(a.text, "A thread of 3 notes") {
		t.Errorf("not the thread:\n%s", a)
	}
}

func TestAQuestionFollowsOnTheOneBefore(t *testing.T) {
	r := smallCircle(t)
	for _, tt := range []struct {
		chat []string
		want string
	}{
		{[]string{"What did Annika write today?", "and Bob Weiss?"}, "What Bob Weiss wrote since Fri 00:00"},
		{[]string{"What did Annika say about the bridge this week?", "and what about Bob Weiss?"}, "What Bob Weiss wrote about “bridge” since Mon"},
		{[]string{"What did Annika say about the bridge this week?", "and the choir?"}, "What Annika wrote about “choir” since Mon"},
		{[]string{"What did Annika write today?", "What about the bolts?"}, "What the people you follow said about “bolts” since Fri 00:00"},
		{[]string{"What did Annika write today?", "what about Anika"}, "What Annika wrote since Fri 00:00"},
		{[]string{"What about the bridge?"}, "What the people you follow said about “bridge”"},
		{[]string{"bridge"}, "What the people you follow said about “bridge”"},
		{[]string{"annika"}, "What Annika wrote since"},
		{[]string{"What did Wiess write today?"}, "What Bob Weiss wrote since Fri 00:00"},
		{[]string{"What did Annika write today?", "what about Wiess?"}, "What Bob Weiss wrote since Fri 00:00"},
		{[]string{"Anika?"}, "What Annika wrote since"},
		{[]string{"What did Annika write today?", "and Zoltan?"}, "Nobody called “Zoltan” is known here."},
		{[]string{"What did I miss today?", "and last week?"}, "from 9 Nov, 00:00 to Sun 23:59"},
		{[]string{"What did I miss today?", "more about the first"}, "It begins:\n\n- Annika: “The bridge"},
		{[]string{"What did I miss today?", "more about the first", "and the ninth?"}, ""},
		{[]string{"What did I miss today?", "more about the sixth"}, "The answer before has no item 6."},
		{[]string{"Who is Annika?", "thanks, that helped!"}, "You're welcome."},
		{[]string{"What did Annika write today?", "Who is Bob Weiss?"}, "**Bob Weiss**"},
	} {
		if a := r.chat(t, tt.chat...); !strings.Contains(a.text, tt.want) {
			t.Errorf("%v: %q is missing in\n%s", tt.chat, tt.want, a)
		}
	}
}

func TestWhatIsNotUnderstoodIsAnsweredWithQuestionsThatAre(t *testing.T) {
	r := smallCircle(t)
	for _, question := range []string{
		"what's the weather tomorrow in Hamburg", "Post this for me: good morning everyone!", "Wie wird das Wetter?", "escreve um poema pra mim sobre a lua",
		"Delete all notes of Annika", "quel temps fera-t-il demain ?", "詩を書いて", "帮我写一首诗", "Who is the best at chess?",
	} {
		a := r.ask(t, question)
		offer, ok := builtin.ReadOffer(a.text)
		if !ok || len(offer.Questions) == 0 || len(offer.Questions) > 4 || len(a.notes) > 0 {
			t.Errorf("%s: not one to four questions:\n%s", question, a)
		}
		for _, q := range offer.Questions {
			if strings.Contains(q, "{") || strings.Contains(q, "NAME") {
				t.Errorf("%s: a blank is offered: %s", question, q)
			}
			if _, again := builtin.ReadOffer(r.ask(t, q).text); again {
				t.Errorf("%s: what is offered is not understood: %s", question, q)
			}
		}
	}
	if a := r.ask(t, "What did Anika write today?"); !strings.Contains(a.text, "What Annika wrote") {
		t.Errorf("a name with one letter too few is not found:\n%s", a)
	}
	a := r.ask(t, "What did Zoltan write today?")
	if !strings.Contains(a.text, "Nobody called “Zoltan” is known here. Among those who write here are Annika, Bob Weiss") || strings.Contains(a.text, "nothing") {
		t.Errorf("got\n%s", a)
	}
	a = r.ask(t, "what did the ferryman write today?")
	if offer, ok := builtin.ReadOffer(a.text); !ok || len(offer.Questions) == 0 || strings.Contains(a.text, "Nobody called") {
		t.Errorf("what is no name is taken for one:\n%s", a)
	}
	if a := r.ask(t, "What did Annika write today? And who posted most this week?"); !strings.Contains(a.text, "Ask this one by itself: “And who posted most this week”") {
		t.Errorf("the second question is passed over in silence:\n%s", a)
	}
}

func TestATopicIsAlsoTheHashtagOfItsWords(t *testing.T) {
	me, ann, eve := named("me"), named("ann"), named("eve")
	at := noon.Unix()
	r := newReader(t, me.key(t), noon, []*nostr.Event{
		follows(t, me, ann),
		ann.event(t, 1, at-4_000, "Forty stalls and no rain this year. #harbourfair", []string{"t", "harbourfair"}),
		ann.event(t, 1, at-3_000, "The harbour master has a new boat."),
		eve.event(t, 1, at-90_000, "The lighthouse is open to visitors again."),
	})
	a := r.ask(t, "What's new about the harbour fair?")
	if !strings.Contains(a.text, "Forty stalls") || strings.Contains(a.text, "new boat") {
		t.Errorf("got\n%s", a)
	}
	a = r.ask(t, "What do people say about the lighthouse today?")
	if !strings.Contains(a.text, "since Fri 00:00: nothing") || !strings.Contains(a.text, "open to visitors") {
		t.Errorf("the time asked about is not told:\n%s", a)
	}
}

func TestWhereNoNoteHasAllWordsOfATopicThoseWithAnyAreTold(t *testing.T) {
	r := smallCircle(t)
	for question, want := range map[string][]string{
		"What did Annika say about bolts and choirs?":        {"about “bolts and choirs”", "No note has all of these words; these have at least one of them.", "The bolts are new", "the choir on Sunday"},
		"Was hat Annika über bolts und choir gesagt?":        {"Keine Notiz hat alle diese Wörter", "The bolts are new", "the choir on Sunday"},
		"What did Annika say about the baker and the choir?": {"The baker asked"},
		"What did Annika say about zebras and elks?":         {"No note by Annika here has “zebras and elks”."},
	} {
		a := r.ask(t, question)
		for _, w := range want {
			if !strings.Contains(a.text, w) {
				t.Errorf("%s: %q is missing in\n%s", question, w, a)
			}
		}
		if said := strings.Contains(a.text, "at least one of them"); said != slices.ContainsFunc(want, func(w string) bool { return strings.Contains(w, "at least one") }) {
			t.Errorf("%s: that only some words were found is said: %v, in\n%s", question, said, a)
		}
	}
}

func TestOffersTakeUpNamesAndTopicsOfTheQuestion(t *testing.T) {
	r := smallCircle(t)
	for question, want := range map[string]string{
		"What did eve not say?":      "What has eve written this week?",
		"why is Bob Weiss not angry": "What has Bob Weiss written this week?",
		"Was hat eve nicht gesagt?":  "Was hat eve diese Woche geschrieben?",
	} {
		if a := r.ask(t, question); !strings.Contains(a.text, want) {
			t.Errorf("%s: %q is not offered in\n%s", question, want, a)
		}
	}
	if a := r.ask(t, "Write a reply to Weiss"); strings.Contains(a.text, "Weiss and Bob Weiss") {
		t.Errorf("a person is offered beside themselves:\n%s", a)
	}
}

func TestAQuestionThatIsTooLongIsAnsweredWithThat(t *testing.T) {
	r := smallCircle(t)
	for question, want := range map[string]string{
		strings.Repeat("I would like to know a few things about the bridge at the mill. ", 80): "more than I can read at once",
		strings.Repeat("Ich wüsste gern noch einiges über die Brücke an der Mühle. ", 80):      "mehr, als ich auf einmal lesen kann",
	} {
		if a := r.ask(t, question); !strings.Contains(a.text, want) || len(a.notes) > 0 {
			t.Errorf("%s", a)
		}
	}
}

func TestThanksAreAnsweredInOneLine(t *testing.T) {
	r := smallCircle(t)
	for question, want := range map[string]string{
		"thanks": "You're welcome. Ask whenever you like.\n", "Thank you so much!": "You're welcome. Ask whenever you like.\n",
		"danke": "Gern geschehen. Frag einfach, wenn du noch etwas wissen möchtest.\n", "merci": "Avec plaisir. Pose-moi une autre question quand tu veux.\n",
		"gracias": "De nada. Pregunta cuando quieras.\n", "obrigada": "De nada. Pergunta quando quiseres.\n", "ありがとう": "どういたしまして。またいつでも聞いてください。\n",
	} {
		if a := r.ask(t, question); a.text != want {
			t.Errorf("%s: got\n%s", question, a)
		}
	}
}

func TestAShortQuestionIsAnsweredInTheLanguageOfTheWindow(t *testing.T) {
	r := smallCircle(t)
	for _, tt := range []struct{ window, question, want string }{
		{"de", "search bridge", "Notizen mit"},
		{"de", "What did the people I follow talk about this week?", "people wrote"},
		{"en", "Was habe ich seit gestern alles verpasst?", "Worüber"},
		{"de", "我错过了什么？", "Worüber"},
		{"ja", "top hashtags this week", "ハッシュタグ"},
		{"", "Quoi de neuf ?", "De quoi"},
	} {
		r.language = tt.window
		if a := r.ask(t, tt.question); !strings.Contains(a.text, tt.want) {
			t.Errorf("%s in a window in %q: %q is missing in\n%s", tt.question, tt.window, tt.want, a)
		}
	}
}

func TestWhoIsQuietIsToldWithTheLastOfThem(t *testing.T) {
	me, ann, bob := named("me"), named("ann"), named("bob")
	at := noon.Unix()
	r := newReader(t, me.key(t), noon, []*nostr.Event{
		follows(t, me, ann, bob, named("cat")),
		ann.event(t, 0, at-90*86400, `{"name":"Annika"}`),
		bob.event(t, 0, at-90*86400, `{"name":"Bob Weiss"}`),
		ann.event(t, 1, at-41*86400, "The ferry runs again from Tuesday on, with the old captain."),
		ann.event(t, 1, at-40*86400, "The captain has bought a second ferry for the summer."),
		bob.event(t, 1, at-3*86400, "A brass band on that bridge will shake the bolts loose."),
	})
	for question, want := range map[string][]string{
		"Who hasn't posted in a long time?":            {"1 person", "Annika", "second ferry", "Of 1 person you follow, nothing at all"},
		"who has been quiet since yesterday":           {"2 people", "Annika", "Bob Weiss", "brass band"},
		"Wer hat lange nichts geschrieben?":            {"1 Person", "Annika", "second ferry"},
		"Who has not written in the last 60 days?":     {"Of all the people you follow"},
		"¿quién lleva mucho tiempo sin escribir aquí?": {"1 persona", "Annika"},
	} {
		a := r.ask(t, question)
		for _, w := range want {
			if !strings.Contains(a.text, w) {
				t.Errorf("%s: %q is missing in\n%s", question, w, a)
			}
		}
		if strings.Contains(a.text, "old captain") || strings.Contains(a.text, "Bob") != strings.Contains(question, "yesterday") {
			t.Errorf("%s: more is told than the last of the quiet:\n%s", question, a)
		}
	}
}

// Where everybody wrote in the last weeks, those are told who did not in a shorter time.
func TestWhoIsQuietIsToldWhereEverybodyWroteLately(t *testing.T) {
	me, ann, bob := named("me"), named("ann"), named("bob")
	at := noon.Unix()
	r := newReader(t, me.key(t), noon, []*nostr.Event{
		follows(t, me, ann, bob),
		ann.event(t, 1, at-9*86400, "The captain has bought a second ferry for the summer."),
		bob.event(t, 1, at-2*86400, "A brass band on that bridge will shake the bolts loose."),
	})
	if a := r.ask(t, "who has gone quiet lately?"); !strings.Contains(a.text, "Of 1 person") || !strings.Contains(a.text, "second ferry") {
		t.Errorf("the one who has written nothing for a week is missing in\n%s", a)
	}
}

// A verb that tells the news is named where no note has it, though it is spelt like the
// beginning of "won't".
func TestAVerbThatNoNoteHasIsNamed(t *testing.T) {
	me, ann := named("me"), named("ann")
	r := newReader(t, me.key(t), noon, []*nostr.Event{
		follows(t, me, ann),
		ann.event(t, 1, noon.Unix()-86400, "Rules of the second sourdough contest: one loaf, baked in whatever you have."),
	})
	if a := r.ask(t, "Who won the sourdough contest?"); !strings.Contains(a.text, "“won”") || !strings.Contains(a.text, "one loaf") {
		t.Errorf("the rules are told without saying that “won” was not found:\n%s", a)
	}
}

func TestPicturesAreListed(t *testing.T) {
	me, ann, bob := named("me"), named("ann"), named("bob")
	at := noon.Unix()
	r := newReader(t, me.key(t), noon, []*nostr.Event{
		follows(t, me, ann, bob),
		ann.event(t, 0, at-90*86400, `{"name":"Annika"}`),
		ann.event(t, 1, at-4000, "The new ferry from the quay this morning. https://pictures.example/ferry.jpg"),
		bob.event(t, 1, at-3000, "My goats on the roof again, all four of them. https://pictures.example/goats.png"),
		bob.event(t, 1, at-2000, "No goats today, only rain and a broken gutter."),
	})
	for question, want := range map[string][]string{
		"pictures posted today":          {"2 notes with a picture", "ferry", "goats on the roof"},
		"Annika's photos":                {"1 note with a picture", "ferry"},
		"pictures of goats since Monday": {"1 note with a picture", "goats on the roof"},
		"Bilder von heute":               {"2 Notizen mit Bild"},
		"今日の写真を見せて":                      {"画像付きのノート2件"},
	} {
		a := r.ask(t, question)
		for _, w := range want {
			if !strings.Contains(a.text, w) {
				t.Errorf("%s: %q is missing in\n%s", question, w, a)
			}
		}
		if strings.Contains(a.text, "gutter") {
			t.Errorf("%s: a note without a picture is told:\n%s", question, a)
		}
	}
	if a := r.ask(t, "pictures from today as a table"); len(a.tables) != 1 || len(a.tables[0].Rows) != 2 {
		t.Errorf("no table of two rows:\n%s", a)
	}
}

func TestAChartOfATopicOfWhichNoNoteHasAllWords(t *testing.T) {
	a := smallCircle(t).ask(t, "chart of notes about brass trumpets and bolts per day")
	if len(a.charts) != 1 || !strings.Contains(a.text, "No note has all of these words") || !strings.Contains(a.text, "3 notes with “brass, trumpets, bolts") {
		t.Errorf("the notes with any of the words are not drawn and counted:\n%s", a)
	}
}
