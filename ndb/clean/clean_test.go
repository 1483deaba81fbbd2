package clean

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"bowerbird/internal/testkit"
)

func TestLine(t *testing.T) {
	tests := []struct {
		name string
		text string
		max  int
		want string
	}{
		{"nothing", "", 64, ""},
		{"plain", "Ada Lovelace", 64, "Ada Lovelace"},
		{"white space", "  Ada \t\n\u3000\u2028 Lovelace\r\n", 64, "Ada Lovelace"},
		{"blank only", " \u2800\u3164\u115f\u200b\ufeff ", 64, ""},
		{"controls", "A\x07d\x1ba\u0085\x7f\u009b31m", 64, "Ada 31m"},
		{"NUL", "A\x00", 64, "A\ufffd"},
		{"broken UTF-8", "A\xff\xfeB", 64, "A\ufffd\ufffdB"},
		{"bidirectional overrides", "Ada\u202eecalevoL\u202c \u2066x\u2069\u200f\u200e\u061c", 64, "Ada" + "ecalevoL x"},
		{"zero widths", "A\u200bd\u2060a\ufeff\u00ad\u034f", 64, "Ada"},
		{"a tag block", "Ada\U000e0041\U000e0042\U000e007f", 64, "Ada"},
		{"hidden bytes in variation selectors", "A\ufe00\ufe01\U000e0100😀\ufe0f\ufe0f\U000e0154", 64, "A😀\ufe0f"},
		{"an emoji family", "👨\u200d👩\u200d👧 x", 64, "👨\u200d👩\u200d👧 x"},
		{"a heart on fire", "❤\ufe0f\u200d🔥", 64, "❤\ufe0f\u200d🔥"},
		{"a keycap", "1\ufe0f\u20e3", 64, "1\ufe0f\u20e3"},
		{"a Japanese variant", "葛\U000e0100城", 64, "葛\U000e0100城"},
		{"a joiner in Latin", "A\u200dda A\u200cb", 64, "Ada Ab"},
		{"a joiner at the ends", "\u200d👨\u200d", 64, "👨"},
		{"Persian", "می\u200cخواهم", 64, "می\u200cخواهم"},
		{"Sinhala", "ශ\u0dca\u200dරී", 64, "ශ\u0dca\u200dරී"},
		{"Zalgo", "A" + strings.Repeat("\u0301", 50) + "b", 64, "A" + strings.Repeat("\u0301", 8) + "b"},
		{"Zalgo parted by joiners", "A" + strings.Repeat("\u0301\u200d", 50), 64, "A" + strings.Repeat("\u0301", 8)},
		{"marks first", "\u0301\u0301Ada", 64, "Ada"},
		{"Thai", "ก็ไม่มี", 64, "ก็ไม่มี"},
		{"as long as may be", "12345", 5, "12345"},
		{"too long", "123456", 5, "1234…"},
		{"cut at a space", "123 456", 5, "123…"},
		{"not cut off its mark", "123e\u0301456", 5, "123…"},
		{"not cut within a family", "12👨\u200d👩\u200d👧", 5, "12…"},
		{"no limit", strings.Repeat("a", 1000), 0, strings.Repeat("a", 1000)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Line(test.text, test.max); got != test.want {
				t.Errorf("got %+q, want %+q", got, test.want)
			}
		})
	}
}

func TestText(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"plain", "one\n\ttwo  three\n", "one\n\ttwo  three\n"},
		{"line ends", "a\r\nb\rc\u2028d\u2029e\u0085f", "a\nb\nc\nd\ne\nf"},
		{"controls", "a\x1b[31m\x08\vb\u009b", "a[31mb"},
		{"NUL", "é\x00", "é\ufffd"},
		{"overrides", "a\u202eb\u2067c", "abc"},
		{"direction marks stay", "a\u200e\u200f\u061cb", "a\u200e\u200f\u061cb"},
		{"Khmer keeps its breaks", "ភាសា\u200bខ្មែរ", "ភាសា\u200bខ្មែរ"},
		{"other breaks go", "zero\u200bwidth", "zerowidth"},
		{"a flag of tags", "🏴\U000e0067\U000e0062\U000e007f", "🏴"},
		{"marks on a new line", "a\n\u0301b", "a\nb"},
		{"blanks stay", "\u3000é ", "\u3000é "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Text(test.text); got != test.want {
				t.Errorf("got %+q, want %+q", got, test.want)
			}
		})
	}
}

// checkClean fails unless the text comes out clean by rules that share nothing
// with the cleaner.
func checkClean(t *testing.T, text string) {
	t.Helper()
	line, multi := Line(text, 64), Text(text)
	if again := Line(line, 64); again != line {
		t.Fatalf("%+q: line %+q, cleaned again %+q", text, line, again)
	}
	if again := Text(multi); again != multi {
		t.Fatalf("%+q: text %+q, cleaned again %+q", text, multi, again)
	}
	if n := utf8.RuneCountInString(line); n > 64 || line != strings.TrimSpace(line) || strings.Contains(line, "  ") {
		t.Fatalf("%+q: line %+q of %d characters", text, line, n)
	}
	for _, out := range []string{line, strings.NewReplacer("\n", "", "\t", "").Replace(multi)} {
		marks := 0
		for _, r := range out {
			if unicode.IsMark(r) {
				marks++
			} else if !unicode.Is(unicode.Join_Control, r) {
				marks = 0
			}
			if unicode.IsControl(r) || marks > 9 || strings.ContainsRune("\u2066\u2067\u2068\u2069\u202a\u202b\u202c\u202d\u202e\ufeff", r) {
				t.Fatalf("%+q: %+q has %U", text, out, r)
			}
		}
		if !utf8.ValidString(out) {
			t.Fatalf("%+q: %+q is no UTF-8", text, out)
		}
	}
}

func TestHostileTextComesOutClean(t *testing.T) {
	raw, err := os.ReadFile(testkit.Shared(t, "data", "hostile", "text", "blns.json"))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	if err := json.Unmarshal(raw, &texts); err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		checkClean(t, text)
	}
	for _, line := range testkit.RealNotes(t) {
		var e struct{ Content string }
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		checkClean(t, e.Content)
	}
}

func FuzzClean(f *testing.F) {
	for _, text := range []string{
		"Ada\u202e x\u200d👨\u200d👩", "می\u200cخواهم", "e\u0301\u0301\u200d\ufe0f\x00\xff", " \u2800\u200b\u0301 a\r\n\u2028",
		strings.Repeat("a\u0301", 40), strings.Repeat("😀\u200d", 40),
	} {
		f.Add(text)
	}
	f.Fuzz(checkClean)
}
