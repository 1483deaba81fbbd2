package search

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
)

const (
	someNpub     = "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6"
	someNprofile = "nprofile1qqsrhuxx8l9ex335q7he0f09aej04zpazpl0ne2cgukyawd24mayt8gpp4mhxue69uhhytnc9e3k7mgpz4mhxue69uhkg6nzv9ejuumpv34kytnrdaksjlyr9p"
	someNsec     = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
)

// realNotes returns the real events.
func realNotes(t testing.TB) []*nostr.Event {
	t.Helper()
	var events []*nostr.Event
	for _, line := range testkit.RealNotes(t) {
		e, err := nostr.ParseEvent(line)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

func terms(text string) []string {
	var terms []string
	for t := range Tokens(text) {
		terms = append(terms, t.Term)
	}
	return terms
}

func TestTokens(t *testing.T) {
	hex64 := strings.Repeat("0a9f", 16)
	tests := []struct {
		name string
		text string
		want string // terms, joined by spaces
	}{
		{"nothing", "", ""},
		{"signs only", "!? -- ... → ™ ▶", ""},
		{"emoji", "hi 🔥👍🏽!ok ❤️❤", "hi 🔥 👍 ok ❤ ❤"},
		{"joined emoji are one", "👩🏽‍🚀 🐦‍⬛ 👨‍👩‍👧 🤷🏼‍♀️ 🏳️‍🌈", "👩\u200d🚀 🐦\u200d⬛ 👨\u200d👩\u200d👧 🤷 🏳\u200d🌈"},
		{"flags", "🇩🇪🇯🇵 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f 🇩", "🇩🇪 🇯🇵 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f 🇩"},
		{"a joiner without a partner", "🔥\u200d and \u200d🔥", "🔥 and 🔥"},
		{"numbers in circles are numbers", "❶ ③", "❶ 3"},
		{"words", "Hello, World! 42 times", "hello world 42 times"},
		{"letters and digits", "web3 H2O 1,000.50", "web3 h2o 1 000 50"},
		{"an apostrophe parts", "don't l’homme O'Brien", "don t l homme o brien"},
		{"a hyphen parts", "self-custody e‑mail snake_case", "self custody e mail snake case"},
		{"a hashtag yields its word", "#Bitcoin #été#x", "bitcoin ete x"},
		{"versions and handles", "v2.7.4 V10.x v3 2.7 @ada_l ~v1.0", "2 7 4 v10 x v3 2 7 ada l 1 0"},
		{"keycaps", "1️⃣ first", "1 first"},

		{"accents", "Café naïve Ångström São", "cafe naive angstrom sao"},
		{"accents in two characters", "Cafe\u0301 A\u030a", "cafe a"},
		{"sharp s", "Straße STRASSE", "strasse strasse"},
		{"Turkish capital I", "İstanbul", "istanbul"},
		{"width and ligatures", "ＢＴＣ ﬁne ①", "btc fine 1"},
		{"Greek", "Ἀθῆναι ΟΔΟΣ", "αθηναι οδοσ"},
		{"Cyrillic", "Ёлка ЙОД Привет", "елка иод привет"},
		{"Vietnamese", "Tiếng Việt", "tieng viet"},
		{"Arabic with vowel signs and tatweel", "مُحَمَّد كتـــاب أحمد", "محمد كتاب احمد"},
		{"Hebrew with points", "שָׁלוֹם", "שלום"},
		{"Persian with a joiner", "می\u200cخواهم", "میخواهم"},
		{"a soft hyphen", "bit\u00adcoin", "bitcoin"},
		{"Devanagari keeps its vowels", "हिन्दी भाषा", "हिन्दी भाषा"},
		{"Georgian and Armenian", "ᲗᲑᲘᲚᲘᲡᲘ Երևան", "თბილისი երեւան"},

		{"Han", "比特币很好", "比特 特币 币很 很好"},
		{"one Han character", "年", "年"},
		{"Han beside digits and Latin", "2024年Bitcoin", "2024 年 bitcoin"},
		{"Japanese", "コーヒーを飲む", "コー ーヒ ヒー ーを を飲 飲む"},
		{"halfwidth Kana with voicing", "ﾋﾞｯﾄ", "ビッ ット"},
		{"Kana with a mark in two characters", "か\u3099き", "がき"},
		{"signs part runs", "東京、大阪", "東京 大阪"},
		{"a variation selector", "葛\U000e0100飾", "葛飾"},
		{"Hangul", "비트코인을 물", "비트 트코 코인 인을 물"},
		{"Hangul in letters", "\u1112\u1161\u11ab\u1100\u1173\u11af", "한글"},
		{"Thai", "บิตคอยน์", "บิต ตค คอ อย ยน์"},
		{"Lao", "ນ້ຳ", "ນ\u0ec9ໍາ"},
		{"Khmer", "ភាសា", "ភាសា"},

		{"a link", "see https://Example.com/a-b?c=d#e now", "see example.com now"},
		{"a link in brackets", "(https://x.com/a_(b))text [y](wss://y.org)!", "x.com text y y.org"},
		{"hosts with tails", "https://User:pw@Sub.Docs.Example.co.uk:8080/x?y.z", "sub.docs.example.co.uk docs.example.co.uk example.co.uk co.uk"},
		{"a host at the end of a sentence", "on https://example.com. And (http://a.org), https://b.org/.", "on example.com and a.org b.org"},
		{"a host in numbers", "http://192.168.0.1/x https://[::1]/ http://localhost:80/", "192.168.0.1"},
		{"a host that is none", "https://-a.com https://a..b https:///x.y ftp://", ""},
		{"a link before Japanese", "https://x.comを見て", "x.com を見 見て"},
		{"www", "www.example.com WWW.x.y www", "example.com x.y www"},
		{"no link", "a://b : // https:", "https"},
		{"a bare domain", "example.com", "example com"},
		{"a nostr code", "hi nostr:" + someNpub + ", " + someNprofile + " nostr: is", "hi nostr is"},
		{"a secret key", someNsec, ""},
		{"an invoice", "pay lnbc2500u1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5 now", "pay now"},
		{"long hex", "id " + hex64 + " " + strings.ToUpper(hex64) + " deadbeef", "id deadbeef"},
		{"base64", "x iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg== y", "x y"},
		{"base58", "bc 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "bc"},
		{"long slugs and names", "this-is-a-very-long-slug-of-words-2024-for-a-page Bitcoin2024ConferenceNashville", "this is a very long slug of words 2024 for a page bitcoin2024conferencenashville"},
		{"long words", "Donaudampfschifffahrtsgesellschaftskapitän", "donaudampfschifffahrtsgesellschaftskapitan"},

		{"a very long word is cut", strings.Repeat("a", 100), strings.Repeat("a", 64)},
		{"a long word is cut between characters", strings.Repeat("ж", 50), strings.Repeat("ж", 32)},
		{"broken UTF-8", "ab\xffcd \xe4\xb8", "ab cd"},
		{"marks alone", "\u0301 \u200d\ufe0f", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.Join(terms(test.text), " "); got != test.want {
				t.Errorf("%q\n got %q\nwant %q", test.text, got, test.want)
			}
		})
	}
}

// checkTokens fails unless the tokens of a text are what Tokens promises.
func checkTokens(t *testing.T, text string) {
	t.Helper()
	n, last := 0, 0
	for tok := range Tokens(text) {
		n++
		if tok.Start < last || tok.End <= tok.Start || tok.End > len(text) {
			t.Fatalf("%q: %+v after a token at %d", text, tok, last)
		}
		last = tok.Start
		fold := map[TokenKind]func(string) string{TokenWord: foldTerm, TokenHost: strings.ToLower, TokenEmoji: foldEmoji}[tok.Kind]
		if got := fold(text[tok.Start:tok.End]); got != tok.Term {
			t.Fatalf("%q: %q folds to %q, the term is %q", text, text[tok.Start:tok.End], got, tok.Term)
		}
		if again := fold(tok.Term); again != tok.Term {
			t.Fatalf("%q: the term %q folds to %q", text, tok.Term, again)
		}
		if tok.Term == "" || len(tok.Term) > maxTerm || !utf8.ValidString(tok.Term) {
			t.Fatalf("%q: term %q", text, tok.Term)
		}
	}
	if n > MaxTokens {
		t.Fatalf("%d tokens", n)
	}
}

func TestTokensStandWhereTheySay(t *testing.T) {
	for _, e := range realNotes(t) {
		checkTokens(t, e.Content)
	}
	raw, err := os.ReadFile(testkit.Shared(t, "data", "hostile", "text", "blns.json"))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	if err := json.Unmarshal(raw, &texts); err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		checkTokens(t, text)
	}
}

func TestTokensEndAtTheirCap(t *testing.T) {
	for _, text := range []string{strings.Repeat("a ", 5000), strings.Repeat("東", 5000), strings.Repeat("line of words\n", 10_000)} {
		if n := len(terms(text)); n != MaxTokens {
			t.Errorf("%.20q...: %d tokens, want %d", text, n, MaxTokens)
		}
	}
	n := 0
	for range Tokens("one two three") {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d tokens after a break at 2", n)
	}
}

// Each of these would take hours if a step looked at all of the text again.
func TestTokensTakeLinearTimeOnHostileText(t *testing.T) {
	if testing.Short() {
		t.Skip("long texts: not beside the race detector")
	}
	for _, part := range []string{
		"a", "é", "e\u0301", "\u0301", "東", "東\u0301", "ก็", "a-", "A0-", "http", "https://", "nostr:", "nostr:npub1", "www.",
		"(", "\u200d", "a\u200d", "\xff", "한", "\u1112\u1161", "ﷺ", "lnbc1", "0f", "a\n", "=", "+a",
	} {
		checkTokens(t, strings.Repeat(part, 200_000/len(part)))
	}
}

func TestEveryLetterFoldsToOneFormForAllCases(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !unicode.IsLetter(r) {
			continue
		}
		term := foldTerm(string(r))
		if again := foldTerm(term); again != term {
			t.Errorf("%q folds to %q, and that to %q", r, term, again)
		}
		for _, other := range []rune{unicode.ToLower(r), unicode.ToUpper(r), unicode.ToTitle(r)} {
			if got := foldTerm(string(other)); got != term {
				t.Errorf("%q folds to %q, %q to %q", r, term, other, got)
			}
		}
	}
}

