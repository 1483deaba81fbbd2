package present

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

const (
	joiner    = '\u200d'
	emojiForm = '\ufe0f'
)

// Width counts the cells that a text takes in a terminal: two for wide characters and
// emoji, none for combining marks.
func Width(s string) int {
	total, last, joined := 0, 0, false
	for _, r := range s {
		w := runeWidth(r)
		switch {
		case joined: // the rest of a joined emoji
			w = 0
		case r == emojiForm && last == 1:
			w = 1
		case r >= 0x1f3fb && r <= 0x1f3ff && last > 0: // skin tones
			w = 0
		}
		joined = r == joiner
		total += w
		if w > 0 {
			last = w
		}
	}
	return total
}

func runeWidth(r rune) int {
	if r == 0 || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) || unicode.IsControl(r) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// ClipWidth cuts a text to n cells, with an ellipsis in the place of the rest.
func ClipWidth(s string, n int) string {
	if Width(s) <= n {
		return s
	}
	if n < 2 {
		return "…"
	}
	end := 0
	for i := range s {
		if Width(s[:i]) > n-1 {
			break
		}
		end = i
	}
	return strings.TrimRight(s[:end], string(joiner)) + "…"
}

// PadRight fills a text up to n cells with spaces behind it.
func PadRight(s string, n int) string { return s + strings.Repeat(" ", max(0, n-Width(s))) }

// PadLeft fills a text up to n cells with spaces before it.
func PadLeft(s string, n int) string { return strings.Repeat(" ", max(0, n-Width(s))) + s }

// Clamp cuts a text to so many lines and runes, and reports whether it cut.
func Clamp(text string, lines, runes int) (string, bool) {
	cut := false
	if parts := strings.SplitAfterN(text, "\n", lines+1); len(parts) > lines {
		text, cut = strings.TrimRight(strings.Join(parts[:lines], ""), "\n"), true
	}
	n := 0
	for i := range text {
		if n == runes {
			return strings.TrimRight(text[:i], " \n") + "…", true
		}
		n++
	}
	return text, cut
}
