package widgets_test

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

func TestACardStaysWhileTheMouseIsOnItAndWithinTheWindow(t *testing.T) {
	useTheme(t, theme.Options{Mode: theme.Light})
	var waiting func()
	number := widgets.NewLabel("1", theme.Body, theme.Text)
	root := widgets.NewRoot(container.NewWithoutLayout(number))
	root.After = func(_ time.Duration, f func()) func() {
		waiting = f
		return func() { waiting = nil }
	}
	run := func() {
		if f := waiting; f != nil {
			waiting = nil
			f()
		}
	}
	w := show(t, root, 600, 400)
	number.Resize(fyne.NewSize(10, 20))
	content := widgets.NewLabel("The note", theme.Body, theme.Text)
	var p widgets.Popover
	for _, at := range []fyne.Position{{X: 20, Y: 20}, {X: 580, Y: 370}} {
		number.Move(at)
		p.Enter(number, func(show func(fyne.CanvasObject)) { show(content) })
		if p.Shown() {
			t.Fatal("it is shown before the mouse rests")
		}
		if run(); !p.Shown() {
			t.Fatal("it is not shown")
		}
		card := fyne.CurrentApp().Driver().AbsolutePositionForObject(content)
		if card.X < 0 || card.X+content.Size().Width > 600 || card.Y < 0 || card.Y+content.Size().Height > 400 {
			t.Errorf("beside %v it is at %v, %v", at, card, content.Size())
		}
		if card.Y < at.Y+20 && card.Y+content.Size().Height > at.Y {
			t.Errorf("beside %v it covers the number, at %v", at, card)
		}
		p.Leave()
		test.MoveMouse(w.Canvas(), card.AddXY(5, 5))
		if run(); !p.Shown() {
			t.Error("it goes while the mouse is on it")
		}
		test.MoveMouse(w.Canvas(), fyne.NewPos(300, 200))
		if run(); p.Shown() {
			t.Error("it stays when the mouse has left it")
		}
	}
}

func TestAnObjectKnowsWhetherItsCardIsShown(t *testing.T) {
	useTheme(t, theme.Options{Mode: theme.Light})
	number := &lit{Label: widgets.NewLabel("1", theme.Body, theme.Text)}
	number.ExtendBaseWidget(number)
	root := widgets.NewRoot(container.NewWithoutLayout(number))
	var waiting func()
	root.After = func(_ time.Duration, f func()) func() { waiting = f; return func() {} }
	show(t, root, 600, 400)
	var p widgets.Popover
	p.Enter(number, func(show func(fyne.CanvasObject)) { show(widgets.NewLabel("The note", theme.Body, theme.Text)) })
	waiting()
	if !p.Shown() || !number.on {
		t.Error("the number does not know of its card")
	}
	if p.Hide(); number.on {
		t.Error("the number does not know that its card is gone")
	}
}

// lit is an object that knows whether its card is shown.
type lit struct {
	*widgets.Label
	on bool
}

func (l *lit) Light(on bool) { l.on = on }
