package shell

import (
	"context"
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/layout"
	"bowerbird/ui/note"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// Widths of the window's parts, in points.
const (
	foldBelow   float32 = 900 // narrower, the column folds away
	leastColumn float32 = 300
	leastMain   float32 = 400
	dividerGrab float32 = 6
)

// frame lays the window out: rail, column, main part, with the status line below both. The
// border between column and main part can be dragged.
type frame struct {
	layout.Arranged

	rail, status fyne.CanvasObject
	column, main *fyne.Container // what they hold changes
	hasColumn    bool
	wantColumn   float32 // the user's width
	divider      *divider

	// folded is called when the window becomes wide or narrow.
	folded func(wide bool)
	// dragged receives the column's width after the user has changed it.
	dragged func(width float32)

	wide, measured                   bool
	railGround, columnGround, ground fyne.CanvasObject
	lines                            [3]fyne.CanvasObject
}

func newFrame(rail, status fyne.CanvasObject, columnWidth float32) *frame {
	f := &frame{
		rail: rail, status: status, wantColumn: columnWidth,
		column: widgets.NewFill(), main: widgets.NewFill(),
		railGround: widgets.NewGround(theme.Rail), columnGround: widgets.NewGround(theme.Background), ground: widgets.NewGround(theme.Surface),
		lines: [3]fyne.CanvasObject{widgets.NewRule(), widgets.NewRule(), widgets.NewRule()},
	}
	f.divider = &divider{frame: f}
	f.divider.ExtendBaseWidget(f.divider)
	f.Objects = []fyne.CanvasObject{
		f.railGround, f.columnGround, f.ground, f.rail, f.column, f.main, f.status,
		f.lines[0], f.lines[1], f.lines[2], f.divider,
	}
	f.Arrange, f.Least = f.place, leastWidth
	f.ExtendBaseWidget(f)
	return f
}

// columnWidth limits the wanted width to what the window has space for.
func (f *frame) columnWidth(window float32) float32 {
	most := window - theme.Eased(theme.RailWidth) - leastMain
	return max(leastColumn, min(f.wantColumn, most))
}

// show puts a column (nil for none) and a main part into the frame.
func (f *frame) show(column, main fyne.CanvasObject) {
	f.hasColumn = column != nil
	put(f.column, column)
	put(f.main, main)
	f.Refresh()
}

// put makes o the only object of a container.
func put(c *fyne.Container, o fyne.CanvasObject) {
	switch {
	case o == nil:
		c.Objects = nil
	case len(c.Objects) == 1 && c.Objects[0] == o:
		return
	default:
		c.Objects = []fyne.CanvasObject{o}
	}
	c.Refresh()
}

// The smallest window.
const (
	leastWidth  float32 = 480
	leastHeight float32 = 600
)

func (f *frame) place(width float32, place layout.Put) float32 {
	if place == nil {
		return leastHeight
	}
	height := f.Size().Height
	if wide := width >= foldBelow; wide != f.wide || !f.measured {
		f.wide, f.measured = wide, true
		if f.folded != nil {
			f.folded(wide)
		}
	}
	x := theme.Eased(theme.RailWidth)
	place(f.railGround, 0, 0, x-1, height)
	place(f.rail, 0, 0, x-1, height)
	place(f.lines[0], x-1, 0, 1, height)
	for _, o := range []fyne.CanvasObject{f.column, f.lines[1], f.divider} {
		widgets.SetVisible(o, f.hasColumn)
	}
	status := max(theme.StatusHeight, layout.HeightFor(f.status, width-x))
	upper := height - status
	place(f.columnGround, x, 0, width-x, height)
	place(f.lines[2], x, upper, width-x, 1)
	place(f.status, x, upper+1, width-x, status-1)
	if f.hasColumn {
		w := f.columnWidth(width)
		place(f.column, x, 0, w-1, upper)
		place(f.lines[1], x+w-1, 0, 1, upper)
		place(f.divider, x+w-dividerGrab/2, 0, dividerGrab, upper)
		x += w
	}
	place(f.ground, x, 0, width-x, upper)
	place(f.main, x, 0, width-x, upper)
	return height
}

// divider is the border between column and main part, which can be dragged.
type divider struct {
	widget.BaseWidget
	frame *frame
}

// CreateRenderer implements [fyne.Widget]. The divider is seen by its cursor only.
func (d *divider) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRectangle(color.Transparent))
}

// Dragged implements [fyne.Draggable].
func (d *divider) Dragged(e *fyne.DragEvent) {
	f := d.frame
	f.wantColumn = f.columnWidth(f.Size().Width) + e.Dragged.DX
	f.wantColumn = f.columnWidth(f.Size().Width) // within its bounds
	f.Refresh()
}

// DragEnd implements [fyne.Draggable].
func (d *divider) DragEnd() { d.frame.dragged(d.frame.wantColumn) }

// Cursor implements [desktop.Cursorable].
func (d *divider) Cursor() desktop.Cursor { return desktop.HResizeCursor }

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
	avatar := widgets.NewAvatar(key, railAvatar)
	avatar.SetPicture(picture)
	a := widgets.Named("rail.account", widgets.NewTappable(avatar, func() { r.shell.OpenSettings("account") }))
	a.Look = func() widgets.Look { return widgets.Look{Radius: theme.Eased(railAvatar / 2), Ring: 3} } // round as the face
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

// railAvatar is the side of the account's face on the rail, in points; railFace that of its
// picture in pixels.
const (
	railAvatar = 34
	railFace   = 2 * railAvatar
)

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
