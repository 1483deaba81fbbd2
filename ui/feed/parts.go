package feed

import (
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ndb/clean"
	"bowerbird/ui/dispatch"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// pill says how many new notes wait, and shows them when it is pressed. It takes no
// room while none do.
type pill struct {
	widget.BaseWidget
	count *widgets.Label
	all   *fyne.Container
}

func newPill(id string, tap func()) *pill {
	p := &pill{count: widgets.NewLabel("", theme.Small, theme.Primary)}
	p.count.Align = fyne.TextAlignCenter
	press := widgets.NewTappable(layout.Pad(layout.Sides(8, 16), p.count), tap)
	press.ID = id
	p.all = layout.Column(0, layout.Stack(widgets.NewGround(theme.PrimarySoft), press), widgets.NewRule())
	p.Hidden = true
	p.ExtendBaseWidget(p)
	return p
}

// set shows a number, and reports whether the pill came or went.
func (p *pill) set(n int, number string) bool {
	p.count.SetText(lang.N("{{.Number}} new notes", n, map[string]any{"Number": number}))
	if p.Visible() == (n > 0) {
		return false
	}
	p.Hidden = n == 0
	return true
}

func (p *pill) HeightFor(width float32) float32 { return layout.HeightFor(p.all, width) }

func (p *pill) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(p.all) }

// newFoot stands below the last note of a list.
func newFoot() fyne.CanvasObject {
	t := widgets.NewLabel(lang.L("This is the oldest note stored here."), theme.Small, theme.Muted)
	t.Align = fyne.TextAlignCenter
	return layout.Pad(layout.Sides(18, theme.ColumnPadding), t)
}

// unreadable says that the store could not be read, and why; again tries it once more.
func unreadable(err error, again func()) fyne.CanvasObject {
	try := widgets.NewButton(lang.L("Try again"), widgets.Primary, again)
	try.ID = "feed.again"
	return widgets.NewEmpty("warning", lang.L("The notes cannot be read"),
		lang.L("The disk may be full or damaged. Reported reason: {{.Reason}}",
			map[string]any{"Reason": present.Isolate(clean.Line(err.Error(), 200))}), try)
}

// clock runs something on the window's thread now and then.
type clock struct {
	stop chan struct{}
	once sync.Once
}

func newClock(do dispatch.Dispatcher, every time.Duration, tick func()) *clock {
	c := &clock{stop: make(chan struct{})}
	go func() {
		t := time.NewTicker(every)
		defer t.Stop()
		for {
			select {
			case <-c.stop:
				return
			case <-t.C:
				do.Do(func() {
					select {
					case <-c.stop:
					default:
						tick()
					}
				})
			}
		}
	}()
	return c
}

func (c *clock) end() { c.once.Do(func() { close(c.stop) }) }
