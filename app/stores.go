package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"time"

	"bowerbird/app/chats"
	"bowerbird/app/config"
	"bowerbird/app/live"
	"bowerbird/app/notesync"
	"bowerbird/app/pictures"
	"bowerbird/app/sample"
	"bowerbird/app/state"
	"bowerbird/app/upkeep"
	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
	"bowerbird/netsafe"
)

// Access is how the stores are opened.
type Access int

const (
	// Write opens the stores for writing, or not at all.
	Write Access = iota
	// WriteOrRead opens them for reading if they cannot be written: see App.CannotWrite.
	WriteOrRead
	// Read opens them for reading: not one byte of them is changed, and several programs
	// may read at a time. Stores that do not exist yet are made.
	Read
)

// Preparation is what must be done to stores before they can be opened.
type Preparation int

const (
	BringingAlong Preparation = iota // migrating a store of an older version of the program
	SavingDamaged                    // saving what can be read of damaged notes
)

// preparing returns the function that receives the progress of a preparation.
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
	opt.ReadOnly = a.opt.Access == Read && !a.opt.Sample
	err := a.openBoth(ctx, places, opt)
	if a.opt.Access == WriteOrRead && (errors.Is(err, ndb.ErrNoSpace) || errors.Is(err, ndb.ErrReadOnly)) && ndb.IsStore(places.Notes) && ndb.IsStore(places.Own) {
		opt.ReadOnly, a.cannotWrite = true, err
		err = a.openBoth(ctx, places, opt)
	}
	if err != nil {
		return err
	}
	a.chats, err = chats.NewStore(a.own.Bucket("chats"), chats.Options{
		Now:   a.opt.Now,
		NewID: func() string { id := a.opt.NewID(); return id[:min(len(id), 10)] }, // short enough to type

		Redactor: a.redactor,
		Forget:   func() bool { return a.cannotWrite != nil || a.Settings().Assistant.ForgetChats },
	})
	return err
}

// openBoth opens both stores, or none, and the parts that save state and look after them.
// Damaged notes are repaired once it is known that the result can be kept.
func (a *App) openBoth(ctx context.Context, places config.Places, opt ndb.Options) (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, a.closeStores())
		}
	}()
	name := "notes"
	if a.opt.Sample && !opt.ReadOnly {
		name = "sample"
		a.notes, err = openSample(ctx, places, opt, a.opt.Now())
	} else {
		a.notes, err = openOne(places.Notes, opt)
	}
	damaged := upkeep.Recoverable(err) && name == "notes" && !opt.ReadOnly
	if err != nil && !damaged {
		return &upkeep.StoreError{Store: name, Err: err}
	}
	var ownErr error
	if a.own, ownErr = openOne(places.Own, opt); ownErr != nil {
		return &upkeep.StoreError{Store: "own data", Err: ownErr}
	}
	var salvaged ndb.SalvageReport
	if damaged {
		if salvaged, err = upkeep.Recover(ctx, places.Notes, opt, err, a.preparing(SavingDamaged)); err == nil {
			a.notes, err = ndb.Open(places.Notes, opt)
		}
		if err != nil {
			return &upkeep.StoreError{Store: name, Err: err}
		}
	}
	a.state = state.New(a.own.Bucket(state.Bucket), a.cannotWrite == nil)
	if a.upkeep, err = upkeep.New(ctx, a.upkeepOptions()); err == nil && damaged {
		if err = a.upkeep.Recovered(ctx, salvaged); err != nil {
			err = &upkeep.StoreError{Store: name, Err: err}
		}
	}
	a.live = live.New(a.liveOptions())
	return err
}

func (a *App) liveOptions() live.Options {
	return live.Options{
		Notes: a.notes, Own: a.own, State: a.state, Upkeep: a.upkeep, Settings: a.Settings, Save: a.SaveSettings,
		Now: a.opt.Now, Zone: a.opt.Zone, Logger: a.opt.Logger, Sample: a.opt.Sample, CannotWrite: a.cannotWrite,
		AllowPrivate: a.opt.AllowPrivate, Syncing: &a.syncing,
		Me: a.Me, SetMe: a.setMe, ReadAs: a.readAs, Resolve: a.Resolve,
		FreeSpace: func() (int64, error) { return a.opt.freeSpace(a.opt.Places.Notes) }, Sleep: a.opt.sleep,
	}
}

func (a *App) upkeepOptions() upkeep.Options {
	return upkeep.Options{
		Notes: a.notes, Own: a.own, State: a.state, Places: a.Places(), Settings: a.Settings, Now: a.Now, Logger: a.opt.Logger,
		Sample: a.opt.Sample, ReadOnly: a.opt.Access == Read,
		Me: a.Me, Before: func(ctx context.Context) ([]nostr.PubKey, error) { return a.live.Synced(ctx) }, Limit: a.limit,
		Records: func(ctx context.Context) iter.Seq2[[]byte, error] { return a.chats.Records(ctx) },
		Purge:   func(ctx context.Context, before time.Time) (int, error) { return a.chats.Purge(ctx, before) },
		Asked:   a.turns.begun, Answering: a.turns.any, Fetching: a.syncing.Load,
	}
}

