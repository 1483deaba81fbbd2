package app

import (
	"bowerbird/app/pictures"
	"bowerbird/netsafe"
)

// Pictures returns the one loader of the pictures of strangers. Whose are loaded without a
// click is Settings.Pictures.
func (a *App) Pictures() *pictures.Loader {
	a.picturesOnce.Do(func() {
		a.pictures = pictures.New(pictures.Options{
			Web: netsafe.New(netsafe.Policy{}), Dir: a.Places().Pictures,
		})
	})
	return a.pictures
}
