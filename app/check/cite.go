package check

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Reference is a ^n in a text: its byte range, and n.
type Reference struct {
	Start, End int
	Index      int // from 0; notes are numbered from 1
}

// References finds the ^n of a text. In code and $mathematics$, after a digit and after one
// or two letters (10^8, mc^2) it is a power. An index has one to three digits.
func References(text string) []Reference {
	plain := withoutCode(text)
	var refs []Reference
	for i := 0; i < len(plain); {
		if plain[i] != '^' {
			i++
			continue
		}
		end, index := readIndex(plain, i+1)
		if index >= 0 && !power(plain[:i]) {
			refs = append(refs, Reference{Start: i, End: end, Index: index})
		}
		i = max(end, i+1)
	}
	return refs
}

// power reports whether a ^ after the text would be a power.
func power(before string) bool {
	letters := 0
	for before != "" {
		r, size := utf8.DecodeLastRuneInString(before)
		switch {
		case unicode.IsDigit(r):
			// ^1^2 are two references; 10^8 is one number.
			number := strings.TrimRightFunc(before, unicode.IsDigit)
			return letters > 0 || !strings.HasSuffix(number, "^")
		case !unicode.In(r, unicode.Latin, unicode.Greek):
			return letters > 0
		}
		if letters++; letters > 2 {
			return false
		}
		before = before[:len(before)-size]
	}
	return letters > 0
}

func runLength(s string, c byte) int { return len(s) - len(strings.TrimLeft(s, string(c))) }

// closing returns the end of the first run of exactly n marks in s, or -1.
func closing(s string, mark byte, n int) int {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], mark)
		if i < 0 {
			return -1
		}
		have := runLength(s[from+i:], mark)
		from += i + have
		if have == n {
			return from
		}
	}
}

// readIndex reads the digits at i; index is -1 if there are none, or too many.
func readIndex(text string, i int) (end, index int) {
	end = i
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		if index < 1000 {
			index = index*10 + int(text[end]-'0')
		}
		end++
	}
	if end == i || end-i > 3 {
		return end, -1
	}
	return end, index
}

// withoutCode replaces code and mathematics by spaces, so that all other bytes keep their
// offsets. Backticks and dollars that are never closed are plain text.
func withoutCode(text string) string {
	out := []byte(text)
	open := make(map[string]bool) // marks that nothing closes in the rest
	for i := 0; i < len(text); {
		end := i + 1
		switch text[i] {
		case '`', '~':
			n := runLength(text[i:], text[i])
			end = i + n
			if text[i] == '~' && n < 3 {
				break
			}
			behind := -1
			if mark := text[i:end]; !open[mark] {
				behind = closing(text[end:], text[i], n)
				open[mark] = behind < 0
			}
			if behind >= 0 {
				end += behind
				blank(out[i:end])
			} else if n >= 3 && lineStart(text, i) { // a block that is still open
				end = len(text)
				blank(out[i:end])
			}
		case '$':
			if behind := mathEnd(text[i:]); behind > 0 {
				end = i + behind
				blank(out[i:end])
			}
		}
		i = end
	}
	return string(out)
}

func blank(b []byte) { fill(b, ' ') }

func fill(b []byte, with byte) {
	for i := range b {
		if b[i] != '\n' {
			b[i] = with
		}
	}
}

func lineStart(text string, i int) bool {
	return strings.TrimLeft(text[strings.LastIndexByte(text[:i], '\n')+1:i], " >") == ""
}

// mathEnd returns where $…$ or $$…$$ at the start of s ends, 0 for none: no space inside
// the dollars and no digit after them, unlike amounts of money.
func mathEnd(s string) int {
	n := min(runLength(s, '$'), 2)
	mark := s[:n]
	line, _, _ := strings.Cut(s[n:], "\n")
	if line == "" || n == 1 && line[0] == ' ' {
		return 0
	}
	i := strings.Index(line, mark)
	if i <= 0 || n == 1 && line[i-1] == ' ' {
		return 0
	}
	end := n + i + n
	if end < len(s) && s[end] >= '0' && s[end] <= '9' {
		return 0
	}
	return end
}
