package builtin

import (
	"time"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
)

// Tongue is the language in which a question is answered, for what the program itself
// says beside the answer, whoever gave it.
type Tongue struct{ words *words.Texts }

// TongueOf returns the language in which a question is answered where the window speaks
// another; "" or "en": it speaks none but English.
func TongueOf(asked, window string) Tongue {
	q := ownLanguages().parser.Read(asked, question.Calendar{Now: time.Now()}, &question.Talk{Lang: window})
	return Tongue{ownLanguages().words[q.Lang]}
}

// Sources is the title of a list of the notes that an answer cites.
func (t Tongue) Sources() string { return t.words.Sources }

// When tells a time in now's zone, with the year where it is another.
func (t Tongue) When(at, now time.Time) string { return t.words.When(at, now) }
