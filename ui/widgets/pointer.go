package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test" // only it exposes renderers; fyne/v2/app links it anyway
	"fyne.io/fyne/v2/widget"
)

// pointer is above the content of a window and passes the mouse on to what it hovers. So it
// knows where the mouse is: after scrolling under a mouse at rest it hovers what is there now,
// of which Fyne says nothing before the next movement.
type pointer struct {
	widget.BaseWidget
	root    *Root
	at      fyne.Position
	within  bool
	resting bool
	over    desktop.Hoverable // nil for nothing
}

func newPointer(root *Root) *pointer {
	p := &pointer{root: root}
	p.ExtendBaseWidget(p)
	return p
}

// CreateRenderer implements fyne.Widget.
func (p *pointer) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewWithoutLayout())
}

// MouseIn implements desktop.Hoverable.
func (p *pointer) MouseIn(e *desktop.MouseEvent) { p.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (p *pointer) MouseMoved(e *desktop.MouseEvent) {
	p.at, p.within = e.AbsolutePosition, true
	if !p.resting {
		p.hover(e)
	}
}

// MouseOut implements desktop.Hoverable.
func (p *pointer) MouseOut() {
	p.within = false
	p.leave()
}

// hover notifies what is under the mouse of an event.
func (p *pointer) hover(e *desktop.MouseEvent) {
	var over desktop.Hoverable
	var at fyne.Position
	for _, o := range p.root.Objects {
		if o == fyne.CanvasObject(p) {
			continue
		}
		if found, where := hoverable(o, e.AbsolutePosition, fyne.Position{}); found != nil {
			over, at = found, where
		}
	}
	here := *e
	here.Position = at
	if over != nil && over == p.over {
		over.MouseMoved(&here)
		return
	}
	p.leave()
	if p.over = over; over != nil {
		over.MouseIn(&here)
	}
}

func (p *pointer) leave() {
	if over := p.over; over != nil {
		p.over = nil
		over.MouseOut()
	}
}

// rest hovers nothing until wake is called.
func (p *pointer) rest() {
	p.resting = true
	p.leave()
}

// wake hovers what is under the mouse now, unless a menu or a dialog has it.
func (p *pointer) wake() {
	p.resting = false
	c := fyne.CurrentApp().Driver().CanvasForObject(p.root)
	if p.within && c != nil && c.Overlays().Top() == nil {
		p.hover(&desktop.MouseEvent{PointEvent: fyne.PointEvent{AbsolutePosition: p.at}})
	}
}

// hoverable returns the topmost object at a position of the window that can be hovered, and the
// position in it. from is searched, whose parent begins at parent.
func hoverable(from fyne.CanvasObject, at, parent fyne.Position) (desktop.Hoverable, fyne.Position) {
	if !from.Visible() {
		return nil, fyne.Position{}
	}
	begin := parent.Add(from.Position())
	within := holds(from, at.Subtract(parent))
	if !within && clips(from) {
		return nil, fyne.Position{}
	}
	children := childrenOf(from)
	for i := len(children) - 1; i >= 0; i-- {
		if found, where := hoverable(children[i], at, begin); found != nil {
			return found, where
		}
	}
	if h, ok := from.(desktop.Hoverable); ok && within {
		return h, at.Subtract(begin)
	}
	return nil, fyne.Position{}
}

// clips reports whether an object cuts off what reaches beyond it.
func clips(o fyne.CanvasObject) bool {
	switch o.(type) {
	case fyne.Scrollable, *container.Clip:
		return true
	}
	return false
}

// childrenOf returns the objects within a container or a widget.
func childrenOf(o fyne.CanvasObject) []fyne.CanvasObject {
	switch o := o.(type) {
	case *fyne.Container:
		return o.Objects
	case fyne.Widget:
		return test.WidgetRenderer(o).Objects()
	}
	return nil
}
