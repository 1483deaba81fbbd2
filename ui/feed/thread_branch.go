package feed

import (
	"fyne.io/fyne/v2/canvas"

	"bowerbird/ui/layout"
	"bowerbird/ui/note"
	"bowerbird/ui/theme"
)

// branch is what is drawn of the lines of a thread in one row: they join each reply to what it
// answers, and the note that the thread is about to what is above it.
type branch struct {
	on    []bool // by depth above that of the row: the line goes on below it
	open  bool   // a line begins below the face: answers follow
	above bool   // a line comes from the row above to the face: this answers it
}

// branches sets the lines of all rows.
func branches(ids []string, byID map[string]threadRow) {
	on := []bool{} // by depth: below the row there is another answer to the note of that depth
	for i := len(ids) - 1; i >= 0; i-- {
		r := byID[ids[i]]
		switch r.kind {
		case rowAncestor, rowFocus:
			r.branch = branch{open: r.kind == rowAncestor, above: i > 0}
		case rowCut:
		default:
			if r.kind == rowMissing && r.place != rowReply {
				r.branch = branch{open: r.place == rowAncestor, above: i > 0}
				break
			}
			for len(on) <= r.depth {
				on = append(on, false)
			}
			r.branch = branch{on: append([]bool(nil), on[:r.depth]...), open: on[r.depth]}
			on = on[:r.depth]
			if r.depth > 0 {
				on[r.depth-1] = true
			}
		}
		byID[ids[i]] = r
	}
}

// The measures of the lines, in points.
const (
	branchWide  float32 = 2
	branchApart float32 = 6 // between a line and a face
)

// branchLines draws the lines of a row.
type branchLines struct {
	layout.Arranged
	of   branch
	step float32 // the indent of a reply
	face float32 // the side of the face
	top  float32 // above the face
}

func newBranchLines(size note.Size) *branchLines {
	b := &branchLines{}
	b.top, b.face = note.FaceOf(size)
	b.Arrange = func(_ float32, put layout.Put) float32 {
		if put != nil {
			b.draw(put)
		}
		return 0
	}
	b.ExtendBaseWidget(b)
	return b
}

// set shows the lines of a row. Where replies are hardly indented, in a narrow window, there is
// no space for lines.
func (b *branchLines) set(of branch, step float32) {
	if step < theme.Eased(b.face)/2+2*branchApart {
		of = branch{}
	}
	b.of, b.step = of, step
	b.Refresh()
}

func (b *branchLines) draw(put layout.Put) {
	used := 0
	line := func(x, y, width, height float32) {
		if used == len(b.Objects) {
			b.Objects = append(b.Objects, canvas.NewRectangle(theme.Color(theme.Line)))
		}
		r := b.Objects[used].(*canvas.Rectangle)
		r.FillColor = theme.Color(theme.Line)
		r.Show()
		put(r, x, y, width, height)
		used++
	}
	size, face := b.Size(), theme.Eased(b.face)
	middle := func(depth int) float32 { return b.step*float32(depth) + theme.Eased(replyFace)/2 - branchWide/2 }
	centre := b.top + face/2
	for depth, on := range b.of.on {
		end := centre
		if on {
			end = size.Height
		} else if depth < len(b.of.on)-1 {
			continue
		}
		line(middle(depth), 0, branchWide, end)
	}
	if d := len(b.of.on); d > 0 {
		x := middle(d - 1)
		line(x, centre-branchWide/2, b.step*float32(d)-branchApart-x, branchWide)
	}
	if b.of.above {
		line(middle(0), 0, branchWide, max(0, b.top-branchApart+2))
	}
	if b.of.open {
		from := b.top + face + branchApart
		line(middle(len(b.of.on)), from, branchWide, max(0, size.Height-from))
	}
	for _, o := range b.Objects[used:] {
		o.Hide()
	}
}

// replyFace is the side of the faces of replies, in points.
const replyFace float32 = 32
