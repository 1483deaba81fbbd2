// Package language has what the model without a model reads and writes in each language:
// one file a language, which docs/languages.md describes.
//
// A file is checked when it is read; what is wrong is told with its file and line. The
// files here are read once, when they are first asked for.
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

// First is the language that the others are compared with, and in which is answered where
// no other is known.
const First = "en"

// A Language is one file.
type Language struct {
	Language string // its code: "en"
	// Order decides between two languages that a text may be in: the lower counts.
	Order    int
	Question question.Lexicon
	Answer   *words.Texts // nil where questions are only read in it
	Notes    Notes
}

// Notes is what helps to read notes in a language.
type Notes struct {
	// Usual are the words that only hold sentences together; "" of a language that is
	// known by its script.
	Usual string
}

// All returns the languages of this program, English first.
var All = sync.OnceValue(func() []*Language {
	all, err := Load(files)
	if err != nil {
		panic(err) // a test reads the same files
	}
	return all
})

// Load reads the languages whose files lie in a folder, English first, and checks them.
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
		return nil, fmt.Errorf("%s.toml, with which the others are compared, must be there, have the lowest order and an answer", First)
	}
	for _, l := range all {
		if err := l.check(all[0]); err != nil {
			return nil, fmt.Errorf("%s: %w", place(l.Language+".toml", texts[l], err), err)
		}
	}
	return all, nil
}

// Lexicons are the parts of languages that tell how questions are asked.
func Lexicons(all []*Language) []*question.Lexicon {
	out := make([]*question.Lexicon, len(all))
	for i, l := range all {
		out[i] = &l.Question
	}
	return out
}

// Answers are the words of those languages that are answered in.
func Answers(all []*Language) map[string]*words.Texts {
	out := map[string]*words.Texts{}
	for _, l := range all {
		if l.Answer != nil {
			out[l.Language] = l.Answer
		}
	}
	return out
}
