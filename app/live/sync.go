package live

import (
	"context"
	"errors"
	"slices"

	"bowerbird/app/account"
	"bowerbird/app/config"
	"bowerbird/app/notesync"
	"bowerbird/app/relay"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/netsafe"
)

// SyncOptions configure Sync; zero fields fall back to the settings.
type SyncOptions struct {
	As           string   // the account from now on, in any form of a key
	Authors      []string // fetched instead of the people followed
	Relays       []string // only these
	Days         int
	Once         bool
	AllowPrivate bool // ws:// and relays on this computer or network
	Progress     func(notesync.Progress)
}

// Sync fetches notes. The person named by As becomes the account if their contact list is
// found. The summary is valid even with an error.
func (l *Live) Sync(ctx context.Context, o SyncOptions) (summary notesync.Summary, err error) {
	if l.opt.Sample {
		return notesync.Summary{}, errors.New("the sample is made up and has nothing to fetch; leave --sample out")
	}
	var hints []string
	if o.As != "" {
		key, err := l.opt.Resolve(ctx, o.As)
		if err != nil {
			return notesync.Summary{}, err
		}
		before := l.opt.Me()
		l.opt.SetMe(key.PubKey)
		defer func() { err = errors.Join(err, l.settleReader(ctx, before)) }()
		hints = key.Relays
	}
	authors, more, err := l.resolveAll(ctx, o.Authors)
	if err != nil {
		return notesync.Summary{}, err
	}
	if l.opt.Me() == (nostr.PubKey{}) && len(authors) == 0 {
		return notesync.Summary{}, account.ErrNobodyChosen
	}
	client, settings := netsafe.New(netsafe.Policy{AllowPrivate: o.AllowPrivate}), l.syncSettings()
	for _, url := range append(slices.Clone(o.Relays), settings.Relays...) {
		if _, err := relay.ParseURL(url, client.Policy()); err != nil {
			return notesync.Summary{}, config.Argumentf("relay", "%w", err)
		}
	}
	opt := l.options(ctx, l.opt.Me())
	opt.Client, opt.Authors, opt.Once = client, authors, o.Once
	opt.Base = slices.Concat(settings.Relays, hints, more)
	if o.Days > 0 { // an explicit number of days includes what was pruned
		opt.Days, opt.From = o.Days, nil
	}
	if len(o.Relays) > 0 { // an explicit relay is asked even if it was removed
		opt.Only, opt.Never = o.Relays, nil
	}
	if o.Once || len(authors) > 0 {
		opt.Refresh = 0 // no lists to look up again
	}
	if err := l.canStore(); err != nil {
		return notesync.Summary{}, err
	}
	l.opt.Syncing.Store(true)
	defer l.opt.Syncing.Store(false)
	running, progress, cancel := l.whileSpace(ctx, o.Progress)
	defer cancel(nil)
	opt.Progress = progress
	summary, err = notesync.Run(running, opt)
	if cause := context.Cause(running); errors.Is(cause, ndb.ErrNoSpace) {
		err = cause
	}
	ctx = context.WithoutCancel(ctx)
	if whole := o.Once && o.Days <= 0 && len(o.Authors) == 0 && len(o.Relays) == 0; err == nil && whole {
		err = l.opt.Upkeep.EndRecovery(ctx, summary.Complete+summary.ButKinds, summary.Partly-summary.ButKinds)
	}
	return summary, errors.Join(err, l.opt.Upkeep.KeepOwn(ctx))
}

// settleReader saves the new account if its contact list was found; otherwise the previous
// one stays, since a mistyped key has none.
func (l *Live) settleReader(ctx context.Context, before nostr.PubKey) error {
	ctx = context.WithoutCancel(ctx)
	_, err := l.opt.Notes.Contacts(ctx, l.opt.Me())
	if errors.Is(err, ndb.ErrNotFound) {
		l.opt.SetMe(before)
		return nil
	}
	if err != nil {
		return err
	}
	return l.opt.ReadAs(ctx, l.opt.Me())
}

func (l *Live) resolveAll(ctx context.Context, texts []string) (pks []nostr.PubKey, hints []string, err error) {
	for _, text := range texts {
		var key account.Key
		if key, err = l.opt.Resolve(ctx, text); err != nil {
			return nil, nil, err
		}
		pks = append(pks, key.PubKey)
		hints = append(hints, key.Relays...)
	}
	return pks, hints, nil
}
