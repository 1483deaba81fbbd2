package widgets_test

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// slowly runs animations only as the test moves them on.
type slowly struct {
	fyne.Driver
	started []*fyne.Animation
}

func (s *slowly) StartAnimation(a *fyne.Animation) { s.started = append(s.started, a) }
func (s *slowly) StopAnimation(*fyne.Animation)    {}

// slowApp is an app with this driver.
type slowApp struct {
	fyne.App
	driver fyne.Driver
}

func (a slowApp) Driver() fyne.Driver { return a.driver }

// newest returns the animation of a duration that began last.
func (s *slowly) newest(scroll bool) *fyne.Animation {
	for i := len(s.started) - 1; i >= 0; i-- {
		if (s.started[i].Duration < 200e6) == scroll {
			return s.started[i]
		}
	}
	return nil
}

func slow(t *testing.T) *slowly {
	was := fyne.CurrentApp()
	s := &slowly{Driver: was.Driver()}
	fyne.SetCurrentApp(slowApp{was, s})
	t.Cleanup(func() { fyne.SetCurrentApp(was) })
	return s
}

// notch is what Fyne makes of a notch of the wheel towards the user.
func notch() *fyne.ScrollEvent { return &fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -25)} }

// high is 1,000 points high.
func high() fyne.CanvasObject {
	r := canvas.NewRectangle(nil)
	r.SetMinSize(fyne.NewSize(100, 1000))
	return r
}

func TestANotchOfTheWheelScrollsSeveralLinesAtOnceAndThenMore(t *testing.T) {
	useTheme(t, theme.Options{})
	list := widgets.NewVirtualList(widgets.VirtualOptions{
		Make: func(string) fyne.CanvasObject { return widgets.NewButton("x", widgets.Quiet, func() {}) },
		Bind: func(string, fyne.CanvasObject) {},
	})
	list.SetIDs(names(100, "r"))
	show(t, list, 300, 400)
	app := slow(t)
	gone := func() float32 {
		at, into := list.Place()
		i, _ := list.Index(at)
		return float32(i)*list.Row(at).Size().Height + into
	}
	list.Scrolled(notch())
	if y := gone(); y <= 0 || y > 48 {
		t.Errorf("at first it scrolls %v points", y)
	}
	run := app.newest(true)
	run.Tick(0.5)
	if y := gone(); y <= 48 || y >= 96 {
		t.Errorf("halfway it has scrolled %v points", y)
	}
	list.Scrolled(notch()) // before the first is over: both count
	run = app.newest(true)
	run.Tick(1)
	if y := gone(); y < 191 || y > 193 {
		t.Errorf("two notches scroll %v points", y)
	}
	list.Scrolled(notch())
	list.ScrollToTop()
	if app.newest(true).Tick(1); gone() != 0 {
		t.Errorf("it scrolls on from the beginning, which was asked for, to %v", gone())
	}
}

func TestAPageScrollsByTheWheelLikeAList(t *testing.T) {
	useTheme(t, theme.Options{})
	list := widgets.NewScroll(high())
	show(t, list, 300, 400)
	list.Scrolled(notch())
	if list.Offset() != 96 {
		t.Errorf("it scrolls %v points", list.Offset())
	}
	for range 20 {
		list.Scrolled(notch())
	}
	if list.Offset() != 600 || !list.AtEnd() {
		t.Errorf("it ends at %v", list.Offset())
	}
}

// Fyne says nothing of the mouse while it rests, and something else comes under it.
func TestWhatIsUnderAMouseAtRestIsHoveredAfterScrolling(t *testing.T) {
	useTheme(t, theme.Options{})
	var over []string
	list := widgets.NewVirtualList(widgets.VirtualOptions{
		Make: func(string) fyne.CanvasObject { return widgets.NewButton("x", widgets.Quiet, func() {}) },
		Bind: func(id string, o fyne.CanvasObject) {
			o.(*widgets.Button).Over = func(on bool) {
				if over = append(over, id); !on {
					over[len(over)-1] = "-" + id
				}
			}
		},
	})
	list.SetIDs(names(100, "r"))
	w := show(t, widgets.NewRoot(list), 300, 400)
	app := slow(t)
	test.MoveMouse(w.Canvas(), fyne.NewPos(100, 10))
	check := func(when string, want ...string) {
		t.Helper()
		if len(over) != len(want) {
			t.Fatalf("%s: %q, want %q", when, over, want)
		}
		for i := range want {
			if over[i] != want[i] {
				t.Fatalf("%s: %q, want %q", when, over, want)
			}
		}
		over = nil
	}
	check("the mouse comes", "r0")
	list.Scrolled(notch())
	check("the wheel turns", "-r0")
	test.MoveMouse(w.Canvas(), fyne.NewPos(101, 11))
	check("the mouse trembles", []string{}...)
	app.newest(true).Tick(1)
	below := list.Top()
	check("it comes to rest", below)
	test.MoveMouse(w.Canvas(), fyne.NewPos(100, 390))
	if len(over) != 2 || over[0] != "-"+below {
		t.Errorf("the mouse goes on: %q", over)
	}
}

func TestTheScrollBarFadesAfterScrolling(t *testing.T) {
	useTheme(t, theme.Options{})
	list := widgets.NewScroll(high())
	w := show(t, list, 300, 400)
	app := slow(t)
	thumb := func() uint32 {
		bar := test.WidgetRenderer(list).Objects()[1].(fyne.Widget)
		_, _, _, a := test.WidgetRenderer(bar).Objects()[0].(*canvas.Rectangle).FillColor.RGBA()
		return a
	}
	if thumb() != 0 {
		t.Error("it is seen at rest")
	}
	list.Scrolled(notch())
	if thumb() != 0xffff {
		t.Error("it is not seen while scrolling")
	}
	fade := app.newest(false)
	fade.Tick(0.8)
	if thumb() != 0xffff {
		t.Error("it fades at once")
	}
	if fade.Tick(0.95); thumb() == 0 || thumb() == 0xffff {
		t.Errorf("it does not fade but is at %#x", thumb())
	}
	if fade.Tick(1); thumb() != 0 {
		t.Error("it stays")
	}
	test.MoveMouse(w.Canvas(), fyne.NewPos(295, 200))
	if thumb() == 0 {
		t.Error("it is not seen under the mouse")
	}
}