// TestTheShortWayFoldsAsTheLongOne: whatever is next to a letter.
func TestTheShortWayFoldsAsTheLongOne(t *testing.T) {
	short := 0
	for r := rune(0); r < 0x10000; r++ {
		for _, word := range []string{string(r), "aQ" + string(r), string(r) + "Éя", "ñ" + string(r) + "あ", string(r) + string(r)} {
			term, ok := foldSimple(word)
			if !ok {
				continue
			}
			if short++; isLetters(word) && term != foldAny(word) {
				t.Errorf("%q folds to %q, the long way to %q", word, term, foldAny(word))
			}
		}
		if unicode.IsLetter(r) && foldsToOne(r) != 0 && classOf(r) != classWord {
			t.Errorf("%q is no letter of a word", r)
		}
	}
	if short < 5*20_000 {
		t.Errorf("only %d words took the short way", short)
	}
}

// isLetters reports whether a word is as the tokenizer hands it on.
func isLetters(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }) < 0
}

func FuzzTokens(f *testing.F) {
	for _, text := range []string{
		"Hello, don't https://x.y/(z) #tag", "東京ﾋﾞｯﾄ한글กำ", "nostr:" + someNpub, "\u0345\u1fb3ΐ ǰ İ", "a\u200d\ufe0f\u0301\xff", "Ꮅꮅ",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkTokens(t, text)
		var first, again []Token
		first = slices.AppendSeq(first, Tokens(text))
		again = slices.AppendSeq(again, Tokens(text))
		if !slices.Equal(first, again) {
			t.Fatalf("%q gives %v, then %v", text, first, again)
		}
	})
}

func BenchmarkTokens(b *testing.B) {
	var texts []string
	size := 0
	for _, e := range realNotes(b) {
		if e.Kind == 1 {
			texts = append(texts, e.Content)
			size += len(e.Content)
		}
	}
	b.SetBytes(int64(size / len(texts)))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		for range Tokens(texts[i%len(texts)]) {
		}
	}
}
