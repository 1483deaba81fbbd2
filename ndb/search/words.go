package search

import (
	"slices"
	"strings"
	"unicode"
)

// words reads what is no operator: a word, or a phrase. It becomes one node for each
// stretch of words, emoji and links in it; all must be met.
func (p *parser) words(at Part, value string, quoted bool) *Node {
	open := quoted && !isClosed(at.In(p.text)) // may go on at its end
	if open {
		p.lacks(at, "")
	}
	text, prefix := strings.CutSuffix(value, "*")
	tokens := slices.Collect(Tokens(text))
	if len(tokens) == 0 {
		return nil
	}
	ends := tokens[len(tokens)-1].End == len(text) // with the word, not a sign behind it
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

// isClosed reports whether a text in quotes has its second one.
func isClosed(s string) bool {
	first := strings.IndexFunc(s, isQuote)
	return first >= 0 && strings.LastIndexFunc(s, isQuote) > first
}

// phrase takes the tokens that are to stand side by side: all up to a link, in quotes
// also pictures, which without are each looked for by themselves.
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

// isUnspacedAt reports whether a character of a script without spaces stands there.
func isUnspacedAt(text string, at int) bool {
	class, _ := (&tokenizer{text: text}).class(at)
	return class == classUnspaced
}

// endOfCharacter returns where the character ends that begins at a place.
func endOfCharacter(text string, at int) int { return (&tokenizer{text: text}).character(at) }

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

// orHost lets a name of the network be found as words and in links. A path behind it
// is looked for in the links alone.
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

// isSite reports whether a text looks like a name of the network: its last label is
// of letters.
func isSite(s string) bool {
	tail := s[strings.LastIndexByte(s, '.')+1:]
	return isHost(s) && len(s) <= maxTerm && len(tail) > 1 && (strings.HasPrefix(strings.ToLower(tail), "xn--") || !strings.ContainsFunc(tail, notLetter))
}

func notLetter(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) }

// normalLink returns a link from its host on, the host in small letters, without
// what ends a sentence or a path.
func normalLink(link string) string {
	link = strings.TrimRight(link, ".,;:!?'*_~")
	host := link
	if i := strings.IndexAny(link, "/?#"); i >= 0 {
		host = link[:i]
	}
	return strings.TrimRight(strings.ToLower(host)+link[len(host):], "/")
}
