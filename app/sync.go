package app

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"bowerbird/app/account"
	"bowerbird/app/config"
	"bowerbird/app/notesync"
	"bowerbird/app/relay"
	"bowerbird/ndb"
	"bowerbird/netsafe"
)

// SyncOptions say what to fetch; zero fields fall back to the settings.
type SyncOptions struct {
	As           string   // whom to read as, from now on
	Authors      []string // fetched instead of the people the reader follows
	Relays       []string // only these
	Days         int
	Once         bool
	AllowPrivate bool // ws:// and relays on this computer or network
	Progress     func(notesync.Progress)
}

// Sync fetches notes. Whoever is named by As is the reader from then on, if a
// contact list of theirs is found. The summary is of use also beside an error.
func (a *App) Sync(ctx context.Context, o SyncOptions) (summary notesync.Summary, err error) {
	if a.opt.Sample {
		return notesync.Summary{}, errors.New("the sample is made up and has nothing to fetch; leave --sample out")
	}
	var hints []string
	if o.As != "" {
		key, err := a.Resolve(ctx, o.As)
		if err != nil {
			return notesync.Summary{}, err
		}
		before := a.Me()
		a.setMe(key.PubKey)
		defer func() { err = errors.Join(err, a.settleReader(ctx, before)) }()
		hints = key.Relays
	}
	authors, more, err := a.resolveAll(ctx, o.Authors)
	if err != nil {
		return notesync.Summary{}, err
	}
	if a.Me() == (ndb.PubKey{}) && len(authors) == 0 {
		return notesync.Summary{}, account.ErrNobodyChosen
	}
	client := netsafe.New(netsafe.Policy{AllowPrivate: o.AllowPrivate})
	settings := a.syncSettings()
	for _, url := range append(slices.Clone(o.Relays), settings.Relays...) {
		if _, err := relay.ParseURL(url, client.Policy()); err != nil {
			return notesync.Summary{}, config.Argumentf("relay", "%w", err)
		}
	}
	var from func() (feed, inbox int64) // who names the days wants what was pruned of them, too
	allDays := o.Days <= 0
	if allDays {
		o.Days = a.Upkeep().DaysToFetch()
		asking := context.WithoutCancel(ctx) // the summary is made after the end
		from = func() (feed, inbox int64) { return a.Upkeep().KeptFrom(asking) }
	}
	never := settings.Without
	if len(o.Relays) > 0 {
		never = nil // who names a relay here wants it
	}
	if err := a.roomToSync(); err != nil {
		return notesync.Summary{}, err
	}
	a.syncing.Store(true)
	defer a.syncing.Store(false)
	refresh := time.Duration(liveRefresh)
	if o.Once || len(authors) > 0 {
		refresh = 0 // there are no lists to look up again
	}
	running, progress, cancel := a.whileRoom(ctx, o.Progress)
	defer cancel(nil)
	summary, err = notesync.Run(running, notesync.Options{
		Store:    a.notes,
		Client:   client,
		Me:       a.Me(),
		Authors:  authors,
		Only:     o.Relays,
		Base:     append(append(append([]string{}, settings.Relays...), hints...), more...),
		Indexers: settings.Indexers,
		Never:    never,
		Days:     o.Days,
		From:     from,
		Once:     o.Once,
		Refresh:  refresh,
		Progress: progress,
		Now:      a.opt.Now,
		Logger:   a.opt.Logger,
	})
	if cause := context.Cause(running); errors.Is(cause, ndb.ErrNoSpace) {
		err = cause
	}
	ctx = context.WithoutCancel(ctx)
	if whole := o.Once && allDays && len(o.Authors) == 0 && len(o.Relays) == 0; err == nil && whole {
		err = a.Upkeep().EndMending(ctx, summary.Complete+summary.ButKinds, summary.Partly-summary.ButKinds)
	}
	return summary, errors.Join(err, a.Upkeep().KeepOwn(ctx))
}

// settleReader makes the person of a sync the reader from now on, once their
// contact list is there: a mistyped key has none, and must not take the place of
// the right one.
func (a *App) settleReader(ctx context.Context, before ndb.PubKey) error {
	ctx = context.WithoutCancel(ctx)
	_, err := a.notes.Contacts(ctx, a.Me())
	if errors.Is(err, ndb.ErrNotFound) {
		a.setMe(before)
		return nil
	}
	if err != nil {
		return err
	}
	return a.readAs(ctx, a.Me())
}

func (a *App) resolveAll(ctx context.Context, texts []string) (pks []ndb.PubKey, hints []string, err error) {
	for _, text := range texts {
		var key account.Key
		if key, err = a.Resolve(ctx, text); err != nil {
			return nil, nil, err
		}
		pks = append(pks, key.PubKey)
		hints = append(hints, key.Relays...)
	}
	return pks, hints, nil
}

// Import stores the events of a JSON Lines stream. The reader's own events go to
// the own store as well, which keeps what relays may have lost.
func (a *App) Import(ctx context.Context, r io.Reader, opt ndb.ImportOptions) (ndb.ImportReport, error) {
	report, err := a.notes.Import(ctx, r, opt)
	return report, errors.Join(err, a.upkeep.KeepOwn(ctx))
}
