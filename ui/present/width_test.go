package present

import "testing"

func TestWidthsAreThoseOfATerminal(t *testing.T) {
	for text, want := range map[string]int{"abc": 3, "日本": 4, "é": 1, "e\u0301": 1, "👍": 2, "👩‍🚀": 2, "👍🏽": 2, "❤️": 2, "🇩🇪": 2, "": 0, "ﾊﾛｰ": 3, "a\u200bb": 2} {
		if got := Width(text); got != want {
			t.Errorf("%q is %d wide, want %d", text, got, want)
		}
	}
	if got := ClipWidth("日本語テキスト", 6); got != "日本…" {
		t.Errorf("cut to %q", got)
	}
}
