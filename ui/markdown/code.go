package markdown

import (
	"image/color"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

const (
	maxCodeLines = 400 // that are drawn; all of a block can be copied
	maxCodeRunes = 400 // of a line

	codePad  = 12 // around the lines, in points
	codeHead = 30 // the height of the line with the language, in points
)

// code draws a block of code: its language, a button that copies it, its lines.
type code struct {
	layout.Arranged
	block Block
	back  *canvas.Rectangle
	lang  *widgets.Label
	copy  *widgets.IconButton
	lines *codeLines
	side  *sideways
}

func newCode(opt *Options, b Block) *code {
	c := &code{back: canvas.NewRectangle(nil), lines: newCodeLines()}
	c.back.CornerRadius = theme.RadiusButton
	c.lang = widgets.NewLabel("", theme.Tiny, theme.Muted)
	c.copy = widgets.NewIconButton("copy", lang.L("Copy code"), func() { opt.copyText(c.block.Code) })
	c.copy.Side = 26
	c.copy.ID = "code.copy"

	c.side = newSideways(c.lines, opt)
	c.Objects, c.Arrange, c.Least = []fyne.CanvasObject{c.back, c.side, c.lang, c.copy}, c.arrange, 80
	c.Paint = func() { c.back.FillColor = theme.Color(theme.Chip) }
	c.ExtendBaseWidget(c)
	c.set(b)
	return c
}

func (c *code) object() fyne.CanvasObject { return c }

func (c *code) set(b Block) {
	c.block = b
	label := prose.Clean(b.Lang, 24)
	if label == "" {
		label = lang.L("Code")
	}
	c.lang.SetText(label)
	c.lines.set(b.Code)
	c.Refresh()
}

func (c *code) arrange(width float32, put layout.Put) float32 {
	inner, head := width-2*codePad, c.head()
	lines := c.side.HeightFor(inner)
	if put != nil {
		put(c.back, 0, 0, width, head+lines+codePad)
		h, side := c.lang.MinSize().Height, c.copy.MinSize()
		put(c.lang, codePad, (head-h)/2, max(0, inner-side.Width), h)
		put(c.copy, width-side.Width-4, (head-side.Height)/2+1, side.Width, side.Height)
		put(c.side, codePad, head, inner, lines)
	}
	return head + lines + codePad
}

// head returns the height of the line with the language.
func (c *code) head() float32 {
	return max(theme.Eased(codeHead), prose.LineHeight(theme.Size(theme.Tiny))+8)
}

// codeLines draws lines of code, unwrapped.
type codeLines struct {
	layout.Arranged
	lines []string
	more  string  // how many lines are not drawn, in words
	size  float32 // the text size that width was measured at
	width float32
	texts []*canvas.Text // kept for reuse
}

func newCodeLines() *codeLines {
	l := &codeLines{}
	l.Paint = l.paint
	l.Arrange = func(_ float32, put layout.Put) float32 {
		h := prose.LineHeight(theme.Size(theme.Small))
		if put != nil {
			for i, o := range l.Objects {
				s := o.MinSize()
				put(o, 0, float32(i)*h+(h-s.Height)/2, s.Width, s.Height)
			}
		}
		n := len(l.lines)
		if l.more != "" {
			n++
		}
		return float32(n) * h
	}
	l.ExtendBaseWidget(l)
	return l
}

var mono = fyne.TextStyle{Monospace: true}

func (l *codeLines) set(s string) {
	all := strings.Split(strings.TrimRight(s, "\n"), "\n")
	l.more = ""
	if n := len(all) - maxCodeLines; n > 0 {
		all = all[:maxCodeLines]
		l.more = lang.N("… and {{.Count}} more lines", n, map[string]any{"Count": n})
	}
	l.lines = l.lines[:0]
	for _, one := range all {
		l.lines = append(l.lines, strings.ReplaceAll(prose.Clean(one, maxCodeRunes), "\n", " "))
	}
	l.size = 0
	l.Refresh()
}

// natural returns the width of the longest line.
func (l *codeLines) natural() float32 {
	size := theme.Size(theme.Small)
	if l.size == size {
		return l.width
	}
	l.size, l.width = size, 0
	each := fyne.MeasureText("m", size, mono).Width
	for _, one := range l.lines {
		if len(one) == utf8.RuneCountInString(one) {
			l.width = max(l.width, float32(len(one))*each)
		} else {
			l.width = max(l.width, fyne.MeasureText(one, size, mono).Width)
		}
	}
	return l.width
}

func (l *codeLines) MinSize() fyne.Size { return fyne.NewSize(l.natural(), l.HeightFor(0)) }

func (l *codeLines) paint() {
	l.Objects = l.Objects[:0]
	size := theme.Size(theme.Small)
	for i, s := range l.lines {
		l.show(i, s, theme.Color(theme.Text), size)
	}
	if l.more != "" {
		l.show(len(l.lines), l.more, theme.Color(theme.Faint), size)
	}
}

// show draws a line with a text object that an earlier line left.
func (l *codeLines) show(i int, s string, c color.Color, size float32) {
	if i == len(l.texts) {
		l.texts = append(l.texts, &canvas.Text{TextStyle: mono})
	}
	t := l.texts[i]
	t.Text, t.Color, t.TextSize = s, c, size
	l.Objects = append(l.Objects, t)
}
