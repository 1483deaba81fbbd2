package markdown

import (
	"cmp"
	"image/color"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// list draws items below one another, each behind its mark.
type list struct {
	layout.Arranged
	opt    *Options
	look   look
	block  Block
	items  []*item
	indent float32
	size   float32 // of the text, that indent was measured at
}

// item is one item: its mark and its blocks.
type item struct {
	number *prose.Text    // of an ordered list
	dot    *canvas.Circle // of another one
	box    *box           // of a task
	stack  *stack
}

func newList(opt *Options, lk look, b Block) *list {
	lk.depth++
	l := &list{opt: opt, look: lk}
	l.Arrange, l.Paint, l.Least = l.place, l.paint, 60
	l.ExtendBaseWidget(l)
	l.set(b)
	return l
}

// tight reports a list of single paragraphs: its items stand close.
func tight(b Block) bool {
	for _, it := range b.Items {
		paragraphs := 0
		for _, x := range it.Blocks {
			if x.Kind != List {
				paragraphs++
			}
		}
		if paragraphs > 1 {
			return false
		}
	}
	return true
}

func (l *list) object() fyne.CanvasObject { return l }

func (l *list) set(b Block) {
	was := len(l.items)
	remark := b.Ordered != l.block.Ordered || b.Start != l.block.Start
	close := tight(b)
	number := b.Start
	for i, it := range b.Items {
		if i == len(l.items) {
			l.items = append(l.items, &item{stack: newStack(l.opt, l.look, it.Blocks, close)})
		} else {
			l.items[i].stack.tight = close
			l.items[i].stack.update(it.Blocks, 0)
		}
		if remark || i >= was || i >= len(l.block.Items) || l.block.Items[i].Task != it.Task || l.block.Items[i].Done != it.Done || l.block.Items[i].goesOn != it.goesOn {
			l.items[i].mark(b, it, number, l.look)
		}
		if i+1 < len(b.Items) && !b.Items[i+1].goesOn {
			number++
		}
	}
	clear(l.items[min(len(b.Items), len(l.items)):])
	l.items = l.items[:len(b.Items)]
	l.block = b
	l.size = 0
	l.Objects = l.Objects[:0]
	for _, it := range l.items {
		switch {
		case it.number != nil:
			l.Objects = append(l.Objects, it.number)
		case it.dot != nil:
			l.Objects = append(l.Objects, it.dot)
		case it.box != nil:
			l.Objects = append(l.Objects, it.box)
		}
		l.Objects = append(l.Objects, it.stack)
	}
	l.Refresh()
}

// mark makes what stands before an item.
func (it *item) mark(b Block, of Item, number int, lk look) {
	it.number, it.dot, it.box = nil, nil, nil
	switch {
	case of.goesOn:
	case of.Task:
		it.box = newBox(of.Done)
	case b.Ordered:
		it.number = prose.Plain(strconv.Itoa(number)+".", lk.size, lk.color)
		it.number.Align = fyne.TextAlignTrailing
	default:
		it.dot = canvas.NewCircle(color.Transparent)
		if lk.depth%2 == 0 {
			it.dot.StrokeWidth = 1
		}
	}
}

// measure finds how far the items are indented: as wide as their numbers.
func (l *list) measure() {
	size := theme.Size(l.textSize())
	if l.size == size {
		return
	}
	l.size = size
	l.indent = l.scaled(listIndent)
	for _, it := range l.items {
		switch {
		case it.number != nil:
			l.indent = max(l.indent, it.number.NaturalWidth(200)+numberGap)
		case it.box != nil:
			l.indent = max(l.indent, l.scaled(boxSide+boxGap))
		}
	}
}

// scaled is a length for a text of 14 points, for the size that the text has.
func (l *list) scaled(points float32) float32 { return points * l.size / 14 }

func (l *list) textSize() fyne.ThemeSizeName {
	if l.look.size == "" {
		return theme.Body
	}
	return l.look.size
}

func (l *list) place(width float32, put layout.Put) float32 {
	l.measure()
	space, line := float32(gap), prose.LineHeight(l.size)
	if tight(l.block) {
		space = gapItems
	}
	var y float32
	for i, it := range l.items {
		if i > 0 {
			y += space
		}
		h := max(it.stack.HeightFor(width-l.indent), line)
		if put != nil {
			l.placeMark(it, y, line, put)
			put(it.stack, l.indent, y, width-l.indent, h)
		}
		y += h
	}
	return y
}

// placeMark puts what stands before an item into its first line.
func (l *list) placeMark(it *item, y, line float32, put layout.Put) {
	switch {
	case it.number != nil:
		put(it.number, 0, y, l.indent-numberGap, line)
	case it.dot != nil:
		d := l.size * 0.34
		put(it.dot, l.scaled(6), y+(line-d)/2+0.5, d, d)
	case it.box != nil:
		side := l.scaled(boxSide)
		put(it.box, 0, y+(line-side)/2, side, side)
	}
}

func (l *list) paint() {
	ink := theme.Color(cmp.Or(l.look.color, theme.Text))
	for _, it := range l.items {
		if it.dot == nil {
			continue
		}
		it.dot.FillColor = ink
		if it.dot.StrokeWidth > 0 {
			it.dot.FillColor, it.dot.StrokeColor = color.Transparent, ink
		}
	}
}

// boxSide is the side of a task's box, in points.
const boxSide = 14

// box is that of a task; it shows and cannot be ticked.
type box struct {
	layout.Arranged
	done  bool
	frame *canvas.Rectangle
	tick  *widgets.Icon
}

func newBox(done bool) *box {
	b := &box{done: done, frame: canvas.NewRectangle(nil), tick: widgets.NewIcon("check", boxSide-2, theme.OnPrimary)}
	b.frame.CornerRadius, b.frame.StrokeWidth = 3, 1.5
	b.Objects, b.Paint, b.Least = []fyne.CanvasObject{b.frame, b.tick}, b.paint, boxSide
	b.Arrange = func(width float32, put layout.Put) float32 {
		if put != nil {
			put(b.frame, 0, 0, width, width)
			put(b.tick, 1, 1, width-2, width-2)
		}
		return width
	}
	b.ExtendBaseWidget(b)
	return b
}

func (b *box) paint() {
	b.tick.Hidden = !b.done
	b.frame.StrokeColor = theme.Color(theme.Faint)
	b.frame.FillColor = color.Transparent
	if b.done {
		b.frame.StrokeColor = theme.Color(theme.Primary)
		b.frame.FillColor = theme.Color(theme.Primary)
	}
}
