// Package settings is the screen of the settings: whom the notes are read as, what
// the assistant answers with, how far back notes are fetched, how the window looks,
// what is kept on this computer, and what Bowerbird is.
//
// Each choice holds at once and is saved at once; there is no "Apply". What takes
// away (removing data) asks first. What the window must do itself, such as showing
// another look or closing a store, it is asked to do through Host. The words that
// depend on a state are made by ui/present.
package settings
