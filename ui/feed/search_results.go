package feed

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// personRow is a person among the results; one row shows many, one after another.
type personRow struct {
	layout.Arranged
	person                   present.Profile
	avatar                   *widgets.Avatar
	name, about, mark, notes *widgets.Label
	press                    *widgets.Tappable
}

func newPersonRow(env screen.Env) *personRow {
	r := &personRow{
		avatar: widgets.NewAvatar("", [32]byte{}, theme.Avatar),
		name:   widgets.NewLabel("", theme.Body, theme.Text),
		about:  widgets.NewLabel("", theme.Small, theme.Muted),
		mark:   widgets.NewLabel("", theme.Small, theme.Warn),
		notes:  widgets.NewLabel("", theme.Small, theme.Muted),
	}
	r.name.Bold, r.name.Most = true, 240
	words := layout.Column(2, layout.Row(8, 1, r.name, r.about, r.mark), r.notes)
	r.press = widgets.NewTappable(
		layout.Pad(layout.Sides(10, theme.ColumnPadding), layout.Row(12, 1, r.avatar, words)),
		func() { env.Go.OpenProfile(r.person.PubKey) })
	r.Objects = []fyne.CanvasObject{layout.Column(0, r.press, widgets.NewRule())}
	r.ExtendBaseWidget(r)
	return r
}

// set shows a person.
func (r *personRow) set(p present.Profile) {
	r.person = p
	r.press.ID = "person:" + p.PubKey.String()[:8]
	r.avatar.Set(p.Name, p.PubKey)
	r.name.SetText(p.Name)
	about := p.Handle
	if p.Followed {
		about = joined(about, lang.L("you follow"))
	}
	r.about.SetText(about)
	r.mark.SetText(p.Mark)
	r.notes.SetText(joined(lang.N("{{.Number}} notes", int(p.Notes.N), map[string]any{"Number": p.Notes.Text}), firstLine(p.About)))
	r.Refresh() // the name makes room
}

// Tapped implements fyne.Tappable: Enter on the row opens the person.
func (r *personRow) Tapped(e *fyne.PointEvent) { r.press.Tapped(e) }

// searchNavigator opens results, and tells the search of it.
type searchNavigator struct {
	screen.Navigator
	search *Search
}

func (n searchNavigator) OpenThread(id nostr.ID) {
	n.search.edited = false
	n.Navigator.OpenThread(id)
}

func (n searchNavigator) OpenProfile(pk nostr.PubKey) {
	n.search.edited = false
	n.Navigator.OpenProfile(pk)
}

func (n searchNavigator) OpenArticle(id nostr.ID) {
	n.search.edited = false
	n.Navigator.OpenArticle(id)
}
