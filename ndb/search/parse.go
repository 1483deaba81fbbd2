package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxLength is the maximum length in bytes of a resolved query: keys are longer than
// names.
const MaxLength = 4 * maxText

const (
	maxText  = 4_096 // bytes of a typed text
	maxParts = 100
	maxDepth = 16
)

// Parse parses a search text of at most 4,096 bytes and 100 parts; Query describes the
// language. The error is an *Error. What is unfinished because it is still being typed is
// no error: a quote or bracket without its partner extends to the end, an operator
// without a value and an OR without a neighbour are left out.
//
// Names of people and most forms of time are not resolved: Resolve does that.
func Parse(text string) (Query, error) { return parse(text, maxText) }

func parse(text string, most int) (Query, error) {
	if len(text) > most {
		return Query{}, newError(text, Part{most, len(text) - most}, TooLong, "a shorter text")
	}
	if !utf8.ValidString(text) {
		at := firstBroken(text)
		return Query{}, newError(text, Part{at, 1}, NotText, "text in UTF-8")
	}
	p := parser{text: text}
	nodes := p.terms(0)
	if p.err != nil {
		return Query{}, p.err
	}
	return Query{text: text, root: allOf(nodes), unfinished: p.unfinished}, nil
}

// firstBroken returns where a text that is not UTF-8 is broken.
func firstBroken(text string) int {
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\ufffd") {
			return i
		}
	}
	return len(text)
}

func newError(text string, part Part, problem Problem, want string) *Error {
	shown := part.In(text)
	if len(shown) > 80 {
		shown = strings.ToValidUTF8(shown[:80], "")
	}
	return &Error{Part: part, Problem: problem, Text: strings.ToValidUTF8(shown, ""), Want: want}
}

// parser walks a text; the first error sticks.
type parser struct {
	text       string
	pos        int
	parts      int
	unfinished []Gap
	err        *Error
}

func (p *parser) fail(part Part, problem Problem, want string) {
	if p.err == nil {
		p.err = newError(p.text, part, problem, want)
		p.pos = len(p.text)
	}
}

// wrong fails for the value of an operator.
func (p *parser) wrong(n *Node, want string) {
	p.fail(n.part, BadValue, want)
	p.err.Operator = n.name
}

func (p *parser) lacks(part Part, operator string) {
	p.unfinished = append(p.unfinished, Gap{part, operator})
}

