package builtin

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"bowerbird/app/builtin/words"
)

// maxQuote is the longest quotation, in columns (a CJK character takes two).
const maxQuote = 240

// maxWord is the longest run of characters without a place to break the line.
const maxWord = 40

// quoter decides what can be quoted in Markdown word for word without changing its layout,
// its links or what readers see. A sentence that could do so is skipped, never altered.
type quoter struct {
	entity, underscore, mail *regexp.Regexp
}

func newQuoter() *quoter {
	return &quoter{
		entity:     regexp.MustCompile(`&#?[0-9A-Za-z]+;`),
		underscore: regexp.MustCompile(`(^|[^\pL\pN])_|_([^\pL\pN]|$)`),
		mail:       regexp.MustCompile(`\S@\S+\.\S`),
	}
}

// quotation returns s in the first quotation marks that it does not contain itself, cut
// between words if it is long; "" if it cannot be quoted.
func (q *quoter) quotation(s string, in [2]words.Marks) string {
	cut := cutQuote(s)
	if !q.plain(cut) {
		return ""
	}
	for _, m := range in {
		if strings.ContainsAny(cut, m.Family()) {
			continue
		}
		if cut != s {
			return m.Open + cut + m.Close + "…"
		}
		return m.Open + cut + m.Close
	}
	return ""
}

// plain reports whether a text is shown as it is written and has no other effect.
func (q *quoter) plain(s string) bool {
	if s == "" || !utf8.ValidString(s) || !calm(s) {
		return false
	}
	if strings.ContainsAny(s, "*`~\\^") || strings.Contains(s, "](") || strings.Contains(s, "][") ||
		strings.Contains(s, "://") || strings.Contains(s, "www.") {
		return false
	}
	for i := range len(s) {
		if s[i] != '<' {
			continue
		}
		if i+1 < len(s) && (s[i+1] == '/' || s[i+1] == '!' || s[i+1] == '?' || unicode.IsLetter(rune(s[i+1]))) {
			return false // could be HTML or an autolink
		}
	}
	return !q.entity.MatchString(s) && !q.underscore.MatchString(s) && !q.mail.MatchString(s)
}

// calm reports whether a text only has characters that stay in their place: no control,
// direction or invisible ones, no stacks of accents, no word longer than a line.
func calm(s string) bool {
	word, marks, letters := 0, 0, 0
	prev := rune(0)
	for _, r := range s {
		if !harmless(r, prev) {
			return false
		}
		marks++
		if !unicode.Is(unicode.Mn, r) && !unicode.Is(unicode.Me, r) {
			marks = 0
		}
		word++
		if unicode.IsSpace(r) || wide(r) || r == '-' || r == '/' {
			word = 0
		}
		if unicode.IsLetter(r) {
			letters++
		}
		if marks > 3 || word > maxWord {
			return false
		}
		prev = r
	}
	return letters > 0
}

func harmless(r, prev rune) bool {
	switch r {
	case ' ', 0x3000, 0xA0, 0x202F:
		return true
	case 0x200C, 0x200D: // joiners, inside Persian, Indic and emoji
		return prev > 0x2FF
	}
	return unicode.IsGraphic(r) && !unicode.In(r, unicode.Cf, unicode.Co, unicode.Zs, unicode.Zl, unicode.Zp) &&
		(r < 0xE0000 || r > 0xE0FFF) && r != 0x115F && r != 0x1160 && r != 0x3164 && r != 0xFFA0 && r != 0x2800
}

// cutQuote shortens a sentence to maxQuote columns: after a clause if one ends in its
// second half, else after a word.
func cutQuote(s string) string {
	columns, space, clause := 0, 0, 0
	for i, r := range s {
		columns++
		if wide(r) {
			columns++
			space = i
		}
		if columns > maxQuote {
			at := space
			if clause > space/2 {
				at = clause
			}
			return strings.TrimRightFunc(s[:at], func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:–—-、，", r) })
		}
		switch {
		case unicode.IsSpace(r):
			space = i
		case strings.ContainsRune(",;:、，；", r):
			clause = i
			if n := i + utf8.RuneLen(r); n < len(s) && !wide(r) && !strings.HasPrefix(s[n:], " ") {
				clause = 0 // inside a number
			}
		}
	}
	return s
}

// wide reports whether a character takes two columns and lines may break at it.
func wide(r rune) bool {
	return r >= 0x1100 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) ||
		r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFF60)
}

// label makes somebody's name or word safe to write in Markdown: what could be markup, a
// link or a citation is removed.
func label(s string, maxRunes int) string { return labelWith(s, maxRunes, " .,'’-·&+") }

// titleOf is label for an article's title, which may contain question and quotation marks.
func titleOf(s string) string {
	return labelWith(s, maxTitle, " .,'’-·&+?!？！…“”„«»「」『』、。")
}

func labelWith(s string, maxRunes int, marks string) string {
	var b strings.Builder
	n, prev := 0, rune(0)
	for _, r := range strings.ToValidUTF8(s, "") {
		ok := unicode.In(r, unicode.L, unicode.N, unicode.M, unicode.So) || strings.ContainsRune(marks, r)
		if !ok || !harmless(r, prev) {
			r = ' '
		}
		if r == ' ' && (prev == ' ' || prev == 0) {
			continue
		}
		if n++; n > maxRunes {
			break
		}
		b.WriteRune(r)
		prev = r
	}
	out := strings.TrimSpace(b.String())
	if strings.Contains(strings.ToLower(out), "www.") || !calm(out) && out != "" && !hasSymbol(out) {
		return ""
	}
	return out
}

// hasSymbol reports whether a label without letters still shows something.
func hasSymbol(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.In(r, unicode.N, unicode.So) })
}
