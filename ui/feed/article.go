package feed

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/layout"
	"bowerbird/ui/markdown"
	"bowerbird/ui/note"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// lineWidth is how wide an article's lines become at most, in points.
const lineWidth float32 = 680

// Article shows a long text (NIP-23). Its blocks are rows of a list, so that a book opens
// as fast as a page.
type Article struct {
	base
	id    nostr.ID
	about *widgets.Label
	rows  *widgets.VirtualList

	article  present.Article
	parts    map[string]articlePart
	memory   *note.Memory
	fetching map[string]bool // addresses of pictures
}

// NewArticle makes the screen.
func NewArticle(env screen.Env, id nostr.ID) *Article {
	a := &Article{
		base: newBase(env), id: id,
		parts: map[string]articlePart{}, memory: note.NewMemory(), fetching: map[string]bool{},
	}
	a.about = widgets.NewLabel("", theme.Small, theme.Muted)
	talk := widgets.Named("article.replies", widgets.NewButton(lang.L("Replies"), widgets.Outline, func() { env.Go.OpenThread(a.noteID()) }))
	talk.Tip = lang.L("Replies to this article")
	a.rows = widgets.NewVirtualList(widgets.VirtualOptions{
		Kind: func(id string) string {
			if a.parts[id].kind == partPicture {
				return partPicture
			}
			return id // drawn once
		},
		Make: a.make,
		Bind: a.bind,
	})
	a.rows.ID = "article.text"
	a.put(a.rows)
	a.content = widgets.NewPage(newHeadBack(env, "article", newTitle(lang.L("Article")), a.about, talk), a.body)
	a.load()
	return a
}

// noteID returns the newest version of the article.
func (a *Article) noteID() nostr.ID {
	if a.article.ID != (nostr.ID{}) {
		return a.article.ID
	}
	return a.id
}

func (a *Article) load() {
	a.work(func() func() {
		article, err := newReader(a.env).Article(a.ctx, a.id)
		var ids []string
		var parts map[string]articlePart
		if err == nil && !article.Missing {
			ids, parts = articleParts(article)
		}
		return func() {
			switch {
			case err != nil:
				a.put(unreadable(err, a.load))
			case article.Missing:
				a.put(a.missing())
			default:
				a.article, a.parts = article, parts
				a.about.SetText(article.Author)
				a.rows.SetIDs(ids)
				a.put(a.rows)
			}
			a.content.Refresh() // the head makes space for the name
		}
	})
}

// missing offers to ask more relays for an article that is not stored.
func (a *Article) missing() fyne.CanvasObject {
	look := widgets.Named("article.further", widgets.NewButton(lang.L("Look further"), widgets.Primary, func() {
		a.work(func() func() {
			found, err := a.env.App.Live().FetchNotes(a.ctx, []nostr.ID{a.id}, nil)
			return func() {
				if err != nil || found == 0 {
					a.env.Go.Toast(lang.L("No relay that was asked has this note."), "", nil)
					return
				}
				a.load()
			}
		})
	}))
	return widgets.NewEmpty("article", lang.L("This article is not available"), lang.L("It is on none of your relays."), look)
}

// articlePart is one row: the head, a picture, a block of the text, or the end.
type articlePart struct {
	kind  string // "head", partPicture, "block", "end"
	block markdown.Block
	gap   float32 // above it
	url   string  // of a picture
	alt   string
}

const partPicture = "picture"

// mostPictures is how many pictures of an article have a box. Further ones remain links in
// the text.
const mostPictures = 60

// articleParts splits an article into rows. Pictures are taken out of the text and shown
// below their block, in boxes that load after a click.
func articleParts(article present.Article) (ids []string, parts map[string]articlePart) {
	parts = map[string]articlePart{}
	add := func(p articlePart) {
		id := fmt.Sprintf("%s:%d", p.kind, len(ids))
		ids = append(ids, id)
		parts[id] = p
	}
	add(articlePart{kind: "head"})
	shown := map[string]bool{}
	for _, p := range article.Pictures {
		shown[p.URL] = true
		add(articlePart{kind: partPicture, url: p.URL, alt: p.Alt})
	}
	take := func(p markdown.Inline) (fresh, ok bool) {
		if shown[p.Link] || len(shown) == mostPictures {
			return false, shown[p.Link]
		}
		shown[p.Link] = true
		return true, true
	}
	before := markdown.Kind("")
	for i, b := range markdown.Split(markdown.Parse(article.Markdown, 0)) {
		if i == 0 && b.Kind == markdown.Heading && sameText(b.Inline, article.Title) {
			continue // the head shows it
		}
		text, pictures := takePictures(b, take)
		if text != nil {
			add(articlePart{kind: "block", block: *text, gap: markdown.Gap(before, b.Kind) + 4})
			before = b.Kind
		}
		for _, p := range pictures {
			add(articlePart{kind: partPicture, url: p.Link, alt: p.Text})
		}
	}
	add(articlePart{kind: "end"})
	return ids, parts
}

