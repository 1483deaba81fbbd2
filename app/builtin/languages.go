package builtin

import (
	"sync"
	"time"

	"bowerbird/app/builtin/language"
	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
)

// languages are what the model reads and writes.
type languages struct {
	parser  *question.Reader
	grammar *grammar
	words   map[string]*words.Texts
}

func makeLanguages(all []*language.Language) *languages {
	return &languages{parser: question.New(language.Lexicons(all)), grammar: newGrammar(all), words: language.Answers(all)}
}

// ownLanguages are the languages of this program, loaded with the first question.
var ownLanguages = sync.OnceValue(func() *languages { return makeLanguages(language.All()) })

// Tongue is the language in which a question is answered, for what the program itself
// writes beside an answer of any model.
type Tongue struct{ words *words.Texts }

// TongueOf returns the language in which a question is answered if the window is in
// another; "" or "en": the window is in English.
func TongueOf(asked, window string) Tongue {
	q := ownLanguages().parser.Read(asked, question.Calendar{Now: time.Now()}, &question.Talk{Lang: window})
	return Tongue{ownLanguages().words[q.Lang]}
}

// Sources is the title of a list of the notes that an answer cites.
func (t Tongue) Sources() string { return t.words.Sources }

// When formats a time in now's zone, with the year if it is another.
func (t Tongue) When(at, now time.Time) string { return t.words.When(at, now) }
