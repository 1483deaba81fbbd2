package settings

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
)

// factRow is what is known of a model in one thing: what at the left, and beside it,
// or below where there is little room, what is known and by what.
type factRow struct {
	widget.BaseWidget
	what, text *prose.Text
}

const (
	factWhat  float32 = 120 // how wide the left side is
	factBelow float32 = 400 // narrower, the text stands below
)

func newFactRow(f present.Fact) *factRow {
	spans := []prose.Span{{Text: f.Text, Size: theme.Small, Color: screen.ToneColor(f.Tone, theme.Text)}}
	if f.Why != "" {
		spans = append(spans, prose.Span{Text: "\n" + f.Why, Size: theme.Small, Color: theme.Muted})
	}
	r := &factRow{what: prose.Plain(f.What, theme.Small, theme.Muted), text: prose.New(spans...)}
	r.text.ID = "settings.fact:" + f.ID
	r.ExtendBaseWidget(r)
	return r
}

// place lays out and returns the height; with move false it only measures.
func (r *factRow) place(width float32, move bool) float32 {
	left, at := scaled(factWhat), fyne.Position{}
	what := r.what.HeightFor(left)
	if width < scaled(factBelow) {
		left = width
		what = r.what.HeightFor(left)
		at.Y = what + 1
	} else {
		at.X = left + 12
	}
	text := r.text.HeightFor(width - at.X)
	if move {
		r.what.Move(fyne.Position{})
		r.what.Resize(fyne.NewSize(left, what))
		r.text.Move(at)
		r.text.Resize(fyne.NewSize(width-at.X, text))
	}
	return max(what, at.Y+text)
}

// HeightFor implements layout.Heighter.
func (r *factRow) HeightFor(width float32) float32 { return r.place(width, false) }

// CreateRenderer implements fyne.Widget.
func (r *factRow) CreateRenderer() fyne.WidgetRenderer { return &factRenderer{r} }

type factRenderer struct{ r *factRow }

func (f *factRenderer) Layout(size fyne.Size) { f.r.place(size.Width, true) }
func (f *factRenderer) MinSize() fyne.Size {
	return fyne.NewSize(120, f.r.HeightFor(max(f.r.Size().Width, 240)))
}
func (f *factRenderer) Destroy() {}

func (f *factRenderer) Refresh() {
	f.Layout(f.r.Size())
	for _, o := range f.Objects() {
		o.Refresh()
	}
}

func (f *factRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{f.r.what, f.r.text}
}
