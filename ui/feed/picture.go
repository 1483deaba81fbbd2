package feed

import (
	"context"
	"image"
	"net/url"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ndb"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// highestPicture is how high a picture is drawn at most, in points.
const highestPicture float32 = 560

// pictureBox is a picture in an article: a box that says what it is and where it
// comes from, and the picture after a click. Nothing is fetched before.
type pictureBox struct {
	widget.BaseWidget
	env     screen.Env
	url     string
	words   *prose.Text
	alt     *prose.Text
	box     fyne.CanvasObject
	image   *canvas.Image
	changed func() // it has another height now
}

func newPictureBox(env screen.Env, address, alt string, auto bool, changed func()) *pictureBox {
	p := &pictureBox{env: env, url: address, words: prose.New(), changed: changed}
	p.words.Align = fyne.TextAlignCenter
	p.alt = prose.Plain(ndb.CleanLine(alt, 300), theme.Small, theme.Muted)
	p.alt.Align = fyne.TextAlignCenter
	p.alt.Hidden = p.alt.String() == ""
	p.box = widgets.NewFrame("", theme.Line, theme.RadiusButton, layout.Pad(layout.Sides(12, 12), p.words))
	p.ExtendBaseWidget(p)
	p.say(lang.L("Show"))
	if auto && env.Pictures != nil {
		p.load()
	}
	return p
}

// say writes the box: what it is, where it lies, and what a click does.
func (p *pictureBox) say(act string) {
	spans := []prose.Span{{Text: joined(lang.L("Picture"), hostOf(p.url)), Size: theme.Small, Color: theme.Muted}}
	if act != "" && p.env.Pictures != nil {
		spans = append(spans, prose.Span{Text: " · ", Size: theme.Small, Color: theme.Muted},
			prose.Span{Text: act, Size: theme.Small, ID: "article.picture", Tip: p.url, Tap: p.load})
	}
	p.words.SetSpans(spans...)
}

// hostOf is the host of an address as the network sees it.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	host, _ := present.Host(u)
	return ndb.CleanLine(host, 60)
}

// load gets the picture.
func (p *pictureBox) load() {
	if p.env.Pictures == nil || p.image != nil {
		return
	}
	p.words.SetSpans(prose.Span{Text: lang.L("Getting the picture …"), Size: theme.Small, Color: theme.Muted})
	p.env.Do.Go(func() func() {
		img, err := p.env.Pictures.Load(context.Background(), p.url)
		return func() {
			if err != nil {
				p.say(lang.L("It could not be shown. Try again"))
			} else {
				p.set(img)
			}
			p.changed()
		}
	})
}

func (p *pictureBox) set(img image.Image) {
	p.image = canvas.NewImageFromImage(img)
	p.image.FillMode = canvas.ImageFillContain
	p.Refresh()
}

// height of the picture at a width.
func (p *pictureBox) height(width float32) float32 {
	size := p.image.Image.Bounds().Size()
	if size.X == 0 {
		return 0
	}
	w := min(width, float32(size.X))
	return min(w*float32(size.Y)/float32(size.X), highestPicture)
}

// HeightFor implements layout.Heighter.
func (p *pictureBox) HeightFor(width float32) float32 {
	h := layout.HeightFor(p.box, width)
	if p.image != nil {
		h = p.height(width)
	}
	if !p.alt.Hidden {
		h += 6 + p.alt.HeightFor(width)
	}
	return h
}

// CreateRenderer implements fyne.Widget.
func (p *pictureBox) CreateRenderer() fyne.WidgetRenderer { return &pictureRenderer{p} }

type pictureRenderer struct{ p *pictureBox }

func (r *pictureRenderer) Layout(size fyne.Size) {
	p := r.p
	alt := float32(0)
	if !p.alt.Hidden {
		h := p.alt.HeightFor(size.Width)
		alt = h + 6
		p.alt.Move(fyne.NewPos(0, size.Height-h))
		p.alt.Resize(fyne.NewSize(size.Width, h))
	}
	shown := fyne.NewSize(size.Width, max(0, size.Height-alt))
	if p.image != nil {
		p.image.Resize(shown)
	}
	p.box.Resize(shown)
}

func (r *pictureRenderer) MinSize() fyne.Size {
	return fyne.NewSize(100, r.p.HeightFor(max(r.p.Size().Width, 280)))
}

func (r *pictureRenderer) Refresh() {
	r.Layout(r.p.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

func (r *pictureRenderer) Objects() []fyne.CanvasObject {
	if r.p.image != nil {
		return []fyne.CanvasObject{r.p.image, r.p.alt}
	}
	return []fyne.CanvasObject{r.p.box, r.p.alt}
}

func (r *pictureRenderer) Destroy() {}
