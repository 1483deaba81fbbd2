package app

import (
	"context"
	"errors"
	"os"

	"bowerbird/app/chats"
	"bowerbird/app/config"
	"bowerbird/ndb"
)

// Access is how the stores are opened.
type Access int

const (
	// Write opens the stores for writing, or not at all.
	Write Access = iota
	// WriteOrRead opens them for reading where they cannot be written: see
	// App.CannotWrite.
	WriteOrRead
	// Read opens them for reading: not one byte of them is changed, and several may read
	// at one time. Stores that are not there yet are made.
	Read
)

// Preparation is what has to be done to stores before they can be opened.
type Preparation int

const (
	BringingAlong Preparation = iota // a store of an older version of the program, to this one
	SavingDamaged                    // what can be read of notes that are damaged
)

// preparing returns what hears how far a preparation is.
func (a *App) preparing(what Preparation) func(done, of int) {
	return func(done, of int) {
		if a.opt.Preparing != nil {
			a.opt.Preparing(what, done, of)
		}
	}
}

func (a *App) openStores(ctx context.Context) error {
	places := a.opt.Places
	if a.opt.Sample {
		places = places.ForSample()
	}
	opt := ndb.Options{Now: a.opt.Now, Logger: a.opt.Logger, FreeSpace: a.opt.freeSpace}
	opt.Migrating = func(done, of int) error {
		a.preparing(BringingAlong)(done, of)
		return ctx.Err()
	}
	if look := a.opt.Examine; look != nil {
		opt.Probe = func(ctx context.Context, dir string) (ndb.CheckReport, error) { return look(ctx, dir, false, nil) }
	}
	opt.ReadOnly = a.opt.Access == Read && !a.opt.Sample && haveStores(places)
	mended, err := a.openBoth(ctx, places, opt)
	if a.opt.Access == WriteOrRead && (errors.Is(err, ndb.ErrNoSpace) || errors.Is(err, ndb.ErrReadOnly)) && haveStores(places) {
		opt.ReadOnly, a.cannotWrite = true, err
		mended, err = a.openBoth(ctx, places, opt)
	}
	if err != nil {
		return err
	}
	if err := a.beginMending(ctx, mended); err != nil {
		return err
	}
	a.chats, err = chats.NewStore(a.own.Bucket("chats"), chats.Options{
		Now:   a.opt.Now,
		NewID: func() string { return shortID(a.opt.NewID()) },

		Redactor: a.redactor,
		Forget:   func() bool { return a.cannotWrite != nil || a.Settings().Assistant.ForgetChats },
	})
	return err
}

// haveStores reports whether there are both stores.
func haveStores(places config.Places) bool {
	_, notes := os.Stat(places.Notes)
	_, own := os.Stat(places.Own)
	return notes == nil && own == nil
}

// openBoth opens both stores, or none. mended is what a repair of the notes told; nil
// where none was needed.
func (a *App) openBoth(ctx context.Context, places config.Places, opt ndb.Options) (mended *ndb.SalvageReport, err error) {
	if a.opt.Sample && !opt.ReadOnly {
		if a.notes, err = openSample(ctx, places, opt, a.opt.Now()); err != nil {
			return nil, &StoreError{"sample", err}
		}
	} else if mended, err = a.openNotes(ctx, places, opt); err != nil {
		return nil, &StoreError{"notes", err}
	}
	if a.own, err = ndb.Open(places.Own, opt); err != nil {
		err = errors.Join(err, a.notes.Close())
		a.notes = nil
		return nil, &StoreError{"own data", err}
	}
	return mended, nil
}

// CannotWrite returns why the stores could only be opened for reading (ndb.ErrNoSpace,
// ndb.ErrReadOnly), though they were to be written; nil when they were not. Nothing is
// fetched then, and chats and marks are kept until the program ends.
func (a *App) CannotWrite() error { return a.cannotWrite }
