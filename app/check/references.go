package check

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bowerbird/app/sentence"
)

// Reference is a ^n in a text: its byte range, and n.
type Reference struct {
	Start, End int
	Index      int // from 0; notes are numbered from 1
}

// References finds the ^n of a text. In code and $mathematics$, after a digit and after one
// or two letters (10^8, mc^2) it is a power. An index has one to three digits.
func References(text string) []Reference {
	plain := withoutCode(text)
	var refs []Reference
	for i := 0; i < len(plain); {
		if plain[i] != '^' {
			i++
			continue
		}
		end, index := readIndex(plain, i+1)
		if index >= 0 && !power(plain[:i]) {
			refs = append(refs, Reference{Start: i, End: end, Index: index})
		}
		i = max(end, i+1)
	}
	return refs
}

// power reports whether a ^ after the text would be a power.
func power(before string) bool {
	letters := 0
	for before != "" {
		r, size := utf8.DecodeLastRuneInString(before)
		switch {
		case unicode.IsDigit(r):
			// ^1^2 are two references; 10^8 is one number.
			number := strings.TrimRightFunc(before, unicode.IsDigit)
			return letters > 0 || !strings.HasSuffix(number, "^")
		case !unicode.In(r, unicode.Latin, unicode.Greek):
			return letters > 0
		}
		if letters++; letters > 2 {
			return false
		}
		before = before[:len(before)-size]
	}
	return letters > 0
}

func runLength(s string, c byte) int { return len(s) - len(strings.TrimLeft(s, string(c))) }

// closing returns the end of the first run of exactly n marks in s, or -1.
func closing(s string, mark byte, n int) int {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], mark)
		if i < 0 {
			return -1
		}
		have := runLength(s[from+i:], mark)
		from += i + have
		if have == n {
			return from
		}
	}
}

// readIndex reads the digits at i; index is -1 if there are none, or too many.
func readIndex(text string, i int) (end, index int) {
	end = i
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		if index < 1000 {
			index = index*10 + int(text[end]-'0')
		}
		end++
	}
	if end == i || end-i > 3 {
		return end, -1
	}
	return end, index
}

// withoutCode replaces code and mathematics by spaces, so that all other bytes keep their
// offsets. Backticks and dollars that are never closed are plain text.
func withoutCode(text string) string {
	out := []byte(text)
	open := make(map[string]bool) // marks that nothing closes in the rest
	for i := 0; i < len(text); {
		end := i + 1
		switch text[i] {
		case '`', '~':
			n := runLength(text[i:], text[i])
			end = i + n
			if text[i] == '~' && n < 3 {
				break
			}
			behind := -1
			if mark := text[i:end]; !open[mark] {
				behind = closing(text[end:], text[i], n)
				open[mark] = behind < 0
			}
			if behind >= 0 {
				end += behind
				blank(out[i:end])
			} else if n >= 3 && lineStart(text, i) { // a block that is still open
				end = len(text)
				blank(out[i:end])
			}
		case '$':
			if behind := mathEnd(text[i:]); behind > 0 {
				end = i + behind
				blank(out[i:end])
			}
		}
		i = end
	}
	return string(out)
}

func blank(b []byte) { fill(b, ' ') }

func fill(b []byte, with byte) {
	for i := range b {
		if b[i] != '\n' {
			b[i] = with
		}
	}
}

func lineStart(text string, i int) bool {
	return strings.TrimLeft(text[strings.LastIndexByte(text[:i], '\n')+1:i], " >") == ""
}

// mathEnd returns where $…$ or $$…$$ at the start of s ends, 0 for none: no space inside
// the dollars and no digit after them, unlike amounts of money.
func mathEnd(s string) int {
	n := min(runLength(s, '$'), 2)
	mark := s[:n]
	line, _, _ := strings.Cut(s[n:], "\n")
	if line == "" || n == 1 && line[0] == ' ' {
		return 0
	}
	i := strings.Index(line, mark)
	if i <= 0 || n == 1 && line[i-1] == ' ' {
		return 0
	}
	end := n + i + n
	if end < len(s) && s[end] >= '0' && s[end] <= '9' {
		return 0
	}
	return end
}

var (
	refMark  = regexp.MustCompile(`[(\[（［]?\^\d{1,3}[)\]）］]?`)
	footnote = regexp.MustCompile(`^[ ]{0,3}\[(?:\^[\w-]{1,12}|\d{1,3})\]:`)
	entry    = regexp.MustCompile(`^[ \t]*(?:[-*+][ \t]|[•·–▪]|\[?\(?\^?\d{1,3}[.)\]]?[.):]?)[ \t]*\S`)
	branch   = regexp.MustCompile(`^[ \t│┃]*[├└╰┣┗][─━]*[ \t]+[^ \t─━].*[^─━│┃┤┘╯┫┛ \t][ \t]*$`)
)

