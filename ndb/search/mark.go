package search

import "slices"

// Highlights returns the parts of a text that match the query, as byte offsets, in order
// and without overlaps: whole words however they are written, phrases as a unit,
// pictures, hosts, the words of hashtags. What a "-" excludes is not highlighted. The
// text may be any part of a note, such as one paragraph.
func (q Query) Highlights(text string) [][2]int {
	if q.root == nil {
		return nil
	}
	m := marker{text: text}
	for t := range Tokens(text) {
		if t.Kind != TokenHost {
			m.plain = append(m.plain, t)
			if t.Kind == TokenWord {
				m.words = append(m.words, t)
			}
			continue
		}
		m.hosts = append(m.hosts, t)
	}
	for n := range q.root.wanted() {
		m.node(n)
	}
	return joinRanges(m.ranges)
}

// marker collects what is to be highlighted in a text.
type marker struct {
	text                string
	words, plain, hosts []Token
	ranges              [][2]int
}

func (m *marker) node(n *Node) {
	switch n.Op {
	case OpWords:
		m.phrase(n)
	case OpChar:
		for _, t := range m.words {
			m.characters(t, n.Terms[0])
		}
	case OpLink:
		for _, t := range m.hosts {
			if n.isLinkAt(m.text, t) {
				m.mark(t.Start, t.End)
			}
		}
	case OpTerm:
		if hashtag, ok := cutMark(n.Terms[0], HashtagMark); ok {
			m.hashtag(n, hashtag)
			return
		}
		for _, t := range m.hosts {
			if t.Term == n.Terms[0] {
				m.mark(t.Start, t.End)
			}
		}
	}
}

func cutMark(term, mark string) (string, bool) {
	if len(term) > len(mark) && term[:len(mark)] == mark {
		return term[len(mark):], true
	}
	return "", false
}

func (m *marker) mark(start, end int) { m.ranges = append(m.ranges, [2]int{start, end}) }

func (m *marker) phrase(n *Node) {
	tokens := m.words
	if n.emoji {
		tokens = m.plain
	}
	terms := termsOf(tokens)
	for i := 0; i+len(n.Terms) <= len(terms); i++ {
		if n.standsAt(terms[i:]) {
			m.mark(tokens[i].Start, tokens[i+len(n.Terms)-1].End)
		}
	}
}

func termsOf(tokens []Token) []string {
	terms := make([]string, len(tokens))
	for i, t := range tokens {
		terms[i] = t.Term
	}
	return terms
}

// characters highlights one character in a token of one or two.
func (m *marker) characters(t Token, character string) {
	tk := tokenizer{text: m.text[:t.End]}
	for at := t.Start; at < t.End; {
		end := tk.character(at)
		if foldTerm(m.text[at:end]) == character {
			m.mark(at, end)
		}
		at = end
	}
}

// hashtag highlights the words of a hashtag where they are adjacent.
func (m *marker) hashtag(n *Node, folded string) {
	words := &Node{Prefix: n.Prefix}
	for t := range Tokens(folded) {
		if t.Kind == TokenWord {
			words.Terms = append(words.Terms, t.Term)
		}
	}
	if len(words.Terms) > 0 {
		m.phrase(words)
	}
}

// joinRanges sorts ranges and joins those that touch or overlap.
func joinRanges(ranges [][2]int) (joined [][2]int) {
	slices.SortFunc(ranges, func(a, b [2]int) int { return a[0] - b[0] })
	for _, r := range ranges {
		if last := len(joined) - 1; last >= 0 && r[0] <= joined[last][1] {
			joined[last][1] = max(joined[last][1], r[1])
			continue
		}
		joined = append(joined, r)
	}
	return joined
}
