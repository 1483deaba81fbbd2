package layout_test

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/layout"
)

// words is an object of so many points of text in a line, which breaks it.
type words struct {
	canvas.Rectangle
	long  float32
	least float32
}

func (w *words) HeightFor(width float32) float32 {
	lines := float32(1)
	for rest := w.long; rest > width && width > 0; rest -= width {
		lines++
	}
	return 10 * lines
}

func (w *words) MinSize() fyne.Size { return fyne.NewSize(w.least, w.HeightFor(w.Size().Width)) }

func fixed(w, h float32) *canvas.Rectangle {
	r := canvas.NewRectangle(nil)
	r.SetMinSize(fyne.NewSize(w, h))
	return r
}

func at(o fyne.CanvasObject) string {
	p, s := o.Position(), o.Size()
	return fmt.Sprint(p.X, p.Y, s.Width, s.Height)
}

func lay(c *fyne.Container, width float32) float32 {
	h := layout.HeightFor(c, width)
	c.Resize(fyne.NewSize(width, h))
	return h
}

func TestEachLayoutGivesEveryObjectItsPlace(t *testing.T) {
	test.NewTempApp(t)
	hidden := fixed(50, 50)
	hidden.Hide()
	for _, c := range []struct {
		name   string
		make   func(...fyne.CanvasObject) *fyne.Container
		in     []fyne.CanvasObject
		height float32
		want   []string
	}{
		{
			"a column", func(o ...fyne.CanvasObject) *fyne.Container { return layout.Column(5, o...) },
			[]fyne.CanvasObject{&words{long: 250}, hidden, fixed(20, 7)},
			42,
			[]string{"0 0 100 30", "", "0 35 100 7"},
		},
		{
			"a column of hidden ones", func(o ...fyne.CanvasObject) *fyne.Container { return layout.Column(5, o...) },
			[]fyne.CanvasObject{hidden},
			0,
			[]string{""},
		},
		{
			"a row where the middle grows", func(o ...fyne.CanvasObject) *fyne.Container { return layout.Row(10, 1, o...) },
			[]fyne.CanvasObject{fixed(20, 8), &words{long: 120}, hidden, fixed(10, 20)},
			30,
			[]string{"0 11 20 8", "30 0 50 30", "", "90 5 10 20"},
		},
		{
			"a row at its upper edge", func(o ...fyne.CanvasObject) *fyne.Container { return layout.TopRow(0, 1, o...) },
			[]fyne.CanvasObject{fixed(20, 8), &words{long: 120}},
			20,
			[]string{"0 0 20 8", "20 0 80 20"},
		},
		{
			"a row without room", func(o ...fyne.CanvasObject) *fyne.Container { return layout.Row(10, 1, o...) },
			[]fyne.CanvasObject{fixed(90, 8), fixed(30, 8), fixed(40, 8)},
			8,
			[]string{"0 0 90 8", "100 0 0 8", "110 0 40 8"},
		},
		{
			"a frame of space", func(o ...fyne.CanvasObject) *fyne.Container {
				return layout.Pad(layout.Insets{Top: 1, Right: 2, Bottom: 3, Left: 4}, o[0])
			},
			[]fyne.CanvasObject{&words{long: 100}},
			24,
			[]string{"4 1 94 20"},
		},
		{
			"one over another", func(o ...fyne.CanvasObject) *fyne.Container { return layout.Stack(o...) },
			[]fyne.CanvasObject{fixed(1, 1), &words{long: 150}},
			20,
			[]string{"0 0 100 20", "0 0 100 20"},
		},
		{
			"chips in lines", func(o ...fyne.CanvasObject) *fyne.Container { return layout.Wrap(10, o...) },
			[]fyne.CanvasObject{fixed(40, 10), fixed(40, 12), hidden, fixed(30, 10), fixed(200, 10)},
			52,
			[]string{"0 1 40 10", "50 0 40 12", "", "0 22 30 10", "0 42 100 10"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			box := c.make(c.in...)
			if got := lay(box, 100); got != c.height {
				t.Errorf("it is %v high, not %v", got, c.height)
			}
			for i, want := range c.want {
				if want != "" && at(c.in[i]) != want {
					t.Errorf("object %d is at %s, not %s", i, at(c.in[i]), want)
				}
			}
		})
	}
}

func TestHeightsAreThoseOfTheWidthAlsoBeforeAnythingWasDrawn(t *testing.T) {
	test.NewTempApp(t)
	text := &words{long: 400}
	card := layout.Pad(layout.All(10), layout.Column(4, layout.Row(6, 1, fixed(20, 20), text), fixed(5, 5)))
	for _, width := range []float32{300, 120, 500, 66} {
		inner := layout.HeightFor(text, width-20-26)
		if got, want := layout.HeightFor(card, width), 20+max(20, inner)+4+5; got != want {
			t.Errorf("at %v points it is %v high, not %v", width, got, want)
		}
	}
}

func TestTheSmallestSizeIsThatOfTheWidthLastGiven(t *testing.T) {
	test.NewTempApp(t)
	text := &words{long: 400, least: 10}
	for name, box := range map[string]*fyne.Container{
		"column": layout.Column(0, text), "pad": layout.Pad(layout.All(0), text), "row": layout.Row(0, 0, text),
	} {
		lay(box, 200)
		if got := box.MinSize(); got != fyne.NewSize(10, 20) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAWrapNeedsNoMoreWidthThanItsWidestChip(t *testing.T) {
	test.NewTempApp(t)
	box := layout.Wrap(8, fixed(60, 10), fixed(90, 10), fixed(40, 10))
	if got := box.MinSize().Width; got > 206 {
		t.Errorf("before it was laid out it asks for %v", got)
	}
	lay(box, 100)
	if got := box.MinSize(); got.Width > 100 || got.Height != layout.HeightFor(box, 100) {
		t.Errorf("at 100 points it asks for %v, and needs %v", got, layout.HeightFor(box, 100))
	}
}
