// Package screen is what every screen of the window stands on: the program behind
// it, the way onto the window's thread, and the way to the other screens.
package screen

import (
	"context"
	"image"

	"fyne.io/fyne/v2"

	"bowerbird/app"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/dispatch"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
)

// Env is what a screen is made with. It is the same for all screens of a window
// until another store is opened (the sample, another person).
type Env struct {
	App  *app.App
	Do   dispatch.Dispatcher
	Go   Navigator
	Look Look
	// Words write numbers, times and labels in the user's language.
	Words present.Words
	// Pictures gets pictures of strangers; nil where none are fetched.
	Pictures Pictures
}

// Work does something off the window's thread and shows there what comes of it (nil for
// nothing), unless ctx has ended by then: the window may show another store.
func (e Env) Work(ctx context.Context, work func() (show func())) {
	e.Do.Go(func() func() {
		show := work()
		return func() {
			if show != nil && ctx.Err() == nil {
				show()
			}
		}
	})
}

// Pictures gets a picture at an address, scaled for the screen. It is called off
// the window's thread, and only when the user asks for the picture or the settings
// say so.
type Pictures interface {
	Load(ctx context.Context, url string) (image.Image, error)
}

// Look is what of Settings, Appearance, is not the theme's.
type Look struct {
	Compact bool // density: less space between the notes
	// ShowFollowed: pictures by people who are followed come without a click.
	ShowFollowed bool
}

// Screen is one place of the window. Its methods are called on the window's thread.
type Screen interface {
	// Content returns what is drawn; always the same object.
	Content() fyne.CanvasObject
	// Shown says that the screen came into sight, Hidden that it went out of it.
	Shown()
	Hidden()
	// Focus puts the keyboard where a person would begin.
	Focus(c fyne.Canvas)
	// Close ends what runs for the screen; it is not shown again.
	Close()
}

// Navigator leads to the other screens and to the system. Its methods are called
// on the window's thread.
type Navigator interface {
	OpenThread(id nostr.ID)
	OpenProfile(pk nostr.PubKey)
	OpenArticle(id nostr.ID)
	// Search shows the search with a query in it.
	Search(query string)
	// AskAbout shows the assistant and asks in a new chat that is about the notes of
	// one person; name is what they are called, on one line.
	AskAbout(pk nostr.PubKey, name, question string)
	// Summarise asks the assistant to sum up the thread around a note.
	Summarise(id nostr.ID)
	// OpenSettings shows a page of the settings: "account", "assistant", "relays",
	// "appearance", "storage", "about".
	OpenSettings(page string)
	OpenRelays()
	// OpenURL shows the host and opens the address in the browser when the user
	// agrees; only https and http are ever opened.
	OpenURL(url string)
	// Copy puts a text on the clipboard and says so.
	Copy(text string)
	// Toast says something for a few seconds, with one action beside it ("" for none).
	Toast(text, action string, do func())
	// Back goes to the screen before.
	Back()
	// Window returns the window, for dialogs and menus over it.
	Window() fyne.Window
}

// ToneColor is the colour in which a state is told; otherwise is that of one of which
// nothing is to be said.
func ToneColor(t present.Tone, otherwise fyne.ThemeColorName) fyne.ThemeColorName {
	switch t {
	case present.ToneGood:
		return theme.OK
	case present.ToneWarn:
		return theme.Warn
	case present.ToneBad:
		return theme.Bad
	}
	return otherwise
}
