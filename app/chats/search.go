package chats

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"bowerbird/app/agent"
)

// Hit is a chat that a search found.
type Hit struct {
	Info
	Turn    int    // the first turn that holds the words; 0 when only the title does
	Snippet string // of that turn, around the first word
}

// Search finds the chats whose title, or one of whose turns (question and answer together),
// contains all words of the query, ignoring case. The most recently changed comes first. An
// empty query finds nothing.
func (s *Store) Search(ctx context.Context, query string) ([]Hit, error) {
	words := strings.Fields(strings.ToLower(query))
	if len(words) == 0 {
		return nil, nil
	}
	list, _, err := s.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("search chats: %w", err)
	}
	var hits []Hit
	for _, info := range list {
		hit, ok := Hit{Info: info}, holds(info.Title, words)
		turns, _, err := s.turns(ctx, info.ID)
		if err != nil {
			return nil, fmt.Errorf("search chats: %w", err)
		}
		for _, t := range turns {
			if text := t.Question + "\n" + t.Answer(); holds(text, words) {
				hit.Turn, hit.Snippet, ok = t.Number, snippet(text, words[0]), true
				break
			}
		}
		if ok {
			hits = append(hits, hit)
		}
	}
	return hits, nil
}

// Answer returns the text of the turn, its steps as paragraphs.
func (t Turn) Answer() string {
	var parts []string
	for _, e := range t.Events {
		if e.Type == agent.EventText || e.Type == agent.EventRefusal {
			if text := strings.TrimSpace(e.Delta); text != "" {
				parts = append(parts, text)
			}
		}
	}
	return strings.Join(parts, "\n\n")
}

func holds(text string, words []string) bool {
	text = strings.ToLower(text)
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// snippet returns about 120 bytes of a text around a word, on one line.
func snippet(text, word string) string {
	const before, after = 40, 80
	lower := strings.ToLower(text)
	i := strings.Index(lower, word)
	if len(lower) != len(text) { // some letters change their length: the place is another
		i = 0
	}
	from, to := max(i-before, 0), min(i+after, len(text))
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	return strings.Join(strings.Fields(text[from:to]), " ")
}
