package prose

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/theme"
)

// minWidth is the most that a Text asks for as its smallest width, in points.
const minWidth = 120

// Text is wrapped text. Its fields may be set before it is shown, or with a Refresh
// behind it; its methods are called on the window's thread.
//
// It takes no mouse or keyboard events itself, so that a card that is clicked as a
// whole can hold it; its links do, and so does all of it when it is Selectable.
type Text struct {
	widget.BaseWidget

	// ID names the text in the dump of rectangles; "" leaves it out.
	ID string
	// MaxLines is how many lines are shown at most, the last one with an ellipsis
	// when text is left over; 0 is all, up to 2,000.
	MaxLines int
	// Align places the lines. A paragraph that begins with letters written to the
	// left stands at the right unless it is centred.
	Align fyne.TextAlign
	// Selectable lets the mouse mark text and Ctrl+C copy it.
	Selectable bool
	// More are further items of the menu of a Selectable text, below "Copy".
	More func() []*fyne.MenuItem

	spans []Span
	flow  *flow
	scale float32    // the theme's body size that flow was made at
	memo  [2]laid    // the widths asked for last
	width float32    // that of the last Resize or, before it, HeightFor
	sel   *selection // of a selectable text
}

// laid is the outcome of laying out at a width.
type laid struct {
	width float32
	limit int
	lines []line
	cut   bool
	ok    bool
}

// New returns a text of spans.
func New(spans ...Span) *Text {
	t := &Text{spans: spans}
	t.ExtendBaseWidget(t)
	return t
}

// Plain returns a text of one size and colour; "" is theme.Body and theme.Text.
func Plain(text string, size fyne.ThemeSizeName, color fyne.ThemeColorName) *Text {
	return New(Span{Text: text, Size: size, Color: color})
}

// SetSpans shows other spans. What it is drawn with is used again.
func (t *Text) SetSpans(spans ...Span) {
	t.spans = spans
	t.flow = nil
	if t.sel != nil {
		t.sel.clear()
	}
	t.Refresh()
}

// Spans returns what is shown. It must not be changed.
func (t *Text) Spans() []Span { return t.spans }

// String returns the text without its looks.
func (t *Text) String() string {
	var b strings.Builder
	for _, s := range t.spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

// DumpName names the text in the dump of rectangles.
func (t *Text) DumpName() string { return t.ID }

// HeightFor returns the height at a width: as many lines as are drawn there.
func (t *Text) HeightFor(width float32) float32 {
	if t.width == 0 {
		t.width = width
	}
	return float32(len(t.layOut(width).lines)) * t.flow.line
}

// Cut reports whether MaxLines leaves something out at a width: a reason for
// "show more".
func (t *Text) Cut(width float32) bool { return t.layOut(width).cut }

// NaturalWidth returns the width of the longest line if none is wrapped, at most
// limit: for what is as wide as its text, a bubble or a cell.
func (t *Text) NaturalWidth(limit float32) float32 {
	var w float32
	for _, l := range t.layOut(limit).lines {
		w = max(w, l.w)
	}
	return min(limit, w+slack)
}

// LeastWidth returns the width of the longest word, at most limit: what a column of
// a table needs.
func (t *Text) LeastWidth(limit float32) float32 {
	f := t.ready()
	var w, most float32
	for i := 0; most < limit && f.need(i) && i < leastAtoms; i++ {
		if a := f.atoms[i]; a.kind == word {
			w += a.w
			most = max(most, w)
		}
		if f.atoms[i].brk {
			w = 0
		}
	}
	return min(limit, most+slack)
}

// leastAtoms is how much of a text LeastWidth looks at.
const leastAtoms = 1_000

// MinSize is small in width; its height is that of the width given last.
func (t *Text) MinSize() fyne.Size {
	w := t.ready().widest(minWidth)
	if t.width > 0 {
		return fyne.NewSize(w, t.HeightFor(t.width))
	}
	return fyne.NewSize(w, t.HeightFor(minWidth))
}

// Resize lays the lines out at the width.
func (t *Text) Resize(size fyne.Size) {
	t.width = size.Width
	t.BaseWidget.Resize(size)
}

// ready makes the flow when there is none for the spans and the theme's sizes.
func (t *Text) ready() *flow {
	body := theme.Size(theme.Body)
	if t.flow == nil || t.scale != body {
		t.flow, t.scale = newFlow(t.spans), body
		t.memo = [2]laid{}
	}
	return t.flow
}

// layOut returns the lines at a width. A list measures at one width and draws at
// it, with now and then another one between them: two are remembered.
func (t *Text) layOut(width float32) *laid {
	f := t.ready()
	if width <= 0 {
		return &laid{} // not yet placed: a line would be a letter long
	}
	limit := maxLines
	if t.MaxLines > 0 {
		limit = min(limit, t.MaxLines)
	}
	for i := range t.memo {
		if m := &t.memo[i]; m.ok && m.width == width && m.limit == limit {
			if i > 0 {
				t.memo[0], t.memo[1] = t.memo[1], t.memo[0]
			}
			return &t.memo[0]
		}
	}
	t.memo[1] = t.memo[0]
	m := laid{width: width, limit: limit, ok: true}
	m.lines, m.cut = f.lines(width, limit)
	t.memo[0] = m
	return &t.memo[0]
}
