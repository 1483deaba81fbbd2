package note

import (
	"errors"
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

const (
	feedPictures  = 4   // that a card in a list offers
	pictureHeight = 340 // the greatest height of a picture, in points
	focusHeight   = 520 // the same in the note that a thread is about
)

// pictureBox is where a picture appears: words in a dashed frame until it is loaded.
type pictureBox struct {
	widgets.Press
	c      *sheet
	words  *prose.Text
	url    string
	shown  *canvas.Image
	aspect float32 // height divided by width; 0 when unknown
	most   float32 // height in points
}

func newPictureBox(c *sheet) *pictureBox {
	b := &pictureBox{c: c, most: pictureHeight, words: prose.New()}
	if c.opt.Size == Focus {
		b.most = focusHeight
	}
	b.words.Align = fyne.TextAlignCenter
	b.shown = &canvas.Image{FillMode: canvas.ImageFillContain, CornerRadius: boxRadius}
	b.Press = widgets.Press{
		Content: b.words, Insets: layout.All(12), Rigid: true, Over: c.over,
		Look: func() widgets.Look { return widgets.Look{Hover: theme.Chip, Radius: boxRadius} },
	}
	b.ExtendBaseWidget(b)
	return b
}

func (c *sheet) addPictures() {
	n := &c.note
	if len(n.Pictures) == 0 {
		return
	}
	if c.look.small || c.opt.Brief { // as a quotation
		t := text(&c.parts.rest)
		words := say("1 picture")
		if count := len(n.Pictures); count > 1 {
			words = say("{{.N}} pictures", "N", strconv.Itoa(count))
		}
		t.SetSpans(prose.Span{Text: words, Size: theme.Small, Color: theme.Faint})
		c.add(t, 2)
		return
	}
	limit := feedPictures
	if c.opt.Size == Focus {
		limit = len(n.Pictures)
	}
	for i := range n.Pictures {
		if i >= limit {
			t := text(&c.parts.rest)
			t.SetSpans(prose.Span{Text: say("{{.N}} more in the thread", "N", strconv.Itoa(len(n.Pictures)-limit)), Size: theme.Small, Color: theme.Muted})
			c.add(t, 4)
			return
		}
		if len(c.parts.pics) <= i {
			c.parts.pics = append(c.parts.pics, newPictureBox(c))
		}
		b := c.parts.pics[i]
		b.setPicture(n, &n.Pictures[i])
		c.add(b, c.look.between)
	}
}

// setPicture shows a picture, or what is known of it.
func (b *pictureBox) setPicture(n *present.Note, p *present.Picture) {
	b.url = p.URL
	b.ID = "picture:" + n.ID.String()[:8]
	mem := b.c.opt.Memory
	asked := mem.Asked(p.URL)
	if asked == nil && b.c.opt.Loader != nil && b.c.opt.Auto != nil && b.c.opt.Auto(n) {
		asked = mem.Ask(p.URL)
	}
	b.shown.Image, b.aspect = nil, 0
	b.Content = b.words
	b.Tap = func() {
		mem.Ask(b.url)
		b.c.changed()
	}
	switch {
	case asked == nil && b.c.opt.Loader == nil:
		b.Tap = nil
		b.setWords(b.about(n, p), "")
	case asked == nil:
		b.setWords(b.about(n, p), say("Show"))
	case asked.Failed != "":
		b.setWords(asked.Failed, say("Try again"))
	case asked.Image != nil:
		b.shown.Image, b.aspect = asked.Image, asked.Aspect
		b.Content, b.Tap = b.shown, nil
	default:
		b.aspect = asked.Aspect
		b.Tap = nil
		b.setWords(say("Loading…"), "")
		b.c.wanted = append(b.c.wanted, b.url)
	}
	b.Refresh()
}

func (b *pictureBox) setWords(words, action string) {
	spans := []prose.Span{{Text: words, Size: theme.Small, Color: theme.Muted}}
	if action != "" {
		spans[0].Text += " · "
		spans = append(spans, prose.Span{Text: action, Size: theme.Small, Color: theme.Primary})
	}
	b.words.SetSpans(spans...)
}

// about describes a picture that is not loaded.
func (b *pictureBox) about(n *present.Note, p *present.Picture) string {
	words := say("Picture from {{.Host}}", "Host", p.Host)
	if n.Followed {
		words = say("Picture from a person you follow")
	}
	if p.Alt != "" {
		alt, _ := present.Clamp(p.Alt, 1, 80)
		words += " · " + isolate(alt)
	}
	if p.Bytes > 0 {
		words += " · " + strings.ReplaceAll(b.c.opt.Words.Bytes(p.Bytes), " ", "\u00a0")
	}
	return words
}

// fetch loads a picture off the window's thread. If the card shows another note by then,
// the picture is only kept.
func (c *sheet) fetch(url string) {
	if c.opt.Loader == nil || c.opt.Do == nil || c.fetching[url] {
		return
	}
	if c.fetching == nil {
		c.fetching = map[string]bool{}
	}
	c.fetching[url] = true
	ctx, row := c.context(), c.note.Row
	c.opt.Do.Go(func() func() {
		address, isFace := strings.CutPrefix(url, facePrefix)
		img, err := c.opt.Loader.Load(ctx, address)
		if err == nil && isFace {
			img = Small(img, faceSide)
		}
		return func() {
			delete(c.fetching, url)
			switch {
			case err == nil:
				c.opt.Memory.Keep(url, img)
			case ctx.Err() == nil:
				c.opt.Memory.Fail(url, err)
			}
			if c.note.Row == row {
				c.changed()
			}
		}
	})
}

// failure returns why a picture could not be loaded: the error's words for users, if it has
// some.
func failure(err error) string {
	var known interface{ Words() string }
	if errors.As(err, &known) {
		return lang.L(known.Words())
	}
	return say("The picture could not be loaded")
}

// HeightFor reserves the height of a picture whose aspect is known, so that nothing moves when
// it is loaded.
func (b *pictureBox) HeightFor(width float32) float32 {
	if b.aspect > 0 {
		return min(max(width*b.aspect, 24), b.most)
	}
	return b.Press.HeightFor(width)
}

// MinSize implements fyne.CanvasObject.
func (b *pictureBox) MinSize() fyne.Size {
	return fyne.NewSize(80, b.HeightFor(max(b.Size().Width, 80)))
}

// CreateRenderer implements fyne.Widget.
func (b *pictureBox) CreateRenderer() fyne.WidgetRenderer {
	return &pictureRenderer{WidgetRenderer: b.Press.CreateRenderer(), b: b, dashes: canvas.NewRaster(dashes), faint: theme.Color(theme.Faint)}
}

type pictureRenderer struct {
	fyne.WidgetRenderer
	b      *pictureBox
	dashes *canvas.Raster
	faint  color.Color // that the dashes are drawn in
}

func (r *pictureRenderer) Objects() []fyne.CanvasObject {
	objects := r.WidgetRenderer.Objects() // box, content, ring
	if r.b.shown.Image != nil {
		return objects[1:]
	}
	return slices.Insert(objects, 1, fyne.CanvasObject(r.dashes))
}

func (r *pictureRenderer) Refresh() {
	r.WidgetRenderer.Refresh()
	r.Layout(r.b.Size())
	if c := theme.Color(theme.Faint); r.faint != c {
		r.faint = c
		r.dashes.Refresh()
	}
}

func (r *pictureRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.dashes.Resize(size)
	if r.b.shown.Image != nil {
		r.b.shown.Move(fyne.Position{})
		r.b.shown.Resize(fyne.NewSize(min(size.Width, size.Height/max(r.b.aspect, 0.01)), size.Height))
		return
	}
	in := r.b.Insets
	h := r.b.words.HeightFor(size.Width - in.Left - in.Right)
	r.b.words.Move(fyne.NewPos(in.Left, (size.Height-h)/2))
	r.b.words.Resize(fyne.NewSize(size.Width-in.Left-in.Right, h))
}

// Followed is a policy for [Options].Auto: it loads the pictures of people whom the user
// follows.
func Followed(n *present.Note) bool { return n.Followed }

// dashes draws the frame of a picture that is not loaded, w by h pixels.
func dashes(w, h int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	if w < 4 || h < 4 || w > 8_192 || h > 8_192 {
		return img
	}
	c := color.NRGBAModel.Convert(theme.Color(theme.Faint)).(color.NRGBA)
	c.A = 0x66
	f := frame{w: float64(w), h: float64(h), r: math.Min(float64(boxRadius), float64(min(w, h))/2)}
	for at := 0.0; at < f.length(); at += 0.5 {
		if math.Mod(at, 6) < 3.5 {
			x, y := f.at(at)
			img.SetNRGBA(min(int(x), w-1), min(int(y), h-1), c)
		}
	}
	return img
}

// frame is the outline of a rectangle with rounded corners, w by h pixels, as a path.
type frame struct{ w, h, r float64 }

func (f frame) length() float64 { return 2*(f.w+f.h-4*f.r) + 2*math.Pi*f.r }

// at returns the point at a distance along the path, which begins after the upper left
// corner.
func (f frame) at(d float64) (x, y float64) {
	arc := math.Pi / 2 * f.r
	right, bottom := f.w-0.5, f.h-0.5
	for side := range 4 {
		straight := f.w - 2*f.r
		if side%2 == 1 {
			straight = f.h - 2*f.r
		}
		if d < straight {
			return [4]float64{f.r + d, right, right - f.r - d, 0.5}[side], [4]float64{0.5, f.r + d, bottom, bottom - f.r - d}[side]
		}
		d -= straight
		if d < arc {
			a := d/f.r + float64(side-1)*math.Pi/2
			cx := [4]float64{right - f.r, right - f.r, f.r, f.r}[side]
			cy := [4]float64{f.r, bottom - f.r, bottom - f.r, f.r}[side]
			return cx + f.r*math.Cos(a), cy + f.r*math.Sin(a)
		}
		d -= arc
	}
	return 0, 0
}
