package builtin

import (
	"sync"

	"bowerbird/app/builtin/language"
	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
)

// languages are what this model reads and writes in, made ready once.
type languages struct {
	parser  *question.Reader
	grammar *grammar
	words   map[string]*words.Texts
}

func makeLanguages(all []*language.Language) *languages {
	return &languages{parser: question.New(language.Lexicons(all)), grammar: newGrammar(all), words: language.Answers(all)}
}

// ownLanguages are the languages of this program, made when the first question is asked.
var ownLanguages = sync.OnceValue(func() *languages { return makeLanguages(language.All()) })
