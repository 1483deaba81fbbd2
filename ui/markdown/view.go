package markdown

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/widgets"
)

// The space between blocks, in points.
const (
	gap        = 8
	gapHeading = 16 // above a heading
	gapItems   = 3  // between items of one paragraph
)

// Gap is the space between two blocks of a text, in points.
func Gap(before, after Kind) float32 {
	if after == Heading {
		return gapHeading
	}
	if before == Heading {
		return gap - 2
	}
	return gap
}

// View draws a text; of a very long one its beginning, and more each time that it is
// asked for. What is behind is neither parsed nor laid out.
type View struct {
	stack
	opt    Options
	stream Stream
	text   string
	final  bool
	parts  int    // how often more was asked for
	shown  bool   // SetText was called
	head   string // the part of text that was parsed
	cites  int    // when it was parsed
	done   bool   // final, when it was parsed
	more   *widgets.Link
}

// New returns a view without text.
func New(opt Options) *View {
	v := &View{opt: opt}
	v.stack.opt = &v.opt
	v.stack.look = look{size: opt.Size}
	v.self = v
	v.more = widgets.Named("markdown.more", widgets.NewLink("", v.showMore))
	v.ExtendBaseWidget(v)
	return v
}

// SetText shows a text; final says that it is complete. Text that is written behind
// the one before is added without laying out what is done again.
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
		return // it grows behind what is shown
	}
	all := v.stream.Set(head, v.opt.Cites, final)
	if cut && endsInCode(all) { // copied whole, and quickly parsed
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

// SetParts says how often more of a very long text was asked for.
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

func (v *View) showMore() {
	if v.opt.OnMore != nil {
		v.opt.OnMore()
		return
	}
	v.SetParts(v.parts + 1)
}

// SetCites says how many citations there are, when that becomes known later.
func (v *View) SetCites(n int, final bool) {
	if n != v.opt.Cites {
		v.opt.Cites = n
		v.set(v.text, final)
	}
}

// Text returns what is shown, as Markdown.
func (v *View) Text() string { return v.text }

// stack is blocks below one another: a text, a quote, an item of a list.
type stack struct {
	widget.BaseWidget
	self  fyne.CanvasObject // the stack, or the View that it is
	opt   *Options
	look  look
	tight bool // paragraphs and lists stand close
	views []*BlockView
	foot  fyne.CanvasObject // below the blocks; nil for none
	drawn fyne.CanvasObject // the foot at the last update
	width float32
}

func newStack(opt *Options, lk look, bs []Block, tight bool) *stack {
	s := &stack{opt: opt, look: lk, tight: tight}
	s.self = s
	s.ExtendBaseWidget(s)
	s.update(bs, 0)
	return s
}

// update shows other blocks, of which those before done are the same as before.
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
	if changed {
		s.Refresh()
	}
}

// place tells where each block stands at a width, and returns the height.
func (s *stack) place(width float32, put func(*BlockView, float32, float32)) float32 {
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
			put(v, y, h)
		}
		y += h
	}
	if s.foot != nil {
		size := s.foot.MinSize()
		if put != nil {
			s.foot.Move(fyne.NewPos(0, y+gap))
			s.foot.Resize(fyne.NewSize(min(width, size.Width), size.Height))
		}
		y += gap + size.Height
	}
	return y
}

func (s *stack) HeightFor(width float32) float32 { return s.place(width, nil) }

// MinSize is small in width; its height is that of the width given last.
func (s *stack) MinSize() fyne.Size {
	w := s.width
	if w == 0 {
		w = 120
	}
	return fyne.NewSize(min(w, 120), s.HeightFor(w))
}

func (s *stack) CreateRenderer() fyne.WidgetRenderer { return &stackRenderer{s: s} }

type stackRenderer struct {
	s       *stack
	objects []fyne.CanvasObject
}

func (r *stackRenderer) Layout(size fyne.Size) {
	if size.Width <= 0 {
		return // not yet laid out: a line would be as long as a letter
	}
	r.s.width = size.Width
	r.s.place(size.Width, func(v *BlockView, y, h float32) {
		v.Move(fyne.NewPos(0, y))
		v.Resize(fyne.NewSize(size.Width, h))
	})
}

func (r *stackRenderer) MinSize() fyne.Size { return r.s.MinSize() }

func (r *stackRenderer) Refresh() {
	r.Layout(r.s.Size())
	canvas.Refresh(r.s.self)
}

func (r *stackRenderer) Objects() []fyne.CanvasObject {
	r.objects = r.objects[:0]
	for _, v := range r.s.views {
		r.objects = append(r.objects, v)
	}
	if r.s.foot != nil {
		r.objects = append(r.objects, r.s.foot)
	}
	return r.objects
}

func (r *stackRenderer) Destroy() {}

// BlockView draws one block.
type BlockView struct {
	widget.BaseWidget
	opt   *Options
	look  look
	block Block
	body  body
	width float32
}

// body is what draws a kind of block.
type body interface {
	// object is what is on the canvas; always the same.
	object() fyne.CanvasObject
	HeightFor(width float32) float32
	set(b Block) // of the same kind
}

// NewBlock returns a widget for a block, for lists that hold the blocks of many
// texts. Options.Cites is not used: the block knows its citations.
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
	v.body = v.make(b)
	v.ExtendBaseWidget(v)
	return v
}

// Markdown returns the block as it was written, to copy.
func (v *BlockView) Markdown() string { return v.look.top() }

// set shows another block, with what is drawn already if it is of the same kind. It
// reports whether anything changed.
func (v *BlockView) set(b Block) bool {
	like := b
	like.Source = v.block.Source // it is drawn alike, whatever it is copied as
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
	v.body = v.make(b)
	v.Refresh()
	return true
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
		if v.opt.Table != nil && b.ID != "" {
			return newGiven(v.opt.Table, b)
		}
		return newTable(v.opt, v.look, b)
	case Rule:
		return newRule()
	}
	return newParagraph(v.opt, v.look, b)
}

// HeightFor implements layout.Heighter.
func (v *BlockView) HeightFor(width float32) float32 { return v.body.HeightFor(width) }

// MinSize is small in width; its height is that of the width given last.
func (v *BlockView) MinSize() fyne.Size {
	w := v.width
	if w == 0 {
		w = 120
	}
	return fyne.NewSize(min(w, 120), v.HeightFor(w))
}

// CreateRenderer implements fyne.Widget.
func (v *BlockView) CreateRenderer() fyne.WidgetRenderer { return &blockRenderer{v} }

type blockRenderer struct{ v *BlockView }

func (r *blockRenderer) Layout(size fyne.Size) {
	r.v.width = size.Width
	r.v.body.object().Resize(size)
}
func (r *blockRenderer) MinSize() fyne.Size { return r.v.MinSize() }
func (r *blockRenderer) Destroy()           {}

func (r *blockRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.v.body.object()}
}

func (r *blockRenderer) Refresh() {
	r.v.body.object().Resize(r.v.Size())
	r.v.body.object().Refresh()
	canvas.Refresh(r.v)
}
