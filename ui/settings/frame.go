package settings

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// Measures of the screen, in points.
const (
	foldBelow  float32 = 700 // narrower, the list becomes a picker above
	listSides  float32 = 54  // of the list, beside its words
	listWords  float32 = 150
	pageSide   float32 = 40
	pageNarrow float32 = 16
	pageTop    float32 = 26
	pageWidest float32 = 760
)

// frame is the list of pages with the open page beside it; in a narrow window a menu above
// it.
type frame struct {
	layout.Arranged
	choose  func(name string)
	entries []entry
	rows    map[string]*row
	list    fyne.CanvasObject
	line    fyne.CanvasObject
	picker  *widgets.Picker
	head    fyne.CanvasObject // with the picker
	scroll  *widgets.Scroll
	page    *fyne.Container  // shown now
	margins *layout.Arranged // around page
}

func newFrame(entries []entry, choose func(name string)) *frame {
	f := &frame{choose: choose, entries: entries, rows: map[string]*row{}}
	title := widgets.NewLabel(lang.L("Settings"), theme.Title, theme.Text)
	title.Bold = true
	list := []fyne.CanvasObject{layout.Pad(layout.Insets{Top: 4, Bottom: 12, Left: 12}, title)}
	for _, e := range entries {
		r := newRow(e.title, func() { choose(e.name) })
		r.tap.ID = "settings." + e.name
		f.rows[e.name] = r
		list = append(list, r.tap)
	}
	f.list = widgets.NewFrame(theme.Background, "", 0, layout.Pad(layout.Sides(20, 12), layout.Column(2, list...)))
	f.line = widgets.NewFrame(theme.Line, "", 0, layout.Column(0))
	f.picker = widgets.Named("settings.page", widgets.NewPicker("", f.pick))
	small := widgets.NewLabel(lang.L("Settings"), theme.Heading, theme.Text)
	small.Bold = true
	f.head = widgets.NewHead(layout.Parted(8, small, f.picker))
	f.page = layout.Column(0)
	f.margins = margins(f.page)
	f.scroll = widgets.NewScroll(f.margins)
	f.Objects = []fyne.CanvasObject{f.list, f.line, f.head, f.scroll}
	f.Arrange, f.Least = f.arrange, 240
	f.ExtendBaseWidget(f)
	return f
}

// show shows a page from its top.
func (f *frame) show(e entry, content fyne.CanvasObject) {
	for name, r := range f.rows {
		r.mark(name == e.name)
	}
	f.picker.SetText(e.title)
	f.head.Refresh()
	f.page.Objects = []fyne.CanvasObject{content}
	f.scroll.ScrollTo(0)
	f.place()
}

// place lays the page out again: its height may have changed.
func (f *frame) place() {
	f.Refresh()
}

// pick shows the pages in a menu.
func (f *frame) pick() {
	var items []widgets.MenuItem
	for _, e := range f.entries {
		items = append(items, widgets.MenuItem{Text: e.title, Checked: f.rows[e.name].on, Do: func() { f.choose(e.name) }})
	}
	widgets.ShowMenu(f.picker, items...)
}

func (f *frame) arrange(width float32, put layout.Put) float32 {
	if put == nil {
		return 200
	}
	height := f.Size().Height
	wide := width >= (foldBelow+scaled(foldBelow))/2
	widgets.SetVisible(f.list, wide)
	widgets.SetVisible(f.line, wide)
	widgets.SetVisible(f.head, !wide)
	x, y := float32(0), float32(0) // of the page
	if wide {
		x = max(listSides+scaled(listWords), f.list.MinSize().Width)
		put(f.list, 0, 0, x, height)
		put(f.line, x, 0, 1, height)
		x++
	} else {
		y = layout.HeightFor(f.head, width)
		put(f.head, 0, 0, width, y)
	}
	put(f.scroll, x, y, width-x, max(0, height-y))
	return height
}

// row is a page's name in the list.
type row struct {
	tap   *widgets.Tappable
	label *widgets.Label
	on    bool
}

func newRow(title string, tap func()) *row {
	r := &row{label: widgets.NewLabel(title, theme.Body, theme.Text)}
	r.tap = widgets.NewTappable(layout.Pad(layout.Sides(8, 12), r.label), tap)
	return r
}

// mark highlights the row of the open page.
func (r *row) mark(on bool) {
	r.on = on
	r.label.Bold = on
	r.label.SetColor(theme.Text)
	if on {
		r.label.SetColor(theme.Primary)
	}
	r.tap.SetSelected(on)
	r.tap.Refresh()
}

// margins gives a page space at its sides, and a width that can be read well.
func margins(content fyne.CanvasObject) *layout.Arranged {
	return layout.NewArranged(200, func(width float32, put layout.Put) float32 {
		side := pageSide
		if width < 560 {
			side = pageNarrow
		}
		inner := max(1, min(width-2*side, scaled(pageWidest)))
		height := layout.HeightFor(content, inner)
		if put != nil {
			put(content, (width-inner)/2, pageTop, inner, height)
		}
		return height + 2*pageTop
	}, content)
}

// scaled returns a width that grows with the text size.
func scaled(points float32) float32 { return points * theme.Size(theme.Body) / usualBody }

// usualBody is the size of texts, in points, at 100 %.
const usualBody float32 = 14
