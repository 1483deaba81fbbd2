// Package note draws notes as cards: in the feed, in threads, in search results, and as the
// sources of an answer.
//
// A [Card] shows one [present.Note] and can be given another at any time, since lists use few
// cards for many notes. The height that HeightFor returns is the height that is drawn; a
// stranger's text changes nothing outside its card; nothing is fetched before the user clicks
// "Show", unless the settings allow it; and what was opened (a warning, a long text, a picture)
// is still open when the note comes back ([Memory]).
//
// A card reads no store: its values come from ui/present, its pictures through Options.Loader,
// and its clicks go to a [screen.Navigator].
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

// Size is the form in which a card is drawn.
type Size uint8

// The forms of a card.
const (
	Feed  Size = iota // in a list: avatar of 36
	Focus             // the subject of a thread: reading size, avatar of 44
	Reply             // below it: avatar of 32, no handle
	Quote             // inside another card: small
)

// Options say how a card is drawn and what its clicks do. Go is required.
type Options struct {
	Go     screen.Navigator
	Words  present.Words       // the user's; the zero value is English
	Do     dispatch.Dispatcher // required where Loader is set
	Loader screen.Pictures     // nil: pictures are mentioned but not offered
	// Auto reports whether the pictures of a note are loaded without a click; nil: none are.
	Auto    func(n *present.Note) bool
	Size    Size
	Compact bool // less space
	Line    bool // a rule below the card
	Brief   bool // pictures are only counted, so that the height is known at once
	// Most is how wide the card becomes at most, in the middle of its place; 0 for any width.
	Most float32
	// Of is whose notes a list holds: theirs are drawn without face and name; zero for
	// anybody's.
	Of     nostr.PubKey
	Memory *Memory

	// Changed is called when the card of a row changes its height, because a warning, a
	// long text or a picture was opened.
	Changed func(row nostr.ID)
	// Key receives a key that the card does not use, by its name ("Down") or letter ("j"),
	// so that a list can be walked, and reports whether it handled it; may be nil. Other
	// keys go to the window.
	Key func(row nostr.ID, key string) bool
	// Fold hides the replies below a note or shows them again; nil offers neither. See
	// SetBelow for their number.
	Fold func(id nostr.ID)
	// Details returns a note as JSON to copy; nil offers none. It is called off the
	// window's thread.
	Details func(ctx context.Context, id nostr.ID) (string, error)
}

