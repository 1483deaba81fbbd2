package agent

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bowerbird/tools"
)

// An answer refers to notes by ^n. What it says about one that was read in this turn
// without presenting it leads nowhere: its id in the text, [1] in place of ^1, its
// words, or, where nothing was presented at all, the name of who wrote it. What is
// found is told to the model by ids alone, so that no stranger's words stand in the
// request as if the user had said them.

const (
	copiedWords = 8        // so many words in a row are a copy, also without quotation marks
	quotedWords = 4        // between quotation marks
	quotedRunes = 12       // the same in writing without spaces
	mostClaims  = 10       // are told
	mostWords   = 64 << 10 // bytes of a note that are compared
)

// readNote is a note that the model read in this turn.
type readNote struct {
	id     string // hex digits: all, or the first 16 where it is known from what was saved
	author string
	words  string // of its text, as wordsOf gives them
}

// readNotes returns the notes of a tool's result.
func readNotes(result tools.Result) []readNote {
	var notes []tools.Note
	switch v := any(result).(type) {
	case tools.QueryResult:
		notes = v.Notes
	case tools.NoteResult:
		notes = []tools.Note{v.Note}
	case tools.ThreadResult:
		for _, n := range v.Notes {
			notes = append(notes, n.Note)
		}
	}
	var out []readNote
	for _, n := range notes {
		if len(n.NoteID) >= 16 {
			out = append(out, readNote{n.NoteID, n.Name, wordsOf(cut(n.Content, mostWords))})
		}
	}
	return out
}

// noteID returns what a note is known by, whether all of its id is or not.
func noteID(id string) string { return id[:min(len(id), 16)] }

// claims finds what an answer says of notes without referring to them. presented are
// the ids of the notes that may be referred to; asked is the user's question, whose
// codes may be repeated.
func claims(text, asked string, read []readNote, presented []string) []string {
	var found []string
	add := func(format string, args ...any) {
		if claim := fmt.Sprintf(format, args...); !slices.Contains(found, claim) {
			found = append(found, claim)
		}
	}
	for _, id := range idsIn(text, asked, read) {
		add("the id %s stands in the text", id)
	}
	plain := withoutCode(text)
	if len(read) > 0 {
		for _, n := range bracketed(plain) {
			add("[%d] is no reference, ^%d would be one", n, n)
		}
	}
	shown := make(map[string]bool, len(presented))
	for _, id := range presented {
		shown[noteID(id)] = true
	}
	for _, n := range copied(plain, read, shown) {
		add("the words of note %s stand in the text, and it is not presented", n.id[:16])
	}
	if len(presented) == 0 && len(References(text)) == 0 {
		for _, n := range authors(plain, read) {
			add("who wrote note %s is named, and it is not presented", n.id[:16])
		}
	}
	return found[:min(len(found), mostClaims)]
}

// idsIn returns the ids of notes that stand in a text: hex digits of notes that were
// read, and codes of any note that the user did not ask about.
func idsIn(text, asked string, read []readNote) []string {
	var out []string
	asked = strings.ToLower(asked)
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(word) < 16 || strings.Contains(asked, word) {
			continue
		}
		known := slices.ContainsFunc(read, func(n readNote) bool { return strings.HasPrefix(n.id, word) || strings.HasPrefix(word, n.id) })
		if known || tools.IsNoteCode(word) {
			out = append(out, word)
		}
	}
	return out
}

// bracketed returns the numbers that stand in brackets as references do elsewhere:
// not behind a word, as an index does, nor as the text or the label of a link.
func bracketed(text string) []int {
	var out []int
	for i := 0; i < len(text); i++ {
		if text[i] != '[' || i > 0 && (wordByte(text[i-1]) || text[i-1] == ']') {
			continue
		}
		end, n := readIndex(text, i+1)
		if n < 1 || end >= len(text) || text[end] != ']' {
			continue
		}
		if rest := text[end+1:]; !strings.HasPrefix(rest, "(") && !strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, "[") {
			out = append(out, n)
		}
	}
	return out
}

