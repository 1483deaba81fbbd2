package widgets

import (
	"cmp"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

// Style is how much a button asks for attention.
type Style uint8

// The styles: at most one Primary in a place, Outline for the others, Quiet beside text, Danger
// for what cannot be undone.
const (
	Primary Style = iota
	Outline
	Quiet
	Danger
	onDark // on a toast
)

// Button is a button with a label, 34 points high at the usual text size.
type Button struct {
	Press
	label *Label
	style Style
}

// NewButton returns a button.
func NewButton(text string, style Style, tap func()) *Button {
	b := &Button{style: style, label: NewLabel(text, theme.Small, theme.Text)}
	b.label.Bold = true
	b.label.Align = fyne.TextAlignCenter
	b.Press = Press{Tap: tap, Insets: layout.Sides(9, 14), Content: b.label}
	if style == Quiet {
		b.label.Bold = false
		b.Insets = layout.Sides(7, 8)
	}
	if style == onDark {
		b.Insets = layout.Sides(6, 10)
	}
	b.Press.Look = b.paint
	b.ExtendBaseWidget(b)
	return b
}

// SetText changes the label.
func (b *Button) SetText(text string) { b.label.SetText(text) }

// Text returns the label.
func (b *Button) Text() string { return b.label.Text() }

// DumpName returns the button's ID, else its label.
func (b *Button) DumpName() string { return cmp.Or(b.ID, "button:"+b.label.text) }

func (b *Button) paint() Look {
	l := Look{Radius: theme.RadiusButton, Ring: 3}
	text := theme.Text
	switch b.style {
	case Primary:
		l.Fill, l.Hover, l.Down, text = theme.Primary, theme.PrimaryHover, theme.PrimaryDown, theme.OnPrimary
	case Outline:
		l.Fill, l.Line, l.Hover, l.Down = theme.Surface, theme.Line, theme.Chip, theme.ChipDown
	case Quiet:
		l.Hover, l.Down, l.Ring, text = theme.Chip, theme.ChipDown, 0, theme.Muted
	case Danger:
		l.Fill, l.Line, l.Hover, l.Down, text = theme.Surface, theme.Bad, theme.Chip, theme.ChipDown, theme.Bad
	case onDark:
		l.Line, l.Hover, l.Down, text = theme.Faint, theme.Muted, theme.Muted, theme.Background
		l.RingLine, l.Ring = theme.Background, 0
	}
	if b.Disabled() {
		text = theme.Faint
		switch b.style {
		case Primary:
			l.Fill = theme.Chip
		case Danger:
			l.Line = theme.Line
		}
	}
	b.label.SetColor(text)
	return l
}

// IconButton is a button with an icon and a tip that says what it does.
type IconButton struct {
	Press
	Side float32 // width and height in points at the usual text size; set before it is drawn

	icon *Icon
}

// NewIconButton returns an icon button; tip is required.
func NewIconButton(icon, tip string, tap func()) *IconButton {
	b := &IconButton{icon: NewIcon(icon, 20, theme.Muted), Side: 32}
	b.icon.size = theme.Eased
	b.Press = Press{Tap: tap, Tip: tip, Content: container.NewCenter(b.icon)}
	b.Press.Look = func() Look {
		color := theme.Muted
		if b.selected {
			color = theme.Primary
		}
		if b.disabled {
			color = theme.Faint
		}
		b.icon.SetColor(color)
		return Look{Hover: theme.Chip, Down: theme.ChipDown, Radius: theme.RadiusCard, Chosen: theme.PrimarySoft}
	}
	b.ExtendBaseWidget(b)
	return b
}

// SetIcon changes the icon.
func (b *IconButton) SetIcon(name string) { b.icon.SetIcon(name) }

// SetGlyph sets the width and height of the icon itself, in points at the usual text size;
// 20 if it is not called.
func (b *IconButton) SetGlyph(side float32) { b.icon.side = side }

// MinSize implements fyne.CanvasObject.
func (b *IconButton) MinSize() fyne.Size { return fyne.NewSquareSize(theme.Eased(b.Side)) }

// HeightFor implements layout.Heighter.
func (b *IconButton) HeightFor(float32) float32 { return b.MinSize().Height }

// DumpName returns the button's ID, else its tip.
func (b *IconButton) DumpName() string { return cmp.Or(b.ID, "icon:"+b.Tip) }

// Link is a label that leads somewhere.
type Link struct {
	Press
	label *Label
}

// NewLink returns a link.
func NewLink(text string, tap func()) *Link {
	l := &Link{label: NewLabel(text, theme.Small, theme.Primary)}
	l.Press = Press{Tap: tap, Content: l.label}
	l.Press.Look = func() Look {
		return Look{Radius: 4, Hover: theme.PrimarySoft, Down: theme.PrimarySoft, Bleed: 3, Ring: 3}
	}
	l.ExtendBaseWidget(l)
	return l
}

// NewQuietLink returns a link in the muted colour, for use beside a title.
func NewQuietLink(text string, tap func()) *Link {
	l := NewLink(text, tap)
	l.label.SetColor(theme.Muted)
	return l
}

// SetText changes the label.
func (l *Link) SetText(text string) { l.label.SetText(text); l.Refresh() }

// DumpName returns the link's ID, else its label.
func (l *Link) DumpName() string { return cmp.Or(l.ID, "link:"+l.label.text) }

// Chip is a small rounded box with a few words, wrapped to at most four lines where one is
// too narrow.
type Chip struct {
	Press
	label *Label
	lines *prose.Text // instead of the label; nil until first needed
}

// NewChip returns a chip; tap may be nil.
func NewChip(text string, tap func()) *Chip {
	c := &Chip{label: NewLabel(text, theme.Small, theme.Text)}
	c.Press = Press{Tap: tap, Content: c.label, Insets: layout.Sides(6, 11)}
	c.Press.Look = func() Look {
		return Look{Fill: theme.Chip, Line: theme.Line, Hover: theme.ChipHover, Down: theme.ChipDown, Radius: theme.RadiusChip, Ring: 2}
	}
	c.ExtendBaseWidget(c)
	return c
}

// SetLow reduces the chip's height, for a row of short words below a field.
func (c *Chip) SetLow() { c.Insets = layout.Sides(4, 10) }

// suit shows the label, or wrapped lines where the label would be cut at a width.
func (c *Chip) suit(width float32) {
	in := c.pad()
	c.Content = c.label
	if inner := width - in.Left - in.Right; width > 0 && inner < c.label.MinSize().Width {
		if c.lines == nil {
			c.lines = prose.Plain(c.label.line, theme.Small, theme.Text)
			c.lines.MaxLines = 4
		}
		c.Content = c.lines
	}
}

// HeightFor implements layout.Heighter.
func (c *Chip) HeightFor(width float32) float32 {
	c.suit(width)
	return c.Press.HeightFor(width)
}

// MinSize is the size of one line.
func (c *Chip) MinSize() fyne.Size {
	in := c.pad()
	return c.label.MinSize().AddWidthHeight(in.Left+in.Right, in.Top+in.Bottom)
}

// Resize implements fyne.CanvasObject.
func (c *Chip) Resize(size fyne.Size) {
	c.suit(size.Width)
	c.Press.Resize(size)
}

// DumpName returns the chip's ID, else its label.
func (c *Chip) DumpName() string { return cmp.Or(c.ID, "chip:"+c.label.text) }

// Picker is a chip with a chevron that opens a menu.
type Picker struct {
	Press
	label *Label
}

// NewPicker returns a picker. tap opens the menu, usually with ShowMenu.
func NewPicker(text string, tap func()) *Picker {
	return newPicker(text, "chevron-down", theme.Muted, Look{Fill: theme.Chip, Line: theme.Line, Hover: theme.ChipHover, Down: theme.ChipDown}, tap)
}

// NewFilter returns a picker that is in force: tap removes it.
func NewFilter(text, tip string, tap func()) *Picker {
	p := newPicker(text, "close", theme.Primary, Look{Fill: theme.PrimarySoft, Line: theme.PrimarySoft, Hover: theme.ChipHover, Down: theme.ChipDown}, tap)
	p.label.Bold, p.Tip = true, tip
	return p
}

func newPicker(text, icon string, color fyne.ThemeColorName, look Look, tap func()) *Picker {
	p := &Picker{label: NewLabel(text, theme.Small, color)}
	p.label.Most = 300
	p.Press = Press{
		Tap: tap, Insets: layout.Insets{Top: 4, Bottom: 4, Left: 10, Right: 7},
		Content: layout.Row(4, 0, p.label, NewIcon(icon, 14, color)),
	}
	look.Radius, look.Ring = theme.RadiusChip, 2
	p.Press.Look = func() Look { return look }
	p.ExtendBaseWidget(p)
	return p
}

// NewKeyCap shows a key of the keyboard.
func NewKeyCap(key string) fyne.CanvasObject {
	return NewFrame(theme.Surface, theme.Line, 4, layout.Pad(layout.Sides(2, 6), NewLabel(key, theme.Tiny, theme.Muted)))
}

// SetText changes the choice that is shown.
func (p *Picker) SetText(text string) { p.label.SetText(text); p.Refresh() }

// Text returns the choice that is shown.
func (p *Picker) Text() string { return p.label.Text() }

// Tappable makes any content pressable as a whole.
type Tappable struct{ Press }

// NewTappable returns a tappable.
func NewTappable(content fyne.CanvasObject, tap func()) *Tappable {
	t := &Tappable{Press{Tap: tap, Content: content}}
	t.Press.Look = func() Look {
		return Look{Hover: theme.Chip, Down: theme.ChipDown, Chosen: theme.PrimarySoft, Radius: 6}
	}
	t.ExtendBaseWidget(t)
	return t
}

// NewTile returns a [Tappable] for a list without rules: the box under the mouse extends
// beyond the text at both sides.
func NewTile(content fyne.CanvasObject, tap func()) *Tappable {
	t := NewTappable(content, tap)
	t.Press.Look = func() Look {
		return Look{Hover: theme.Chip, Down: theme.ChipDown, Radius: 10, Bleed: 12}
	}
	return t
}

// Icon is an icon of the theme in a theme colour. It grows with the text beside it.
type Icon struct {
	layout.Arranged
	name  string
	side  float32
	size  func(points float32) float32 // scales side with the text
	color fyne.ThemeColorName
}

// NewIcon returns an icon, side points wide and high at the usual text size.
func NewIcon(name string, side float32, color fyne.ThemeColorName) *Icon {
	i := &Icon{name: name, side: side, size: theme.Scaled, color: color}
	image := &canvas.Image{FillMode: canvas.ImageFillContain}
	i.Objects = []fyne.CanvasObject{image}
	i.Paint = func() { image.Resource = theme.IconIn(i.name, i.color) }
	i.Arrange = func(width float32, put layout.Put) float32 {
		if put != nil {
			put(image, 0, 0, width, i.Size().Height)
		}
		return i.size(i.side)
	}
	i.ExtendBaseWidget(i)
	return i
}

// SetIcon changes the icon.
func (i *Icon) SetIcon(name string) { i.name = name; i.Refresh() }

// SetColor changes the colour.
func (i *Icon) SetColor(color fyne.ThemeColorName) {
	if i.color != color {
		i.color = color
		i.Refresh()
	}
}

// MinSize implements fyne.CanvasObject.
func (i *Icon) MinSize() fyne.Size { return fyne.NewSquareSize(i.size(i.side)) }
