package chat

import (
	"fmt"

	"fyne.io/fyne/v2"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/ui/answers"
	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// refresh redraws the rows that changed.
func (s *Screen) refresh() {
	s.rows = s.allRows()
	ids := make([]string, len(s.rows))
	s.byID = make(map[string]row, len(s.rows))
	for i, r := range s.rows {
		ids[i] = r.id
		s.byID[r.id] = r
	}
	s.list.SetIDs(ids)
	for _, r := range s.rows {
		// The list remembers how high a row was, also of one that comes back.
		if old, there := s.bound[r.id]; there && old != r {
			s.bound[r.id] = r
			s.list.RefreshRow(r.id)
		}
	}
	s.head.draw()
	s.try.draw()
	s.composer.running(s.open.running != nil)
	s.composer.settle()
	s.keepEnd()
	s.count()
}

// allRows are the rows of the turns, and before them the cards of a new chat.
func (s *Screen) allRows() []row {
	var rows []row
	if s.sync.shown {
		rows = append(rows, row{id: rowSync, kind: rowSync, text: fmt.Sprint(s.sync.status), gap: gapTurn})
	}
	if s.opening.shown && !s.sync.shown && len(s.open.turns) == 0 {
		rows = append(rows, row{id: rowOpening, kind: rowOpening, text: s.opening.since.String(), gap: gapTurn})
	}
	for _, r := range s.kinds.list(s.open.turns, s.seen) {
		if r.kind == rowQuestion {
			r.at, r.of = s.open.version(r.turn)
		}
		if r.kind == rowNotice {
			r.resumable = s.open.resumable && r.turn == len(s.open.turns)-1
		}
		if r.kind == rowProblem {
			r.left = s.open.left(r.turn)
		}
		rows = append(rows, r)
	}
	return append(rows, row{id: rowEnd, kind: rowEnd, gap: gapBlock})
}

// drawer returns a new drawer for the rows of a kind.
func (s *Screen) drawer(kind string) drawer { return s.kinds.named[kind].drawer(s) }

// drawer draws one row after another, all of one kind, in the same object.
type drawer struct {
	object fyne.CanvasObject
	draw   func(row)
}

// rebuilt makes drawers that stack new objects for each row. Nothing in them may be
// pressed while its row changes: the press would end on an object that is gone.
func rebuilt(objects func(*Screen, row) []fyne.CanvasObject) func(*Screen) drawer {
	return func(s *Screen) drawer {
		box := layout.Stack()
		return drawer{box, func(r row) {
			box.Objects = objects(s, r)
			box.Refresh()
		}}
	}
}

// slot is a row of the list: a drawer's object between the sides of the chat, with
// a space above.
type slot struct {
	layout.Arranged
	drawer drawer
	gap    float32
	row    row
	look   theme.Look // that the row was drawn in
}

func newSlot(d drawer) *slot {
	s := &slot{drawer: d}
	s.Objects, s.Arrange, s.Paint, s.Least = []fyne.CanvasObject{d.object}, s.arrange, s.paint, 120
	s.ExtendBaseWidget(s)
	return s
}

func (s *slot) arrange(width float32, put layout.Put) float32 {
	left, wide := inner(width)
	high := layout.HeightFor(s.drawer.object, wide)
	if put != nil {
		put(s.drawer.object, left, s.gap, wide, high)
	}
	return s.gap + ceil(high) // whole points: thin lines stay sharp in all rows below
}

// bind draws a row.
func (s *slot) bind(r row) {
	s.gap = r.gap
	s.row, s.look = r, theme.Shown()
	s.drawer.draw(r)
	s.Place()
}

// paint draws the row again after the theme changed: some sizes are chosen while drawing.
func (s *slot) paint() {
	if s.row.id != "" && s.look != theme.Shown() {
		s.bind(s.row)
	}
}

func (s *Screen) bind(id string, o fyne.CanvasObject) {
	r := s.byID[id]
	o.(*slot).bind(r)
	s.bound[id] = r
}

// moved stops following the end of the chat once the user scrolls away from it.
func (s *Screen) moved() {
	s.atEnd, s.fromTop = s.list.AtEnd(), false
	s.pop.Hide()
}

// follow scrolls to a question as it is asked. The answer of a model is followed to its
// end; that of the built-in arrives at once and is read from its beginning.
func (s *Screen) follow(q app.Question) {
	s.atEnd = true
	s.fromTop = q.Model.ID == config.DefaultModel
}

// keepEnd scrolls to the end, or to the last question, unless the user scrolled away. A page
// without a question is read from its beginning.
func (s *Screen) keepEnd() {
	if s.open == nil { // not yet made
		return
	}
	switch last := len(s.open.turns) - 1; {
	case !s.atEnd:
	case last < 0:
		s.list.ScrollToTop()
	case s.fromTop && last >= 0:
		s.list.ScrollTo(s.seen.rowID(rowQuestion, last, ""))
	default:
		s.list.ScrollToEnd()
	}
}

// toggle opens or closes something in a row.
func (s *Screen) toggle(id string) {
	s.seen.open[id] = !s.seen.open[id]
	s.atEnd = false // what was clicked stays where it is
	s.refresh()
}

// showMore shows more of a very long text.
func (s *Screen) showMore(id string) {
	s.seen.parts[id]++
	s.atEnd = false
	s.refresh()
}

// toggleCards shows sources as notes, or as lines again.
func (s *Screen) toggleCards(id string) {
	s.seen.cards[id] = !s.seen.cards[id]
	s.atEnd = false
	if b, ok := s.byID[id].block.(*answers.Sources); ok && s.seen.cards[id] {
		s.loadNotes(b)
	}
	s.refresh()
}
