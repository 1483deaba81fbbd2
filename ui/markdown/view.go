package markdown

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/layout"
	"bowerbird/ui/widgets"
)

// The space between blocks, in points.
const (
	gap        = 8
	gapHeading = 16 // above a heading
	gapItems   = 3  // between items of one paragraph
)

// Gap returns the space between two blocks of a text, in points.
func Gap(before, after Kind) float32 {
	if after == Heading {
		return gapHeading
	}
	if before == Heading {
		return gap - 2
	}
	return gap
}

// View draws a text; of a very long one its beginning, and more each time the user asks for
// it. What follows is neither parsed nor laid out.
type View struct {
	stack
	opt    Options
	stream Stream
	text   string
	final  bool
	parts  int    // how often the user asked for more
	shown  bool   // SetText was called
	head   string // the part of text that was parsed
	cites  int    // opt.Cites when it was parsed
	done   bool   // final when it was parsed
	more   *widgets.Link
}

// New returns an empty view.
func New(opt Options) *View {
	v := &View{opt: opt}
	v.stack.opt = &v.opt
	v.stack.look = look{size: opt.Size}
	v.stack.Arrange, v.stack.Least, v.self = v.place, 120, v
	v.more = widgets.Named("markdown.more", widgets.NewLink("", func() { v.opt.OnMore() }))
	v.ExtendBaseWidget(v)
	return v
}

// SetText shows a text; final says that it is complete. If it continues the text before,
// finished blocks are not laid out again.
func (v *View) SetText(text string, final bool) {
	if v.shown && v.text == text && v.final == final {
		return
	}
	v.set(text, final)
}

func (v *View) set(text string, final bool) {
	grew := v.shown && v.cites == v.opt.Cites && v.done == final
	v.text, v.final, v.shown = text, final, true
	limit := firstCost + v.parts*partCost
	head, cut := beginning(text, 2*limit)
	if grew && cut && head == v.head {
		return // it grows after what is shown
	}
	all := v.stream.Set(head, v.opt.Cites, final)
	if cut && endsInCode(all) { // code is copied whole, and parsed quickly
		head, cut = text, false
		all = v.stream.Set(head, v.opt.Cites, final)
	}
	if cut && len(all) > 0 {
		last := &all[len(all)-1]
		last.rest = restOf(text, v.opt.Cites, last.at)
	}
	v.head, v.cites, v.done = head, v.opt.Cites, final
	done := Split(all[:v.stream.kept])
	bs, left := first(append(done, Split(all[v.stream.kept:])...), limit)
	v.foot = nil
	if left || cut {
		v.more.SetText(lang.L("Show more of this text"))
		v.foot = v.more
	}
	v.update(bs, min(len(done), len(bs)))
}

// SetParts sets how often the user has asked for more of a very long text.
func (v *View) SetParts(n int) {
	if v.parts == n {
		return
	}
	v.parts = n
	if v.shown {
		v.head = ""
		v.set(v.text, v.final)
	}
}

// SetCites sets the number of citations, if that becomes known after the text.
func (v *View) SetCites(n int, final bool) {
	if n != v.opt.Cites {
		v.opt.Cites = n
		v.set(v.text, final)
	}
}

// stack draws blocks below one another: those of a text, a quote, or an item of a list.
type stack struct {
	layout.Arranged
	self  fyne.CanvasObject // the stack, or the View that embeds it
	opt   *Options
	look  look
	tight bool // less space between paragraphs and lists
	views []*BlockView
	foot  fyne.CanvasObject // below the blocks; nil for none
	drawn fyne.CanvasObject // the foot at the last update
}

func newStack(opt *Options, lk look, bs []Block, tight bool) *stack {
	s := &stack{opt: opt, look: lk, tight: tight}
	s.Arrange, s.Least, s.self = s.place, 120, s
	s.ExtendBaseWidget(s)
	s.update(bs, 0)
	return s
}

// update shows other blocks; those before done are unchanged.
func (s *stack) update(bs []Block, done int) {
	changed := len(bs) != len(s.views) || s.foot != s.drawn
	s.drawn = s.foot
	for i := min(done, len(s.views)); i < len(bs); i++ {
		switch {
		case i >= len(s.views):
			s.views = append(s.views, newBlock(bs[i], s.opt, s.look))
		case s.views[i].set(bs[i]):
			changed = true
		}
	}
	clear(s.views[min(len(bs), len(s.views)):])
	s.views = s.views[:len(bs)]
	if !changed {
		return
	}
	s.Objects = s.Objects[:0]
	for _, v := range s.views {
		s.Objects = append(s.Objects, v)
	}
	if s.foot != nil {
		s.Objects = append(s.Objects, s.foot)
	}
	s.Place() // the blocks themselves are drawn already
	canvas.Refresh(s.self)
}

// place puts the blocks below one another and returns the height.
func (s *stack) place(width float32, put layout.Put) float32 {
	if put != nil && width <= 0 {
		return 0 // not yet laid out: each line would be one letter wide
	}
	var y float32
	for i, v := range s.views {
		if i > 0 {
			if s.tight {
				y += gapItems
			} else {
				y += Gap(s.views[i-1].block.Kind, v.block.Kind)
			}
		}
		h := v.HeightFor(width)
		if put != nil {
			put(v, 0, y, width, h)
		}
		y += h
	}
	if s.foot != nil {
		size := s.foot.MinSize()
		if put != nil {
			put(s.foot, 0, y+gap, min(width, size.Width), size.Height)
		}
		y += gap + size.Height
	}
	return y
}

// BlockView draws one block.
type BlockView struct {
	layout.Arranged
	opt   *Options
	look  look
	block Block
	body  body
}

// body is the widget for a kind of block.
type body interface {
	// object returns what is on the canvas, always the same.
	object() fyne.CanvasObject
	set(b Block) // of the same kind
}

// NewBlock returns a widget for one block, for lists that hold the blocks of many texts.
// Options.Cites is not used, since the block knows its citations.
func NewBlock(b Block, opt Options) *BlockView {
	return newBlock(b, &opt, look{size: opt.Size})
}

func newBlock(b Block, opt *Options, lk look) *BlockView {
	v := &BlockView{opt: opt, look: lk, block: b}
	if lk.top == nil {
		v.look.top = func() string {
			if v.block.rest != nil {
				return v.block.rest()
			}
			return v.block.Source
		}
	}
	v.Least = 120
	v.draw(b)
	v.ExtendBaseWidget(v)
	return v
}

// set shows another block, with the same widget if it is of the same kind, and reports
// whether anything changed.
func (v *BlockView) set(b Block) bool {
	like := b
	like.Source = v.block.Source // the source is copied but not drawn
	if v.block.equal(&like) {
		v.block = b
		return false
	}
	same := v.block.Kind == b.Kind
	v.block = b
	if same {
		v.body.set(b)
		return true
	}
	v.draw(b)
	v.Refresh()
	return true
}

func (v *BlockView) draw(b Block) {
	v.body = v.make(b)
	v.Objects = []fyne.CanvasObject{v.body.object()}
}

func (v *BlockView) make(b Block) body {
	switch b.Kind {
	case List:
		return newList(v.opt, v.look, b)
	case Quote:
		return newQuote(v.opt, v.look, b)
	case Code:
		return newCode(v.opt, b)
	case Table:
		return newTable(v.opt, b)
	case Rule:
		return rule{layout.Pad(layout.Sides(4, 0), widgets.NewRule())}
	}
	return newParagraph(v.opt, v.look, b)
}
