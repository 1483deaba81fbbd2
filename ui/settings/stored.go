package settings

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// storedRow is a line of what is kept: what, and at the right edge how much. Where
// that would break a word in two it stands below.
type storedRow struct {
	widget.BaseWidget
	what   *prose.Text
	figure *widgets.Label
}

func newStoredRow(r present.StorageRow, color fyne.ThemeColorName) *storedRow {
	figure := r.Count + r.Size
	if r.Count != "" && r.Size != "" {
		figure = r.Count + " · " + r.Size
	}
	s := &storedRow{what: prose.Plain(r.What, theme.Body, color), figure: widgets.NewLabel(figure, theme.Body, color)}
	s.ExtendBaseWidget(s)
	return s
}

// place lays out and returns the height; with move false it only measures.
func (s *storedRow) place(width float32, move bool) float32 {
	const gap = 8
	figure := s.figure.MinSize()
	left := width - figure.Width - gap
	y := max(0, (s.what.HeightFor(1_000)-figure.Height)/2)
	stacked := left < s.what.LeastWidth(width)
	if stacked {
		left = width
	}
	height := s.what.HeightFor(left)
	if stacked {
		y = height
	}
	if move {
		s.what.Move(fyne.Position{})
		s.what.Resize(fyne.NewSize(left, height))
		s.figure.Move(fyne.NewPos(width-figure.Width, y))
		s.figure.Resize(figure)
	}
	return max(height, y+figure.Height)
}

// HeightFor implements layout.Heighter.
func (s *storedRow) HeightFor(width float32) float32 { return s.place(width, false) }

// CreateRenderer implements fyne.Widget.
func (s *storedRow) CreateRenderer() fyne.WidgetRenderer { return &storedRenderer{s} }

type storedRenderer struct{ s *storedRow }

func (r *storedRenderer) Layout(size fyne.Size) { r.s.place(size.Width, true) }
func (r *storedRenderer) MinSize() fyne.Size    { return fyne.NewSize(80, r.s.figure.MinSize().Height) }
func (r *storedRenderer) Destroy()              {}

func (r *storedRenderer) Refresh() {
	r.Layout(r.s.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

func (r *storedRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.s.what, r.s.figure}
}
