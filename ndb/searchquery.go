package ndb

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const maxSearch = 4_096 // bytes

// SearchQuery is a parsed search text: words that must all stand in the note,
// phrases, words that must not, and operators.
type SearchQuery struct {
	Words   []string // terms (see Token), all required, each once
	Phrases []string // terms in their order, parted by single spaces
	Not     []string // terms, or phrases as above
	From    []string // from:NAME or key, unresolved
	Tags    []string // #hashtag, lower case
	Since   string   // since:TIME as written; "" when absent
	Until   string   // until:TIME likewise
}

// ParseSearch reads a search text of at most 4,096 bytes: words, "phrases", each
// of them excluded by a - before it, from:NAME, #hashtag, since:TIME, until:TIME;
// a value with spaces stands in quotes, as in from:"Ada Lovelace".
//
// Words are folded as Tokens does. One in a script without spaces becomes all its
// pairs of characters, one with signs in it (don't, self-custody) a phrase. What
// has no words, such as a lone sign or a link, is left out. A quote without its
// partner runs to the end, so that a search can be shown while it is typed. An
// empty text gives an empty query; one of which nothing is left is an error.
func ParseSearch(s string) (SearchQuery, error) {
	if len(s) > maxSearch {
		return SearchQuery{}, fmt.Errorf("search: %d bytes, at most %d are read", len(s), maxSearch)
	}
	if !utf8.ValidString(s) {
		return SearchQuery{}, fmt.Errorf("search: byte %d is no UTF-8", firstInvalidUTF8([]byte(s)))
	}
	var q SearchQuery
	empty := true
	for rest := s; ; {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		if rest == "" {
			break
		}
		empty = false
		at := utf8.RuneCountInString(s[:len(s)-len(rest)]) + 1
		var item searchItem
		item, rest = nextSearchItem(rest)
		if err := q.add(item); err != nil {
			return SearchQuery{}, fmt.Errorf("search: character %d: %w", at, err)
		}
	}
	if !empty && q.isEmpty() {
		return SearchQuery{}, fmt.Errorf("search: nothing to look for in %.40q: only words are indexed, not signs, links or codes", s)
	}
	return q, nil
}

// searchItem is one part of a search text.
type searchItem struct {
	not    bool
	op     string // from, since, until, # or ""
	text   string
	quoted bool
}

func nextSearchItem(s string) (item searchItem, rest string) {
	if after, ok := strings.CutPrefix(s, "-"); ok && !startsWithSpace(after) {
		item.not, s = true, after
	}
	for _, op := range []string{"from:", "since:", "until:", "#"} {
		if len(s) >= len(op) && strings.EqualFold(s[:len(op)], op) {
			item.op, s = strings.TrimSuffix(op, ":"), s[len(op):]
			break
		}
	}
	if quote, n := utf8.DecodeRuneInString(s); isQuote(quote) && item.op != "#" {
		item.quoted = true
		if end := strings.IndexFunc(s[n:], isQuote); end >= 0 {
			_, closing := utf8.DecodeRuneInString(s[n+end:])
			item.text, rest = s[n:n+end], s[n+end+closing:]
		} else {
			item.text = s[n:]
		}
		return item, rest
	}
	end := strings.IndexFunc(s, unicode.IsSpace)
	if end < 0 {
		end = len(s)
	}
	item.text = s[:end]
	return item, s[end:]
}

func startsWithSpace(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s == "" || unicode.IsSpace(r)
}

// isQuote reports whether r begins or ends a phrase. Systems set typed quotes as
// they think fit, so all of these are one.
func isQuote(r rune) bool { return strings.ContainsRune(`"“”„«»`, r) }

func (q *SearchQuery) add(item searchItem) error {
	if item.op != "" && item.op != "#" && item.not {
		return fmt.Errorf("%s: cannot be excluded", item.op)
	}
	value := strings.TrimSpace(item.text)
	switch item.op {
	case "from":
		value = strings.TrimPrefix(value, "@")
		if value == "" {
			return errors.New("from: names nobody")
		}
		q.From = appendNew(q.From, value)
	case "since":
		return setTime(&q.Since, "since", value)
	case "until":
		return setTime(&q.Until, "until", value)
	case "#":
		value = strings.ToLower(strings.TrimFunc(value, func(r rune) bool { return unicode.IsPunct(r) && r != '_' }))
		switch {
		case value == "": // a lone sign
		case item.not:
			q.addWords(searchItem{not: true, text: value})
		default:
			q.Tags = appendNew(q.Tags, value)
		}
	default:
		q.addWords(item)
	}
	return nil
}

func setTime(dst *string, name, value string) error {
	if value == "" {
		return fmt.Errorf("%s: names no time", name)
	}
	if *dst != "" {
		return fmt.Errorf("%s: stands there twice", name)
	}
	*dst = value
	return nil
}

func (q *SearchQuery) addWords(item searchItem) {
	tokens := slices.Collect(Tokens(item.text))
	found := make([]string, len(tokens))
	for i, t := range tokens {
		found[i] = t.Term
	}
	phrase := strings.Join(found, " ")
	switch {
	case len(found) == 0:
	case item.not:
		q.Not = appendNew(q.Not, phrase)
	case len(found) == 1 || !item.quoted && overlap(tokens):
		for _, term := range found {
			q.Words = appendNew(q.Words, term)
		}
	default:
		q.Phrases = appendNew(q.Phrases, phrase)
	}
}

// overlap reports whether tokens are the pairs of one run of characters.
func overlap(tokens []Token) bool {
	for i := 1; i < len(tokens); i++ {
		if tokens[i].Start >= tokens[i-1].End {
			return false
		}
	}
	return true
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

func (q *SearchQuery) isEmpty() bool {
	return len(q.Words)+len(q.Phrases)+len(q.Not)+len(q.From)+len(q.Tags) == 0 && q.Since == "" && q.Until == ""
}

// Match reports whether a text has all words and phrases of the query and none
// that it excludes. Of a phrase, the terms follow each other as tokens. People,
// hashtags and times are not looked at: they are no matter of the text.
func (q *SearchQuery) Match(text string) bool {
	var words []string
	for t := range Tokens(text) {
		words = append(words, t.Term)
	}
	for _, term := range q.Words {
		if !slices.Contains(words, term) {
			return false
		}
	}
	for _, phrase := range q.Phrases {
		if !containsPhrase(words, strings.Split(phrase, " ")) {
			return false
		}
	}
	for _, phrase := range q.Not {
		if containsPhrase(words, strings.Split(phrase, " ")) {
			return false
		}
	}
	return true
}

// containsPhrase reports whether the phrase's terms stand in words side by side.
func containsPhrase(words, phrase []string) bool {
	for i := range words {
		if len(words)-i < len(phrase) {
			return false
		}
		if slices.Equal(words[i:i+len(phrase)], phrase) {
			return true
		}
	}
	return false
}
