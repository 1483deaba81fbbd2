package check

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// span is a passage in quotation marks: the bytes inside, and the end of the closing mark.
type span struct{ start, end, after int }

// closers are the pairs of quotation marks that models use. “ closes in German, and »
// opens.
var closers = map[rune]string{'“': "”", '„': "“”\"", '‟': "”", '"': `"`, '«': "»", '»': "«", '‹': "›", '「': "」", '『': "』", '＂': "＂"}

// longestQuote is the longest passage in bytes, which bounds the cost of a mark that is
// never closed.
const longestQuote = 1500

// quotations returns the outermost passages in quotation marks. A passage does not extend
// over an empty line.
func quotations(text string) []span {
	var out []span
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		closing := closers[r]
		start := i + size
		if r == '\'' || r == '‘' {
			if end := closesSingle(text, i, start); end > 0 {
				_, size = utf8.DecodeRuneInString(text[end:])
				out = append(out, span{start, end, end + size})
				start = end + size
			}
		}
		i = start
		if closing == "" {
			continue
		}
		if r == '"' && start < len(text) && unicode.IsSpace(rune(text[start])) {
			continue // 12" and the like open nothing
		}
		rest, _, _ := strings.Cut(text[start:min(len(text), start+longestQuote)], "\n\n")
		end := closes(rest, r, closing)
		if end < 0 {
			continue
		}
		_, size = utf8.DecodeRuneInString(rest[end:])
		out = append(out, span{start, start + end, start + end + size})
		i = start + end + size
	}
	return out
}

// closesSingle returns the position of the single mark that closes a passage of at least
// three words, 0 for none: in fewer words, the marks may be apostrophes.
func closesSingle(text string, opener, start int) int {
	before, _ := utf8.DecodeLastRuneInString(text[:opener])
	first, _ := utf8.DecodeRuneInString(text[start:])
	if opener > 0 && (unicode.IsLetter(before) || unicode.IsNumber(before)) || !unicode.IsLetter(first) {
		return 0
	}
	closing := '’'
	if text[opener] == '\'' {
		closing = '\''
	}
	rest, _, _ := strings.Cut(text[start:min(len(text), start+longestQuote)], "\n")
	for i, r := range rest {
		behind, _ := utf8.DecodeRuneInString(rest[i+utf8.RuneLen(r):])
		switch {
		case r != closing || unicode.IsLetter(behind) || unicode.IsNumber(behind):
		case strings.Count(wordsOf(rest[:i]), " ") < 2:
			return 0
		default:
			return start + i
		}
	}
	return 0
}

// closes returns the position of the mark that closes a passage, apart from nested ones; -1
// for none.
func closes(s string, opener rune, closing string) int {
	depth := 0
	for i, r := range s {
		switch {
		case strings.ContainsRune(closing, r):
			if depth == 0 {
				return i
			}
			depth--
		case r == opener:
			depth++
		}
	}
	return -1
}

// scare reports whether a passage is a single word, which quotes nobody.
func scare(words string) bool {
	if strings.ContainsFunc(words, wide) {
		return utf8.RuneCountInString(words) <= 3
	}
	return !strings.Contains(words, " ")
}

// gap matches what replaces omitted or inserted words; a name may replace a code.
var gap = regexp.MustCompile(`\[[^\]\n]*\]|\([.…]+\)|…|\.{3,}|@\S+|nostr:\w+`)

// capital matches a first letter that was changed to fit the sentence: “[t]he bridge”.
var capital = regexp.MustCompile(`\[(\p{L})\](\p{L})`)

// holds reports whether the words of a note contain a passage, regardless of spaces,
// punctuation and capitals. Parts around a gap must be in order.
func holds(words, passage string) bool {
	passage = capital.ReplaceAllString(passage, "$1$2")
	for _, part := range gap.Split(passage, -1) {
		part = wordsOf(part)
		if part == "" {
			continue
		}
		at := find(words, part)
		if at < 0 {
			return false
		}
		words = words[at+len(part):]
	}
	return true
}

// find returns the position of words in others, as whole words; -1 for none.
func find(words, part string) int {
	for from := 0; ; {
		i := strings.Index(words[from:], part)
		if i < 0 {
			return -1
		}
		i += from
		if edge(words, i) && edge(words, i+len(part)) {
			return i
		}
		_, size := utf8.DecodeRuneInString(words[i:])
		from = i + size
	}
}

