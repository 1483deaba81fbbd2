package app

import (
	"bowerbird/app/pictures"
	"bowerbird/netsafe"
)

// Pictures loads the pictures of strangers: see app/pictures. Whose are loaded without
// a click is Settings.Pictures.
type Pictures = pictures.Loader

// PictureError says why a picture cannot be shown, in plain words (its Trouble).
type PictureError = pictures.Error

// Pictures returns the one loader of pictures.
func (a *App) Pictures() *Pictures {
	a.picturesOnce.Do(func() {
		a.pictures = pictures.New(pictures.Options{
			Web: netsafe.New(netsafe.Policy{}), Dir: a.Places().Pictures,
		})
	})
	return a.pictures
}