// terms parses terms up to the end, or to the bracket that closes a group.
func (p *parser) terms(depth int) (nodes []*Node) {
	either := false // preceded by an OR
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

func (p *parser) space() {
	p.pos = len(p.text) - len(strings.TrimLeftFunc(p.text[p.pos:], unicode.IsSpace))
}

// isWordOf reports whether s begins with the word as a whole.
func isWordOf(s, word string, depth int) bool {
	after, ok := strings.CutPrefix(s, word)
	return ok && (startsWithSpace(after) || depth > 0 && after[0] == ')')
}

func startsWithSpace(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s == "" || unicode.IsSpace(r)
}

// term parses one term with an optional - before it; nil if there is nothing to look for.
func (p *parser) term(depth int) *Node {
	if p.parts++; p.parts > maxParts {
		p.fail(Part{p.pos, len(p.text) - p.pos}, TooLong, "at most 100 words and operators")
		return nil
	}
	not := false
	if after, ok := strings.CutPrefix(p.text[p.pos:], "-"); ok && !startsWithSpace(after) {
		not = true
		p.pos++
	}
	var n *Node
	if p.pos < len(p.text) && p.text[p.pos] == '(' {
		n = p.group(depth)
	} else {
		n = p.item(depth)
	}
	if n == nil || !not {
		return n
	}
	return &Node{Op: OpNot, Kids: []*Node{n}}
}

// group parses a query in brackets.
func (p *parser) group(depth int) *Node {
	start := p.pos
	p.pos++
	if depth == maxDepth {
		p.fail(Part{start, 1}, TooDeep, "fewer brackets in brackets")
		return nil
	}
	n := allOf(p.terms(depth + 1))
	if n != nil && n.Op == OpOr { // closed: an OR behind it makes another one
		return &Node{Op: OpOr, Kids: n.Kids, part: Part{start, p.pos - start}}
	}
	if n != nil && len(n.Kids) == 0 {
		return &Node{Op: OpAnd, Kids: []*Node{n}} // on its own: not to be merged with others
	}
	return n
}

// item parses a word, phrase, hashtag or operator.
func (p *parser) item(depth int) *Node {
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
	whole := Part{start, p.pos - start}
	if value = strings.TrimSpace(value); value == "" {
		p.lacks(whole, name)
		return nil
	}
	return p.operator(&Node{part: whole, name: name, value: value, at: at, quoted: quoted})
}

// value parses a word or a quoted text, and returns where it is, with the quotes.
func (p *parser) value(depth int) (at Part, value string, quoted bool) {
	start := p.pos
	rest := p.text[start:]
	if quote, n := utf8.DecodeRuneInString(rest); isQuote(quote) {
		end := strings.IndexFunc(rest[n:], isQuote)
		if end < 0 {
			p.pos = len(p.text)
			return Part{start, len(rest)}, rest[n:], true
		}
		_, closing := utf8.DecodeRuneInString(rest[n+end:])
		p.pos = start + n + end + closing
		return Part{start, p.pos - start}, rest[n : n+end], true
	}
	p.pos = p.wordEnd(start, depth)
	return Part{start, p.pos - start}, p.text[start:p.pos], false
}

// wordEnd returns the end of the word that begins at start: at white space and, within a
// group, at a bracket that was not opened in the word.
func (p *parser) wordEnd(start, depth int) int {
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

// isQuote reports whether r begins or ends a phrase. Systems replace typed quotes in
// various ways, so all of these are equal.
func isQuote(r rune) bool { return strings.ContainsRune(`"“”„«»`, r) }

// operatorName returns the canonical name of the operator at the beginning of s, and its
// length with the colon; 0 if there is none.
func operatorName(s string) (name string, length int) {
	colon := strings.IndexByte(s, ':')
	if colon < 1 || colon > 10 {
		return "", 0
	}
	written := strings.ToLower(s[:colon])
	if name, ok := operators(written); ok {
		return name, colon + 1
	}
	return "", 0
}

// hashtag parses the hashtag whose word ends at the parser's position.
func (p *parser) hashtag(start int) *Node {
	part := Part{start, p.pos - start}
	tag, prefix := strings.CutSuffix(part.In(p.text), "*")
	tag = strings.TrimFunc(strings.TrimLeft(tag, "#"), func(r rune) bool { return unicode.IsPunct(r) && r != '_' })
	folded := FoldHashtag(tag)
	if folded == "" {
		if p.pos == len(p.text) {
			p.lacks(part, "#")
		}
		return nil
	}
	return &Node{Op: OpTerm, part: part, value: tag, Terms: []string{HashtagMark + folded}, Prefix: prefix, typed: !prefix}
}

// words parses what is not an operator: a word, or a phrase. It becomes one node for each
// run of words, emoji and links in it; all must match.
func (p *parser) words(at Part, value string, quoted bool) *Node {
	open := quoted && !isClosed(at.In(p.text)) // may continue at its end
	if open {
		p.lacks(at, "")
	}
	text, prefix := strings.CutSuffix(value, "*")
	tokens := slices.Collect(Tokens(text))
	if len(tokens) == 0 {
		return nil
	}
	ends := tokens[len(tokens)-1].End == len(text) // with the word, not punctuation after it
	leaf := Node{part: at, quoted: quoted, Prefix: prefix && ends, typed: ends && !prefix && (open || !quoted)}
	var nodes []*Node
	for len(tokens) > 0 {
		n := leaf
		if tokens[0].Kind == TokenHost {
			tokens = n.link(text, tokens)
		} else {
			tokens = n.phrase(text, tokens, quoted)
		}
		if len(tokens) > 0 {
			n.Prefix, n.typed = false, false
		}
		nodes = append(nodes, &n)
	}
	if len(nodes) > 1 {
		return &Node{Op: OpAnd, Kids: nodes, part: at}
	}
	return nodes[0].orHost(text)
}

// isClosed reports whether a text in quotes has its closing one.
func isClosed(s string) bool {
	first := strings.IndexFunc(s, isQuote)
	return first >= 0 && strings.LastIndexFunc(s, isQuote) > first
}

// phrase takes the tokens that must be adjacent: all up to a link, and in quotes also
// pictures, which are otherwise each looked for separately.
func (n *Node) phrase(text string, tokens []Token, quoted bool) (rest []Token) {
	end := slices.IndexFunc(tokens, func(t Token) bool { return t.Kind == TokenHost })
	if end < 0 {
		end = len(tokens)
	}
	if !quoted {
		if tokens[0].Kind == TokenEmoji {
			end = 1
		} else if i := slices.IndexFunc(tokens[:end], func(t Token) bool { return t.Kind == TokenEmoji }); i >= 0 {
			end = i
		}
	}
	n.Op = OpWords
	for _, t := range tokens[:end] {
		n.Terms = append(n.Terms, t.Term)
		n.emoji = n.emoji || t.Kind == TokenEmoji
	}
	if end == 1 && tokens[0].Kind == TokenWord && isUnspacedAt(text, tokens[0].Start) && endOfCharacter(text, tokens[0].Start) == tokens[0].End {
		n.Op = OpChar
	}
	return tokens[end:]
}

// link takes the tokens of one link.
func (n *Node) link(text string, tokens []Token) (rest []Token) {
	host := tokens[0]
	end := 1
	for end < len(tokens) && tokens[end].Kind == TokenHost && tokens[end].End == host.End {
		end++
	}
	stop := host.Start + linkLength(text[host.Start:])
	n.Op, n.Terms, n.Prefix, n.typed = OpLink, []string{host.Term}, false, false
	n.value = normalLink(text[host.Start:stop])
	return tokens[end:]
}

// orHost lets the name of a host match as words and in links. A path after it matches in
// links only.
func (n *Node) orHost(text string) *Node {
	host, _, hasPath := strings.Cut(text, "/")
	if n.Op != OpWords || n.quoted || !isSite(host) {
		return n
	}
	link := &Node{Op: OpTerm, part: n.part, Terms: []string{strings.ToLower(strings.TrimPrefix(host, "www."))}}
	if hasPath {
		link.Op, link.value = OpLink, normalLink(text)
	}
	return &Node{Op: OpOr, Kids: []*Node{link, n}, part: n.part}
}

// isSite reports whether a text looks like the name of a host: its last label consists of
// letters.
func isSite(s string) bool {
	tail := s[strings.LastIndexByte(s, '.')+1:]
	return isHost(s) && len(s) <= maxTerm && len(tail) > 1 && (strings.HasPrefix(strings.ToLower(tail), "xn--") || !strings.ContainsFunc(tail, notLetter))
}

// normalLink returns a link from its host on, the host in lower case, without punctuation
// or a slash at its end.
func normalLink(link string) string {
	link = strings.TrimRight(link, ".,;:!?'*_~")
	host := link
	if i := strings.IndexAny(link, "/?#"); i >= 0 {
		host = link[:i]
	}
	return strings.TrimRight(strings.ToLower(host)+link[len(host):], "/")
}

// AsTyped returns the query as meant while it is being typed: the last word matches
// everything that begins with it, unless white space follows it.
func (q Query) AsTyped() Query {
	last := (*Node)(nil)
	for n := range q.root.All() {
		if n.typed && n.part.Start+n.part.Len == len(q.text) {
			last = n
		}
	}
	if last == nil {
		return q
	}
	typed, err := Parse(q.text + "*")
	if err != nil { // too long by one
		return q
	}
	return typed
}