func edge(words string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(words[:i])
	behind, _ := utf8.DecodeRuneInString(words[i:])
	return i == 0 || i == len(words) || before == ' ' || behind == ' ' || wide(before) || wide(behind)
}

// token is a word of a text, or a letter of a script without spaces.
type token struct {
	start, end int
	word       string
}

func tokens(text string) []token {
	var out []token
	start := -1
	end := func(at int) {
		if start >= 0 {
			out = append(out, token{start, at, strings.ToLower(text[start:at])})
			start = -1
		}
	}
	for i, r := range text {
		switch {
		case wide(r):
			end(i)
			out = append(out, token{i, i + utf8.RuneLen(r), string(r)})
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
			if start < 0 {
				start = i
			}
		default:
			end(i)
		}
	}
	end(len(text))
	return out
}

// Limits of near: the tokens of one note, and the pairs of tokens in all.
const (
	mostNear     = 3000
	mostCompared = 20_000_000
)

// near finds where a note says nearly the same as a passage: as many words, at least half
// of them equal. It returns the bytes of the passage that differ, and what the note has
// there.
func (c *checker) near(n int, passage string) (from, to int, says string, found bool) {
	want, have, note := tokens(passage), c.note(n).tokens, c.facts.Notes[n-1].Text
	work := len(want) * len(have)
	if len(want) < 2 || len(want) > 100 || len(have) > mostNear || c.compared+work > mostCompared {
		return 0, 0, "", false
	}
	c.compared += work
	best, at := 0, 0
	for i := 0; i+len(want) <= len(have)+len(want)/2; i++ {
		same := 0
		for j := 0; j < len(want) && i+j < len(have); j++ {
			if want[j].word == have[i+j].word {
				same++
			}
		}
		if same > best {
			best, at = same, i
		}
	}
	last := min(at+len(want), len(have))
	if 2*best < len(want) {
		return 0, 0, "", false
	}
	first, back := 0, 0
	for at+first < last && want[first].word == have[at+first].word {
		first++
	}
	for back < len(want)-first-1 && last-1-back > at+first && want[len(want)-1-back].word == have[last-1-back].word {
		back++
	}
	if at+first >= last {
		return 0, 0, "", false
	}
	return want[first].start, want[len(want)-1-back].end, note[have[at+first].start:have[last-1-back].end], true
}

// quotes searches for what a sentence quotes in the notes that it cites or, if it cites
// none, in all. It reports whether a quotation is false. What belongs to nobody, such as a
// question that the reader could ask, need not be in any.
func (c *checker) quotes(u unit, notes []int, nobodys bool) (bad bool) {
	inside := quotations(c.plain[u.start:u.end])
	if u.form == quoted {
		inside = []span{{0, u.end - u.start, u.end - u.start}}
	}
	for _, q := range inside {
		passage := c.plain[u.start+q.start : u.start+q.end]
		if u.form == quoted {
			passage = quotedText(passage)
		}
		words := wordsOf(passage)
		if words == "" || scare(words) || u.form != quoted && holds(c.asked, passage) || len(notes) == 0 && nobodys {
			continue
		}
		c.looked++
		if held := c.looked <= mostQuotes && c.held(passage, notes); held && len(notes) == 0 {
			continue // it is somewhere; no note was cited to compare it with
		} else if c.report.Quotes++; held {
			c.report.Found++
			continue
		}
		bad = true
		c.falseQuote(u, q, passage, notes)
	}
	return bad
}

// quotedText returns a quoted block without its marks, citations and the line with its
// author.
func quotedText(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(quoteMark.ReplaceAllString(line, ""))
		if !strings.HasPrefix(line, "—") && !strings.HasPrefix(line, "–") && !strings.HasPrefix(line, "-") {
			lines = append(lines, line)
		}
	}
	return refMark.ReplaceAllString(strings.Join(lines, "\n"), "")
}

func (c *checker) held(passage string, notes []int) bool {
	if len(notes) == 0 {
		for n := range c.notes {
			notes = append(notes, n+1)
		}
	}
	return slices.ContainsFunc(notes, func(n int) bool { return holds(c.note(n).words, passage) })
}

func (c *checker) falseQuote(u unit, q span, passage string, notes []int) {
	start, end := u.start+q.start, u.start+q.end
	for _, n := range notes {
		if from, to, says, found := c.near(n, passage); found && u.form != quoted {
			m := c.mark(QuoteNotFound, start+from, start+to, u.end)
			m.Note, m.Says = n, says
			return
		}
	}
	c.mark(QuoteNotFound, start, end, u.end)
}
