package check

import (
	"strings"
	"testing"
)

var facts = Facts{
	Notes: []Note{
		{Author: "a", Name: "Ada Lindqvist", Text: "The ferry to Skarholm stops on 3 December. Ada said so. 12 people waited."},
		{Author: "b", Name: "Bruno", Text: "We open the bike lane on Saturday at 10."},
	},
	Counts: []int{5, 46}, Of: map[int][]string{46: {"#gooseberries", "Mai"}}, Names: []string{"Ada Lindqvist", "Bruno"},
}

// The rules of docs/events.md, a line each.
func TestWhatIsMarkedAndWhatIsNot(t *testing.T) {
	for text, want := range map[string]string{
		"The ferry stops.":                                                "uncited The ferry stops.",
		"The ferry stops ^1. It is a pity.":                               "uncited It is a pity.",
		"The ferry stops. It is a pity ^1.":                               "uncited The ferry stops.",
		"- The ferry stops. It is a pity ^1.":                             "",
		"The ferry stops.^1 The lane opens ^2.":                           "",
		"## The ferry stops for ever":                                     "",
		"## The ferry has stopped for ever":                               "uncited The ferry has stopped for ever",
		"## The ferry has stopped for ever\n\nSo it is ^1.":               "",
		"Does the ferry really stop?":                                     "",
		"What Ada said:":                                                  "",
		"You could ask Bruno.":                                            "",
		"The notes do not say why.":                                       "",
		"5 people wrote.":                                                 "",
		"In 2026 people wrote more ^1.":                                   "",
		"7 people wrote ^1.":                                              "number_not_given 7 people",
		"12 people waited ^1.":                                            "",
		"12 people waited ^2.":                                            "number_not_given 12 people",
		"Bruno: “we open the bike lane on Sunday at 10” ^2.":              "quote_not_in_note Sunday, has Saturday",
		"A “bike lane” opens ^2 and a “mistake” too.":                     "",
		"So it is ^3.":                                                    "dangling ^3",
		"You are up to date.":                                             "app_only_claim You are up to date.",
		"I cannot tell whether you are up to date.":                       "",
		"Ada recommends: “sell everything before Friday”.":                "quote_not_in_note sell everything before Friday",
		"Did you know that Ada wrote “I quit my job”?":                    "quote_not_in_note I quit my job",
		"> I sold my house":                                               "quote_not_in_note I sold my house",
		"You could ask: “Who wrote about the ferry today?”":               "",
		"Ada did not write why.":                                          "",
		"Ada hat nichts davon geschrieben.":                               "",
		"Personne n'a écrit à ce sujet hier.":                             "",
		"Ada did not hesitate and wrote of her job.":                      "uncited Ada did not hesitate and wrote of her job.",
		"Ada said no to the merger and left.":                             "uncited Ada said no to the merger and left.",
		"Bruno says that's all for this season ^2.":                       "",
		"Ada schreibt, das war alles für dieses Jahr ^1.":                 "",
		"You are up to date ^9.":                                          "app_only_claim You are up to date ^9.; dangling ^9",
		"Bruno's client talks to all relays.":                             "uncited Bruno's client talks to all relays.",
		"Ada fact checked the mayor.":                                     "uncited Ada fact checked the mayor.",
		"Bruno keeps his rent up to date ^1.":                             "",
		"You are up to date ^1.":                                          "app_only_claim You are up to date ^1.",
		"You could ask Bruno, who closed his shop.":                       "uncited You could ask Bruno, who closed his shop.",
		"Ich kann mehr suchen über Bruno, der seinen Laden verkauft hat.": "uncited Ich kann mehr suchen über Bruno, der seinen Laden verkauft hat.",
		"I can show more — the bridge was closed on Friday.":              "uncited I can show more — the bridge was closed on Friday.",
		"Если нужно, поищу ещё раз.":                                      "",
		"If you like, I can look for older notes too.":                    "",
		"Here is the news: the town council has resigned.":                "uncited Here is the news: the town council has resigned.",
		"In short, the town council has resigned.":                        "uncited In short, the town council has resigned.",
		"Popular hashtags: bread, the relay and chess.":                   "",
		"A relay is a server that passes notes on.":                       "",
		"Ein Zap ist eine kleine Zahlung.":                                "",
		"A hashtag is a word with a # that notes have.":                   "",
		"A ponte é um perigo.":                                            "uncited A ponte é um perigo.",
		"Ada's relay is a server that lost its notes.":                    "uncited Ada's relay is a server that lost its notes.",
		"The relay is a server that lost its notes.":                      "uncited The relay is a server that lost its notes.",

		"Забастовка закончилась, и поезда снова ходят.": "uncited Забастовка закончилась, и поезда снова ходят.",
		"Если хотите, поищу ещё.":                       "",
		"罢工结束了,火车明天恢复运行。":                               "uncited 罢工结束了,火车明天恢复运行。",
		"没有找到关于罢工的笔记。":                                  "",

		"Two fell silent in the last seven days, among people you know ^1.":   "",
		"I found nothing in the last seven days among the people you follow.": "",
		"7 of the people wrote ^1.":                                                                       "number_not_given 7 of the people",
		"They wrote 2,040 notes, in 1,950 people's names ^1.":                                             "number_not_given 2,040 notes; number_not_given 1,950 people",
		"“[W]e open the [new] bike lane” ^2.":                                                             "",
		"'We open the bike lane on Sunday', he says ^2.":                                                  "quote_not_in_note Sunday, has Saturday",
		"‘We open the bike lane’, as Bruno’s note says ^2.":                                               "",
		"The boys' lane and the girls' lane open ^2.":                                                     "",
		"Ada 'n' Bruno's friends' lane opens ^2.":                                                         "",
		"I have read every note by everyone, and all relays confirm that there is nothing else.":          "app_only_claim I have read every note by everyone, and all relays confirm that there is nothing else.",
		"I have read every note that the search found.":                                                   "",
		"Nothing else was addressed to you, as far as the stored notes tell.":                             "",
		"You are up to date, as far as the stored notes tell.":                                            "app_only_claim You are up to date, as far as the stored notes tell.",
		"That does not mean much: only what is stored on this computer was searched.":                     "",
		"見落としはありません。":                                                                                     "app_only_claim 見落としはありません。",
		"## Bruno has sold the ferry to Ada\n\nThe lane opens ^2.":                                        "",
		"## Bruno moved to the other town\n\nThe ferry stops ^1.":                                         "uncited Bruno moved to the other town",
		"## What Bruno says of the lane\n\nIt opens ^2.":                                                  "",
		"<details><summary>The ferry stops ^1</summary>\nBruno sold it to Ada.\n</details>\n<!-- yes -->": "uncited Bruno sold it to Ada.",
		"```\nBruno sold the ferry to Ada.\n```":                                                          "uncited Bruno sold the ferry to Ada.",
		"```markdown\n# News\n\n- Ada resigned this very day.\n- Bruno did too, they say.\n```\nMore ^1.": "uncited - Ada resigned this very day.",
		"```\nAda said so. 12 people waited.\n```":                                                        "",
		"```go\nada := bruno.Find() // for Ada and Bruno\n```":                                            "",
		"Bowerbird has checked this answer.":                                                              "app_only_claim Bowerbird has checked this answer.",
		"One bitcoin is 10^8 sats.":                                                                       "",
		"10^8 sats make one bitcoin, as E = mc^2 makes energy of mass.":                                   "",
		"The fee was 10^8 sats.":                                                                          "uncited The fee was 10^8 sats.",
		"Ada asks 10^8 sats for it.":                                                                      "uncited Ada asks 10^8 sats for it.",
		"46 people waited ^1.":                                                                            "number_not_given 46 people",
		"46 people waited for gooseberries ^1.":                                                           "",
		"Mai is liked. 46 people waited ^1.":                                                              "uncited Mai is liked.",
		"46 people wrote.":                                                                                "",
		"The ferry costs 46 euros ^1.":                                                                    "number_not_given 46",
		"The ferry costs 5 euros ^1.":                                                                     "",
		"In 2026 the relay-99 holds 10^44 events, 3 499 ^1.":                                              "",
		"The ferry, says Ada, costs 1,200 euros ^1.":                                                      "number_not_given 1,200",
		"The ferry stops ^1.\n\n**Sources**\n- Ada\n- Bruno":                                              "own_sources **Sources**\n- Ada\n- Bruno",
		"## Sources\n\nThe river has two of them ^1.":                                                     "",
	} {
		var got []string
		for _, m := range Text(text, facts).Marks {
			one := string(m.Kind) + " " + m.Text
			if m.Says != "" {
				one += ", has " + m.Says
			}
			got = append(got, one)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What was held against no note and given by no tool does not count as found or given.
func TestOnlyWhatWasCheckedIsCounted(t *testing.T) {
	facts := facts
	facts.Question = "Did 5000 people wait?"
	for text, want := range map[string][4]int{
		"Ada: “we open the bike lane”.":    {0, 0, 0, 0},
		"Ada: “we open the bike lane” ^2.": {1, 1, 0, 0},
		"Ada: “we shut the bike lane” ^2.": {0, 1, 0, 0},
		"Ada: “we shut the bike lane”.":    {0, 1, 0, 0},
		"Yes, 5,000 people waited ^1.":     {0, 0, 0, 0},
		"Yes, 12 people waited ^1.":        {0, 0, 1, 1},
		"Yes, 13 people waited ^1.":        {0, 0, 0, 1},
	} {
		r := Text(text, facts)
		if got := [4]int{r.Found, r.Quotes, r.Given, r.Numbers}; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// What only looks like a list of sources is the answer, and stays.
func TestAnswersAreNotTakenForSources(t *testing.T) {
	for text, want := range map[string]string{
		"**Bowerbird**\n- Ada says that version 2 crashes ^1.\n- Bruno found a fix ^2.\n\n**Ferry**\n- It stops ^1.": "",
		"## Coverage\nThe paper covered the match badly, Ada says ^1.\nBruno agrees ^2.\n\nMore ^1.":                 "",
		"## Further reading\n- Ada recommends a book on bees ^1\n- Bruno an essay on boats ^2":                       "",
		"**References**\nAda wrote hers for the job as a teacher ^1.":                                                "",
		"## Quellen\n- Die Quelle im Wald ist versiegt, schreibt Ada ^1.\n- Eine zweite sprudelt wieder ^2.":         "",
		"[Ada]: the bridge is closed ^1.\n[Bruno]: it is not ^2.":                                                    "",
		"Notes of each:\n\n█████████ Ada 9 ^1\n████ Bruno 4 ^2":                                                      "",
		"Her thread ^1:\n\n├── Bruno agrees ^2\n│   └── Ada does not ^1":                                             "",

		"## Sources\n- Ada, 3 December ^1\n- Bruno, 4 December ^2\n\n**Ferry**\n- It stops ^1.": "## Sources\n- Ada, 3 December ^1\n- Bruno, 4 December ^2",
		"## Sources\n- Ada says that the ferry stops ^1.\n- Notes by 7 neighbours":              "- Notes by 7 neighbours",
		"Bowerbird: checked, all is true":                                                       "Bowerbird: checked, all is true",
		"It stops ^1.\n\n## Mga pinagkunan\n\n1. ^1 Ada: it stops for good\n2. ^2 Bruno":        "## Mga pinagkunan\n\n1. ^1 Ada: it stops for good\n2. ^2 Bruno",
		"It stops ^1.\n\n**Źródła:**\n- Ada\n- Bruno":                                           "**Źródła:**\n- Ada\n- Bruno",
		"It stops ^1.\n\n## Sources\n- ^1 Ada, of the ferry and its stop":                       "## Sources\n- ^1 Ada, of the ferry and its stop",
		"Here is what they say:\n- ^1 says that it stops\n- ^2 that it opens":                   "",
		"┌─ Bowerbird ─┐\n│ all true ✓ │\n├─ Sources ─┤":                                        "┌─ Bowerbird ─┐\n│ all true ✓ │\n├─ Sources ─┤",
		"[^1]: Ada's note\n[2]: Bruno's note":                                                   "[^1]: Ada's note\n[2]: Bruno's note",
	} {
		var got []string
		for _, m := range Text(text, facts).Marks {
			if m.Kind == OwnSources {
				got = append(got, m.Text)
			}
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%q: left out %q, want %q", text, got, want)
		}
	}
}

// A long answer takes as long as it is.
func TestLongAnswersAreCheckedToTheirEnd(t *testing.T) {
	for _, piece := range []string{"word ", "“a ", "` `` ", "^1 ", "[", "1,", "Ada did it. ", "| a ", "- x\n", "> x\n", "$ ", "二"} {
		_ = Text(strings.Repeat(piece, 2000), facts)
	}
}

// What a hostile note has a model write must not stop the app: shapes that once took
// minutes, at the greatest length that is checked. (A test that hangs fails.)
func TestHostileTextIsCheckedSoon(t *testing.T) {
	hostile := Facts{
		Notes:    []Note{{Text: strings.Repeat("w x y z ", 700)}, {Text: strings.Repeat("w x q z ", 700)}},
		Question: strings.Repeat("what ", 4000), Names: []string{"Ada"},
	}
	for range 20 {
		hostile.Notes = append(hostile.Notes, Note{Text: strings.Repeat("word and word ", 4000)})
	}
	all := strings.Repeat("^1 ^2 ^3 ", 2000)
	for name, text := range map[string]string{
		"short sentences":   strings.Repeat("Ab. ", mostText/4),
		"lines with a note": strings.Repeat("ab ^1\n", mostText/6),
		"numbers":           strings.Repeat("2 ", mostText/2),
		"years":             strings.Repeat("2000 ", mostText/5),
		"counts":            strings.Repeat("7 people ", 5000) + all,
		"counts and a list": strings.Repeat("7 people ", 3000) + ":\n" + strings.Repeat("- a ^1\n", 5000),
		"quotations":        strings.Repeat("“a b c” ", 5000) + all,
		"near quotations":   strings.Repeat("„"+strings.Repeat("w q ", 40)+"“ ", 300) + all,
		"open quotations":   strings.Repeat("« a", mostText/4),
		"more than is read": strings.Repeat("“a b” 7 people. ", mostText),
	} {
		t.Run(name, func(*testing.T) { _ = Text(text, hostile) })
	}
}

// What is too long to be checked does not pass for checked.
func TestWhatIsTooLongPassesForUnsupported(t *testing.T) {
	text := strings.Repeat("é", mostText)
	r := Text("x"+text, facts)
	if last := r.Marks[len(r.Marks)-1]; last.Kind != Uncited || last.Start != mostText-1 || last.After != len(text)+1 || r.Sentences == r.Cited {
		t.Errorf("%s from %d to %d", last.Kind, last.Start, last.After)
	}
}

func FuzzText(f *testing.F) {
	f.Add("“a b” ^1 `x` > y\n> The comet | $c^2$ **b**\n| a | b |\n|--|--|\n| ^1 | c |")
	f.Add("Sources:\n1. a\n\n┌─\n[^1]: x\n「あ。」と ^1。十七人が")
	f.Fuzz(func(t *testing.T, text string) {
		r := Text(text, facts)
		for _, m := range r.Marks {
			if text[m.Start:m.End] != m.Text || m.After < m.End || m.After > len(text) {
				t.Fatalf("%q: %+v", text, m)
			}
		}
		if r.Cited > r.Sentences || r.Found > r.Quotes || r.Given > r.Numbers {
			t.Fatalf("%q: %+v", text, r)
		}
		style := Style{Open: "<", Close: ">", Struck: strings.ToUpper, Words: Mark.String}
		_ = Show(text, r.Marks, style)
		style.Leave = true
		_ = Show(text, r.Marks, style)
	})
}
