// Package note draws notes as cards: in the feed, in a thread, in search, as the
// source of an answer.
//
// A Card shows one present.Note and may be given another one at any time: lists
// keep few cards for many notes. What it promises: the height that HeightFor tells
// is the height that is drawn; a stranger's text changes nothing outside of its
// card; nothing is fetched until the user clicks "Show", or the settings say so;
// what was opened (a warning, a long text, a picture) stays open when the card is
// given another note and the first one again (Memory).
//
// A card reads nothing: values come from ui/present, pictures through a Loader,
// and where a click leads is the Navigator's matter.
package note

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/dispatch"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
)

// Size is in which of its forms a card is drawn.
type Size uint8

// The forms of a card.
const (
	Feed  Size = iota // in a list: avatar of 36
	Focus             // the note that a thread is about: reading size, avatar of 44
	Reply             // below it: avatar of 32, without a handle
	Quote             // inside another card: small
)

// Options say how cards are drawn and what their clicks do. Go is required.
type Options struct {
	Go     screen.Navigator
	Words  present.Words       // the user's; the zero value is English
	Do     dispatch.Dispatcher // required where Loader is set
	Loader screen.Pictures     // nil: pictures are mentioned and not offered
	// Auto says whose pictures are loaded without a click; nil: nobody's.
	Auto    func(n *present.Note) bool
	Size    Size
	Compact bool // less space
	Line    bool // a line below the card, to part it from the next
	Memory  *Memory

	// Changed is called when the card of a row has another height than before: when
	// a warning, a long text or a picture was opened.
	Changed func(row nostr.ID)
	// Key is told of a key that the card itself has no use for, by its name ("Down")
	// or its letter ("j"), so that a list can be walked, and says whether it took it;
	// may be nil. What it does not take is the window's.
	Key func(row nostr.ID, key string) bool
	// Fold hides the replies below a note, or shows them again; nil offers neither.
	// SetBelow says how many there are.
	Fold func(id nostr.ID)
	// Details returns a note as JSON for copying; nil offers none. It is called on
	// another goroutine than the window's.
	Details func(ctx context.Context, id nostr.ID) (string, error)
}

// OptionsFor are what all cards of a window have in common.
func OptionsFor(env screen.Env, memory *Memory) Options {
	opt := Options{Go: env.Go, Words: env.Words, Do: env.Do, Loader: env.Pictures, Compact: env.Look.Compact, Memory: memory}
	if env.Look.ShowFollowed {
		opt.Auto = Followed
	}
	opt.Details = func(ctx context.Context, id nostr.ID) (string, error) {
		e, err := env.App.Notes().Event(ctx, id)
		if err != nil {
			return "", err
		}
		return string(e.AppendJSON(nil)), nil
	}
	return opt
}

// Card draws a note. Its methods are called on the window's thread.
//
// A click on it, or Enter when it has the keyboard, opens the note's thread; its
// parts have clicks of their own.
type Card struct {
	sheet
}

// sheet is what a card draws, without what the mouse and the keyboard do: a card
// has one, and so has the box of a quote.
type sheet struct {
	widget.BaseWidget
	opt    Options
	look   look
	note   present.Note
	indent float32
	below  int  // replies that stand below it in a thread
	folded bool // and are hidden

	parts  parts
	blocks []block // what is shown, from top to bottom
	hover  bool
	focus  bool
	opened bool // its thread is to be seen beside it
	back   *backdrop

	measured [2]measure // the widths asked for last
	cancel   context.CancelFunc
	ctx      context.Context
	wanted   []string        // addresses of pictures that are to be got
	fetching map[string]bool // addresses
}

// block is one row of a card's text column, with the space above it.
type block struct {
	object fyne.CanvasObject
	gap    float32
	// sentence: words of ours with a name in them. They stand at the left in any
	// script, as wide as they are.
	sentence bool
}

// measure is a height at a width and at a text size of the theme.
type measure struct{ width, scale, height float32 }

// NewCard returns a card that shows nothing yet.
func NewCard(opt Options) *Card {
	if opt.Memory == nil {
		opt.Memory = NewMemory()
	}
	c := &Card{}
	c.opt, c.look = opt, lookOf(opt.Size, opt.Compact)
	c.ExtendBaseWidget(c)
	return c
}

// SetNote shows a note.
func (c *Card) SetNote(n present.Note) { c.set(n) }

func (c *sheet) set(n present.Note) {
	if c.note.Row != n.Row { // what is being loaded for a note goes on while it is shown
		c.stop()
	}
	c.note = n
	c.rebuild()
	c.Refresh()
}

// Note returns what is shown.
func (c *sheet) Note() *present.Note { return &c.note }

// SetIndent moves the card's content to the right, as deeper replies are. The line
// below keeps its place.
func (c *sheet) SetIndent(points float32) {
	if c.indent != points {
		c.indent = points
		c.forget()
		c.Refresh()
	}
}

