package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/parser"
)

// Stream parses a text that grows. Its zero value is ready. It is used from one
// goroutine at a time.
//
// CommonMark is read line by line, and a top-level block is done when the next one
// begins; only definitions of reference links reach back. So all but the last block
// of the complete lines is frozen, and only what follows is parsed again. A text
// with such a definition is parsed whole each time.
type Stream struct {
	parser parser.Parser
	text   string // of the last Set, cut
	cites  int
	frozen []Block
	from   int // where the blocks that are not frozen begin
	lines  int // how much of text was looked at for freezing
	kept   int // how many blocks of the last Set are those of the Set before
}

// Set returns the blocks of a text, of which ^1 to ^cites are citations; final says
// that it is complete. A text that does not begin with the one before it, or has
// other citations, begins anew.
func (s *Stream) Set(text string, cites int, final bool) []Block {
	if s.parser == nil {
		s.parser = newParser()
	}
	text = cut(text)
	if final || cites != s.cites || !strings.HasPrefix(text, s.text) {
		s.frozen, s.from, s.lines = nil, 0, 0
	}
	s.text, s.cites = text, cites
	s.kept = min(len(s.frozen), maxBlocks-1)
	if costly(text) {
		s.kept = 0
		bs := plain(text, 0)
		number(bs, 0)
		return bs
	}
	if !final {
		s.freeze()
	}
	tail := parse(s.parser, text[s.from:], s.from, cites)
	number(tail, len(s.frozen))
	bs := append(s.frozen[:len(s.frozen):len(s.frozen)], tail...)
	if len(bs) > maxBlocks {
		at := bs[maxBlocks-1].at
		rest := plainBlock(strings.TrimRight(text[at:], "\n"), at)
		bs = append(bs[:maxBlocks-1:maxBlocks-1], rest)
		number(bs[maxBlocks-1:], maxBlocks-1)
	}
	return bs
}

// freeze moves the border behind blocks that are done: all of the complete lines
// but the last one.
func (s *Stream) freeze() {
	if s.lines > len(s.text) {
		return // it holds a definition
	}
	if defines(s.text[lineStart(s.text, max(s.lines-1, 0)):]) {
		s.frozen, s.from, s.kept = nil, 0, 0
		s.lines = len(s.text) + 2*maxBytes
		return
	}
	complete := strings.LastIndexByte(s.text, '\n') + 1
	if complete <= s.lines {
		return
	}
	s.lines = complete
	bs := parse(s.parser, s.text[s.from:complete], s.from, s.cites)
	last := len(bs) - 1
	if last > 0 && bs[last].Kind == Table && bs[last-1].Kind == Paragraph {
		last-- // its head was a line of the paragraph, and may be read otherwise alone
	}
	if last < 1 {
		return
	}
	number(bs, len(s.frozen))
	s.frozen = append(s.frozen, bs[:last]...)
	s.from = bs[last].at
}

// defines reports whether lines may define a reference link, [name]: address; at
// times it says so where they do not.
func defines(lines string) bool { return strings.Contains(lines, "]:") }

// cut limits a text, at a character.
func cut(s string) string {
	if len(s) <= maxBytes {
		return s
	}
	end := maxBytes
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// What a text may hold before it is shown as plain text: the time that goldmark
// takes grows with the square of these, and no answer comes near them.
const (
	maxContainers = 4 * maxDepth // quotes and lists that one line opens
	maxBrackets   = 1_000        // in a paragraph
	maxDelimiters = 8_000        // stars, underscores and tildes in a paragraph
	maxCells      = 100_000      // in a table, with the empty ones
)

// costly reports a text that was made to keep the parser busy. What is costly stays
// so when more is written behind it.
func costly(text string) bool {
	var p paragraphCost
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		if containers(line) > maxContainers {
			return true
		}
		if strings.TrimSpace(line) == "" {
			p = paragraphCost{}
			continue
		}
		if p.add(line) {
			return true
		}
	}
	return false
}

// paragraphCost counts over lines without a blank one between them.
type paragraphCost struct{ brackets, delimiters, columns, lines int }

func (p *paragraphCost) add(line string) bool {
	columns := 1
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '[', '<':
			p.brackets++
		case '*', '_', '~':
			p.delimiters++
		case '|':
			columns++
		}
	}
	p.lines++
	p.columns = max(p.columns, columns)
	return p.brackets > maxBrackets || p.delimiters > maxDelimiters || p.columns > 1 && p.columns*p.lines > maxCells
}

// containers counts what a line may open before its text, but for a rule.
func containers(line string) int {
	n := 0
	same := true
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case '>', '-', '+', '*':
			n++
			same = same && c == strings.TrimLeft(line, " ")[0]
		case ' ', '\t', '.', ')', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		default:
			return n
		}
	}
	if same && !strings.ContainsRune(line, '>') {
		return 0
	}
	return n
}
