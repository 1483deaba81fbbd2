package check

import (
	"regexp"
	"strings"
	"unicode"
)

var (
	refMark  = regexp.MustCompile(`[(\[（［]?\^\d{1,3}[)\]）］]?`)
	footnote = regexp.MustCompile(`^[ ]{0,3}\[\^?[\w-]{1,12}\]:`)
	entry    = regexp.MustCompile(`^[ \t]*(?:[-*+•·–▪]|\[?\(?\^?\d{1,3}[.)\]]?[.):]?)[ \t]*\S`)
)

// ownSources finds and marks what looks like the app's: a list under a word for sources,
// footnotes, a drawn frame. They are left out where the answer is shown.
func (c *checker) ownSources() []span {
	var found []span
	start, open, blank := 0, -1, false
	end := 0
	shut := func() {
		if open >= 0 {
			found = append(found, span{open, end, end})
			c.mark(OwnSources, open, end, end)
		}
		open, blank = -1, false
	}
	listed := false // what is open needs a list below it
	for line := range strings.Lines(c.plain) {
		from, text := start, strings.TrimRight(line, "\r\n")
		start += len(line)
		to := from + len(text)
		label, inline := c.label(text)
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
			open, end, listed = from, to, true
		case open >= 0 && (!blank || entry.MatchString(text)) && !headMark.MatchString(text) && (listed || entry.MatchString(text)):
			end, blank = to, false
		default:
			if listed && open >= 0 && strings.TrimSpace(c.plain[open:end]) != "" && !strings.Contains(c.plain[open:end], "\n") {
				open = -1 // a heading over no list is a heading
			}
			shut()
		}
	}
	shut()
	return found
}

// label reports whether a line is a word for sources, and whether they follow on it.
func (c *checker) label(line string) (label, inline bool) {
	head, rest, colon := strings.Cut(strings.ReplaceAll(line, "：", ":"), ":")
	words := strings.TrimFunc(head, func(r rune) bool { return !unicode.IsLetter(r) })
	if wordsOf(words) == "" || !c.labels.whole(wordsOf(words)) {
		return false, false
	}
	return true, colon && strings.Trim(rest, " *_") != ""
}

// whole reports whether words are one of the list, and nothing else.
func (l list) whole(words string) bool {
	for _, w := range l.words {
		if w == " "+words+" " {
			return true
		}
	}
	for _, w := range l.wide {
		if w == words {
			return true
		}
	}
	return false
}

// framed reports whether a line begins with what frames are drawn with.
func framed(line string) bool {
	for _, r := range strings.TrimLeft(stripEscapes(line), " \t") {
		return r >= 0x2500 && r <= 0x259f
	}
	return false
}

// escape is a sequence that sets a terminal's colours; the character that begins it is
// never shown.
var escape = regexp.MustCompile(`\x1b?\[[0-9;]*m|\x1b`)

func stripEscapes(s string) string { return escape.ReplaceAllString(s, "") }
