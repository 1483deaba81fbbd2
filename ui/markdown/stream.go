package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
)

// Stream parses a text that grows. Its zero value is ready to use, from one goroutine at a
// time.
//
// CommonMark is parsed line by line: a top-level block is finished when the next one
// begins, and only definitions of reference links affect what is before them. So all but
// the last block of the complete lines is frozen, and only what follows is parsed again. A
// text with such a definition is parsed whole each time.
type Stream struct {
	parser parser.Parser
	text   string // of the last Set, cut to maxBytes
	cites  int
	frozen []Block
	from   int // the byte at which the blocks that are not frozen begin
	lines  int // the bytes of text that freeze has seen
	kept   int // the number of blocks that the last Set left as they were
}

// Set returns the blocks of a text in which ^1 to ^cites are citations; final says that it
// is complete. If it does not begin with the text before, or has other citations, all is
// parsed again.
func (s *Stream) Set(text string, cites int, final bool) []Block {
	if s.parser == nil {
		s.parser = goldmark.New(goldmark.WithExtensions(
			extension.Table, extension.Strikethrough, extension.TaskList, extension.Linkify,
		)).Parser()
	}
	text = unfenced(cut(text))
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

// freeze freezes the finished blocks: all of the complete lines but the last.
func (s *Stream) freeze() {
	if s.lines > len(s.text) {
		return // it has a definition: see below
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
		last-- // its head was a line of the paragraph, and may be parsed differently without it
	}
	if last < 1 {
		return
	}
	number(bs, len(s.frozen))
	s.frozen = append(s.frozen, bs[:last]...)
	s.from = bs[last].at
}

// defines reports whether lines may define a reference link, [name]: URL. It can err
// towards true.
func defines(lines string) bool { return strings.Contains(lines, "]:") }

// cut limits a text to maxBytes, at a character.
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

// What a text may contain before it is shown as plain text. goldmark's time grows with the
// square of these, and no usual answer comes near them.
const (
	maxContainers = 4 * maxDepth // quotes and lists that one line opens
	maxBrackets   = 1_000        // in a paragraph
	maxDelimiters = 8_000        // stars, underscores and tildes in a paragraph
	maxCells      = 100_000      // in a table, counting empty ones
)

// costly reports whether a text would keep the parser busy. Text written after it does not
// change that.
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

// paragraphCost counts over lines up to the next blank one.
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

// containers counts the quotes and lists that a line may open; a thematic break opens none.
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
