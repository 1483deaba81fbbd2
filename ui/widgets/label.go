package widgets

import (
	"image/color"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/theme"
)

// Label is one line of text, cut with an ellipsis where it does not fit. It costs less than
// a [prose.Text], which wraps.
type Label struct {
	widget.BaseWidget
	ID    string
	Bold  bool
	Align fyne.TextAlign
	// Most limits the minimum width, in points at the usual text size; 0 asks for the whole
	// text.
	Most float32

	text  string
	line  string // the text as one drawable line
	size  fyne.ThemeSizeName
	color fyne.ThemeColorName
}

// NewLabel returns a label.
func NewLabel(text string, size fyne.ThemeSizeName, color fyne.ThemeColorName) *Label {
	l := &Label{text: text, line: lineOf(text), size: size, color: color}
	l.ExtendBaseWidget(l)
	return l
}

// SetText changes the text.
func (l *Label) SetText(text string) {
	if l.text != text {
		l.text, l.line = text, lineOf(text)
		l.Refresh()
	}
}

// SetColor changes the colour.
func (l *Label) SetColor(color fyne.ThemeColorName) {
	if l.color != color {
		l.color = color
		l.Refresh()
	}
}

// Text returns the whole text, also where it is drawn cut.
func (l *Label) Text() string { return l.text }

// DumpName returns the label's ID.
func (l *Label) DumpName() string { return l.ID }

func (l *Label) style() fyne.TextStyle { return fyne.TextStyle{Bold: l.Bold} }

// CreateRenderer implements fyne.Widget.
func (l *Label) CreateRenderer() fyne.WidgetRenderer {
	r := &labelRenderer{l: l, text: canvas.NewText("", color.Black), again: canvas.NewText("", color.Black)}
	r.Refresh()
	return r
}

type labelRenderer struct {
	l     *Label
	text  *canvas.Text
	again *canvas.Text // the same a little to the right: see theme.Embolden
	bold  bool         // again is drawn
}

func (r *labelRenderer) Layout(size fyne.Size) {
	r.text.Text = fit(r.l.line, size.Width, theme.Size(r.l.size), r.l.style())
	r.text.Hidden = size.Width <= 0 // the row has no width left for it
	r.text.FontSource = theme.Source(r.text.Text, r.text.TextSize, r.text.TextStyle)
	h := r.text.MinSize().Height
	y := (size.Height - h) / 2
	if h > r.MinSize().Height {
		y -= r.text.TextSize * 0.07 // the baseline is lower in a taller line
	}
	r.text.Move(fyne.NewPos(0, y))
	r.text.Resize(fyne.NewSize(size.Width, h))
	r.text.Refresh()
	aside := theme.Embolden(r.text.Text, r.text.TextSize, r.text.TextStyle)
	if r.bold = aside > 0 && !r.text.Hidden; !r.bold {
		return
	}
	r.again.Text, r.again.Color, r.again.Alignment = r.text.Text, r.text.Color, r.text.Alignment
	r.again.TextSize, r.again.TextStyle, r.again.FontSource = r.text.TextSize, r.text.TextStyle, r.text.FontSource
	r.again.Move(fyne.NewPos(aside, y))
	r.again.Resize(r.text.Size())
	r.again.Refresh()
}

func (r *labelRenderer) MinSize() fyne.Size {
	size := fyne.MeasureText(r.l.line, theme.Size(r.l.size), r.l.style())
	size.Width, _ = theme.Measure(r.l.line, theme.Size(r.l.size), r.l.style())
	if r.l.Most > 0 {
		size.Width = min(size.Width, theme.Scaled(r.l.Most))
	}
	return size
}

func (r *labelRenderer) Refresh() {
	r.text.Color = theme.Color(r.l.color)
	r.text.TextSize = theme.Size(r.l.size)
	r.text.TextStyle = r.l.style()
	r.text.Alignment = r.l.Align
	r.Layout(r.l.Size())
}

func (r *labelRenderer) Objects() []fyne.CanvasObject {
	if r.bold {
		return []fyne.CanvasObject{r.text, r.again}
	}
	return []fyne.CanvasObject{r.text}
}

func (r *labelRenderer) Destroy() {}

// lineOf returns the part of a text that a line can show: no more than fits any window,
// without characters that would be drawn as a box or break the line.
func lineOf(text string) string {
	const most = 400 // characters
	n := 0
	return strings.Map(func(r rune) rune {
		if n++; n > most {
			return -1
		}
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text[:min(len(text), most*utf8.UTFMax)])
}

// fit cuts a text to a width, with an ellipsis. It measures a logarithmic number of times.
func fit(text string, width, size float32, style fyne.TextStyle) string {
	wide := func(s string) float32 { w, _ := theme.Measure(s, size, style); return w }
	if width <= 0 || wide(text) <= width+0.5 {
		return text
	}
	runes := []rune(text)
	if wide("…") > width {
		return ""
	}
	n := sort.Search(len(runes), func(n int) bool { return wide(string(runes[:n+1])+"…") > width })
	return strings.TrimRight(string(runes[:n]), " ") + "…"
}
