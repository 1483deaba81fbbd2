package note

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// The size of an article's cover picture, in points.
const (
	coverWidth  = 120
	coverHeight = 74
)

// articleBox is an article: its title, its reading time, and its cover once the user has
// asked for it.
type articleBox struct {
	widgets.Press
	c                    *sheet
	title, meta, summary *prose.Text
	cover                *canvas.Image
	url                  string
}

func newArticleBox(c *sheet) *articleBox {
	a := &articleBox{c: c, title: prose.New(), meta: prose.New(), summary: prose.New()}
	a.title.MaxLines, a.meta.MaxLines, a.summary.MaxLines = 3, 2, 3
	a.cover = &canvas.Image{FillMode: canvas.ImageFillCover, CornerRadius: boxRadius - 2}
	a.cover.SetMinSize(fyne.NewSize(coverWidth, coverHeight))
	a.cover.Hide()
	words := layout.Column(0, a.title, a.meta, a.summary)
	a.Press = widgets.Press{
		Content: layout.TopRow(theme.CardPadding, 1, a.cover, words), Look: framed, Over: c.over,
		Insets: layout.Sides(theme.CardPadding-3, theme.CardPadding), Rigid: true,
	}
	a.ExtendBaseWidget(a)
	return a
}

// setNote shows an article; by is the note of the card, whose author is not named again.
func (a *articleBox) setNote(n *present.Note, by *present.Note) {
	full := a.c.opt.Size == Focus
	a.title.SetSpans(titleSpans(n, theme.Small)...)
	meta := say("Article · {{.N}} min read", "N", a.c.opt.Words.Number(n.Minutes))
	if n.PubKey != by.PubKey {
		meta = isolate(n.Author) + " · " + meta
	}
	spans := []prose.Span{{Text: meta, Size: theme.Small, Color: theme.Muted}}
	if a.setCover(n) {
		spans = append(spans, prose.Span{Text: " · ", Size: theme.Small, Color: theme.Muted},
			prose.Span{Text: say("Show picture"), Size: theme.Small, Tap: func() {
				a.c.opt.Memory.Ask(a.url)
				a.c.changed()
			}})
	}
	a.meta.SetSpans(spans...)
	a.summary.Hidden = n.Summary == "" || !full
	if !a.summary.Hidden {
		a.summary.SetSpans(prose.Span{Text: n.Summary, Size: theme.Small, Color: theme.Muted})
	}
	id := n.ID
	a.ID = "article:" + id.String()[:8]
	a.Tap = func() { a.c.opt.Go.OpenArticle(id) }
	a.Refresh()
}

// setCover shows the cover if it is loaded, and reports whether to offer it.
func (a *articleBox) setCover(n *present.Note) bool {
	a.cover.Image = nil
	a.cover.Hide()
	opt := &a.c.opt
	if len(n.Pictures) == 0 || opt.Loader == nil || opt.Brief {
		return false
	}
	a.url = n.Pictures[0].URL
	asked := opt.Memory.Asked(a.url)
	if asked == nil && opt.Auto != nil && opt.Auto(n) {
		asked = opt.Memory.Ask(a.url)
	}
	switch {
	case asked == nil || asked.Failed != "":
		return true
	case asked.Image == nil:
		a.c.wanted = append(a.c.wanted, a.url)
	default:
		a.cover.Image = asked.Image
		a.cover.Show()
	}
	return false
}

func (c *sheet) addArticle(n *present.Note) {
	if c.parts.long == nil {
		c.parts.long = newArticleBox(c)
	}
	c.parts.long.setNote(n, n)
	c.add(c.parts.long, c.look.between-1)
}
