package widgets

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// Popover shows a card beside what the mouse or the keyboard rests on, as long as it is there
// or on the card. Nothing below the card moves.
type Popover struct {
	root   *Root
	beside fyne.CanvasObject
	turn   int // counts what is waited for: only the newest counts
	stop   func()
}

// How long the mouse rests before the card is shown and how long the card then stays without
// it, the card's width, and its distances from the object and from the window's edges, in
// points.
const (
	popIn           = 250 * time.Millisecond
	popOut          = 150 * time.Millisecond
	popWide         = 440
	popGap  float32 = 9
	popEdge         = 18
)

// Enter calls fill after a moment, which shows a content by what it is given, at once or later.
func (p *Popover) Enter(beside fyne.CanvasObject, fill func(show func(fyne.CanvasObject))) {
	root := rootOf(beside)
	if root == nil || beside == p.beside && p.Shown() {
		p.wait(nil, 0, nil)
		return
	}
	var mine int
	p.wait(root, popIn, func() {
		fill(func(content fyne.CanvasObject) {
			if p.turn == mine {
				p.show(root, beside, content)
			}
		})
	})
	mine = p.turn
}

// Leave hides the card after a moment, unless the mouse is on it by then.
func (p *Popover) Leave() {
	root := p.root
	p.wait(root, popOut, func() {
		if at := root.pointer; at.within && p.Shown() && holds(p.card(), at.at) {
			p.Leave()
			return
		}
		p.Hide()
	})
}

// Hide hides the card, and shows none that was waited for.
func (p *Popover) Hide() {
	if p.wait(nil, 0, nil); p.Shown() {
		p.root.card.Objects = nil
		p.root.card.Refresh()
	}
	light(p.beside, false)
	p.root, p.beside = nil, nil
}

// light makes an object that knows how to show that its card is there do so.
func light(o fyne.CanvasObject, on bool) {
	if o, can := o.(interface{ Light(on bool) }); can {
		o.Light(on)
	}
}

// Shown reports whether the card is shown.
func (p *Popover) Shown() bool { return p.root != nil && len(p.root.card.Objects) > 0 }

// card returns the card that is shown, above its shadow.
func (p *Popover) card() fyne.CanvasObject { return p.root.card.Objects[1] }

// wait does something after a time, in place of what was waited for; without a root nothing.
func (p *Popover) wait(root *Root, d time.Duration, do func()) {
	p.turn++
	if p.stop != nil {
		p.stop()
		p.stop = nil
	}
	if root == nil {
		return
	}
	mine := p.turn
	p.stop = root.After(d, func() {
		if p.turn == mine {
			do()
		}
	})
}

func (p *Popover) show(root *Root, beside, content fyne.CanvasObject) {
	if p.beside != beside {
		light(p.beside, false)
	}
	p.root, p.beside = root, beside
	light(beside, true)
	veil := newVeil(theme.RadiusCard)
	card := &popCard{}
	card.Objects = []fyne.CanvasObject{layout.Stack(newBox(theme.Raised, theme.Line, theme.RadiusCard), content, veil.Rectangle)}
	card.ExtendBaseWidget(card)
	shadow := newShadow(theme.RadiusCard)
	window := root.Size()
	width := min(popWide, window.Width-2*theme.Unit)
	card.Resize(fyne.NewSize(width, min(layout.HeightFor(card, width), window.Height-2*theme.Unit)))
	driver := fyne.CurrentApp().Driver()
	at := driver.AbsolutePositionForObject(beside).Subtract(driver.AbsolutePositionForObject(root))
	card.Move(popPlace(at, beside.Size(), card.Size(), window))
	shadow.Move(card.Position())
	shadow.Resize(card.Size())
	root.card.Objects = []fyne.CanvasObject{shadow, card}
	root.card.Refresh()
	veil.lift()
}

// holds reports whether a position is within an object, both in the same container.
func holds(o fyne.CanvasObject, at fyne.Position) bool {
	in, size := at.Subtract(o.Position()), o.Size()
	return in.X >= 0 && in.Y >= 0 && in.X < size.Width && in.Y < size.Height
}

// popPlace returns where a card goes in a window: below an object at a position if it fits
// there, else above it.
func popPlace(at fyne.Position, object, card, window fyne.Size) fyne.Position {
	y := at.Y + object.Height + popGap
	if y+card.Height > window.Height-theme.Unit && at.Y-popGap-card.Height >= theme.Unit {
		y = at.Y - popGap - card.Height
	}
	edge := min(popEdge, (window.Width-card.Width)/2)
	return fyne.NewPos(max(edge, min(at.X-popEdge, window.Width-card.Width-edge)), max(theme.Unit, min(y, window.Height-card.Height-theme.Unit)))
}

// popCard is the card. Neither clicks nor the mouse reach what is below it.
type popCard struct{ layout.Arranged }

func (*popCard) Tapped(*fyne.PointEvent)        {}
func (*popCard) MouseIn(*desktop.MouseEvent)    {}
func (*popCard) MouseMoved(*desktop.MouseEvent) {}
func (*popCard) MouseOut()                      {}
