package chat

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// composer is the field to ask in, with the pickers of the scope and the model.
type composer struct {
	screen *Screen
	entry  *widgets.Entry
	rows   int
	scope  *widgets.Picker
	model  *widgets.Picker
	hint   *widgets.Label
	send   *widgets.Button
	stop   *widgets.Button
	width  float32 // of the card, as it was laid out last
	inline bool    // likewise: all in one line
	narrow bool    // likewise: the pickers have little space
	box    fyne.CanvasObject
}

// mostLines is how many lines the field grows to before it scrolls.
const mostLines = 8

func newComposer(s *Screen) *composer {
	c := &composer{screen: s, entry: widgets.NewTextEntry(lang.L("Ask about your notes"), 0), rows: 1}
	c.entry.ID = "chat.entry"
	c.entry.Scroll = fyne.ScrollVerticalOnly
	c.entry.OnChanged = func(string) { c.grow(); c.say() }
	c.entry.OnFull = func() {
		s.env.Go.Toast(lang.L("A question has at most {{.Count}} characters; the rest is left out.", in("Count", inWords().Number(len([]rune(c.entry.Text))+c.entry.Left()))), "", nil)
	}
	c.entry.OnSubmitted = func(string) { c.ask() }
	c.entry.OnKey = c.key
	c.scope = widgets.Named("chat.scope", widgets.NewPicker("", func() { s.chooseScope(c.scope) }))
	c.model = widgets.Named("chat.model", widgets.NewPicker("", func() { s.chooseModel(c.model) }))
	c.hint = widgets.NewLabel(lang.L("Enter to send"), theme.Tiny, theme.Muted)
	c.send = widgets.Named("chat.send", widgets.NewButton(lang.L("Send"), widgets.Primary, c.ask))
	c.stop = widgets.Named("chat.stop", widgets.NewButton(lang.L("Stop"), widgets.Outline, s.stopAnswer))
	c.stop.Hide()
	pickers := layout.Wrap(8, c.scope, c.model)
	tools := layout.NewArranged(200, func(width float32, put layout.Put) float32 { return c.tools(pickers, width, put) }, pickers, c.hint, c.send, c.stop)
	c.box = widgets.NewEntryCard(c.entry, func(bare fyne.CanvasObject) fyne.CanvasObject {
		return layout.NewArranged(200, func(width float32, put layout.Put) float32 { return c.place(bare, tools, width, put) }, bare, tools)
	})
	c.say()
	return c
}

// The measures of the card: the spaces within it, how high it is as one line, and what
// the field keeps of that.
const (
	cardSide, cardTop, cardBottom, cardGap float32 = 14, 8, 12, 4
	lineHigh, leastField                   float32 = 46, 160
	narrowCard                             float32 = 460
)

// place puts the field above the tools, or all in one line.
func (c *composer) place(bare, tools fyne.CanvasObject, width float32, put layout.Put) float32 {
	inside := width - 2*cardSide
	field := c.lineField(width)
	high := layout.HeightFor(bare, inside)
	if put != nil {
		c.width, c.inline = width, field > 0
		if narrow := width < narrowCard; narrow != c.narrow {
			c.narrow = narrow
			c.screen.env.Do.Post("chat.pickers", c.screen.drawPickers) // not while it is laid out
		}
	}
	if field == 0 {
		below := layout.HeightFor(tools, inside)
		if put != nil {
			put(bare, cardSide, cardTop, inside, high)
			put(tools, cardSide, cardTop+high+cardGap, inside, below)
		}
		return cardTop + high + cardGap + below + cardBottom
	}
	rest := inside - field
	below := layout.HeightFor(tools, rest)
	tall := max(lineHigh, high+cardTop, below+cardTop)
	if put != nil {
		put(bare, cardSide, (tall-high)/2, field, high)
		put(tools, cardSide+field, (tall-below)/2, rest+cardSide-cardTop, below)
	}
	return tall
}

// lineField returns the width of the field if everything fits into one line, else 0. An
// empty chat and an edited question always get the larger field.
func (c *composer) lineField(width float32) float32 {
	if len(c.screen.open.turns) == 0 || c.screen.editing > 0 {
		return 0
	}
	button := max(c.send.MinSize().Width, c.stop.MinSize().Width)
	field := width - 2*cardSide - pickersWidth(c.scope, c.model) - button - 2*cardGap
	if field < theme.Scaled(leastField) || c.lines(field) > 1 {
		return 0
	}
	return field
}

// settle lays the composer out again if it now fits into one line, or no longer does.
func (c *composer) settle() {
	if c.width > 0 && c.inline != (c.lineField(c.width) > 0) {
		c.screen.arrange()
	}
}

