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

// list draws items below one another, each after its marker.
type list struct {
	layout.Arranged
	opt    *Options
	look   look
	block  Block
	items  []*item
	indent float32
	size   float32 // the text size that indent was measured at
}

type item struct {
	// marker is a *prose.Text with the number in an ordered list, the *box of a task, or a
	// *canvas.Circle; nil where an item that was split goes on.
	marker fyne.CanvasObject
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

// tight reports whether each item is one paragraph: then they have less space between them.
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
		if it.marker != nil {
			l.Objects = append(l.Objects, it.marker)
		}
		l.Objects = append(l.Objects, it.stack)
	}
	l.Refresh()
}

// mark makes the marker of an item.
func (it *item) mark(b Block, of Item, number int, lk look) {
	it.marker = nil
	switch {
	case of.goesOn:
	case of.Task:
		it.marker = newBox(of.Done)
	case b.Ordered:
		t := prose.Plain(strconv.Itoa(number)+".", lk.size, lk.color)
		t.Align = fyne.TextAlignTrailing
		it.marker = t
	default:
		dot := canvas.NewCircle(color.Transparent)
		if lk.depth%2 == 0 {
			dot.StrokeWidth = 1
		}
		it.marker = dot
	}
}

// measure sets the indent of the items, which depends on the width of their numbers.
func (l *list) measure() {
	size := theme.Size(cmp.Or(l.look.size, theme.Body))
	if l.size == size {
		return
	}
	l.size = size
	l.indent = l.scaled(listIndent)
	for _, it := range l.items {
		switch marker := it.marker.(type) {
		case *prose.Text:
			l.indent = max(l.indent, marker.NaturalWidth(200)+numberGap)
		case *box:
			l.indent = max(l.indent, l.scaled(boxSide+boxGap))
		}
	}
}

// scaled converts a length that suits a text of 14 points to the size of this text.
func (l *list) scaled(points float32) float32 { return points * l.size / 14 }

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

// placeMark puts the marker of an item on its first line.
func (l *list) placeMark(it *item, y, line float32, put layout.Put) {
	switch marker := it.marker.(type) {
	case *prose.Text:
		put(marker, 0, y, l.indent-numberGap, line)
	case *canvas.Circle:
		d := l.size * 0.34
		put(marker, l.scaled(6), y+(line-d)/2+0.5, d, d)
	case *box:
		side := l.scaled(boxSide)
		put(marker, 0, y+(line-side)/2, side, side)
	}
}

func (l *list) paint() {
	ink := theme.Color(cmp.Or(l.look.color, theme.Text))
	for _, it := range l.items {
		dot, ok := it.marker.(*canvas.Circle)
		if !ok {
			continue
		}
		dot.FillColor = ink
		if dot.StrokeWidth > 0 {
			dot.FillColor, dot.StrokeColor = color.Transparent, ink
		}
	}
}

const boxSide = 14 // of a task's box, in points

// box is the box of a task, which cannot be ticked here.
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
