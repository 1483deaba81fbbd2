package app

import (
	"context"
	"errors"
	"io"

	"bowerbird/app/config"
	"bowerbird/app/pictures"
	"bowerbird/ndb"
	"bowerbird/netsafe"
)

// Storage describes what is kept on this computer. Sizes are in bytes.
type Storage struct {
	Places   config.Places // where it is
	Notes    ndb.Stats     // of the note store that is open, with its size
	Own      int64         // of the store of the user's own data: chats, saved state
	Pictures int64         // of small pictures that were loaded
	Sample   int64         // of the whole sample, even while it is not open
}

// Storage measures what is kept. It walks folders: do not call it on a window's thread.
func (a *App) Storage(ctx context.Context) (Storage, error) {
	s := Storage{Places: a.Places(), Pictures: a.Pictures().Size()}
	var errs [3]error
	s.Notes, errs[0] = a.notes.Stats(ctx)
	s.Own, errs[1] = ndb.DiskBytes(s.Places.Own)
	s.Sample, errs[2] = ndb.DiskBytes(a.opt.Places.Sample)
	return s, errors.Join(errs[:]...)
}

// Import stores the events of a JSON Lines stream. The account's own events go to the own
// store too, which keeps what relays may have lost.
func (a *App) Import(ctx context.Context, r io.Reader, opt ndb.ImportOptions) (ndb.ImportReport, error) {
	report, err := a.notes.Import(ctx, r, opt)
	return report, errors.Join(err, a.upkeep.KeepOwn(ctx))
}

// Pictures returns the one loader of strangers' pictures. Settings.Pictures says whose
// are loaded without a click.
func (a *App) Pictures() *pictures.Loader {
	a.picturesOnce.Do(func() {
		a.pictures = pictures.New(pictures.Options{
			Web: netsafe.New(netsafe.Policy{}), Dir: a.Places().Pictures,
		})
	})
	return a.pictures
}