// copied returns the notes that are not shown and whose words stand in the text. What
// a shown note says as well is that one's. It takes as long as text and notes are.
func copied(text string, read []readNote, shown map[string]bool) []readNote {
	pieces := make(map[string]bool) // true: a shown note holds it
	for piece := range runs(wordsOf(text)) {
		pieces[piece] = false
	}
	quoted := make(map[string]bool)
	for _, q := range quotations(text) {
		words := wordsOf(q)
		runes := utf8.RuneCountInString(words)
		unspaced := len(words) > 2*runes // three bytes a letter: Chinese, Japanese, Thai
		if strings.Count(words, " ")+1 >= quotedWords || unspaced && runes >= quotedRunes {
			quoted[words] = false
		}
	}
	var out []readNote
	for _, shownOnes := range []bool{true, false} {
		for _, n := range read {
			if shown[noteID(n.id)] != shownOnes {
				continue
			}
			holds := false
			for piece := range runs(n.words) {
				if excused, said := pieces[piece]; said && !excused {
					holds = true
					pieces[piece] = shownOnes
				}
			}
			for words, excused := range quoted {
				if !excused && strings.Contains(" "+n.words+" ", " "+words+" ") {
					holds = true
					quoted[words] = shownOnes
				}
			}
			if holds && !shownOnes {
				out = append(out, n)
			}
		}
	}
	return out
}

// runs yields each copiedWords neighbouring words.
func runs(words string) iter.Seq[string] {
	return func(yield func(string) bool) {
		starts := []int{0}
		for end := range len(words) + 1 {
			if end < len(words) && words[end] != ' ' {
				continue
			}
			if len(starts) == copiedWords {
				if !yield(words[starts[0]:end]) {
					return
				}
				starts = starts[1:]
			}
			starts = append(starts, end+1)
		}
	}
}

// quotations returns what stands between quotation marks, and in quoted lines.
func quotations(text string) []string {
	var out []string
	for _, marks := range [][2]string{{"“", "”"}, {"„", "“"}, {"«", "»"}, {"»", "«"}, {"「", "」"}, {`"`, `"`}} {
		rest := text
		for {
			_, after, opened := strings.Cut(rest, marks[0])
			inside, behind, closed := strings.Cut(after, marks[1])
			if !opened || !closed {
				break
			}
			if !strings.Contains(inside, "\n") {
				out = append(out, inside)
			}
			rest = behind
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if quoted, ok := strings.CutPrefix(strings.TrimSpace(line), ">"); ok {
			out = append(out, quoted)
		}
	}
	return out
}

// authors returns of each person whom the text names the first note that was read.
func authors(text string, read []readNote) []readNote {
	var out []readNote
	for _, n := range read {
		if utf8.RuneCountInString(n.author) >= 3 && holdsName(text, n.author) &&
			!slices.ContainsFunc(out, func(o readNote) bool { return o.author == n.author }) {
			out = append(out, n)
		}
	}
	return out
}

// holdsName reports whether a name stands in a text, not as a part of a word.
func holdsName(text, name string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(name):])
		if !wordRune(before) && !wordRune(after) {
			return true
		}
		from = i + len(name)
	}
}

func wordRune(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// wordsOf returns the words of a text, in small letters, one space apart.
func wordsOf(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}), " ")
}

// withoutCode returns a text with spaces where code stands, and its other bytes in
// their places.
func withoutCode(text string) string {
	out := []byte(text)
	for i := 0; i < len(text); {
		n := runLength(text[i:], '`')
		if n == 0 {
			i++
			continue
		}
		end := i + n
		if behind := closing(text[end:], n); behind >= 0 {
			end += behind
			for j := i; j < end; j++ {
				out[j] = ' '
			}
		}
		i = end
	}
	return string(out)
}
