package ndb

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxSearch      = 4_096 // bytes of a text that somebody writes
	maxResolved    = 4 * maxSearch
	maxSearchParts = 100
	maxSearchDepth = 16
)

// ParseSearch reads a search text of at most 4,096 bytes and 100 parts; SearchQuery
// tells the language. An error is a *SearchError. What is unfinished because it is
// still being typed is none: a quote or bracket without its partner runs to the end,
// an operator without a value and an OR without a neighbour are left out.
//
// Names of people and most forms of time are not looked at: Resolve does that.
func ParseSearch(text string) (SearchQuery, error) { return parseSearch(text, maxSearch) }

func parseSearch(text string, most int) (SearchQuery, error) {
	if len(text) > most {
		return SearchQuery{}, searchError(text, SearchPart{most, len(text) - most}, SearchTooLong, "a shorter text")
	}
	if !utf8.ValidString(text) {
		at := firstBroken(text)
		return SearchQuery{}, searchError(text, SearchPart{at, 1}, SearchNotText, "text in UTF-8")
	}
	p := searchParser{text: text}
	nodes := p.terms(0)
	if p.err != nil {
		return SearchQuery{}, p.err
	}
	return SearchQuery{text: text, root: allOf(nodes), unfinished: p.unfinished}, nil
}

// firstBroken returns where a text that is no UTF-8 is broken.
func firstBroken(text string) int {
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\ufffd") {
			return i
		}
	}
	return len(text)
}

func searchError(text string, part SearchPart, problem SearchProblem, want string) *SearchError {
	shown := part.In(text)
	if len(shown) > 80 {
		shown = strings.ToValidUTF8(shown[:80], "")
	}
	return &SearchError{SearchPart: part, Problem: problem, Text: strings.ToValidUTF8(shown, ""), Want: want}
}

// searchParser walks a text; the first error sticks.
type searchParser struct {
	text       string
	pos        int
	parts      int
	unfinished []SearchGap
	err        *SearchError
}

func (p *searchParser) fail(part SearchPart, problem SearchProblem, want string) {
	if p.err == nil {
		p.err = searchError(p.text, part, problem, want)
		p.pos = len(p.text)
	}
}

// wrong fails for the value of an operator.
func (p *searchParser) wrong(n *searchNode, want string) {
	p.fail(n.part, SearchValue, want)
	p.err.Operator = n.name
}

func (p *searchParser) lacks(part SearchPart, operator string) {
	p.unfinished = append(p.unfinished, SearchGap{part, operator})
}

// terms reads terms up to the end, or to the bracket that closes a group.
func (p *searchParser) terms(depth int) (nodes []*searchNode) {
	either := false // an OR stands before
	for {
		p.space()
		switch rest := p.text[p.pos:]; {
		case rest == "":
			return nodes
		case depth > 0 && rest[0] == ')':
			p.pos++
			return nodes
		case isWordOf(rest, "AND", depth), isWordOf(rest, "OR", depth):
			either = rest[0] == 'O' && len(nodes) > 0
			p.pos = p.wordEnd(p.pos, depth)
			continue
		}
		n := p.term(depth)
		switch {
		case n == nil:
		case either:
			last := len(nodes) - 1
			nodes[last] = anyOf(nodes[last], n)
		default:
			nodes = append(nodes, n)
		}
		either = false
	}
}

func (p *searchParser) space() {
	p.pos = len(p.text) - len(strings.TrimLeftFunc(p.text[p.pos:], unicode.IsSpace))
}

// isWordOf reports whether s begins with the word and nothing is joined to it.
func isWordOf(s, word string, depth int) bool {
	after, ok := strings.CutPrefix(s, word)
	return ok && (startsWithSpace(after) || depth > 0 && after[0] == ')')
}

func startsWithSpace(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s == "" || unicode.IsSpace(r)
}

// term reads one term with a - before it; nil where there is nothing to look for.
func (p *searchParser) term(depth int) *searchNode {
	if p.parts++; p.parts > maxSearchParts {
		p.fail(SearchPart{p.pos, len(p.text) - p.pos}, SearchTooLong, "at most 100 words and operators")
		return nil
	}
	not := false
	if after, ok := strings.CutPrefix(p.text[p.pos:], "-"); ok && !startsWithSpace(after) {
		not = true
		p.pos++
	}
	var n *searchNode
	if p.pos < len(p.text) && p.text[p.pos] == '(' {
		n = p.group(depth)
	} else {
		n = p.item(depth)
	}
	if n == nil || !not {
		return n
	}
	return &searchNode{op: opNot, kids: []*searchNode{n}}
}

