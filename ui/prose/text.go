package prose

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/theme"
)

// minWidth limits the minimum width of a [Text], in points.
const minWidth = 120

// Text is wrapped text. Its fields may be set before it is shown, or followed by Refresh.
// Its methods are called on the window's thread.
//
// Only its links take mouse and keyboard events, so that it can be part of a card that is
// clicked as a whole; a Selectable text takes them too.
type Text struct {
	widget.BaseWidget

	// ID names the text in the dump of rectangles; "" leaves it out.
	ID string
	// MaxLines is the number of lines shown at most, with an ellipsis if there is more
	// text; 0 shows up to 2,000.
	MaxLines int
	// Align aligns the lines. A paragraph that begins with right-to-left letters is at the
	// right, unless it is centred.
	Align fyne.TextAlign
	// Selectable lets the mouse select text and Ctrl+C copy it.
	Selectable bool
	// More returns further items for the menu of a Selectable text.
	More func() []*fyne.MenuItem

	spans []Span
	flow  *flow
	scale float32    // the theme's body size when flow was made
	memo  [2]laid    // at the two widths asked for last
	width float32    // of the last Resize or, before that, HeightFor
	sel   *selection // of a Selectable text
}

// laid is the result of a layout at a width.
type laid struct {
	width float32
	limit int
	lines []line
	cut   bool
	ok    bool
}

// New returns a text that consists of spans.
func New(spans ...Span) *Text {
	t := &Text{spans: spans}
	t.ExtendBaseWidget(t)
	return t
}

// Plain returns a text in one size and colour; "" is theme.Body and theme.Text.
func Plain(text string, size fyne.ThemeSizeName, color fyne.ThemeColorName) *Text {
	return New(Span{Text: text, Size: size, Color: color})
}

// SetSpans replaces the spans and reuses the objects that they are drawn with.
func (t *Text) SetSpans(spans ...Span) {
	t.spans = spans
	t.flow = nil
	if t.sel != nil {
		t.sel.clear()
	}
	t.Refresh()
}

// Spans returns the spans. The caller must not change them.
func (t *Text) Spans() []Span { return t.spans }

// String returns the text without its styles.
func (t *Text) String() string {
	var b strings.Builder
	for _, s := range t.spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

// DumpName returns the text's ID.
func (t *Text) DumpName() string { return t.ID }

// HeightFor implements layout.Heighter.
func (t *Text) HeightFor(width float32) float32 {
	if t.width == 0 {
		t.width = width
	}
	return float32(len(t.layOut(width).lines)) * t.flow.line
}

// Cut reports whether MaxLines leaves something out at a width.
func (t *Text) Cut(width float32) bool { return t.layOut(width).cut }

// NaturalWidth returns the width of the longest line that the text has at limit: for what
// is as wide as its text, such as a bubble.
func (t *Text) NaturalWidth(limit float32) float32 {
	var w float32
	for _, l := range t.layOut(limit).lines {
		w = max(w, l.w)
	}
	return min(limit, w+slack)
}

// LeastWidth returns the width of the longest word, at most limit.
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

const leastAtoms = 1_000 // that LeastWidth looks at

// MinSize has a small width, and the height for the width given last.
func (t *Text) MinSize() fyne.Size {
	w := t.ready().widest(minWidth)
	if t.width > 0 {
		return fyne.NewSize(w, t.HeightFor(t.width))
	}
	return fyne.NewSize(w, t.HeightFor(minWidth))
}

// Resize implements fyne.CanvasObject.
func (t *Text) Resize(size fyne.Size) {
	t.width = size.Width
	t.BaseWidget.Resize(size)
}

// ready makes the flow if the spans or the theme's sizes have changed.
func (t *Text) ready() *flow {
	body := theme.Size(theme.Body)
	if t.flow == nil || t.scale != body {
		t.flow, t.scale = newFlow(t.spans), body
		t.memo = [2]laid{}
	}
	return t.flow
}

// layOut returns the lines at a width. It remembers two layouts, because a list measures
// and draws at one width, with another one now and then between them.
func (t *Text) layOut(width float32) *laid {
	f := t.ready()
	if width <= 0 {
		return &laid{} // not yet placed: each line would be one letter long
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
