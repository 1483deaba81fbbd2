package offer

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed synonyms.txt
var synonymsFile string

// table holds what words of six languages mean, in English.
type table struct {
	words    map[string][]int // the meanings of a word
	prefixes map[string][]int // of all that begin with it
	english  [][]string       // of each meaning
}

var synonyms = sync.OnceValue(func() *table { return readSynonyms(synonymsFile) })

func readSynonyms(text string) *table {
	t := &table{words: make(map[string][]int), prefixes: make(map[string][]int)}
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
	var out []string
	for _, m := range meanings {
		out = append(out, t.english[m]...)
	}
	return out
}
