// Package sentence finds where sentences end, in scripts with and without spaces. It is the
// only place that knows the marks and the abbreviations, so that quotations of notes and
// checked answers are split alike.
//
//	end, _ := sentence.End(text)
//	first, rest := text[:end], text[end:]
package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// End returns where the first sentence of a line ends, including the marks and closing
// quotes that belong to it. stopped is false if the line ends without a mark.
func End(s string) (end int, stopped bool) {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		if !Stop(r) {
			continue
		}
		for i < len(s) { // further marks and what closes quotes and brackets belong to it
			next, size := utf8.DecodeRuneInString(s[i:])
			if !Stop(next) && !closes(next) {
				break
			}
			i += size
		}
		i += spaced(s[i:])
		if i == len(s) || wideStop(r) || breaks(s[:i], s[i:]) {
			return i, true
		}
	}
	return len(s), false
}

// spaced returns the length of a guillemet that closes a quotation behind a space, as in
// French, with that space; 0 for none.
func spaced(s string) int {
	rest := strings.TrimLeft(s, " \u00a0\u202f")
	if len(rest) == len(s) || !strings.HasPrefix(rest, "»") {
		return 0
	}
	if after := strings.TrimPrefix(rest, "»"); after != "" && !strings.HasPrefix(after, " ") {
		return 0 // it opens one, as in German
	}
	return len(s) - len(rest) + len("»")
}

// Whole reports whether a text ends as a sentence does.
func Whole(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return Stop(r) || unicode.In(r, unicode.Pe, unicode.Pf, unicode.So) || r == '"'
}

// Stop reports whether a mark ends sentences.
func Stop(r rune) bool { return strings.ContainsRune(".!?…؟।॥。！？｡", r) }

// Asks reports whether a sentence ends as a question does, judged by its marks.
func Asks(s string) bool { return QuestionMark(last(s)) || strings.HasSuffix(s, "か。") }

// QuestionMark reports whether a mark ends questions.
func QuestionMark(r rune) bool { return r == '?' || r == '？' || r == '؟' }

// Announces reports whether a sentence ends with a colon, before what it announces.
func Announces(s string) bool { return strings.ContainsRune(":：", last(s)) }

// last returns the last character of a text, apart from exclamation marks, closing quotes
// and emoji.
func last(s string) rune {
	s = strings.TrimRightFunc(s, func(r rune) bool { return closes(r) || r == '!' || unicode.IsSpace(r) || unicode.IsSymbol(r) })
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

func closes(r rune) bool { return unicode.In(r, unicode.Pe, unicode.Pf) || r == '"' || r == '\'' }

// wideStop reports whether a mark ends a sentence without a space after it.
func wideStop(r rune) bool { return strings.ContainsRune("。！？｡।॥", r) }

// breaks reports whether a sentence ends between what was read and the rest: there is a
// space, no lower-case letter after it, and no abbreviation or ordinal number before.
func breaks(read, rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	if !unicode.IsSpace(next) {
		return false
	}
	next, _ = utf8.DecodeRuneInString(strings.TrimLeftFunc(rest, unicode.IsSpace))
	if unicode.IsLower(next) {
		return false
	}
	if !strings.HasSuffix(read, ".") || strings.HasSuffix(read, "..") {
		return true
	}
	word := read[strings.LastIndexFunc(read, unicode.IsSpace)+1 : len(read)-1]
	word = strings.TrimLeft(word, `("'„“`)
	return !abbreviation(word)
}

// abbreviation reports whether a full stop after the word is part of it.
func abbreviation(word string) bool {
	if n := utf8.RuneCountInString(word); n <= 1 || n <= 2 && strings.Trim(word, "0123456789") == "" {
		return true
	}
	switch strings.ToLower(word) {
	case "dr", "mr", "mrs", "ms", "prof", "st", "vs", "ca", "bzw", "nr", "no", "vol", "approx", "e.g", "i.e", "z.b", "d.h",
		"u.a", "p.ej", "sr", "sra", "dra", "mme", "inkl", "evtl", "ggf", "usw", "tel", "cf", "jan", "feb", "aug", "sept", "oct", "nov", "dec":
		return true
	}
	return false
}
