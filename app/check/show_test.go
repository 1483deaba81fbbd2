package check

import "testing"

// leave shows a text as it is without what has no note.
func leave(text string) string {
	return Show(text, Text(text, facts).Marks, Style{
		Leave: true, Open: "<", Close: ">",
		Struck: func(s string) string { return "struck " + s },
		Words:  func(m Mark) string { return " (" + m.String() + ")" },
	})
}

// In code nothing can be marked: the words stand behind it.
func TestAMarkOfCodeStandsBehindTheBlock(t *testing.T) {
	const said = "So:\n\n```\nBruno sold the ferry to Ada.\n```\n\nThe lane opens ^2."
	want := "So:\n\n```\nBruno sold the ferry to Ada.\n```\n\n(cites no note)\n\n\nThe lane opens ^2."
	if got := leave(said); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What is left out goes as a whole: a sentence, an item, a row, a quoted block. What is
// left are sentences that the model wrote.
func TestWhatIsLeftOutLeavesNoTornText(t *testing.T) {
	for text, want := range map[string]string{
		// The whole sentence, not the words in doubt.
		"The ferry stops ^1. She also said “nobody will ever swim here again” ^1. It is cold ^1.":                              "The ferry stops ^1. It is cold ^1.",
		"47 people celebrated in the square, and Ada sang ^1. Rebuilding costs much ^2.":                                       "Rebuilding costs much ^2.",
		"The lane opens ^2. We counted: 47 people celebrated, and Bruno: “we open the bike lane on Sunday” ^2.":                "The lane opens ^2. ",
		"The ferry stops ^1. The mayor resigned ^9. The lane opens ^2.":                                                        "The ferry stops ^1. The lane opens ^2.",
		"Die Fähre hält ^1. Der Bürgermeister ist heute Morgen zurückgetreten. Die Spur öffnet ^2.":                            "Die Fähre hält ^1. Die Spur öffnet ^2.",
		"船は止まります ^1。市長は今朝の会議で突然辞任しました。道は開きます ^2。":                                                                              "船は止まります ^1。道は開きます ^2。",
		"The ferry stops ^1.\n\nThe mayor resigned this morning.\n\nThe lane opens ^2.":                                        "The ferry stops ^1.\n\n\n\nThe lane opens ^2.",
		"The ferry stops ^1.\n- The ferry stops on 3 December ^1.\n- The mayor resigned this morning.\n- The lane opens ^2.\n": "The ferry stops ^1.\n- The ferry stops on 3 December ^1.\n- The lane opens ^2.\n",
		"1. The mayor resigned ^9.\n2. The lane opens ^2.":                                                                     "2. The lane opens ^2.",
		// An item goes with all its lines.
		"* The mayor resigned this morning.\n  It rained all the day in town.\n* The lane opens ^2.":                   "* The lane opens ^2.",
		"| Who | What |\n|---|---|\n| Ada | resigned from her post today |\n| Bruno | opens the lane on Saturday ^2 |": "| Who | What |\n|---|---|\n| Bruno | opens the lane on Saturday ^2 |",
		"Bruno wrote ^2:\n\n> We close the bike lane\n> for ever and a day\n\nThe ferry stops ^1.":                     "Bruno wrote ^2:\n\n\nThe ferry stops ^1.",
		"The ferry stops ^1.\n\n## 47 people celebrate\n\nThe lane opens ^2.":                                          "The ferry stops ^1.\n\n\nThe lane opens ^2.",
		// The names of columns stay, with their marks: without them it is no table.
		"| Who | 47 people |\n|---|---|\n| Bruno | opens the lane on Saturday ^2 |": "| Who | <47 people> (this number is in none of its sources) |\n|---|---|\n| Bruno | opens the lane on Saturday ^2 |",
		"The ferry stops ^1. The mayor resigned.\n\n**Sources**\n- Ada\n- Bruno":    "The ferry stops ^1. \n\n",
		"The ferry stops ^1. The lane opens ^2.":                                    "The ferry stops ^1. The lane opens ^2.",
	} {
		if got := leave(text); got != want {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
}
