package feed

import (
	"net/url"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ndb/clean"
	"bowerbird/ui/layout"
	"bowerbird/ui/note"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// highestPicture is how high a picture is drawn at most, in points.
const highestPicture float32 = 560

// pictureBox is a picture in an article: a box that says what it is and where it
// comes from, and the picture once it is there.
type pictureBox struct {
	widget.BaseWidget
	words *prose.Text
	alt   *prose.Text
	box   fyne.CanvasObject
	image *canvas.Image
	shape float32 // height by width, 0 while unknown
}

func newPictureBox() *pictureBox {
	p := &pictureBox{words: prose.New(), alt: prose.New(), image: &canvas.Image{FillMode: canvas.ImageFillContain}}
	p.words.Align, p.alt.Align = fyne.TextAlignCenter, fyne.TextAlignCenter
	p.box = widgets.NewFrame("", theme.Line, theme.RadiusButton, layout.Pad(layout.Sides(12, 12), p.words))
	p.ExtendBaseWidget(p)
	return p
}

// set shows the picture at an address, as far as it is there: asked is nil before a
// click. load asks for it; nil where none are fetched.
func (p *pictureBox) set(address, alt string, asked *note.Picture, load func()) {
	setText(p.alt, prose.Span{Text: clean.Line(alt, 300), Size: theme.Small, Color: theme.Muted})
	p.image.Image, p.shape = nil, 0
	switch {
	case asked == nil:
		p.say(address, lang.L("Show"), load)
	case asked.Failed != "":
		p.say(address, lang.L("It could not be shown. Try again"), load)
	default:
		p.image.Image, p.shape = asked.Image, asked.Aspect
		p.words.SetSpans(prose.Span{Text: lang.L("Getting the picture …"), Size: theme.Small, Color: theme.Muted})
	}
	p.Refresh()
}

// say writes the box: what it is, where it lies, and what a click does.
func (p *pictureBox) say(address, act string, load func()) {
	spans := []prose.Span{{Text: joined(lang.L("Picture"), hostOf(address)), Size: theme.Small, Color: theme.Muted}}
	if load != nil {
		spans = append(spans, prose.Span{Text: " · ", Size: theme.Small, Color: theme.Muted},
			prose.Span{Text: act, Size: theme.Small, ID: "article.picture", Tip: address, Tap: load})
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
	return clean.Line(host, 60)
}

// HeightFor implements layout.Heighter. A picture that is let go of keeps its place.
func (p *pictureBox) HeightFor(width float32) float32 {
	h := layout.HeightFor(p.box, width)
	if p.shape > 0 {
		h = min(width*p.shape, highestPicture)
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
	p.image.Resize(shown)
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
	if r.p.image.Image != nil {
		return []fyne.CanvasObject{r.p.image, r.p.alt}
	}
	return []fyne.CanvasObject{r.p.box, r.p.alt}
}

func (r *pictureRenderer) Destroy() {}
