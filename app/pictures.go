package app

import (
	"context"
	"errors"

	"bowerbird/app/netsafe"
	"bowerbird/app/pictures"
	"bowerbird/ndb"
)

// Pictures loads the pictures of strangers: see app/pictures. Whose may be loaded
// without a click is what PicturesShown tells.
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

// PicturesShown tells whose pictures are loaded without a click: with the settings as
// they are now, nobody's, or those of the people whom the reader follows. It reads
// the store once; ask again when the settings or the contact list changed.
func (a *App) PicturesShown(ctx context.Context) (func(ndb.PubKey) bool, error) {
	nobody := func(ndb.PubKey) bool { return false }
	if a.Settings().Pictures.Show != PicturesOfFollowed || a.Me() == (ndb.PubKey{}) {
		return nobody, nil
	}
	follows, err := a.notes.Contacts(ctx, a.Me())
	if errors.Is(err, ndb.ErrNotFound) {
		return nobody, nil
	}
	if err != nil {
		return nobody, err
	}
	set := make(map[ndb.PubKey]bool, len(follows))
	for _, pk := range follows {
		set[pk] = true
	}
	return func(pk ndb.PubKey) bool { return set[pk] }, nil
}
