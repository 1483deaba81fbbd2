package builtin

import "bowerbird/app/builtin/language"

// NewIn makes the model with other languages than its own.
func NewIn(opt Options, all []*language.Language) *Model {
	return newModel(opt, makeLanguages(all))
}