// SetBelow says how many replies stand below the note in its thread, and whether they
// are hidden. It comes before SetNote.
func (c *sheet) SetBelow(replies int, folded bool) { c.below, c.folded = replies, folded }

// SetOpened marks the note whose thread is to be seen beside the list.
func (c *Card) SetOpened(opened bool) {
	if c.opened != opened {
		c.opened = opened
		c.Refresh()
	}
}

// SetAges shows how long ago the note was written and reposted by now, for cards that
// stay on the screen. Of the note given nothing else is shown.
func (c *sheet) SetAges(n *present.Note) {
	if c.note.When != n.When {
		c.note.When = n.When
		c.parts.header(c).setNote(&c.note)
	}
	if c.note.RepostedWhen != n.RepostedWhen {
		c.note.RepostedWhen = n.RepostedWhen
		c.setRepost()
		c.Refresh() // the line is as wide as its words
	}
}

// DumpName names the card in the dump of rectangles.
func (c *Card) DumpName() string { return "note:" + c.note.ID.String()[:8] }

// stop ends what runs for the note that was shown.
func (c *sheet) stop() {
	if c.cancel != nil {
		c.cancel()
	}
	c.cancel, c.ctx = nil, nil
}

// context ends when another note is shown.
func (c *sheet) context() context.Context {
	if c.ctx == nil {
		c.ctx, c.cancel = context.WithCancel(context.Background())
	}
	return c.ctx
}

// changed says that the height is another one.
func (c *sheet) changed() {
	c.rebuild()
	c.Refresh()
	if c.opt.Changed != nil {
		c.opt.Changed(c.note.Row)
	}
}

func (c *sheet) forget() { c.measured = [2]measure{} }

func (c *sheet) HeightFor(width float32) float32 {
	scale := theme.Size(theme.Body)
	for _, m := range c.measured {
		if m.width == width && m.scale == scale && m.height > 0 {
			return m.height
		}
	}
	h := c.arrange(width, nil)
	c.measured[1], c.measured[0] = c.measured[0], measure{width, scale, h}
	return h
}

// MinSize is small in width and as high as the width of the card wants.
func (c *sheet) MinSize() fyne.Size {
	w := c.Size().Width
	if w <= 0 {
		w = 280
	}
	return fyne.NewSize(120, c.HeightFor(w))
}

// arrange places what is shown and returns the height; with place nil it only
// measures.
func (c *sheet) arrange(width float32, place func(o fyne.CanvasObject, x, y, w, h float32)) float32 {
	l := c.look
	left := l.left + c.indent
	face := theme.Eased(l.avatar)
	if l.avatar > 0 && place != nil {
		place(c.parts.avatar(c), left, l.top+l.avatarDown, face, face)
	}
	x := left
	if l.avatar > 0 {
		x += face + l.gap
	}
	w := max(40, width-x-l.right)
	y := l.top
	for i, b := range c.blocks {
		if i > 0 {
			y += b.gap
		}
		bw := w
		if t, ok := b.object.(*prose.Text); ok && b.sentence && !t.Cut(w) { // what is cut wants all room
			bw = t.NaturalWidth(w)
		}
		h := layout.HeightFor(b.object, bw)
		if place != nil {
			place(b.object, x, y, bw, h)
		}
		y += h
	}
	if l.avatar > 0 {
		y = max(y, l.top+l.avatarDown+face)
	}
	y += l.bottom
	if c.opt.Line {
		y++
	}
	return y
}

// look holds the measures of a form.
type look struct {
	avatar, avatarDown, gap  float32 // avatar at the usual text size; avatarDown is how far below the first line's top it begins
	left, right, top, bottom float32
	name, body, meta         fyne.ThemeSizeName
	between                  float32 // above boxes and figures
	over                     float32 // how far its backdrop reaches over its sides
	small                    bool
}

func lookOf(size Size, compact bool) look {
	l := look{
		avatar: theme.Avatar, avatarDown: 1, gap: 12,
		left: theme.ColumnPadding, right: theme.ColumnPadding, top: theme.CardPadding + 1, bottom: theme.CardPadding + 3,
		name: theme.Body, body: theme.Body, meta: theme.Small, between: 8,
	}
	switch size {
	case Focus:
		l.avatar, l.name, l.body = 44, theme.Heading, theme.Reading
		l.left, l.right, l.over = 0, 0, 10
	case Reply:
		l.avatar = 32
		l.left, l.right, l.over = 0, 0, 10
	case Quote:
		l.avatar, l.avatarDown, l.gap = 0, 0, 0
		l.left, l.right, l.top, l.bottom = theme.CardPadding, theme.CardPadding, theme.CardPadding-4, theme.CardPadding-2
		l.name, l.body, l.between = theme.Small, theme.Small, 6
		l.small = true
	}
	if compact {
		l.top, l.bottom, l.between = l.top*0.6, l.bottom*0.6, l.between*0.75
	}
	return l
}
