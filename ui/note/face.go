package note

import (
	"image"
	"image/color"

	"bowerbird/ui/present"
	"bowerbird/ui/widgets"
)

// faceSide is the side of the squares that people's pictures are kept as, in pixels: twice
// the largest avatar.
const faceSide = 96

// face is the avatar of a card, which opens the author's profile.
type face struct {
	widgets.Press
	c       *sheet
	picture *widgets.Avatar
	url     string // of the picture shown; "" for the pattern
}

func newFace(c *sheet) *face {
	f := &face{c: c, picture: widgets.NewAvatar(c.note.PubKey, c.look.avatar)}
	f.Press = widgets.Press{
		Content: f.picture, Over: c.over,
		Look: func() widgets.Look { return widgets.Look{Radius: c.look.avatar / 2} },
	}
	f.ExtendBaseWidget(f)
	return f
}

// Disabled keeps the Tab key away: the name beside the face does the same.
func (f *face) Disabled() bool { return true }

func (f *face) setNote(n *present.Note) {
	pk := n.PubKey
	f.ID = "avatar:" + n.ID.String()[:8]
	f.Tap = func() { f.c.openProfile(pk) }
	f.picture.Set(pk)
	img := f.get(n)
	switch {
	case img != nil && f.url != n.Face:
		f.picture.SetPicture(img)
		f.url = n.Face
	case img == nil && f.url != "":
		f.picture.SetPicture(nil)
		f.url = ""
	}
}

// get returns the author's picture if the settings allow loading it and it is there. No
// click asks for one.
func (f *face) get(n *present.Note) image.Image {
	opt := &f.c.opt
	if n.Face == "" || opt.Loader == nil || opt.Auto == nil || !opt.Auto(n) {
		return nil
	}
	asked := opt.Memory.Asked(faceKey(n.Face))
	if asked == nil {
		asked = opt.Memory.Ask(faceKey(n.Face))
	}
	if asked.Image == nil && asked.Failed == "" {
		f.c.wanted = append(f.c.wanted, faceKey(n.Face))
	}
	return asked.Image
}

// facePrefix marks the keys in [Memory] of people's pictures, which are kept small.
const facePrefix = "face "

func faceKey(url string) string { return facePrefix + url }

// Small scales the middle square of a picture down to at most side pixels, for avatars. Each
// pixel is the mean of those that it covers.
func Small(img image.Image, side int) image.Image {
	b := img.Bounds()
	edge := min(b.Dx(), b.Dy())
	if edge <= 0 {
		return img
	}
	side = min(side, edge)
	left, top := b.Min.X+(b.Dx()-edge)/2, b.Min.Y+(b.Dy()-edge)/2
	out := image.NewNRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			out.Set(x, y, mean(img, image.Rect(left+x*edge/side, top+y*edge/side, left+(x+1)*edge/side, top+(y+1)*edge/side)))
		}
	}
	return out
}

func mean(img image.Image, in image.Rectangle) color.Color {
	var r, g, b, a, n uint64
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			pr, pg, pb, pa := img.At(x, y).RGBA()
			r, g, b, a, n = r+uint64(pr), g+uint64(pg), b+uint64(pb), a+uint64(pa), n+1
		}
	}
	n = max(n, 1)
	return color.RGBA64{uint16(r / n), uint16(g / n), uint16(b / n), uint16(a / n)}
}