// limit is a storage limit in bytes.
func (a *App) limit(budget config.Storage) int64 {
	if a.opt.gigabyte > 0 {
		return int64(budget.MaxGB) * a.opt.gigabyte
	}
	return budget.Bytes()
}

// openOne opens a store, for reading only if it exists.
func openOne(dir string, opt ndb.Options) (*ndb.Store, error) {
	opt.ReadOnly = opt.ReadOnly && ndb.IsStore(dir)
	return ndb.Open(dir, opt)
}

// closeStores closes the stores that are open.
func (a *App) closeStores() (err error) {
	for _, s := range []*ndb.Store{a.notes, a.own} {
		if s != nil {
			err = errors.Join(err, s.Close())
		}
	}
	return err
}

// CannotWrite returns why the stores could only be opened for reading (ndb.ErrNoSpace,
// ndb.ErrReadOnly) although they should be written; nil otherwise. In that case nothing
// is fetched, and chats and marks are kept only until the program ends.
func (a *App) CannotWrite() error { return a.cannotWrite }

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
// are loaded without a click. In the sample it has those drawn for it, and fetches none.
func (a *App) Pictures() *pictures.Loader {
	a.picturesOnce.Do(func() {
		opt := pictures.Options{Web: netsafe.New(netsafe.Policy{}), Dir: a.Places().Pictures}
		if a.opt.Sample {
			opt.Dir, opt.Own = "", sample.Picture
		}
		a.pictures = pictures.New(opt)
	})
	return a.pictures
}

// sampleSeed makes everybody's sample the same.
const sampleSeed = 1

// sampleAge is how old the sample's newest note may be: it is about the last days.
const sampleAge = 12 * time.Hour

// openSample opens the sample's note store, made again if it is too old.
func openSample(ctx context.Context, places config.Places, opt ndb.Options, now time.Time) (*ndb.Store, error) {
	s, err := ndb.Open(places.Notes, opt)
	if err != nil {
		return nil, err
	}
	fresh, err := isFresh(ctx, s, now)
	if err == nil && !fresh {
		s, err = remakeSample(ctx, s, places, opt, now)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func isFresh(ctx context.Context, s *ndb.Store, now time.Time) (bool, error) {
	if _, err := sampleReader(ctx, s); errors.Is(err, ndb.ErrNotFound) {
		return false, nil // never made, or only half
	} else if err != nil {
		return false, err
	}
	for e, err := range s.Query(ctx, ndb.QueryOptions{}, nostr.Filter{Kinds: []uint16{1}, Limit: new(1)}) {
		return err == nil && now.Sub(time.Unix(e.CreatedAt, 0)) <= sampleAge, err
	}
	return false, nil
}

// A complete sample records its own account.
const (
	sampleBucket = "sample"
	sampleMe     = "me"
)

// sampleReader returns the sample's own account, or ndb.ErrNotFound for a store that is
// not a complete sample.
func sampleReader(ctx context.Context, s *ndb.Store) (nostr.PubKey, error) {
	hex, err := s.Bucket(sampleBucket).Get(ctx, sampleMe)
	if err != nil {
		return nostr.PubKey{}, err
	}
	return nostr.ParsePubKey(string(hex))
}

func remakeSample(ctx context.Context, old *ndb.Store, places config.Places, opt ndb.Options, now time.Time) (*ndb.Store, error) {
	if err := old.Close(); err != nil {
		return old, err
	}
	if err := os.RemoveAll(places.Notes); err != nil {
		return old, err
	}
	s, err := ndb.Open(places.Notes, opt)
	if err != nil {
		return old, err
	}
	world, err := sample.Make(sample.Options{Now: now, Seed: sampleSeed})
	if err != nil {
		return s, err
	}
	results, err := s.Put(ctx, ndb.Batch{Events: world.Events, Coverage: sampleCoverage(world, now)})
	if err != nil {
		return s, err
	}
	for i, r := range results {
		if r.Outcome == ndb.Invalid {
			return s, fmt.Errorf("event %s of the sample: %w", world.Events[i].ID, r.Err)
		}
	}
	if err := notesync.SaveAsked(ctx, s, everybodyAsked(world)); err != nil {
		return s, err
	}
	return s, s.Bucket(sampleBucket).Put(ctx, map[string][]byte{sampleMe: []byte(world.Me.String())})
}

// sampleRelay represents in the sample's ledger the relays that a sync would have asked:
// all of the sample's people write to it. Names under .example lead nowhere.
const sampleRelay = "wss://hub.bower.example"

// sampleCoverage returns what is true of the sample by construction: it holds all notes
// of its people.
func sampleCoverage(w *sample.World, now time.Time) []coverage.Row {
	whole := coverage.Interval{From: 0, To: now.Unix() + int64(sampleAge/time.Second), VerifiedAt: now.Unix(), Proof: coverage.ProofFinish}
	rows := make([]coverage.Row, 0, len(w.People)+1)
	for pk := range everybodyAsked(w) {
		rows = append(rows, coverage.Row{Author: pk, Relay: sampleRelay, Purpose: coverage.Feed, Interval: whole})
	}
	return rows
}

func everybodyAsked(w *sample.World) map[nostr.PubKey][]string {
	asked := map[nostr.PubKey][]string{w.Me: {sampleRelay}}
	for _, p := range w.People {
		asked[p.PubKey] = []string{sampleRelay}
	}
	return asked
}