// ownSources finds and marks what looks as if the app had written it: a list of sources,
// footnotes, a drawn frame. They are left out when the answer is shown.
func (c *checker) ownSources() []span {
	var found []span
	start, open, blank := 0, -1, false
	tail := c.tail()
	end := 0
	shut := func() {
		if open >= 0 {
			found = append(found, span{open, end, end})
			c.mark(OwnSources, open, end, end)
		}
		open, blank = -1, false
	}
	listed := false // what is open needs a list below it
	within := false // this list, of which a sentence was kept
	for line := range strings.Lines(c.plain) {
		from, text := start, strings.TrimRight(line, "\r\n")
		start += len(line)
		to := from + len(text)
		label, inline := c.label(text)
		label = label || from == tail
		frame := framed(text)
		switch {
		case strings.TrimSpace(text) == "":
			blank = open >= 0
		case frame || footnote.MatchString(text) || label && inline:
			if open < 0 || blank && !listed {
				shut()
				open = from
			}
			end, listed, blank = to, false, false
		case label:
			shut()
			open, end, listed, within = from, to, true, false
		case (within || listed && open >= 0) && c.carriedLine(text):
			// It is no list of sources, or not here: it says something, and cites a note.
			if open >= 0 && !strings.Contains(c.plain[open:end], "\n") && !within {
				open = -1
			}
			shut()
			within = true
		case within && open < 0 && entry.MatchString(text):
			open, end, listed = from, to, true
		case open >= 0 && (!blank || entry.MatchString(text)) && !headMark.MatchString(text) && !boldLine.MatchString(text) && (listed || entry.MatchString(text)):
			end, blank = to, false
		default:
			if listed && !within && open >= 0 && strings.TrimSpace(c.plain[open:end]) != "" && !strings.Contains(c.plain[open:end], "\n") {
				open = -1 // a heading over no list is a heading
			}
			shut()
			within = within && entry.MatchString(text)
		}
	}
	shut()
	return found
}

// listedRef matches an entry that begins with the number of a note, followed by what it is
// about.
var listedRef = regexp.MustCompile(`^[ \t]*(?:[-*+•·–▪][ \t]+|\d{1,3}[.)][ \t]+)?[*_]*[(\[（［]?\^\d{1,3}\b`)

// tail returns the position of a short line above nothing but entries that begin with the
// numbers of notes, at the end of an answer with citations above: a list of sources, in any
// language. -1 for none.
func (c *checker) tail() int {
	rest, entries := strings.TrimRight(c.plain, " \t\r\n"), 0
	for rest != "" {
		at := strings.LastIndexByte(rest, '\n') + 1
		line := rest[at:]
		switch {
		case strings.TrimSpace(line) == "":
		case listedRef.MatchString(line):
			entries++
		case entries > 0 && strings.Count(wordsOf(line), " ") < 4 && len(References(line)) == 0 && len(References(rest[:at])) > 0 &&
			(headMark.MatchString(line) || boldLine.MatchString(line) || c.introduces(unit{start: at, end: len(rest)})):
			return at
		default:
			return -1
		}
		rest = strings.TrimRight(rest[:at], "\r\n")
	}
	return -1
}

// carriedLine reports whether a line is a sentence, or nearly one, that cites a presented
// note. Names, titles and dates are capitalised, or have no full stop.
func (c *checker) carriedLine(line string) bool {
	if !slices.ContainsFunc(References(line), c.valid) || listedRef.MatchString(line) || strings.Contains(line, "://") || strings.Contains(line, "nostr:") {
		return false
	}
	said := strings.TrimRight(refMark.ReplaceAllString(line, ""), " \t*_")
	last, _ := utf8.DecodeLastRuneInString(said)
	small := 0
	for _, w := range strings.Fields(said) {
		if first, _ := utf8.DecodeRuneInString(w); unicode.IsLower(first) {
			small++
		}
	}
	return small >= 2 || sentence.Stop(last) && (small == 1 || strings.ContainsFunc(said, wide))
}

// label reports whether a line is a heading for sources, and whether they follow on the
// same line. The app's name alone may be a topic.
func (c *checker) label(line string) (label, inline bool) {
	head, rest, colon := strings.Cut(strings.ReplaceAll(line, "：", ":"), ":")
	words := strings.TrimFunc(head, func(r rune) bool { return !unicode.IsLetter(r) })
	if wordsOf(words) == "" || !labels.whole(wordsOf(words)) || !colon && wordsOf(words) == "bowerbird" {
		return false, false
	}
	return true, colon && strings.Trim(rest, " *_") != ""
}

func (l list) whole(words string) bool {
	return slices.Contains(l.words, " "+words+" ") || slices.Contains(l.wide, words)
}

// framed reports whether a line begins with a box-drawing character; bars of a chart and
// branches of a tree are no frames.
func framed(line string) bool {
	line = strings.TrimLeft(escape.ReplaceAllString(line, ""), " \t")
	first, _ := utf8.DecodeRuneInString(line)
	return first >= 0x2500 && first < 0x2580 && !branch.MatchString(line)
}

// escape matches a sequence that sets a terminal's colours; its first character is never
// shown.
var escape = regexp.MustCompile(`\x1b?\[[0-9;]*m|\x1b`)