// tools places the pickers at the left and the button at the right, with the hint between
// them if it fits.
func (c *composer) tools(pickers fyne.CanvasObject, width float32, put layout.Put) float32 {
	button := fyne.CanvasObject(c.send)
	if c.stop.Visible() {
		button = c.stop
	}
	size := button.MinSize()
	hint := c.hint.MinSize()
	const gap = 8
	left := width - size.Width - gap
	showHint := pickersWidth(c.scope, c.model)+gap+hint.Width <= left-gap
	if showHint {
		left -= hint.Width + gap
	}
	if max(c.scope.MinSize().Width, c.model.MinSize().Width) > left { // the button below them
		pickersHigh := layout.HeightFor(pickers, width)
		if put != nil {
			c.hint.Hidden = true
			put(pickers, 0, 0, width, pickersHigh)
			put(button, width-size.Width, pickersHigh+gap, size.Width, size.Height)
		}
		return pickersHigh + gap + size.Height
	}
	pickersHigh := layout.HeightFor(pickers, left)
	high := max(size.Height, pickersHigh)
	if put != nil {
		put(pickers, 0, (high-pickersHigh)/2, left, pickersHigh)
		put(button, width-size.Width, high-size.Height, size.Width, size.Height)
		if c.hint.Hidden = !showHint; showHint {
			put(c.hint, width-size.Width-gap-hint.Width, high-size.Height/2-hint.Height/2, hint.Width, hint.Height)
		}
	}
	return high
}

func pickersWidth(objects ...fyne.CanvasObject) float32 {
	var sum float32
	for _, o := range objects {
		sum += o.MinSize().Width + 8
	}
	return sum
}

// grow makes the field as high as its text, up to mostLines.
func (c *composer) grow() {
	lines := 1
	if c.width > 0 && c.lineField(c.width) == 0 {
		lines = min(c.lines(c.width-2*cardSide), mostLines)
	}
	if lines != c.rows {
		c.rows = lines
		c.entry.SetMinRowsVisible(lines)
		c.screen.arrange()
	}
	c.settle()
}

func (c *composer) ask() {
	text := strings.TrimSpace(c.entry.Text)
	if text != "" {
		c.screen.askTyped(text)
	}
}

func (c *composer) setText(text string) {
	c.entry.SetText(text)
	c.entry.CursorRow = strings.Count(text, "\n")
	c.entry.CursorColumn = len([]rune(text[strings.LastIndexByte(text, '\n')+1:]))
	c.entry.Refresh()
	c.grow()
}

// placeholders are the placeholders in the questions that the built-in offers as patterns.
var placeholders = []string{"NAME", "note1…"}

// selectPlaceholder selects the first placeholder in the text, so that typing replaces it.
func (c *composer) selectPlaceholder() {
	for _, placeholder := range placeholders {
		before, _, found := strings.Cut(c.entry.Text, placeholder)
		if !found || strings.Contains(before, "\n") {
			continue
		}
		c.entry.CursorRow, c.entry.CursorColumn = 0, utf8.RuneCountInString(before)
		shift := &fyne.KeyEvent{Name: desktop.KeyShiftLeft}
		c.entry.KeyDown(shift)
		for range utf8.RuneCountInString(placeholder) {
			c.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
		}
		c.entry.KeyUp(shift)
		return
	}
}

// running shows Stop in place of Send, or Send again.
func (c *composer) running(yes bool) {
	if c.stop.Visible() == yes {
		return
	}
	c.stop.Hidden, c.send.Hidden = !yes, yes
	c.say()
	c.box.Refresh() // the hint may be the same
}

// nearFull is how many characters the field still takes when it begins to say so.
const nearFull = 400

// say updates the hint about Enter and Escape, or about how much still fits, and whether there
// is something to send.
func (c *composer) say() {
	text, color := lang.L("Enter to send"), theme.Muted
	left := c.entry.Left()
	able(c.send, strings.TrimSpace(c.entry.Text) != "")
	switch {
	case left < nearFull:
		text, color = lang.N("{{.Count}} characters left", left, in("Count", inWords().Number(left))), theme.Warn
	case c.stop.Visible():
		text = lang.L("Esc to stop")
	case c.screen.editing > 0:
		text = lang.L("Editing · Esc to cancel")
	}
	if text == c.hint.Text() {
		return
	}
	c.hint.SetText(text)
	c.hint.SetColor(color)
	c.box.Refresh()
}

// key handles Escape, which stops the answer, and Up in an empty field, which edits the
// last question.
func (c *composer) key(name fyne.KeyName) bool {
	switch {
	case name == fyne.KeyEscape:
		c.screen.stopAnswer()
	case name == fyne.KeyUp && c.entry.Text == "":
		c.screen.editLast()
	default:
		return false
	}
	return true
}

// lines counts how many lines the text takes at a width, and stops after mostLines.
func (c *composer) lines(width float32) int {
	wide := func(s string) float32 { return fyne.MeasureText(s, theme.Size(theme.Body), fyne.TextStyle{}).Width }
	free := max(width-2*fieldPadding, 40)
	n := 0
	for line := range strings.SplitSeq(c.entry.Text, "\n") {
		n++
		var at float32
		for word := range strings.SplitAfterSeq(line, " ") {
			if w := wide(strings.TrimRight(word, " ")); at+w > free {
				if at > 0 { // the word goes to the next line
					n, at = n+1, 0
				}
				n += int(w / free) // and is broken where it does not fit either
			}
			if at += wide(word); n > mostLines {
				return n
			}
		}
	}
	return n
}

// fieldPadding is the space around the field's text.
const fieldPadding float32 = 5
