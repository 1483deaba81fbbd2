package note

import (
	"errors"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

// How many pictures a card offers one by one, and how high one is shown.
const (
	feedPictures  = 4
	pictureHeight = 340
	focusHeight   = 520
)

// pictureBox is a picture's place: words in a dashed frame until it is asked for.
type pictureBox struct {
	box
	c     *sheet
	url   string
	shown *canvas.Image
	shape float32 // height by width, 0 when unknown
	high  float32 // at most
}

func newPictureBox(c *sheet) *pictureBox {
	b := &pictureBox{c: c, high: pictureHeight}
	b.frame(dashedBox)
	b.over = c.over
	if c.opt.Size == Focus {
		b.high = focusHeight
	}
	b.shown = &canvas.Image{FillMode: canvas.ImageFillContain, CornerRadius: boxRadius}
	b.ExtendBaseWidget(b)
	return b
}

func (c *sheet) addPictures() {
	n := &c.note
	if len(n.Pictures) == 0 {
		return
	}
	if c.look.small { // a quote tells of them
		t := text(&c.parts.rest)
		t.SetSpans(prose.Span{Text: pictureCount(len(n.Pictures)), Size: theme.Small, Color: theme.Faint})
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

func pictureCount(n int) string {
	if n == 1 {
		return say("1 picture")
	}
	return say("{{.N}} pictures", "N", strconv.Itoa(n))
}

// setPicture shows a picture, or what can be said of it.
func (b *pictureBox) setPicture(n *present.Note, p *present.Picture) {
	b.url = p.URL
	b.name = "picture:" + n.ID.String()[:8]
	mem := b.c.opt.Memory
	asked := mem.Asked(p.URL)
	if asked == nil && b.c.opt.Loader != nil && b.c.opt.Auto != nil && b.c.opt.Auto(n) {
		asked = mem.Ask(p.URL)
	}
	b.shown.Image, b.shape = nil, 0
	b.content, b.dashed = b.words, true
	b.tap = func() { b.load() }
	switch {
	case asked == nil && b.c.opt.Loader == nil:
		b.tap = nil
		b.say(b.about(n, p), "")
	case asked == nil:
		b.say(b.about(n, p), say("Show"))
	case asked.Failed != "":
		b.say(asked.Failed, say("Try again"))
	case asked.Image != nil:
		b.show(asked)
	default:
		b.shape = asked.Aspect
		b.tap = nil
		b.say(say("Loading…"), "")
		b.c.wanted = append(b.c.wanted, b.url)
	}
	b.Refresh()
}

func (b *pictureBox) say(words, action string) {
	spans := []prose.Span{{Text: words, Size: theme.Small, Color: theme.Muted}}
	if action != "" {
		spans[0].Text += " · "
		spans = append(spans, prose.Span{Text: action, Size: theme.Small, Color: theme.Primary})
	}
	b.words.SetSpans(spans...)
}

// about says what is known of a picture that is not loaded.
func (b *pictureBox) about(n *present.Note, p *present.Picture) string {
	words := say("Picture from {{.Host}}", "Host", p.Host)
	if n.Followed {
		words = say("Picture from a person you follow")
	}
	if p.Alt != "" {
		words += " · " + isolate(short(p.Alt, 80))
	}
	if p.Bytes > 0 {
		words += " · " + strings.ReplaceAll(b.c.opt.Words.Bytes(p.Bytes), " ", "\u00a0")
	}
	return words
}

func short(s string, runes int) string {
	s, _ = present.Clamp(s, 1, runes)
	return s
}

func (b *pictureBox) show(asked *Picture) {
	b.shown.Image, b.shape = asked.Image, asked.Aspect
	b.content, b.dashed, b.tap = b.shown, false, nil
}

// load is the click on "Show".
func (b *pictureBox) load() {
	b.c.opt.Memory.Ask(b.url)
	b.c.changed()
}

// fetch gets the picture away from the window's thread. The card may show another
// note when it comes: then it is only kept.
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

// because says why a picture could not be loaded: in the words of the error, where
// it has some for people.
func because(err error) string {
	var known interface{ Words() string }
	if errors.As(err, &known) {
		return lang.L(known.Words())
	}
	return say("The picture could not be loaded")
}

// HeightFor keeps the place of a picture whose shape is known.
func (b *pictureBox) HeightFor(width float32) float32 {
	if b.shape > 0 {
		return min(max(width*b.shape, 24), b.high)
	}
	return b.words.HeightFor(width-b.in.Left-b.in.Right) + b.in.Top + b.in.Bottom
}

func (b *pictureBox) MinSize() fyne.Size {
	return fyne.NewSize(80, b.HeightFor(max(b.Size().Width, 80)))
}

func (b *pictureBox) CreateRenderer() fyne.WidgetRenderer {
	r := b.box.CreateRenderer().(*pressableRenderer)
	return &pictureRenderer{pressableRenderer: r, b: b}
}

type pictureRenderer struct {
	*pressableRenderer
	b *pictureBox
}

func (r *pictureRenderer) MinSize() fyne.Size { return r.b.MinSize() }

func (r *pictureRenderer) Objects() []fyne.CanvasObject {
	if r.b.shown.Image != nil {
		return []fyne.CanvasObject{r.b.shown, r.ring}
	}
	return r.pressableRenderer.Objects()
}

func (r *pictureRenderer) Refresh() {
	r.pressableRenderer.Refresh()
	if r.b.shown.Image != nil {
		r.b.shown.Refresh()
	}
}

func (r *pictureRenderer) Layout(size fyne.Size) {
	r.pressableRenderer.Layout(size)
	if r.b.shown.Image != nil {
		w := min(size.Width, size.Height/max(r.b.shape, 0.01))
		r.b.shown.Move(fyne.NewPos(0, 0))
		r.b.shown.Resize(fyne.NewSize(w, size.Height))
		return
	}
	in := layout.Insets{Left: r.b.in.Left, Right: r.b.in.Right}
	h := r.b.words.HeightFor(size.Width - in.Left - in.Right)
	r.b.words.Move(fyne.NewPos(in.Left, (size.Height-h)/2))
	r.b.words.Resize(fyne.NewSize(size.Width-in.Left-in.Right, h))
}

// Followed is the policy that loads the pictures of people who are followed.
func Followed(n *present.Note) bool { return n.Followed }
