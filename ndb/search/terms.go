package search

import (
	"strings"

	"bowerbird/ndb/nostr"
)

// Terms returns everything that the text index holds of an event, each term
// once, and how many tokens its text has.
func Terms(e *nostr.Event) (terms []string, words int) {
	if HasText(e.Kind) {
		terms, words = countTerms(textOf(e))
	}
	return append(terms, featuresOf(e)...), words
}

// HasText reports whether full text indexes the kind.
func HasText(kind uint16) bool {
	switch kind {
	case nostr.KindProfile, nostr.KindNote, nostr.KindThread, nostr.KindPicture, nostr.KindComment, nostr.KindArticle:
		return true
	}
	return false
}

// textKinds are the kinds that full text indexes; HasText tells the same.
func textKinds() []uint16 {
	return []uint16{nostr.KindProfile, nostr.KindNote, nostr.KindThread, nostr.KindPicture, nostr.KindComment, nostr.KindArticle}
}

// textOf returns the text of an event that full text indexes and searches: of
// a profile its name, display name, NIP-05 name and about; of an article (NIP-23)
// its title, summary and content; else the content.
func textOf(e *nostr.Event) string {
	switch e.Kind {
	case nostr.KindProfile:
		p, err := nostr.ParseProfile(e)
		if err != nil {
			return ""
		}
		return strings.Join([]string{p.Name, p.DisplayName, p.NIP05, p.About}, "\n")
	case nostr.KindArticle:
		title, _ := e.Tags.Value("title")
		summary, _ := e.Tags.Value("summary")
		if title == "" && summary == "" {
			return e.Content
		}
		return strings.Join([]string{title, summary, e.Content}, "\n")
	}
	return e.Content
}

// Words returns each word of a text once, in the order of the text.
func Words(text string) []string {
	var words []string
	seen := make(map[string]bool)
	for token := range Tokens(text) {
		if token.Kind == TokenWord && !seen[token.Term] && IsTerm(token.Term) {
			seen[token.Term] = true
			words = append(words, token.Term)
		}
	}
	return words
}

// countTerms returns each term of a text once, in its order, and how many tokens
// the text has.
func countTerms(text string) (terms []string, words int) {
	seen := make(map[string]bool)
	add := func(term string) {
		if !seen[term] && IsTerm(term) {
			seen[term] = true
			terms = append(terms, term)
		}
	}
	var last Token
	finals := 0
	endRun := func() {
		if term := finalTerm(text, last); term != "" && finals < maxFinals {
			finals++
			add(term)
		}
	}
	for token := range Tokens(text) {
		words++
		if token.Start >= last.End {
			endRun()
		}
		add(token.Term)
		last = token
	}
	endRun()
	return terms, words
}

// maxFinals is how many runs of characters of one text are found by their last one
// alone: with as many words as there may be, their rows still fit in one transaction.
const maxFinals = 1_000

// finalTerm returns the term of the last character of a run of pairs, whose last pair
// is given; "" for other tokens. With it a single character is found by those pairs
// that begin with it and the runs that end with it.
func finalTerm(text string, last Token) string {
	if last.Kind != TokenWord || last.End == 0 || !isUnspacedAt(text, last.Start) {
		return ""
	}
	second := endOfCharacter(text, last.Start)
	if second >= last.End {
		return ""
	}
	return FinalMark + foldTerm(text[second:last.End])
}

// IsTerm guards the keys of the index: whatever a tokenizer may yield, a
// term is bounded and free of the byte that ends it.
func IsTerm(term string) bool {
	return term != "" && len(term) <= maxTermLen && strings.IndexByte(term, 0) < 0
}

const maxTermLen = 128
