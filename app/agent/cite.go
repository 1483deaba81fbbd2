package agent

import (
	"fmt"
	"slices"
	"strings"
)

// Reference is a ^n in a text: the byte range that it takes, and n.
type Reference struct {
	Start, End int
	Index      int // from 1
}

// References finds the ^n of a text, outside of code. An index is written with
// one to three digits; more are no reference.
func References(text string) []Reference {
	var refs []Reference
	code := 0 // how many backticks opened the code that we are in
	for i := 0; i < len(text); {
		switch {
		case text[i] == '`':
			n := runLength(text[i:], '`')
			if code == 0 {
				// Backticks that nothing closes are plain text.
				if closes(text[i+n:], n) {
					code = n
				}
			} else if code == n {
				code = 0
			}
			i += n
		case text[i] == '^' && code == 0:
			end, index := readIndex(text, i+1)
			if index > 0 {
				refs = append(refs, Reference{Start: i, End: end, Index: index})
			}
			i = max(end, i+1)
		default:
			i++
		}
	}
	return refs
}

func runLength(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// closes reports whether s holds a run of exactly n backticks.
func closes(s string, n int) bool { return closing(s, n) >= 0 }

// closing returns where in s the first run of exactly n backticks ends, or -1.
func closing(s string, n int) int {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], '`')
		if i < 0 {
			return -1
		}
		have := runLength(s[from+i:], '`')
		from += i + have
		if have == n {
			return from
		}
	}
}

func readIndex(text string, i int) (end, index int) {
	end = i
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		if index < 1000 {
			index = index*10 + int(text[end]-'0')
		}
		end++
	}
	if end-i > 3 {
		return end, 0
	}
	return end, index
}

// unknownReferences returns the ^n of text that name none of count notes, each
// once, as the model wrote them.
func unknownReferences(text string, count int) []string {
	var out []string
	for _, ref := range References(text) {
		if name := fmt.Sprintf("^%d", ref.Index); ref.Index > count && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}
