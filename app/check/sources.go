package check

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bowerbird/app/sentence"
)

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
// note. Names, titles and dates are capitalized, or have no full stop.
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
