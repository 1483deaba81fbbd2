// Package screen holds what every screen of the window needs: the app, the dispatcher onto the
// window's thread, and the navigator to the other screens.
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

// Env is what a screen is made with. All screens of a window share it until another store
// is opened.
type Env struct {
	App  *app.App
	Do   dispatch.Dispatcher
	Go   Navigator
	Look Look
	// Words formats numbers, times and labels in the user's language.
	Words present.Words
	// Pictures loads strangers' pictures; nil if none are fetched.
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

// Pictures loads the picture at a URL, scaled for the screen. It is called off the window's
// thread, and only if the user asks for the picture or the settings allow it.
type Pictures interface {
	Load(ctx context.Context, url string) (image.Image, error)
}

// Look holds the settings of Appearance that are not part of the theme.
type Look struct {
	Compact bool // less space between the notes
	// ShowFollowed loads the pictures of people whom the user follows without a click.
	ShowFollowed bool
}

// Screen is one of the screens of the window. Its methods are called on the window's
// thread.
type Screen interface {
	// Content returns what is drawn, always the same object.
	Content() fyne.CanvasObject
	// Shown is called when the screen comes into sight, Hidden when it leaves it.
	Shown()
	Hidden()
	// Focus focuses the widget that a user would start with.
	Focus(c fyne.Canvas)
	// Close ends everything that runs for the screen, which is not shown again.
	Close()
}

// Navigator leads to the other screens and to the system. Its methods are called on the
// window's thread.
type Navigator interface {
	OpenThread(id nostr.ID)
	OpenProfile(pk nostr.PubKey)
	OpenArticle(id nostr.ID)
	// Search shows the search screen with a query.
	Search(query string)
	// Ask shows the assistant and asks.
	Ask(question string)
	// AskAbout shows the assistant and asks in a new chat about the notes of one person;
	// name is the person's name on one line.
	AskAbout(pk nostr.PubKey, name, question string)
	// Summarise asks the assistant to sum up the thread around a note.
	Summarise(id nostr.ID)
	// OpenSettings shows a page of the settings: "account", "assistant", "tools",
	// "relays", "appearance", "storage", "about".
	OpenSettings(page string)
	OpenRelays()
	// OpenURL shows the host and opens the URL in the browser if the user agrees; only
	// https and http are ever opened.
	OpenURL(url string)
	// Copy puts a text on the clipboard and shows that it did.
	Copy(text string)
	// Toast shows a text for a few seconds, with a button for an action unless that is "".
	Toast(text, action string, do func())
	// Back goes to the screen before.
	Back()
	// Window returns the window, for dialogs and menus over it.
	Window() fyne.Window
}

// ToneColor returns the colour of a state; otherwise is the colour of a neutral one.
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