// OptionsFor returns the options that all cards of a window share.
func OptionsFor(env screen.Env, memory *Memory) Options {
	opt := Options{Go: env.Go, Words: env.Words, Do: env.Do, Loader: env.Pictures, Compact: env.Look.Compact, Memory: memory}
	if env.Look.ShowFollowed {
		opt.Auto = func(n *present.Note) bool { return Followed(n) || n.PubKey == env.App.Me() }
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
// A click, or Enter when it has the focus, opens the note's thread; its parts have clicks
// of their own.
type Card struct {
	sheet
}

// sheet is a card without its clicks and keys: a [Card] has them, the box of a quotation
// does not.
type sheet struct {
	widget.BaseWidget
	opt    Options
	look   look
	note   present.Note
	indent float32
	below  int  // the number of replies below it in a thread
	folded bool // they are hidden

	parts  parts
	blocks []block // what is shown, from top to bottom
	hover  bool
	focus  bool
	calm   bool // focused without a ring: see HideRing
	opened bool // its thread is shown beside the list
	back   *backdrop

	measured [2]measure // at the two widths asked for last
	cancel   context.CancelFunc
	ctx      context.Context
	wanted   []string        // URLs of the pictures to fetch
	fetching map[string]bool // by URL
}

// block is one row of a card's text column, with the space above it.
type block struct {
	object fyne.CanvasObject
	gap    float32
	// sentence marks the app's own words around a name: they are at the left in any script, and
	// no wider than they need.
	sentence bool
}

// measure is a height at a width and a text size.
type measure struct{ width, scale, height float32 }

// NewCard returns an empty card.
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
	if c.note.Row != n.Row { // pictures of the same note go on loading
		c.stop()
	}
	c.note = n
	c.rebuild()
	c.Refresh()
}

// Note returns the note that is shown.
func (c *sheet) Note() *present.Note { return &c.note }

// SetIndent moves the content to the right, as of deeper replies, and leaves the rule below
// in place.
func (c *sheet) SetIndent(points float32) {
	if c.indent != points {
		c.indent = points
		c.forget()
		c.Refresh()
	}
}

// SetBelow sets the number of replies below the note in its thread, and whether they are
// hidden. It is called before SetNote.
func (c *sheet) SetBelow(replies int, folded bool) { c.below, c.folded = replies, folded }

// SetOpened marks the note whose thread is shown beside the list.
func (c *Card) SetOpened(opened bool) {
	if c.opened != opened {
		c.opened = opened
		c.Refresh()
	}
}

// SetAges updates how long ago the note was written and reposted, for cards that stay on
// screen. Nothing else of n is shown.
func (c *sheet) SetAges(n *present.Note) {
	if c.note.When != n.When {
		c.note.When = n.When
		c.parts.header(c).setNote(&c.note)
	}
	if c.note.RepostedWhen != n.RepostedWhen {
		c.note.RepostedWhen = n.RepostedWhen
		c.setRepost()
		c.Refresh() // the width of the line follows its words
	}
}

// DumpName implements the dump of rectangles.
func (c *Card) DumpName() string { return "note:" + c.note.ID.String()[:8] }

// stop cancels what runs for the note that was shown.
func (c *sheet) stop() {
	if c.cancel != nil {
		c.cancel()
	}
	c.cancel, c.ctx = nil, nil
}

// context returns a context that is cancelled when another note is shown.
func (c *sheet) context() context.Context {
	if c.ctx == nil {
		c.ctx, c.cancel = context.WithCancel(context.Background())
	}
	return c.ctx
}

// changed draws the card again, and notifies the list that its height may differ.
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

// MinSize has a small width, and the height for the width that the card has.
func (c *sheet) MinSize() fyne.Size {
	w := c.Size().Width
	if w <= 0 {
		w = 280
	}
	return fyne.NewSize(120, c.HeightFor(w))
}

// arrange places the parts and returns the height; with place nil it only measures.
func (c *sheet) arrange(width float32, place layout.Put) float32 {
	l := c.look
	side := c.side(width)
	face := theme.Eased(l.avatar)
	if l.avatar > 0 && place != nil {
		place(c.parts.avatar(c), side+l.left+c.indent, l.top+l.avatarDown, face, face)
	}
	x := side + c.textAt()
	w := max(40, width-x-l.right-side)
	y, line := l.top, l.top
	for i, b := range c.blocks {
		switch b.object {
		case c.parts.head:
			line = y
		case c.parts.counts:
			if c.parts.counts.beside = c.parts.head.holdsCounts(w); c.parts.counts.beside {
				if place != nil {
					place(b.object, x+c.parts.head.countsAt(w), line, b.object.MinSize().Width, c.parts.head.HeightFor(w))
				}
				continue
			}
		}
		if i > 0 {
			y += b.gap
			if c.opt.Size == Focus && c.blocks[i-1].object == c.parts.head { // below the face too
				y = max(y, l.top+l.avatarDown+face+b.gap)
				x, w = side+l.left, max(40, width-l.left-l.right-2*side)
			}
		}
		bw := w
		if t, ok := b.object.(*prose.Text); ok && b.sentence && !t.Cut(w) { // a cut text takes the whole width
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

// side returns how much of the width is left free at each side.
func (c *sheet) side(width float32) float32 {
	if c.opt.Most == 0 {
		return 0
	}
	return max(0, (width-c.look.left-c.look.right-c.opt.Most)/2)
}

// textAt returns where the texts beside the face begin.
func (c *sheet) textAt() float32 {
	x := c.look.left + c.indent
	if c.look.avatar > 0 {
		x += theme.Eased(c.look.avatar) + c.look.gap
	}
	return x
}

// look holds the measures of a form, in points.
type look struct {
	avatar, avatarDown, gap  float32 // avatar at the usual text size; avatarDown below the top of the first line
	left, right, top, bottom float32
	name, body, meta         fyne.ThemeSizeName
	between                  float32 // above boxes
	overCounts               float32 // above the counts
	over                     float32 // how far the backdrop extends beyond both sides
	small                    bool
}

// FaceOf returns how far below the upper edge of a card its face is, and the side of the face
// at the usual text size.
func FaceOf(size Size) (top, side float32) {
	l := lookOf(size, false)
	return l.top + l.avatarDown, l.avatar
}

// own reports whether the note is by the one person whose list it is in.
func (c *sheet) own() bool { return c.opt.Of != (nostr.PubKey{}) && c.note.PubKey == c.opt.Of }

func lookOf(size Size, compact bool) look {
	l := look{
		avatar: theme.Avatar, avatarDown: 1, gap: 12,
		left: theme.ColumnPadding, right: theme.ColumnPadding, top: theme.CardPadding + 1, bottom: theme.CardPadding,
		name: theme.Body, body: theme.Body, meta: theme.Small, between: 8, overCounts: 5,
	}
	switch size {
	case Focus:
		l.avatar, l.name, l.body = 44, theme.Heading, theme.Reading
		l.left, l.right, l.over = 0, 0, 12
		l.overCounts = 8
	case Reply:
		l.avatar = 32
		l.left, l.right, l.over = 0, 0, 12
		l.top, l.bottom = 9, 9
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
