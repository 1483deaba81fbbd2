package prose

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/internal/testkit"
	"bowerbird/ui/theme"
)

var samples = []struct{ name, text string }{
	{"a sentence", "The winter farmers market opens on Saturday at 9. Bring a bag, bring a neighbour."},
	{"lines", "one\n\ntwo\n three  \n\n\n"},
	{"only spaces", "     "},
	{"Japanese", "今日はいい天気。散歩しながら新しいクライアントを試しています。「本当に？」"},
	{"emoji in sequence", strings.Repeat("👩‍👩‍👧‍👦🇩🇪👍🏽❤️", 12)},
	{"flags of regions", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 and 🏴󠁧󠁢󠁳󠁣󠁴󠁿"},
	{"Hebrew with English", "שלום עולם! זה (טקסט) בעברית עם English words ועם 12:30 מספרים."},
	{"Arabic", "مرحبا بالعالم، هذا نص عربي مع Nostr و 2026."},
	{"Thai", "ภาษาไทยไม่มีช่องว่างระหว่างคำเลยสักนิดเดียวในประโยคยาวๆ แบบนี้"},
	{"Hindi", "नमस्ते दुनिया, यह एक लंबा वाक्य है क्षत्रिय"},
	{"a long word", strings.Repeat("abcdefghij", 60)},
	{"an address", "see https://example.com/a/very/long/path?with=query&and=more#fragment-of-the-page today"},
	{"marks upon marks", "Z" + strings.Repeat("\u0301", 40) + "algo " + strings.Repeat("e\u0301", 50)},
}

func hostile(t testing.TB) []string {
	var texts []string
	raw, err := os.ReadFile(filepath.Join(testkit.Shared(t, "data", "hostile", "text"), "blns.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &texts); err != nil {
		t.Fatal(err)
	}
	return texts
}

// mixed cuts a text into spans of many looks.
func mixed(text string, r *rand.Rand) []Span {
	var out []Span
	var f flow
	for text != "" {
		f.glyphs.InitWithString(text)
		n := 0
		it := f.glyphs.GraphemeIterator()
		for range 1 + r.IntN(12) {
			if it.Next() {
				n += runeBytes(it.Grapheme().Text)
			}
		}
		s := Span{Text: text[:n], Bold: r.IntN(4) == 0, Italic: r.IntN(6) == 0, Mono: r.IntN(8) == 0, Mark: r.IntN(8) == 0}
		switch r.IntN(10) {
		case 0:
			s.Tap = func() {}
		case 1:
			s.Size = theme.Title
		case 2:
			s.Chip = true
		}
		out = append(out, s)
		text = text[n:]
	}
	return out
}

// check holds the promises of the package for one text.
func check(t *testing.T, name string, spans []Span) {
	t.Helper()
	text := New(spans...)
	last := float32(1e9)
	for _, width := range []float32{1, 7, 20, 33, 50, 90, 91, 140, 200, 333, 500, 1200} {
		f := text.ready()
		lines := text.layOut(width).lines
		if h := text.HeightFor(width); h > last {
			t.Errorf("%s: %v high at %v, but lower when narrower", name, h, width)
		} else {
			last = h
		}
		end := 0
		for i, ln := range lines {
			if between := f.text[end:ln.from]; strings.Trim(between, " \n") != "" {
				t.Fatalf("%s at %v: %q is left out before line %d", name, width, between, i)
			}
			end = int(ln.to)
			var w float32
			all := ""
			for _, p := range f.placeLine(nil, ln, i, width, fyne.TextAlignLeading, HasRTL(f.text)) {
				w = max(w, p.x+p.w)
				if f.text[p.from:p.to] != "" {
					all += f.text[p.from:p.to]
				}
			}
			shown := f.text[ln.from:ln.to]
			if len(all) != len(shown) {
				t.Fatalf("%s at %v: line %d draws %q, not %q", name, width, i, all, shown)
			}
			if w > width+slack*float32(1+strings.Count(shown, " ")) && !single(f, ln) {
				t.Errorf("%s at %v: line %d %q is %v wide", name, width, i, shown, w)
			}
			f.glyphs.InitWithString(f.text[ln.from:min(len(f.text), int(ln.to)+64)])
			if at := boundary(f, int(ln.to-ln.from)); !at {
				t.Errorf("%s at %v: line %d ends within a character", name, width, i)
			}
		}
		if rest := f.text[end:]; strings.Trim(rest, " \n") != "" {
			t.Fatalf("%s at %v: %q is left out at the end", name, width, rest)
		}
	}
}

// single reports whether a line holds one character or one chip.
func single(f *flow, ln line) bool {
	if f.looks[f.lookAt(int(ln.from))].chip {
		return true
	}
	f.glyphs.InitWithString(f.text[ln.from:ln.to])
	n := 0
	for it := f.glyphs.GraphemeIterator(); it.Next(); {
		n++
	}
	return n <= 1
}

func boundary(f *flow, at int) bool {
	sum := 0
	for it := f.glyphs.GraphemeIterator(); it.Next() && sum < at; {
		sum += runeBytes(it.Grapheme().Text)
	}
	return sum == at
}

func TestLinesHoldAllOfTheTextAndFitTheWidth(t *testing.T) {
	if testing.Short() {
		t.Skip("lays out hundreds of texts: not beside the race detector")
	}
	open(t, theme.Light)
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range samples {
		check(t, s.name, []Span{{Text: s.text}})
	}
	for _, s := range samples {
		spans := mixed(s.text, r)
		for i := range spans {
			spans[i].Chip = false // a chip is cut, and wider than its text
		}
		check(t, s.name+" in pieces", spans)
	}
}

func TestHostileTextsHoldThePromisesToo(t *testing.T) {
	if testing.Short() {
		t.Skip("lays out hundreds of texts: not beside the race detector")
	}
	open(t, theme.Light)
	for _, s := range hostile(t) {
		check(t, s, []Span{{Text: s}})
	}
}

func TestChipsOfAnyTextAreDrawnWithoutAPanic(t *testing.T) {
	open(t, theme.Light)
	r := rand.New(rand.NewPCG(3, 4))
	for _, s := range samples {
		text := New(mixed(s.text, r)...)
		for _, w := range []float32{0, 1, 30, 200} {
			text.Resize(fyne.NewSize(w, text.HeightFor(w)))
			if text.flow != nil && text.flow.broken {
				t.Errorf("%s at %v: a panic was caught", s.name, w)
			}
		}
	}
}

func TestWhatOrdersOrHidesCharactersDoesNotReachThePainter(t *testing.T) {
	for in, want := range map[string]string{
		"a\u202eb\u2066c\u2069":            "abc",
		"a\x00b\x1b[31mc":                  "ab[31mc",
		"a\tb":                             "a    b",
		"a\r\nb\rc\u2028d":                 "a\nb\nc\nd",
		"a\u200bb\ufeff\u00ad":             "ab",
		"\xff\xfe":                         "\ufffd\ufffd",
		"👩\u200d👧":                         "👩\u200d👧",
		"x\U000e0041\U000e0042":            "x",
		"e" + strings.Repeat("\u0301", 20): "e" + strings.Repeat("\u0301", maxMarks),
	} {
		if got := Clean(in, maxRunes); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Clean(strings.Repeat("é", 50), 10); got != strings.Repeat("é", 10)+"…" {
		t.Errorf("cut to %q", got)
	}
}

func TestMaxLinesCutsWithAnEllipsisThatFits(t *testing.T) {
	open(t, theme.Light)
	for _, s := range samples {
		text := Plain(s.text, "", "")
		all := len(text.layOut(120).lines)
		for n := 1; n < all; n++ {
			text.MaxLines = n
			m := text.layOut(120)
			if !m.cut || len(m.lines) != n || !m.lines[n-1].cut {
				t.Fatalf("%s: %d of %d lines, cut %v", s.name, len(m.lines), all, m.cut)
			}
			ps := text.place(120)
			last := ps[len(ps)-1]
			for _, p := range ps {
				if p.line == n-1 && p.x+p.w > 121 {
					t.Errorf("%s: the cut line ends at %v", s.name, p.x+p.w)
				}
			}
			if !HasRTL(s.text) && last.text != ellipsis {
				t.Errorf("%s: the last piece is %q", s.name, last.text)
			}
		}
		text.MaxLines = all
		if all > 0 && text.Cut(120) {
			t.Errorf("%s: %d lines are cut to %d", s.name, all, all)
		}
	}
}

func TestOnlyTheShownLinesAreLaidOut(t *testing.T) {
	open(t, theme.Light)
	for name, s := range map[string]string{
		"one word":  strings.Repeat("x", 100_000),
		"lines":     strings.Repeat("a line\n", 10_000),
		"sentences": strings.Repeat("some words of a note ", 5_000),
		"emoji":     strings.Repeat("👩‍👧", 20_000),
		"spaces":    strings.Repeat(" ", 100_000),
	} {
		text := Plain(s, "", "")
		text.MaxLines = 12
		text.HeightFor(400)
		if n := len(text.flow.atoms); n > 2_000 {
			t.Errorf("%s: %d atoms were made for 12 lines", name, n)
		}
		text.MaxLines = 0
		lines := text.layOut(400).lines
		if text.flow.broken {
			t.Errorf("%s: a panic was caught", name)
		}
		if name == "lines" && len(lines) != maxLines {
			t.Errorf("%d lines of 10,000, want %d", len(lines), maxLines)
		}
	}
}

func TestWhatTheRulesCannotBearIsCutByCount(t *testing.T) {
	open(t, theme.Light)
	text := Plain("some words\nand more words", "", "")
	text.ready().broken = true
	text.flow.atoms, text.flow.done = nil, 0
	var got string
	for _, p := range text.place(100) {
		got += p.text
	}
	if got != "some wordsand more words" {
		t.Errorf("drew %q", got)
	}
}

func FuzzLines(f *testing.F) {
	for _, s := range samples {
		f.Add(s.text, float32(100), 3)
	}
	open(f, theme.Light)
	f.Fuzz(func(t *testing.T, s string, width float32, limit int) {
		text := Plain(s, "", "")
		text.MaxLines = limit % 100
		text.HeightFor(width)
		text.place(width)
		if text.flow.broken {
			t.Errorf("a panic was caught")
		}
	})
}

const aNote = "Spent the morning moving our relay to LMDB. Startup went from 40 s to under one, and queries for threads are four times as quick. The steps are written up for who wants to do the same; ask if something is unclear. Thanks to everybody who tested it with real data over the weekend! #nostr"

func BenchmarkLayOutANote(b *testing.B) {
	open(b, theme.Light)
	for b.Loop() {
		Plain(aNote, "", "").HeightFor(335)
	}
}

func BenchmarkLayOutAndPlaceANote(b *testing.B) {
	open(b, theme.Light)
	for b.Loop() {
		text := Plain(aNote, "", "")
		text.HeightFor(335)
		text.place(335)
	}
}

func BenchmarkANoteAtAnotherWidth(b *testing.B) {
	open(b, theme.Light)
	text := Plain(aNote, "", "")
	w := float32(300)
	for b.Loop() {
		w++
		if w > 500 {
			w = 300
		}
		text.HeightFor(w)
	}
}

func BenchmarkClampedLongWord(b *testing.B) {
	open(b, theme.Light)
	s := strings.Repeat("x", 100_000)
	for b.Loop() {
		text := Plain(s, "", "")
		text.MaxLines = 12
		text.HeightFor(335)
	}
}
