package widgets

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"bowerbird/assets"
	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

// Avatar is a person's picture or, without one, a pattern that follows from their key.
type Avatar struct {
	layout.Arranged
	key     [32]byte
	size    float32
	picture image.Image
}

// NewAvatar returns an avatar, size points wide and high at the usual text size. The zero key,
// of a person who is not known, is a plain disc.
func NewAvatar(key [32]byte, size float32) *Avatar {
	a := &Avatar{key: key, size: size}
	disc := canvas.NewCircle(nil)
	picture := &canvas.Image{FillMode: canvas.ImageFillCover, CornerRadius: canvas.RadiusMaximum}
	a.Objects = []fyne.CanvasObject{disc, picture}
	a.Paint = func() {
		disc.FillColor = theme.Color(theme.Chip)
		picture.Image = a.picture
		if a.picture == nil && a.key != ([32]byte{}) {
			picture.Image = theme.Face(a.key)
		}
		picture.Hidden = picture.Image == nil
		disc.Hidden = !picture.Hidden
	}
	a.Arrange = func(width float32, put layout.Put) float32 {
		if put != nil {
			put(disc, 0, 0, width, a.Size().Height)
			put(picture, 0, 0, width, a.Size().Height)
		}
		return theme.Eased(a.size)
	}
	a.ExtendBaseWidget(a)
	return a
}

// Set shows another person.
func (a *Avatar) Set(key [32]byte) {
	if a.key != key {
		a.key, a.picture = key, nil
		a.Refresh()
	}
}

// SetPicture sets the picture; nil shows the pattern.
func (a *Avatar) SetPicture(img image.Image) { a.picture = img; a.Refresh() }

// MinSize implements fyne.CanvasObject.
func (a *Avatar) MinSize() fyne.Size { return fyne.NewSquareSize(theme.Eased(a.size)) }

// Progress is a bar that shows how far something has come. It does not animate.
type Progress struct {
	layout.Arranged
	value float64
}

// NewProgress returns an empty bar.
func NewProgress() *Progress {
	p := &Progress{}
	back, front := newBox(theme.Chip, "", 3), newBox(theme.Primary, "", 3)
	p.Objects, p.Least = []fyne.CanvasObject{back, front}, 40
	p.Arrange = func(width float32, put layout.Put) float32 {
		if put != nil {
			high := p.Size().Height
			put(back, 0, 0, width, high)
			put(front, 0, 0, width*float32(p.value), high)
			front.Hidden = p.value == 0
		}
		return 6
	}
	p.ExtendBaseWidget(p)
	return p
}

// SetValue sets the progress, 0 to 1.
func (p *Progress) SetValue(v float64) { p.value = min(max(v, 0), 1); p.Refresh() }

// NewEmpty returns what an empty place shows in its middle: why it is empty, and what to
// do. icon, title and text may be "". A text among the actions is as wide as the words
// above it.
func NewEmpty(icon, title, text string, actions ...fyne.CanvasObject) fyne.CanvasObject {
	column := layout.Column(10)
	if icon != "" {
		column.Add(container.NewCenter(NewIcon(icon, 32, theme.Faint)))
	}
	if title != "" {
		t := prose.New(prose.Span{Text: title, Bold: true, Size: theme.Heading})
		t.Align = fyne.TextAlignCenter
		column.Add(t)
	}
	if text != "" {
		t := prose.Plain(text, theme.Body, theme.Muted)
		t.Align = fyne.TextAlignCenter
		column.Add(t)
	}
	for _, a := range actions {
		if t, ok := a.(*prose.Text); ok {
			t.Align = fyne.TextAlignCenter
			column.Add(t)
			continue
		}
		column.Add(container.NewCenter(a))
	}
	return newCentre(column)
}

// newCentre puts an object in the middle, at most 360 points wide at the usual text size. It
// scrolls where there is not enough space.
func newCentre(o fyne.CanvasObject) fyne.CanvasObject {
	var inner *layout.Arranged
	inner = layout.NewArranged(100, func(width float32, put layout.Put) float32 {
		w := max(min(theme.Eased(360), width-32), 0)
		h := layout.HeightFor(o, w)
		if put != nil {
			put(o, (width-w)/2, max(0, (inner.Size().Height-h)/2), w, h)
		}
		return h
	}, o)
	return NewRoomy(inner)
}

// NewLogo returns the program's picture, side points wide and high.
func NewLogo(side float32) fyne.CanvasObject {
	img := canvas.NewImageFromResource(fyne.NewStaticResource("bowerbird.png", assets.Icon))
	img.FillMode = canvas.ImageFillContain
	img.SetMinSize(fyne.NewSquareSize(side))
	return img
}
