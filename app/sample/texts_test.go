package sample

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"bowerbird/assets"
)

func readTexts(t *testing.T) *script {
	t.Helper()
	files, err := fs.Sub(assets.Sample, "sample")
	if err != nil {
		t.Fatal(err)
	}
	s, err := readScript(files)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestThereAreEnoughHandWrittenNotesInEachLanguage(t *testing.T) {
	langs := make(map[string]int)
	total := 0
	for _, e := range readTexts(t).entries {
		if e.verb == verbNote {
			langs[e.lang]++
			total++
		}
	}
	t.Log(total, "notes:", langs)
	if total < 400 {
		t.Errorf("%d notes, want at least 400", total)
	}
	for _, lang := range []string{"en", "de", "es", "pt", "fr", "ja"} {
		if langs[lang] < 45 {
			t.Errorf("%d notes in %s, want at least 45", langs[lang], lang)
		}
	}
}

// runs yields every run of six words of a text, or of twelve characters where a
// script has no spaces. Case, punctuation and line breaks do not count, nor do
// links.
func runs(text string) []string {
	var units []string
	size, sep := 6, " "
	wide := 0
	for _, r := range text {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			wide++
		}
	}
	if wide*3 > len([]rune(text)) {
		size, sep = 12, ""
		for _, r := range text {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				units = append(units, string(r))
			}
		}
	} else {
		for word := range strings.FieldsSeq(strings.ToLower(text)) {
			if strings.HasPrefix(word, "http") {
				continue
			}
			units = append(units, strings.FieldsFunc(word, func(r rune) bool {
				return !unicode.IsLetter(r) && !unicode.IsDigit(r)
			})...)
		}
	}
	var out []string
	for i := 0; i+size <= len(units); i++ {
		out = append(out, strings.Join(units[i:i+size], sep))
	}
	return out
}

func TestNoTwoTextsShareARunOfSixWords(t *testing.T) {
	owner := make(map[string]string)
	for _, e := range readTexts(t).entries {
		name := fmt.Sprintf("%s.txt line %d", e.file, e.line)
		if e.verb == verbArticle {
			name = "article " + e.target // two versions of one article may agree
		}
		for _, run := range runs(e.text) {
			if other, ok := owner[run]; ok && other != name {
				t.Errorf("%s and %s share %q", other, name, run)
			}
			owner[run] = name
		}
	}
}

func TestRunsFindWhatTwoTextsShare(t *testing.T) {
	for _, row := range []struct{ a, b string }{
		{"One two, three FOUR five six!", "and one two three\nfour five six seven"},
		{"今朝の干潟は静かで風もなし、鳥もなし", "さて今朝の干潟は静かで風もなし"},
	} {
		shared := slices.ContainsFunc(runs(row.a), func(r string) bool { return slices.Contains(runs(row.b), r) })
		if !shared {
			t.Errorf("no run of %q found in %q", row.a, row.b)
		}
	}
}

func TestTextsHoldNoRealHostsAndNoDays(t *testing.T) {
	days := strings.Fields("monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag lunes martes miércoles jueves viernes lundi mardi mercredi jeudi vendredi samedi dimanche 月曜 火曜 水曜 木曜 金曜 土曜 日曜")
	for _, e := range readTexts(t).entries {
		low := strings.ToLower(e.text)
		for _, day := range days {
			if strings.Contains(low, day) {
				t.Errorf("%s.txt line %d: names a day of the week, %q", e.file, e.line, day)
			}
		}
		for _, after := range strings.Split(low, "://")[1:] {
			host, _, _ := strings.Cut(strings.Fields(after)[0], "/")
			if !strings.HasSuffix(host, ".example") {
				t.Errorf("%s.txt line %d: host %q", e.file, e.line, host)
			}
		}
	}
}

func TestASlipOfThePenIsAnErrorThatNamesItsPlace(t *testing.T) {
	const people = "-- ann en ann.example me\nAnn\nWrites.\n-- bob en bob.example followed\nBob\nReads.\n"
	for name, row := range map[string]struct{ people, story, want string }{
		"a text before any record":  {people, "hello\n", "line 1"},
		"an unknown author":         {people, "\n-- eve -1 10:00\nHi\n", "line 2"},
		"an unknown key":            {people, "-- ann -1 10:00 colour=red\nHi\n", `"colour"`},
		"a bad day":                 {people, "-- ann 3 10:00\nHi\n", `"3"`},
		"a bad hour":                {people, "-- ann -1 25:00\nHi\n", "25:00"},
		"a head too short":          {people, "-- ann -1\nHi\n", "ann"},
		"an answer to nothing":      {people, "-- ann -1 10:00 re=gone\nHi\n", `"gone"`},
		"an answer to the future":   {people, "-- ann -1 10:00 re=b\nHi\n-- bob -1 11:00 @b\nHo\n", `"b"`},
		"a label taken":             {people, "-- ann -1 10:00 @b\nHi\n-- bob -1 11:00 @b\nHo\n", "taken"},
		"a zap of nothing":          {people, "-- ann -1 10:00 zap=bob\nHi\n", `"bob"`},
		"a like by nobody":          {people, "-- ann -1 10:00 like=eve:+\nHi\n", `"eve"`},
		"a person with a bad flag":  {people + "-- cat en cat.example tall\nCat\nSleeps.\n", "", "tall"},
		"a person without about":    {people + "-- cat en cat.example\nCat\n", "", "cat"},
		"a person twice":            {people + "-- bob en bob.example\nBob\nAgain.\n", "", "twice"},
		"nobody who is me":          {strings.Replace(people, " me", "", 1), "", "me"},
		"a deletion of nothing":     {people, "-- ann -1 10:00 delete=x\nOops\n", `"x"`},
		"an expiry that is no time": {people, "-- ann -1 10:00 expires=soon\nHi\n", "soon"},
	} {
		t.Run(name, func(t *testing.T) {
			files := fstest.MapFS{
				"people.txt": {Data: []byte(row.people)},
				"story.txt":  {Data: []byte(row.story)},
			}
			_, err := makeFrom(files, Options{Now: noon()})
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("error is %v, want one with %q", err, row.want)
			}
		})
	}
}