func sameText(line []markdown.Inline, title string) bool {
	var b strings.Builder
	for _, x := range line {
		b.WriteString(x.Text)
	}
	return strings.EqualFold(strings.TrimSpace(b.String()), strings.TrimSpace(title))
}

// make makes the object of a row. Only pictures share objects between rows.
func (a *Article) make(kind string) fyne.CanvasObject {
	p := a.parts[kind]
	if kind == partPicture {
		p.kind = partPicture
	}
	var o fyne.CanvasObject
	top, bottom := p.gap, float32(0)
	switch p.kind {
	case "head":
		o, top, bottom = a.head(), 28, 8
	case partPicture:
		o, top, bottom = newPictureBox(), 10, 6
	case "end":
		o, top, bottom = a.foot(), 24, 40
	default:
		o = markdown.NewBlock(p.block, markdown.Options{
			OpenURL: a.env.Go.OpenURL, OpenNostr: a.openNostr, Copy: a.env.Go.Copy, Size: theme.Reading,
		})
	}
	in := newInset(top, bottom, o)
	in.most = lineWidth
	return in
}

// head draws the title and the author.
func (a *Article) head() fyne.CanvasObject {
	n := a.article.Note
	title := prose.New(prose.Span{Text: n.Title, Size: theme.Welcome, Bold: true})
	title.ID = "article.title"
	who := prose.New(
		prose.Span{Text: n.Author, Bold: true, Color: theme.Text, ID: "article.author", Tap: func() { a.env.Go.OpenProfile(n.PubKey) }},
		prose.Span{Text: "\n" + joined(n.Exact, lang.N("{{.Number}} minutes to read", n.Minutes,
			map[string]any{"Number": a.env.Words.Number(n.Minutes)})), Size: theme.Small, Color: theme.Muted})
	copyLink := widgets.Named("article.link", widgets.NewIconButton("link", lang.L("Copy link"), func() { a.env.Go.Copy(n.Link) }))
	objects := []fyne.CanvasObject{title, layout.Row(12, 1, NewFace(a.env, present.Profile{PubKey: n.PubKey, Picture: n.Face, Followed: n.Followed, Me: n.PubKey == a.env.App.Me()}, theme.Avatar), who, copyLink)}
	if n.Summary != "" && !strings.HasPrefix(strings.TrimSpace(a.article.Markdown), n.Summary) {
		objects = append(objects, prose.New(prose.Span{Text: n.Summary, Size: theme.Reading, Color: theme.Muted}))
	}
	return layout.Column(14, append(objects, widgets.NewRule())...)
}

func (a *Article) foot() fyne.CanvasObject {
	text := lang.L("The end of the article.")
	if a.article.Cut {
		text = lang.L("The article is longer; only this much is shown here.")
	}
	end := prose.New(
		prose.Span{Text: text + " ", Size: theme.Small, Color: theme.Muted},
		prose.Span{Text: lang.L("Read the replies"), Size: theme.Small, ID: "article.end", Tap: func() { a.env.Go.OpenThread(a.noteID()) }})
	return layout.Column(12, widgets.NewRule(), end)
}

// openNostr opens the note or person of a NIP-19 code in the text.
func (a *Article) openNostr(text string) {
	code, err := nostr.ParseCode(text)
	switch {
	case err != nil:
		a.env.Go.Toast(lang.L("This link is not valid."), "", nil)
	case code.Event != (nostr.ID{}):
		a.env.Go.OpenThread(code.Event)
	case code.Prefix == nostr.CodePubKey || code.Prefix == nostr.CodeProfile:
		a.env.Go.OpenProfile(code.PubKey)
	default:
		a.openAddress(code)
	}
}

// openAddress opens what is at an address, if it is stored.
func (a *Article) openAddress(code nostr.Code) {
	a.work(func() func() {
		e, err := a.env.App.Notes().Latest(a.ctx, code.Kind, code.PubKey, code.D)
		return func() {
			switch {
			case err != nil:
				a.env.Go.Toast(lang.L("What this link leads to is not stored here."), "", nil)
			case e.Kind == kindArticle:
				a.env.Go.OpenArticle(e.ID)
			default:
				a.env.Go.OpenThread(e.ID)
			}
		}
	})
}

// Focus implements screen.Screen. An article is scrolled, and has no first field.
func (a *Article) Focus(fyne.Canvas) { focusTop(a.rows) }

// TypedKey scrolls the article with the keys that no widget handled.
func (a *Article) TypedKey(e *fyne.KeyEvent) { _ = walkInto(a.rows, e) }

// Close implements screen.Screen.
func (a *Article) Close() { a.end() }
