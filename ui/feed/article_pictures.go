package feed

import (
	"net/url"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb/clean"
	"bowerbird/ui/layout"
	"bowerbird/ui/markdown"
	"bowerbird/ui/note"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// takePictures separates the text of a paragraph from those of its pictures that take
// accepts; fresh are pictures that it accepts for the first time. text is nil if only
// pictures remain.
func takePictures(b markdown.Block, take func(markdown.Inline) (fresh, ok bool)) (text *markdown.Block, pictures []markdown.Inline) {
	if b.Kind != markdown.Paragraph {
		return &b, nil
	}
	var rest []markdown.Inline
	words, taken := false, false
	for _, x := range b.Inline {
		if x.Image && (strings.HasPrefix(x.Link, "https://") || strings.HasPrefix(x.Link, "http://")) {
			if fresh, ok := take(x); ok {
				taken = true
				if fresh {
					pictures = append(pictures, x)
				}
				continue
			}
		}
		if n := len(rest); n > 0 && taken && strings.HasSuffix(rest[n-1].Text, " ") {
			x.Text = strings.TrimLeft(x.Text, " ") // a picture between two spaces leaves one
		}
		rest = append(rest, x)
		words = words || strings.TrimSpace(x.Text) != ""
	}
	if !taken {
		return &b, nil
	}
	if !words {
		return nil, pictures
	}
	b.Inline = rest
	return &b, pictures
}

// bind shows a picture; other rows are drawn once, by make.
func (a *Article) bind(id string, o fyne.CanvasObject) {
	p := a.parts[id]
	in, ok := o.(*inset)
	if !ok || p.kind != partPicture {
		return
	}
	var load func()
	asked := a.memory.Asked(p.url)
	if a.env.Pictures != nil {
		load = func() {
			a.memory.Ask(p.url)
			a.rows.RefreshRow(id)
		}
		if asked == nil && a.env.Look.ShowFollowed && note.Followed(&a.article.Note) {
			asked = a.memory.Ask(p.url)
		}
	}
	in.content.(*pictureBox).set(p.url, p.alt, asked, load)
	if asked != nil && asked.Image == nil && asked.Failed == "" {
		a.fetch(id, p.url)
	}
}

// fetch loads the picture of a row.
func (a *Article) fetch(id, address string) {
	if a.fetching[address] {
		return
	}
	a.fetching[address] = true
	a.env.Do.Go(func() func() {
		img, err := a.env.Pictures.Load(a.ctx, address)
		return func() {
			delete(a.fetching, address)
			switch {
			case a.ctx.Err() != nil:
				return
			case err != nil:
				a.memory.Fail(address, err)
			default:
				a.memory.Keep(address, img)
			}
			a.rows.RefreshRow(id)
		}
	})
}

// highestPicture is how high a picture is drawn at most, in points.
const highestPicture float32 = 560

// pictureBox is a picture in an article: first a box that says where the picture comes
// from, then the picture.
type pictureBox struct {
	layout.Arranged
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
	p.Objects, p.Arrange, p.Least = []fyne.CanvasObject{p.image, p.box, p.alt}, p.arrange, 100
	p.ExtendBaseWidget(p)
	return p
}

// set shows the picture at an address. asked is nil before the user asks for it; load asks
// for it and is nil where no pictures are fetched.
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
	p.image.Hidden = p.image.Image == nil
	widgets.SetVisible(p.box, p.image.Hidden)
	p.Refresh()
}

// say writes into the box what it is, which host has it, and what a click does.
func (p *pictureBox) say(address, act string, load func()) {
	spans := []prose.Span{{Text: joined(lang.L("Picture"), hostOf(address)), Size: theme.Small, Color: theme.Muted}}
	if load != nil {
		spans = append(spans, prose.Span{Text: " · ", Size: theme.Small, Color: theme.Muted},
			prose.Span{Text: act, Size: theme.Small, ID: "article.picture", Tip: address, Tap: load})
	}
	p.words.SetSpans(spans...)
}

// hostOf returns the host of an address in ASCII, as the network knows it.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	host, _ := present.Host(u)
	return clean.Line(host, 60)
}

// arrange places the picture above its description. A picture that left the memory keeps
// its place.
func (p *pictureBox) arrange(width float32, put layout.Put) float32 {
	shown := layout.HeightFor(p.box, width)
	if p.shape > 0 {
		shown = min(width*p.shape, highestPicture)
	}
	if put != nil {
		put(p.image, 0, 0, width, shown)
		put(p.box, 0, 0, width, shown)
	}
	if p.alt.Hidden {
		return shown
	}
	alt := p.alt.HeightFor(width)
	if put != nil {
		put(p.alt, 0, shown+6, width, alt)
	}
	return shown + 6 + alt
}
