package feed

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb/clean"
	"bowerbird/ui/dispatch"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// base is what a thread, a profile, an article and the search have in common.
type base struct {
	env     screen.Env
	ctx     context.Context // ends with the screen
	end     context.CancelFunc
	content *fyne.Container
	body    *fyne.Container // below the head
}

func newBase(env screen.Env) base {
	ctx, end := context.WithCancel(context.Background())
	return base{env: env, ctx: ctx, end: end, body: widgets.NewFill()}
}

// Content implements [screen.Screen].
func (b *base) Content() fyne.CanvasObject { return b.content }

// Shown implements [screen.Screen].
func (b *base) Shown() {}

// Hidden implements [screen.Screen].
func (b *base) Hidden() {}

// work does something off the window's thread; see [screen.Env.Work].
func (b *base) work(do func() (show func())) { b.env.Work(b.ctx, do) }

// put shows an object below the head.
func (b *base) put(o fyne.CanvasObject) {
	if len(b.body.Objects) == 1 && b.body.Objects[0] == o {
		return
	}
	b.body.Objects = []fyne.CanvasObject{o}
	b.body.Refresh()
}

// pill shows how many new notes wait, and shows them when it is pressed. It is hidden
// while there are none.
type pill struct {
	layout.Arranged
	count *widgets.Label
}

func newPill(id string, tap func()) *pill {
	p := &pill{count: widgets.NewLabel("", theme.Small, theme.Primary)}
	p.count.Align = fyne.TextAlignCenter
	press := widgets.Named(id, widgets.NewTappable(layout.Pad(layout.Sides(8, 16), p.count), tap))
	p.Objects = []fyne.CanvasObject{layout.Column(0, layout.Stack(widgets.NewGround(theme.PrimarySoft), press), widgets.NewRule())}
	p.Hidden = true
	p.ExtendBaseWidget(p)
	return p
}

// set shows a number, and reports whether the pill appeared or disappeared.
func (p *pill) set(n int, number string) bool {
	p.count.SetText(lang.N("{{.Number}} new notes", n, map[string]any{"Number": number}))
	if p.Visible() == (n > 0) {
		return false
	}
	p.Hidden = n == 0
	return true
}

// newFoot is the row below the last note of a list.
func newFoot() fyne.CanvasObject {
	t := widgets.NewLabel(lang.L("This is the oldest note stored here."), theme.Small, theme.Muted)
	t.Align = fyne.TextAlignCenter
	return layout.Pad(layout.Sides(18, theme.ColumnPadding), t)
}

// unreadable shows an error of the store; again is called to try once more.
func unreadable(err error, again func()) fyne.CanvasObject {
	try := widgets.Named("feed.again", widgets.NewButton(lang.L("Try again"), widgets.Primary, again))
	return widgets.NewEmpty("warning", lang.L("The notes cannot be read"),
		lang.L("The disk may be full or damaged. Reported reason: {{.Reason}}",
			map[string]any{"Reason": present.Isolate(clean.Line(err.Error(), 200))}), try)
}

// every runs a function on the window's thread at intervals, until end is called.
func every(pause time.Duration, do dispatch.Dispatcher, run func()) (end context.CancelFunc) {
	ctx, end := context.WithCancel(context.Background())
	go func() {
		t := time.NewTicker(pause)
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
				do.Do(func() {
					if ctx.Err() == nil {
						run()
					}
				})
			}
		}
	}()
	return end
}

// inset is a row with space around it, less at the sides of a narrow window.
type inset struct {
	layout.Arranged
	content     fyne.CanvasObject
	lines       *branchLines // behind the content, in a thread; nil elsewhere
	top, bottom float32
	left        float32 // indent
	most        float32 // largest width, centred; 0 for any
}

func newInset(top, bottom float32, content fyne.CanvasObject) *inset {
	in := &inset{content: content, top: top, bottom: bottom}
	in.Objects, in.Arrange, in.Least = []fyne.CanvasObject{content}, in.arrange, 100
	in.ExtendBaseWidget(in)
	return in
}

func (in *inset) arrange(width float32, put layout.Put) float32 {
	side := in.side(width)
	inner := width - 2*side - in.left
	height := layout.HeightFor(in.content, inner)
	if put != nil {
		put(in.content, side+in.left, in.top, inner, height)
		if in.lines != nil {
			put(in.lines, side, 0, inner+in.left, in.top+height+in.bottom)
		}
	}
	return in.top + height + in.bottom
}

// side is the space at each side, at a width.
func (in *inset) side(width float32) float32 {
	side := threadSide
	if width < narrowWidth {
		side = threadNarrow
	}
	if in.most > 0 {
		return max(side, (width-in.most)/2)
	}
	return side
}

// step is how much further a reply is indented than what it answers.
func (in *inset) step(width float32) float32 {
	if width < narrowWidth {
		return indent * max(0.35, width/narrowWidth*0.6)
	}
	return indent
}
