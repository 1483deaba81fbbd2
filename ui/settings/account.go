package settings

import (
	"context"
	"errors"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// account shows the account, and opens or leaves the sample.
type account struct {
	still
	s      *Screen
	avatar *widgets.Avatar
	name   *prose.Text
	about  *prose.Text
	key    *prose.Text
}

func newAccount(s *Screen) page {
	a := &account{s: s}
	me := s.env.App.Me()
	a.avatar = widgets.NewAvatar(me, 48)
	a.name = prose.Plain(" ", theme.Heading, theme.Text)
	a.name.MaxLines = 1
	a.about = note("")
	a.key = prose.Plain(me.Short(), theme.Small, theme.Faint)
	person := layout.Row(14, 1, a.avatar, layout.Column(1, a.name, a.about, a.key))

	sample := s.env.App.Sample()
	choose := widgets.Named("settings.person", widgets.NewButton(lang.L("Use another account"), widgets.Outline, s.host.ChoosePerson))
	copyKey := widgets.Named("settings.copy-key", widgets.NewButton(lang.L("Copy the key"), widgets.Quiet, func() { s.env.Go.Copy(me.Npub()) }))
	profile := widgets.Named("settings.profile", widgets.NewButton(lang.L("Open the profile"), widgets.Quiet, func() { s.env.Go.OpenProfile(me) }))
	if sample {
		choose = widgets.Named("settings.leave-sample", widgets.NewButton(lang.L("Leave the sample"), widgets.Outline, s.host.LeaveSample))
	}
	actions := layout.Wrap(8, profile, copyKey, choose) // what only looks comes first

	parts := []fyne.CanvasObject{section(lang.L("Current account"), person, actions)}
	if sample {
		parts = append(parts, section(lang.L("The sample"), prose.Plain(lang.L("These notes come with Bowerbird, and the people in them are made up. Leave the sample to use your own account; it stays here, and you can come back."), theme.Body, theme.Muted)))
	} else {
		again := widgets.Named("settings.open-sample", widgets.NewButton(lang.L("Open the sample"), widgets.Outline, s.host.OpenSample))
		parts = append(parts, section(lang.L("The sample"), newField(lang.L("Notes to look around in"), lang.L("They come with Bowerbird and work offline; the people in them are made up. Your own notes stay as they are."), again)))
	}
	parts = append(parts, note(lang.L("Reading needs no password. Signing in, to write notes yourself, comes later.")))
	a.still = still{sheet(lang.L("Account"), parts...), profile}
	return a
}

func (a *account) load() {
	s := a.s
	s.work(func(ctx context.Context) func() {
		me, notes := s.env.App.Me(), s.env.App.Notes()
		name := present.NameIn(ctx, notes, me)
		follows := -1
		if list, err := notes.Contacts(ctx, me); err == nil {
			follows = len(slices.DeleteFunc(list, func(pk nostr.PubKey) bool { return pk == me })) // some name themselves
		} else if !errors.Is(err, ndb.ErrNotFound) {
			return nil
		}
		written, err := notes.Count(ctx, ndb.QueryOptions{}, nostr.Filter{Authors: []nostr.PubKey{me}, Kinds: []uint16{1}})
		if err != nil {
			return nil
		}
		return func() {
			a.avatar.Set(me)
			a.name.SetSpans(prose.Span{Text: present.Isolate(name), Size: theme.Heading, Bold: true})
			a.about.SetSpans(prose.Span{Text: s.env.Words.Reader(written, follows), Size: theme.Small, Color: theme.Muted})
			s.frame.place()
		}
	})
	if s.env.Look.ShowFollowed && s.env.Pictures != nil {
		s.work(a.face)
	}
}

// face loads the account's picture, where those of the people followed are loaded.
func (a *account) face(ctx context.Context) func() {
	env := a.s.env
	profile, err := env.App.Notes().Profile(ctx, env.App.Me())
	if err != nil || profile.Picture == "" {
		return nil
	}
	img, err := env.Pictures.Load(ctx, profile.Picture)
	if err != nil {
		return nil // the pattern stays
	}
	return func() { a.avatar.SetPicture(img) }
}
