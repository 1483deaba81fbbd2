package check

import (
	"strings"
	"testing"
)

var facts = Facts{
	Notes: []Note{
		{Author: "a", Text: "The ferry to Skarholm stops on 3 December. Ada said so. 12 people waited."},
		{Author: "b", Text: "We open the bike lane on Saturday at 10."},
	},
	Counts: []int{5}, Names: []string{"Ada Lindqvist", "Bruno"},
}

// The rules of docs/events.md, a line each.
func TestWhatIsMarkedAndWhatIsNot(t *testing.T) {
	for text, want := range map[string]string{
		"The ferry stops.":                                   "uncited The ferry stops.",
		"The ferry stops ^1. It is a pity.":                  "uncited It is a pity.",
		"The ferry stops. It is a pity ^1.":                  "uncited The ferry stops.",
		"- The ferry stops. It is a pity ^1.":                "",
		"The ferry stops.^1 The lane opens ^2.":              "",
		"## The ferry stops for ever":                        "",
		"Does the ferry really stop?":                        "",
		"What Ada said:":                                     "",
		"You could ask Bruno.":                               "",
		"The notes do not say why.":                          "",
		"5 people wrote.":                                    "",
		"In 2026 people wrote more ^1.":                      "",
		"7 people wrote ^1.":                                 "number_not_given 7 people",
		"12 people waited ^1.":                               "",
		"12 people waited ^2.":                               "number_not_given 12 people",
		"Bruno: “we open the bike lane on Sunday at 10” ^2.": "quote_not_in_note Sunday, has Saturday",
		"A “bike lane” opens ^2 and a “mistake” too.":        "",
		"So it is ^3.":                                       "dangling ^3",
		"You are up to date.":                                "app_only_claim You are up to date.",
		"I cannot tell whether you are up to date.":          "",
		"Bruno keeps his rent up to date ^1.":                "",
		"The ferry stops ^1.\n\n**Sources**\n- Ada\n- Bruno": "own_sources **Sources**\n- Ada\n- Bruno",
		"## Sources\n\nThe river has two of them ^1.":        "",
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
