package offer

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed synonyms.txt
var synonymsFile string

// table holds what words of six languages mean, in English.
type table struct {
	words    map[string][]int // the meanings of a word
	prefixes map[string][]int // of all that begin with it
	inside   map[string][]int // of what holds it: Chinese characters and kana have no spaces between words
	longest  int              // of those, in bytes
	english  [][]string       // of each meaning
}

var synonyms = sync.OnceValue(func() *table { return readSynonyms(synonymsFile) })

func readSynonyms(text string) *table {
	t := &table{words: make(map[string][]int), prefixes: make(map[string][]int), inside: make(map[string][]int)}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		meaning := len(t.english)
		first, _, _ := strings.Cut(line, "|")
		t.english = append(t.english, strings.Fields(first))
		for _, w := range strings.Fields(strings.ReplaceAll(line, "|", " ")) {
			into := t.words
			if stem, ok := strings.CutSuffix(w, "*"); ok {
				w, into = stem, t.prefixes
			}
			if first, _ := utf8.DecodeRuneInString(w); scriptOf(first) > 0 {
				into, t.longest = t.inside, max(t.longest, len(w))
			}
			if !slices.Contains(into[w], meaning) {
				into[w] = append(into[w], meaning)
			}
		}
	}
	return t
}

// of returns the English words for what a word can mean: the word itself, and the longest
// beginning of it that is known.
func (t *table) of(word string) []string {
	var meanings []int
	add := func(more []int) {
		for _, m := range more {
			if !slices.Contains(meanings, m) {
				meanings = append(meanings, m)
			}
		}
	}
	add(t.words[word])
	longest := ""
	for end := range word {
		if _, ok := t.prefixes[word[:end]]; ok && end > 0 {
			longest = word[:end]
		}
	}
	if _, ok := t.prefixes[word]; ok {
		longest = word
	}
	add(t.prefixes[longest])
	return t.inEnglish(meanings)
}

// within returns the English words for each known word that a text without spaces holds, the
// longest where one is in another.
func (t *table) within(text string) (meant [][]string) {
	for at := 0; at < len(text); {
		_, size := utf8.DecodeRuneInString(text[at:])
		for end := at + size; end <= min(at+t.longest, len(text)); end++ {
			if t.inside[text[at:end]] != nil {
				size = end - at
			}
		}
		if meanings := t.inside[text[at:at+size]]; meanings != nil {
			meant = append(meant, t.inEnglish(meanings))
		}
		at += size
	}
	return meant
}

func (t *table) inEnglish(meanings []int) []string {
	var out []string
	for _, m := range meanings {
		out = append(out, t.english[m]...)
	}
	return out
}
