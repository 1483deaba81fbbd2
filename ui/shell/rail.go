package shell

import (
	"context"
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/layout"
	"bowerbird/ui/note"
	"bowerbird/ui/present"
	"bowerbird/ui/widgets"
)

// rail is the strip of icons at the left: the places, and the account.
type rail struct {
	content *layout.Arranged
	items   map[place]*widgets.IconButton
	avatar  *fyne.Container
	shell   *Shell
}

func newRail(s *Shell) *rail {
	r := &rail{shell: s, items: map[place]*widgets.IconButton{}, avatar: layout.Column(0)}
	item := func(icon, tip string, p place) fyne.CanvasObject {
		b := widgets.Named("rail."+string(p), widgets.NewIconButton(icon, tip, func() { s.enter(p) }))
		b.Side = 44
		r.items[p] = b
		return b
	}
	upper := layout.Column(6,
		layout.Pad(layout.Sides(14, 0), container.NewCenter(widgets.NewLogo(34))),
		container.NewCenter(item("assistant", lang.L("Assistant"), assistant)),
		container.NewCenter(item("home", lang.L("Home"), home)),
		container.NewCenter(item("search", lang.L("Search"), search)),
	)
	lower := layout.Column(6,
		container.NewCenter(item("relays", lang.L("Relays"), relays)),
		container.NewCenter(item("settings", lang.L("Settings"), settings)),
		layout.Pad(layout.Insets{Top: 2, Bottom: 14}, container.NewCenter(r.avatar)),
	)
	r.content = layout.NewArranged(0, func(width float32, put layout.Put) float32 {
		if put != nil {
			high := layout.HeightFor(lower, width)
			put(upper, 0, 0, width, layout.HeightFor(upper, width))
			put(lower, 0, r.content.Size().Height-high, width, high)
		}
		return 400
	}, upper, lower)
	return r
}

// mark highlights the place that is shown.
func (r *rail) mark(at place) {
	for p, b := range r.items {
		b.SetSelected(p == at)
	}
}

// showAccount puts the account's avatar at the foot of the rail; picture may be nil.
func (r *rail) showAccount(name string, key [32]byte, picture image.Image) {
	avatar := widgets.NewAvatar(key, 34)
	avatar.SetPicture(picture)
	a := widgets.Named("rail.account", widgets.NewTappable(avatar, func() { r.shell.OpenSettings("account") }))
	a.Tip = lang.L("Account: {{.Name}}", map[string]any{"Name": name})
	r.avatar.Objects = []fyne.CanvasObject{a}
	r.content.Refresh() // its height changes its place
}

// followAccount keeps the account in the rail up to date with its profile.
func (s *Shell) followAccount() {
	ses := s.session
	if ses.endAccount != nil {
		ses.endAccount() // of the account before
	}
	ctx, end := context.WithCancel(ses.ctx)
	ses.endAccount = end
	sub := ses.app.Notes().Subscribe(ctx, nostr.Filter{Kinds: []uint16{0}, Authors: []nostr.PubKey{ses.app.Me()}})
	go func() {
		for range sub {
			s.do.Do(s.showAccount)
		}
	}()
	s.showAccount()
}

// railFace is the size of the account's picture in pixels: twice its size on the rail.
const railFace = 68

// showAccount shows the account in the rail: a pattern, or its picture if pictures of
// followed people load automatically.
func (s *Shell) showAccount() {
	ses := s.session
	if ses == nil {
		return
	}
	pictures := s.showsFollowed()
	s.do.Go(func() func() {
		me := ses.app.Me()
		profile, err := ses.app.Notes().Profile(ses.ctx, me)
		if err != nil {
			profile = nostr.Profile{PubKey: me}
		}
		var face image.Image
		if pictures && profile.Picture != "" {
			if img, err := ses.app.Pictures().Load(ses.ctx, profile.Picture); err == nil {
				face = note.Small(img, railFace)
			}
		}
		return func() {
			if s.session == ses && ses.app.Me() == me {
				s.rail.showAccount(present.Name(profile), me, face)
			}
		}
	})
}