// group reads a query in brackets.
func (p *searchParser) group(depth int) *searchNode {
	start := p.pos
	p.pos++
	if depth == maxSearchDepth {
		p.fail(SearchPart{start, 1}, SearchTooDeep, "fewer brackets in brackets")
		return nil
	}
	n := allOf(p.terms(depth + 1))
	if n != nil && n.op == opOr { // closed: an OR behind it makes another one
		return &searchNode{op: opOr, kids: n.kids, part: SearchPart{start, p.pos - start}}
	}
	if n != nil && len(n.kids) == 0 {
		return &searchNode{op: opAnd, kids: []*searchNode{n}} // by itself: not to be merged with others
	}
	return n
}

// item reads a word, phrase, hashtag or operator.
func (p *searchParser) item(depth int) *searchNode {
	start := p.pos
	if rest := p.text[start:]; rest[0] == '#' {
		p.pos = p.wordEnd(start+1, depth)
		return p.hashtag(start)
	}
	name, length := operatorName(p.text[start:])
	if length == 0 {
		at, value, quoted := p.value(depth)
		return p.words(at, value, quoted)
	}
	p.pos += length
	at, value, quoted := p.value(depth)
	whole := SearchPart{start, p.pos - start}
	if value = strings.TrimSpace(value); value == "" {
		p.lacks(whole, name)
		return nil
	}
	return p.operator(&searchNode{part: whole, name: name, value: value, at: at, quoted: quoted})
}

// value reads a word or what stands in quotes, and returns where, with the quotes.
func (p *searchParser) value(depth int) (at SearchPart, value string, quoted bool) {
	start := p.pos
	rest := p.text[start:]
	if quote, n := utf8.DecodeRuneInString(rest); isQuote(quote) {
		end := strings.IndexFunc(rest[n:], isQuote)
		if end < 0 {
			p.pos = len(p.text)
			return SearchPart{start, len(rest)}, rest[n:], true
		}
		_, closing := utf8.DecodeRuneInString(rest[n+end:])
		p.pos = start + n + end + closing
		return SearchPart{start, p.pos - start}, rest[n : n+end], true
	}
	p.pos = p.wordEnd(start, depth)
	return SearchPart{start, p.pos - start}, p.text[start:p.pos], false
}

// wordEnd returns where the word ends that begins at start: at white space, and
// within a group at a bracket that was not opened in the word.
func (p *searchParser) wordEnd(start, depth int) int {
	open := 0
	for i, r := range p.text[start:] {
		switch {
		case unicode.IsSpace(r):
			return start + i
		case r == '(':
			open++
		case r == ')' && depth > 0:
			if open--; open < 0 {
				return start + i
			}
		}
	}
	return len(p.text)
}

// isQuote reports whether r begins or ends a phrase. Systems set typed quotes as
// they think fit, so all of these are one.
func isQuote(r rune) bool { return strings.ContainsRune(`"“”„«»`, r) }

// operatorName returns the operator with which s begins, by its usual name, and how
// long it is there with its colon; 0 when there is none.
func operatorName(s string) (name string, length int) {
	colon := strings.IndexByte(s, ':')
	if colon < 1 || colon > 10 {
		return "", 0
	}
	written := strings.ToLower(s[:colon])
	if name, ok := searchOperators(written); ok {
		return name, colon + 1
	}
	return "", 0
}

// hashtag reads the hashtag whose word ends at the parser's place.
func (p *searchParser) hashtag(start int) *searchNode {
	part := SearchPart{start, p.pos - start}
	tag, prefix := strings.CutSuffix(part.In(p.text), "*")
	tag = strings.TrimFunc(strings.TrimLeft(tag, "#"), func(r rune) bool { return unicode.IsPunct(r) && r != '_' })
	folded := foldHashtag(tag)
	if folded == "" {
		if p.pos == len(p.text) {
			p.lacks(part, "#")
		}
		return nil
	}
	return &searchNode{op: opTerm, part: part, value: tag, terms: []string{hashtagMark + folded}, prefix: prefix, typed: !prefix}
}

func appendNew(list []string, s string) []string {
	for _, have := range list {
		if have == s {
			return list
		}
	}
	return append(list, s)
}
