package note

import (
	"fyne.io/fyne/v2"

	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

// parts are what a card consists of, each made when first needed and reused for later
// notes.
type parts struct {
	face   *face
	repost *prose.Text
	head   *header
	mark   *prose.Text
	answer *prose.Text
	what   *prose.Text
	title  *prose.Text
	body   *prose.Text
	more   *prose.Text
	warn   *box
	gone   *box
	long   *articleBox
	quote  *quoteBox
	pics   []*pictureBox
	rest   *prose.Text
	counts *counts
}

func (p *parts) avatar(c *sheet) fyne.CanvasObject {
	if p.face == nil {
		p.face = newFace(c)
	}
	return p.face
}

func (p *parts) header(c *sheet) *header {
	if p.head == nil {
		p.head = newHeader(c)
	}
	return p.head
}

// text returns the text at t, which it makes when first needed.
func text(t **prose.Text) *prose.Text {
	if *t == nil {
		*t = prose.New()
	}
	return *t
}

// rebuild decides what of the note is shown, then fetches the pictures that are wanted. A
// picture may arrive at once: then it is called again.
func (c *sheet) rebuild() {
	c.decide()
	wanted := c.wanted
	c.wanted = nil
	for _, url := range wanted {
		c.fetch(url)
	}
}

func (c *sheet) decide() {
	c.forget()
	c.blocks = c.blocks[:0]
	n := &c.note
	if c.look = lookOf(c.opt.Size, c.opt.Compact); c.own() {
		c.look.avatar = 0
	}
	if c.look.avatar > 0 {
		c.parts.avatar(c)
		c.parts.face.setNote(n)
	}
	c.addRepost()
	if n.Missing {
		c.addMissing()
		return
	}
	c.parts.header(c).setNote(n)
	c.add(c.parts.head, 0)
	c.addMark()
	c.addAnswer()
	if n.Warned && !c.opt.Memory.notes[n.ID].warning {
		c.addWarning()
	} else {
		c.addContent()
	}
	if !c.look.small && c.counted() {
		if c.parts.counts == nil {
			c.parts.counts = newCounts(c)
		}
		c.parts.counts.setNote(n)
		c.add(c.parts.counts, c.look.overCounts)
	}
}

func (c *sheet) add(o fyne.CanvasObject, gap float32) {
	c.blocks = append(c.blocks, block{object: o, gap: gap})
}

func (c *sheet) addSentence(t *prose.Text) {
	c.blocks = append(c.blocks, block{object: t, sentence: true})
}

func (c *sheet) addRepost() {
	n := &c.note
	if n.RepostedBy == "" {
		return
	}
	c.setRepost()
	c.addSentence(c.parts.repost)
}

// setRepost shows who reposted the note and when, because lists are ordered by that time.
func (c *sheet) setRepost() {
	n, pk := &c.note, c.note.RepostedByKey
	t := text(&c.parts.repost)
	t.MaxLines = 2 // in large letters the time wraps below the name
	spans := around(say("{{.Name}} reposted", "Name", placeholder), prose.Span{Text: n.RepostedBy, Size: theme.Small, Color: theme.Muted, Tap: func() { c.openProfile(pk) }})
	if n.RepostedWhen != "" {
		spans = append(spans, prose.Span{Text: " · " + n.RepostedWhen, Size: theme.Small, Color: theme.Muted})
	}
	t.SetSpans(spans...)
}

// addMark warns of a name that looks like that of a person the user follows.
func (c *sheet) addMark() {
	n := &c.note
	if n.Mark == "" || c.look.small {
		return
	}
	t := text(&c.parts.mark)
	t.SetSpans(prose.Span{Text: say("Not the person of this name whom you follow: the key ends in {{.Mark}}", "Mark", n.Mark), Size: theme.Small, Color: theme.Warn})
	c.add(t, 0)
}

// addAnswer shows whom the note replies to; in a thread its place shows that.
func (c *sheet) addAnswer() {
	n := &c.note
	if !n.IsReply || c.opt.Size == Reply || c.opt.Size == Focus {
		return
	}
	t := text(&c.parts.answer)
	t.MaxLines = 1
	pk := n.ReplyToKey
	if n.ReplyTo == "" {
		t.SetSpans(prose.Span{Text: say("In reply to a note"), Size: theme.Small, Color: theme.Muted})
	} else {
		t.SetSpans(around(say("In reply to {{.Name}}", "Name", placeholder), prose.Span{Text: n.ReplyTo, Size: theme.Small, Color: theme.Muted, Tap: func() { c.openProfile(pk) }})...)
	}
	c.addSentence(t)
}

// addMissing says that the note is not stored. A click opens its thread, which fetches it.
func (c *sheet) addMissing() {
	n := &c.note
	words := say("This note is not stored here.")
	if n.Author != "" {
		words = say("This note by {{.Name}} is not stored here.", "Name", isolate(n.Author))
	}
	spans := []prose.Span{
		{Text: words, Size: theme.Small, Color: theme.Muted},
		{Text: " " + say("Look further"), Size: theme.Small, Color: theme.Primary},
	}
	if c.look.small { // it is in the box of a quotation already
		t := text(&c.parts.what)
		t.SetSpans(spans...)
		c.add(t, 0)
		return
	}
	if c.parts.gone == nil {
		c.parts.gone = newBox(c, "", theme.Line)
	}
	b := c.parts.gone
	id := n.ID
	b.Tap = func() { c.opt.Go.OpenThread(id) }
	b.words.SetSpans(spans...)
	c.add(b, 4)
}

func (c *sheet) addWarning() {
	if c.parts.warn == nil {
		c.parts.warn = newBox(c, theme.Chip, "")
	}
	b, n := c.parts.warn, &c.note
	words := say("Hidden by the author")
	if n.Warning != "" {
		words = say("Hidden by the author: {{.Reason}}", "Reason", isolate(n.Warning))
	}
	size := c.look.body
	b.words.SetSpans(prose.Span{Text: words + " · ", Size: size, Color: theme.Muted}, prose.Span{Text: say("Show"), Size: size, Color: theme.Primary})
	id := n.ID
	b.Tap = func() {
		c.opt.Memory.set(id, openWarning)
		c.changed()
	}
	c.add(b, 4)
}

func (c *sheet) addContent() {
	n := &c.note
	if n.What != "" {
		t := text(&c.parts.what)
		t.SetSpans(prose.Span{Text: n.What, Size: c.look.meta, Color: theme.Muted})
		c.add(t, 0)
	}
	if n.Article() {
		c.addArticle(n)
		return
	}
	if n.Title != "" {
		t := text(&c.parts.title)
		t.MaxLines = 3
		t.SetSpans(titleSpans(n, c.look.body)...)
		c.add(t, 0)
	}
	c.addBody()
	c.addPictures()
	c.addQuote()
}

func (c *sheet) addBody() {
	n := &c.note
	body, cut := n.Body, n.Whole != nil
	open := cut && (c.opt.Size == Focus || c.opt.Memory.notes[n.ID].whole)
	if open {
		body = n.Whole
	}
	spans := c.spans(body)
	if n.Summary != "" && len(body) == 0 {
		spans = []prose.Span{{Text: n.Summary, Size: c.look.body}}
	}
	if len(spans) == 0 {
		return
	}
	t := text(&c.parts.body)
	t.Selectable = c.opt.Size == Focus
	t.MaxLines = 0
	switch {
	case c.look.small:
		t.MaxLines = 4
	case !open && c.opt.Size != Focus:
		t.MaxLines = bodyLines
	}
	t.SetSpans(spans...)
	c.add(t, c.look.lead())
	switch {
	case c.look.small:
	case cut && !open:
		id := n.ID
		c.addNotice(prose.Span{Text: say("Show more"), Size: c.look.meta, Tap: func() {
			c.opt.Memory.set(id, openWhole)
			c.changed()
		}})
	case n.Cut:
		c.addNotice(prose.Span{Text: say("The rest of this note is too long to be shown."), Size: c.look.meta, Color: theme.Muted})
	}
}

// bodyLines limits the height of a text that is not opened. ui/present has cut it by
// characters before, but some scripts take more lines than others.
const bodyLines = 24

// lead returns the space between the header and the text.
func (l look) lead() float32 {
	if l.body == theme.Reading {
		return 8
	}
	return 0
}

func (c *sheet) addNotice(s prose.Span) {
	t := text(&c.parts.more)
	t.SetSpans(s)
	c.add(t, 2)
}
