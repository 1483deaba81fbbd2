package builtin

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bowerbird/app/builtin/words"
	"bowerbird/app/sentence"
)

// A piece is a part of a note that can be quoted by itself: a sentence, or what is between
// line ends, links and codes. Its bytes are the note's own.
type piece struct {
	text  string
	first bool   // the note begins with it
	whole bool   // it begins and ends as the author's sentence does
	begin string // of two sentences: the first
	all   bool   // nothing else is in the note
}

// entire returns a note of a few short sentences as one piece: only together do they say
// what they say.
func entire(text string, ps []piece) (piece, bool) {
	if len(ps) < 2 || len(ps) > fewSentences {
		return piece{}, false
	}
	all := ps[0]
	for _, pc := range ps[1:] {
		both, ok := joined(text, all, pc)
		if !ok {
			return piece{}, false
		}
		all = both
	}
	all.all = true
	return all, columns(all.text) <= maxEntire
}

// The most sentences, and columns, of a note that is quoted as a whole.
const (
	fewSentences = 3
	maxEntire    = 140
)

// digresses reports whether a note begins with something other than its news: with words
// less rare than those that follow, or before a name that others take up.
func (d *drafter) digresses(n *note, ps []piece, users users) bool {
	first, terms := d.carries(n, ps[0], users), d.terms(n, ps[0].text)
	return slices.ContainsFunc(ps[1:], func(pc piece) bool {
		return d.carries(n, pc, users).rarest > first.rarest/digression || slices.ContainsFunc(d.terms(n, pc.text), func(w *word) bool {
			return (w.wide || n.names.has(w)) && !slices.Contains(terms, w) && users.others(w, n.author)
		})
	})
}

// digression is the share of later words' rarity below which the first sentence only leads
// up to the news.
const digression = 0.8

// maxPieces limits what is read of one note.
const maxPieces = 200

// pieces splits a text into what can be quoted, in order.
func pieces(text string) []piece {
	var out []piece
	if !utf8.ValidString(text) {
		return nil
	}
	for line := range strings.Lines(text) {
		out = linePieces(out, strings.TrimSpace(line))
		if len(out) >= maxPieces {
			break
		}
	}
	for i := range out {
		out[i].first = i == 0
	}
	return out
}

// linePieces splits a line at links and codes, then into sentences.
func linePieces(out []piece, line string) []piece {
	begins := true // nothing was cut off before
	for line != "" {
		start, end := findLink(line)
		before, after := strings.TrimSpace(line[:start]), strings.TrimSpace(line[end:])
		out = sentences(out, before, begins, after == "")
		begins = before != "" && sentence.Whole(before)
		if end == 0 || end == len(line) {
			break
		}
		line = after
	}
	return out
}

// findLink returns the position of the next link or Nostr code, or the length of s twice if
// there is none.
func findLink(s string) (start, end int) {
	for i := 0; i < len(s); {
		n := strings.IndexFunc(s[i:], func(r rune) bool { return !unicode.IsSpace(r) })
		if n < 0 {
			break
		}
		i += n
		word := s[i:]
		if j := strings.IndexFunc(word, unicode.IsSpace); j >= 0 {
			word = word[:j]
		}
		if at := linkIn(word); at >= 0 {
			return i + at, i + len(word)
		}
		i += len(word)
	}
	return len(s), len(s)
}

// linkIn returns where in a word a link or code begins, or -1.
func linkIn(word string) int {
	best := -1
	for _, mark := range []string{"://", "nostr:", "www.", "npub1", "note1", "nevent1", "nprofile1", "naddr1", "lnbc1"} {
		at := strings.Index(word, mark)
		if at < 0 {
			continue
		}
		if mark == "://" {
			at = schemeStart(word[:at])
		}
		if best < 0 || at < best {
			best = at
		}
	}
	return best
}

// schemeStart returns where the URL scheme that ends the word begins.
func schemeStart(word string) int {
	i := strings.LastIndexFunc(word, func(r rune) bool { return r >= 0x80 || !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if i < 0 {
		return 0
	}
	_, size := utf8.DecodeRuneInString(word[i:])
	return i + size
}

// sentences appends the sentences of s, which has no links and one line.
func sentences(out []piece, s string, begins, ends bool) []piece {
	for s != "" {
		end, stopped := sentence.End(s)
		if text := trimPiece(s[:end]); text != "" {
			out = append(out, piece{text: text, whole: begins && (stopped || ends)})
		}
		s, begins = s[end:], true
	}
	return out
}

// trimPiece drops list marks before a sentence and hashtags around it.
func trimPiece(s string) string {
	s = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(s), "-–—•*>·→▪● "))
	if mark := strings.TrimLeft(s, "#"); strings.HasPrefix(mark, " ") {
		s = strings.TrimSpace(mark) // a heading
	}
	for {
		i := strings.LastIndexFunc(s, unicode.IsSpace)
		if i < 0 || !strings.HasPrefix(strings.TrimSpace(s[i:]), "#") {
			break
		}
		s = strings.TrimSpace(s[:i])
	}
	if strings.HasPrefix(s, "#") {
		return ""
	}
	return s
}

// opening returns the pieces of a note that may be quoted: each of its first sentences, the
// first two together, which often are clear only together, and a short paragraph as a
// whole. Short opening sentences are kept together: news is often said in two words and
// then explained.
func opening(text string) []piece {
	text = clip(text, maxOpening)
	ps := pieces(text)
	ps = ps[:min(len(ps), maxCandidatePieces)]
	var out []piece
	all, few := entire(text, ps)
	if few {
		out = []piece{all}
	}
	for len(ps) > 0 {
		paragraph, next := ps[0], 1
		for ; next < len(ps); next++ {
			both, ok := beside(text, paragraph, ps[next])
			if !ok {
				break
			}
			paragraph = both
		}
		if extent(paragraph.text) <= maxWhole && next <= wholePieces && !(few && paragraph.text == all.text) {
			out = append(out, paragraph)
		} else {
			out = append(out, parted(text, ps[:next])...)
		}
		ps = ps[next:]
	}
	return out
}

// parted returns the sentences of a paragraph.
func parted(text string, ps []piece) []piece {
	ps = slices.Clone(ps)
	for len(ps) > 1 && columns(ps[0].text) < saidEnough {
		both, ok := joined(text, ps[0], ps[1])
		if !ok {
			break
		}
		ps = append([]piece{both}, ps[2:]...)
	}
	if len(ps) > 1 {
		if both, ok := joined(text, ps[0], ps[1]); ok {
			both.begin = ps[0].text
			ps = append(ps, both)
		}
	}
	return ps
}

// joined returns two sentences as one piece, if they are adjacent and not too long
// together.
func joined(text string, a, b piece) (piece, bool) {
	if columns(a.text)+columns(b.text) > maxPair {
		return piece{}, false
	}
	return beside(text, a, b)
}

// beside returns two sentences as one piece, if they are adjacent.
func beside(text string, a, b piece) (piece, bool) {
	for _, both := range []string{a.text + " " + b.text, a.text + b.text} {
		if strings.Contains(text, both) {
			return piece{text: both, first: a.first, whole: a.whole && b.whole}, true
		}
	}
	return piece{}, false
}

// saidEnough is how many columns a note's first sentence must have to be quoted alone.
const saidEnough = 40

// How much of a note is considered, in bytes, and how long two sentences may be together,
// in columns.
const (
	maxOpening = 8000
	maxPair    = 190
)

// The most sentences, and the greatest extent, of a paragraph that is quoted as a whole.
const (
	wholePieces = 4
	maxWhole    = 100
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
			return m.Open + cut + " […]" + m.Close
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
