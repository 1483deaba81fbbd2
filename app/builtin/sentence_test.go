package builtin

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestATextIsCutIntoWhatCanBeQuoted(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"sentences", "One came. Two left! Who stayed? Nobody.", []string{"One came.", "Two left!", "Who stayed?", "Nobody."}},
		{"abbreviations and numbers", "Dr. Abara met Mr. X at 8.30 p.m. near no. 512. Then it rained.", []string{"Dr. Abara met Mr. X at 8.30 p.m. near no. 512.", "Then it rained."}},
		{"German ordinals", "Am 3. Mai um 8 Uhr. Bis dann, z.B. im Garten.", []string{"Am 3. Mai um 8 Uhr.", "Bis dann, z.B. im Garten."}},
		{"Japanese has no spaces", "今日は晴れ。散歩した！楽しかった？うん。", []string{"今日は晴れ。", "散歩した！", "楽しかった？", "うん。"}},
		{"Arabic question marks", "هل وصل القطار؟ نعم.", []string{"هل وصل القطار؟", "نعم."}},
		{"Hindi", "गाड़ी आई। सब चले गए।", []string{"गाड़ी आई।", "सब चले गए।"}},
		{"lines", "First line\nsecond line\n\n- a point\n* another", []string{"First line", "second line", "a point", "another"}},
		{"a link is left out", "The report is here: https://a.example/x?y=1 and it is long.", []string{"The report is here:", "and it is long."}},
		{"a code is left out", "Read nostr:nevent1qqqsyrhqy2a0yy8gwh7p8 now!", []string{"Read", "now!"}},
		{"a link in brackets", "See (https://a.example) for more.", []string{"See (", "for more."}},
		{"a link without a space before it", "写真はこちらhttps://a.example/x です。", []string{"写真はこちら", "です。"}},
		{"trailing hashtags", "The market opens on Saturday. #localfood #market", []string{"The market opens on Saturday."}},
		{"hashtags inside stay", "We sang #folk songs all night.", []string{"We sang #folk songs all night."}},
		{"only a link", "https://a.example/picture.jpg", nil},
		{"a heading", "## What is new\nMuch.", []string{"What is new", "Much."}},
		{"only hashtags", "#a #b #c", nil},
		{"quotation marks belong to the sentence", "\"It runs again.\" So she said.", []string{"\"It runs again.\"", "So she said."}},
		{"dots", "Well... maybe not. Ok…", []string{"Well... maybe not.", "Ok…"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, p := range pieces(tt.text) {
				got = append(got, p.text)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestWhatWouldNotShowAsItIsWrittenIsNotQuoted(t *testing.T) {
	q := newQuoter()
	for text, want := range map[string]string{
		"The ferry runs again.":                       "“The ferry runs again.”",
		"She said \"yes\" twice.":                     "“She said \"yes\" twice.”",
		"Er rief „Halt“ und blieb.":                   "«Er rief „Halt“ und blieb.»",
		"I <3 this #song and snake_case words & more": "“I <3 this #song and snake_case words & more”",
		"می\u200cخواهم بروم":                          "“می\u200cخواهم بروم”", // with a joiner that Persian needs
		"Family 👩‍👩‍👧 came":                           "“Family 👩‍👩‍👧 came”",
		"**bold** words":                              "",
		"_underlined_ words":                          "",
		"see [this](x)":                               "",
		"a <b>tag</b>":                                "",
		"a &lt;tag&gt;":                               "",
		"as note ^3 says":                             "",
		"write to ada@example.org":                    "",
		"right \u202Eto left":                         "",
		"zero\u200Bwidth":                             "",
		"bell\a":                                      "",
		"Z\u0351\u0343\u0357\u0300\u0351algo comes":   "",
		strings.Repeat("a", 41):                       "",
		"12345 67890":                                 "",
		"“one” «two»":                                 "",
		"hidden \U000E0041 tag":                       "",
		strings.Repeat("word ", 30) + strings.Repeat("longer than that ", 20): "“" + strings.TrimSpace(strings.Repeat("word ", 30)+strings.Repeat("longer than that ", 5)) + " […]”",
	} {
		if got := q.quotation(text, ownLanguages().words["en"].Marks); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestLabelsAreHarmless(t *testing.T) {
	for name, want := range map[string]string{
		"Ada Lindqvist":              "Ada Lindqvist",
		"雪 Yuki":                     "雪 Yuki",
		"O'Brien-Smith & Co.":        "O'Brien-Smith & Co.",
		"**Ann** <b>x</b>":           "Ann b x b",
		"Bob ^3":                     "Bob 3",
		"[click](http://e.example)":  "click http e.example",
		"www.evil.example":           "",
		"\u202Eeve":                  "eve",
		"🌊":                          "🌊",
		"  \n\t ":                    "",
		strings.Repeat("a", 100):     strings.Repeat("a", 40),
		"a\u200B\u200B\u200B\u200Bb": "a b",
	} {
		if got := label(name, 40); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestASentenceEndsBehindTheQuotationInIt(t *testing.T) {
	for s, want := range map[string]string{
		"Elle m'a dit : « Vous avez raté le vôtre. » C'était vrai.": "Elle m'a dit : « Vous avez raté le vôtre. »",
		"Er sagte nichts. »Ich auch nicht.«":                        "Er sagte nichts.",
		"Il dit « non. »":                                           "Il dit « non. »",
	} {
		if got := pieces(s)[0].text; got != want {
			t.Errorf("%q begins with %q, not %q", s, got, want)
		}
	}
}

func FuzzQuotations(f *testing.F) {
	for _, s := range []string{
		"One came. Two left! https://a.example x", "今日は晴れ。散歩した！", "a\u202Eb", "#a b #c", "„x“ «y» “z”", "- * > # x", "nostr:npub1x://www.y",
		strings.Repeat("long word ", 200), strings.Repeat("x", 5000), "\xff\xfe broken \xc3", "a&amp;b _c_ d@e.f",
	} {
		f.Add(s)
	}
	q := newQuoter()
	f.Fuzz(func(t *testing.T, s string) {
		for _, p := range opening(s) {
			if !strings.Contains(s, p.text) {
				t.Errorf("%q is not in %q", p.text, s)
			}
			quoted := q.quotation(p.text, ownLanguages().words["en"].Marks)
			if quoted == "" {
				continue
			}
			inner := strings.TrimRight(strings.TrimSuffix(strings.Trim(quoted, "“”«»"), " […]"), "…")
			if !strings.Contains(s, inner) || !utf8.ValidString(quoted) || strings.ContainsAny(quoted, "*`~\\^\n\r\x00") || columns(quoted) > maxQuote+6 {
				t.Errorf("%q is quoted from %q", quoted, s)
			}
		}
		if l := label(s, 40); !utf8.ValidString(l) || strings.ContainsAny(l, "*`~\\^<>[]()#|_@:/\n") || utf8.RuneCountInString(l) > 40 {
			t.Errorf("label %q of %q", l, s)
		}
		if tag := hashtag(s); tag != "" && strings.ContainsAny(tag, " \n*[]()<>") {
			t.Errorf("hashtag %q of %q", tag, s)
		}
	})
}
