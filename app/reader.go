package app

import (
	"context"
	"fmt"

	"bowerbird/app/account"
	"bowerbird/app/config"
	"bowerbird/app/notesync"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
	"bowerbird/netsafe"
	"bowerbird/tools"
)

// findReader decides on the account: the one named for this run, the sample's own person,
// the one in the settings, or the last one that was synced.
func (a *App) findReader(ctx context.Context) error {
	switch {
	case a.opt.As != "":
		key, err := a.Resolve(ctx, a.opt.As)
		if err != nil {
			return err
		}
		a.setMe(key.PubKey)
	case a.opt.Sample:
		me, err := sampleReader(ctx, a.notes)
		if err != nil {
			return fmt.Errorf("sample: %w", err)
		}
		a.setMe(me)
	case a.opt.Settings.Person.Key != "":
		key, err := account.Parse(a.opt.Settings.Person.Key)
		if err != nil {
			return fmt.Errorf("settings, [person] key: %w", err)
		}
		a.setMe(key.PubKey)
	default:
		var hex string
		if err := a.state.Load(ctx, keyPerson, &hex); err != nil || hex == "" {
			return err
		}
		me, err := nostr.ParsePubKey(hex)
		if err != nil {
			return fmt.Errorf("reading the saved person: %w", err)
		}
		a.setMe(me)
	}
	return nil
}

// Resolve parses a key in any form. The NIP-05 name of a person in the store is found
// there, so that it works offline; otherwise its domain is asked.
func (a *App) Resolve(ctx context.Context, text string) (account.Key, error) {
	return account.Resolve(ctx, a.web(), text)
}

// web returns what names are looked up with: never on this computer or network, since
// anybody can make up a name that leads there.
func (a *App) web() account.Fetcher {
	if a.opt.web != nil {
		return a.opt.web
	}
	return netsafe.New(netsafe.Policy{})
}

// readAs makes a person the account from now on.
func (a *App) readAs(ctx context.Context, me nostr.PubKey) error {
	a.setMe(me)
	return a.state.Save(ctx, keyPerson, me.String())
}

// nameInSettings writes a person into the settings if these name an account: they take
// precedence over what is saved in the store.
func (a *App) nameInSettings(me nostr.PubKey) error {
	named := a.Settings().Person.Key
	if named == "" || named == me.Npub() {
		return nil
	}
	return a.SaveSettings(func(s *config.Settings) { s.Person.Key = me.Npub() })
}

// Env returns what tools see in a turn that begins now.
func (a *App) Env(ctx context.Context) (*tools.Env, error) {
	last, err := a.LastVisit(ctx)
	if err != nil {
		return nil, err
	}
	return &tools.Env{
		Store:     a.notes,
		Me:        a.Me(),
		Now:       a.opt.Now,
		Zone:      a.opt.Zone,
		LastVisit: last,
		Evidence: func(ctx context.Context, pk nostr.PubKey) (coverage.Evidence, error) {
			return notesync.Evidence(ctx, a.notes, pk)
		},
		Presented: &tools.Presented{},
		Kept:      &tools.Kept{},
	}, nil
}
