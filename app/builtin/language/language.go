// Package language reads the files that define how the model without a model understands
// questions and writes answers, one for each language. docs/languages.md describes them.
//
//	all, err := language.Load(folder)
//	lexicons, texts := language.Lexicons(all), language.Answers(all)
//
// A file is checked when it is loaded; an error names the file and the line. The files of
// the program are embedded and loaded once, when they are first needed.
package language

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
)

//go:embed *.toml
var files embed.FS

// First is the language that the others are compared with, and the one of an answer when
// no other is known.
const First = "en"

// A Language is one file.
type Language struct {
	Language string // its code: "en"
	// Order decides when a text fits two languages equally well: the lower one counts.
	Order    int
	Question question.Lexicon // empty: only notes are in it
	Answer   *words.Texts     // nil: questions are understood, but answered in another
	Notes    Notes
}

// Notes helps to recognise notes in a language.
type Notes struct {
	// Usual are common words that say nothing about a topic; "" for a language that is
	// recognised by its script.
	Usual string
	// Script is the name that the notes go by whose language their script does not show:
	// "Cyrillic"; "" for the language's own.
	Script string
	// Inside: the words of the following lists are looked for inside others.
	Inside bool
	// Denials take back a claim or deny it; Negations say that something is not so, with a
	// hyphen before an ending; Conditions begin a sentence on what may be so; by Selves
	// people speak of themselves.
	Denials, Negations, Conditions, Selves question.Phrases
}

// notesOnly reports whether a file has words of notes alone.
func (l *Language) notesOnly() bool { return l.Question.Words == nil && l.Answer == nil }

// All returns the languages of this program, English first.
var All = sync.OnceValue(func() []*Language {
	all, err := Load(files)
	if err != nil {
		panic(err) // a test loads the same files
	}
	return all
})

// Load reads and checks the files in a folder and returns their languages, English first.
func Load(folder fs.FS) ([]*Language, error) {
	names, err := fs.Glob(folder, "*.toml")
	if err != nil {
		return nil, err
	}
	all := make([]*Language, len(names))
	texts := make(map[*Language][]byte)
	for i, name := range names {
		data, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		if all[i], err = read(name, data); err != nil {
			return nil, err
		}
		texts[all[i]] = data
	}
	slices.SortStableFunc(all, func(a, b *Language) int { return cmp.Compare(a.Order, b.Order) })
	if len(all) == 0 || all[0].Language != First || all[0].Answer == nil {
		return nil, fmt.Errorf("%s.toml must exist, have the lowest order and an [answer] table: the others are compared with it", First)
	}
	for _, l := range all {
		if err := l.check(all[0]); err != nil {
			return nil, fmt.Errorf("%s: %w", place(l.Language+".toml", texts[l], err), err)
		}
	}
	return all, nil
}

// Lexicons returns how questions are asked in each language.
func Lexicons(all []*Language) []*question.Lexicon {
	var out []*question.Lexicon
	for _, l := range all {
		if !l.notesOnly() {
			out = append(out, &l.Question)
		}
	}
	return out
}

// Answers returns the texts of the languages that have an [answer] table, by code.
func Answers(all []*Language) map[string]*words.Texts {
	out := map[string]*words.Texts{}
	for _, l := range all {
		if l.Answer != nil {
			out[l.Language] = l.Answer
		}
	}
	return out
}
