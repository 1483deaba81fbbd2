package chart

import (
	"bytes"
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"bowerbird/tools/chartspec"
	"bowerbird/ui/keys"
	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/table"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

const (
	minPlotWidth = 200 // the least width that a chart is laid out for, in points
	ringGap      = 5   // between the drawing and its focus ring, in points
)

// plot draws a chart and shows the values of the mark nearest to the mouse, or of the one
// that the keyboard chose.
type plot struct {
	widget.BaseWidget
	id    string
	spec  *chartspec.Spec
	order []int // the indexes of the scene's marks in the order of the arrow keys

	scene   *scene
	drawn   []fyne.CanvasObject
	tip     *tip
	ring    *canvas.Rectangle
	chosen  int // the index of the mark in the tip; -1 for none
	heights map[heightKey]float32
	look    theme.Look // that the scene was laid out with
}

// heightKey is what the height of a plot depends on: its width in whole points, and the
// size of its labels.
type heightKey struct {
	width int
	label float32
}

func newPlot(spec *chartspec.Spec, id string) *plot {
	p := &plot{spec: spec, id: id, chosen: -1, tip: newTip(), heights: map[heightKey]float32{}}
	p.ring = canvas.NewRectangle(nil)
	p.ring.StrokeWidth, p.ring.CornerRadius = 2, 4
	p.ring.Hide()
	p.ExtendBaseWidget(p)
	return p
}

// windowLook returns the look of the theme that is shown.
func windowLook() look {
	k := plainLook()
	k.palette = themePalette()
	k.label = float64(theme.Size(theme.Tiny))
	k.heading = float64(theme.Size(theme.Small))
	k.titled, k.margin = false, 0
	k.measure = measureFyne
	k.month = monthName
	k.date = func(t time.Time) string {
		return lang.L("{{.Day}} {{.Month}}", map[string]any{"Day": t.Day(), "Month": monthName(t)})
	}
	k.more = func(n int) string { return "+" + strconv.Itoa(n) }
	return k
}

func themePalette() palette {
	p := palette{
		Ink: nrgba(theme.Color(theme.Text)), Quiet: nrgba(theme.Color(theme.Muted)),
		Grid: nrgba(theme.Color(theme.Line)), Paper: nrgba(theme.Color(theme.Surface)),
		ShadeLow: nrgba(theme.Color(theme.PrimarySoft)), ShadeHigh: nrgba(theme.Color(theme.Primary)),
	}
	p.Grid = mix(p.Grid, p.Paper, 0.3)
	for i := range daylight().Series {
		p.Series = append(p.Series, nrgba(theme.Series(i)))
	}
	return p
}

// DumpName names the drawing in the dump of rectangles.
func (p *plot) DumpName() string { return p.id }

func (p *plot) HeightFor(width float32) float32 {
	width = max(width, minPlotWidth)
	key := heightKey{int(math.Round(float64(width))), theme.Size(theme.Tiny)}
	h, ok := p.heights[key]
	if !ok {
		h = float32(math.Ceil(heightFor(p.spec, float64(width), windowLook())))
		p.heights[key] = h
	}
	return h
}

func (p *plot) MinSize() fyne.Size {
	p.ExtendBaseWidget(p)
	return fyne.NewSize(minPlotWidth, p.HeightFor(max(p.Size().Width, minPlotWidth)))
}

// arrange lays out and draws the scene at a size.
func (p *plot) arrange(size fyne.Size) {
	if size.Width < 1 || size.Height < 1 {
		return
	}
	p.look = theme.Shown()
	p.scene = arrange(p.spec, float64(size.Width), float64(size.Height), windowLook())
	p.drawn = objects(p.scene)
	p.order = readingOrder(p.scene.marks)
	p.ring.StrokeColor = theme.Color(theme.Primary)
	p.ring.Move(fyne.NewPos(-ringGap, -ringGap)) // around the labels
	p.ring.Resize(size.AddWidthHeight(2*ringGap, 2*ringGap))
	p.showTip()
}

// readingOrder returns the marks from left to right, those at one place from top to bottom,
// and the slices of a pie as they come.
func readingOrder(marks []mark) []int {
	order := make([]int, len(marks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := marks[i], marks[j]
		switch {
		case a.slice || b.slice:
			return i - j
		case math.Abs(a.x1+a.x2-b.x1-b.x2) > 1:
			return int(math.Copysign(1, a.x1+a.x2-b.x1-b.x2))
		}
		return int(math.Round(a.y1 + a.y2 - b.y1 - b.y2))
	})
	return order
}

// choose shows the values of a mark; -1 hides them.
func (p *plot) choose(i int) {
	if i == p.chosen {
		return
	}
	p.chosen = i
	p.showTip()
	p.BaseWidget.Refresh()
}

func (p *plot) showTip() {
	if p.scene == nil || p.chosen < 0 || p.chosen >= len(p.scene.marks) {
		p.tip.hide()
		return
	}
	m := p.scene.marks[p.chosen]
	p.tip.show(p.spec.Layers[m.layer].Points[m.point], m, fyne.NewSize(float32(p.scene.width), float32(p.scene.height)))
}

func (p *plot) MouseIn(e *desktop.MouseEvent)    { p.Tapped(&e.PointEvent) }
func (p *plot) MouseMoved(e *desktop.MouseEvent) { p.Tapped(&e.PointEvent) }
func (p *plot) MouseOut()                        { p.choose(-1) }

// Tapped chooses the nearest mark, as the mouse does.
func (p *plot) Tapped(e *fyne.PointEvent) {
	if p.scene != nil {
		p.choose(nearest(p.scene.marks, float64(e.Position.X), float64(e.Position.Y)))
	}
}

func (p *plot) FocusGained() {
	p.ring.Show()
	p.BaseWidget.Refresh()
}

func (p *plot) FocusLost() {
	p.ring.Hide()
	p.chosen = -1
	p.showTip()
	p.BaseWidget.Refresh()
}

func (p *plot) TypedRune(rune) {}

// TypedKey implements fyne.Focusable: the arrow keys walk the marks.
func (p *plot) TypedKey(e *fyne.KeyEvent) {
	at := slices.Index(p.order, p.chosen)
	last := len(p.order) - 1
	switch e.Name {
	case fyne.KeyRight, fyne.KeyDown:
		at = min(at+1, last)
	case fyne.KeyLeft, fyne.KeyUp:
		at = max(at-1, 0)
	case fyne.KeyHome:
		at = 0
	case fyne.KeyEnd:
		at = last
	case fyne.KeyEscape:
		if at < 0 {
			keys.PassOn(p, e)
		}
		p.choose(-1)
		return
	default:
		keys.PassOn(p, e)
		return
	}
	if at >= 0 && at <= last {
		p.choose(p.order[at])
	}
}

// nearest returns the mark closest to a place; -1 for none.
func nearest(marks []mark, x, y float64) int {
	best, least := -1, math.Inf(1)
	for i, m := range marks {
		d := m.distance(x, y)
		if d < least {
			best, least = i, d
		}
	}
	return best
}

// distance returns how far a place is from a mark. Distance along y counts half, so that a
// bar is chosen from anywhere in its column; a slice only from within.
func (m mark) distance(x, y float64) float64 {
	if m.slice {
		middle := place{(m.x1 + m.x2) / 2, (m.y1 + m.y2) / 2}
		if math.Hypot(x-middle.x, y-middle.y) > (m.x2-m.x1)/2 {
			return math.Inf(1)
		}
		angle := math.Atan2(x-middle.x, middle.y-y)
		if angle < 0 {
			angle += 2 * math.Pi
		}
		if angle >= m.a1 && angle < m.a2 {
			return 0
		}
		return math.Inf(1)
	}
	dx := math.Max(0, math.Max(m.x1-x, x-m.x2))
	dy := math.Max(0, math.Max(m.y1-y, y-m.y2))
	return math.Hypot(dx, dy*0.5)
}

func (p *plot) CreateRenderer() fyne.WidgetRenderer { return &plotRenderer{p} }

type plotRenderer struct{ p *plot }

func (r *plotRenderer) Layout(size fyne.Size) { r.p.arrange(size) }
func (r *plotRenderer) MinSize() fyne.Size    { return r.p.MinSize() }
func (r *plotRenderer) Destroy()              {}
func (r *plotRenderer) Objects() []fyne.CanvasObject {
	return append(append(slices.Clone(r.p.drawn), r.p.ring), r.p.tip.objects()...)
}

// Refresh lays the chart out again if the theme has changed.
func (r *plotRenderer) Refresh() {
	if r.p.look != theme.Shown() {
		r.p.arrange(r.p.Size())
	}
	canvas.Refresh(r.p)
}

// tip is the box with the values of a mark. It stays within the chart.
type tip struct {
	highlight, back *canvas.Rectangle
	lines           []fyne.CanvasObject
	shown           bool
}

func newTip() *tip {
	t := &tip{back: canvas.NewRectangle(nil), highlight: canvas.NewRectangle(nil)}
	t.back.CornerRadius, t.back.StrokeWidth = 6, 1
	t.highlight.CornerRadius, t.highlight.StrokeWidth = 4, 1.5
	return t
}

func (t *tip) hide() { t.shown = false }

func (t *tip) objects() []fyne.CanvasObject {
	if !t.shown {
		return nil
	}
	return append([]fyne.CanvasObject{t.highlight, t.back}, t.lines...)
}

// show shows the values of a point beside its mark.
func (t *tip) show(p chartspec.Point, m mark, within fyne.Size) {
	t.shown = true
	size := theme.Size(theme.Tiny)
	line := size * 1.45
	pad := float32(8)
	pairs := p.Tooltip
	if fit := int((within.Height - pad) / line); len(pairs) > max(fit, 1) {
		pairs = pairs[:max(fit, 1)]
	}
	cut, width := cutPairs(pairs, size, within.Width-2*pad)
	height := line*float32(len(pairs)) + pad
	x, y := float32(m.x2)+10, float32((m.y1+m.y2)/2)-height/2
	if m.slice {
		x = float32(m.x1+m.x2)/2 - width/2 - pad // in the hole: the legend is beside the pie
	}
	if x+width+2*pad > within.Width {
		x = float32(m.x1) - 10 - width - 2*pad
	}
	x = max(0, min(x, within.Width-width-2*pad))
	y = max(0, min(y, within.Height-height))
	t.back.FillColor, t.back.StrokeColor = theme.Color(theme.Raised), theme.Color(theme.Line)
	t.back.Move(fyne.NewPos(x, y))
	t.back.Resize(fyne.NewSize(width+2*pad, height))
	t.lines = t.lines[:0]
	palette := themePalette()
	for i, pair := range cut {
		base := float64(y + pad/2 + line*float32(i) + size*1.1)
		name := shape{text: pair.Name, size: float64(size), color: palette.Quiet, places: []place{{float64(x + pad), base}}}
		value := shape{text: pair.Value, size: float64(size), color: palette.Ink, bold: true, anchor: atEnd, places: []place{{float64(x + pad + width), base}}}
		t.lines = append(t.lines, captionObject(name, palette), captionObject(value, palette))
	}
	t.highlight.StrokeColor = theme.Color(theme.Text)
	t.highlight.Hidden = m.slice
	t.highlight.Move(fyne.NewPos(float32(m.x1)-3, float32(m.y1)-3))
	t.highlight.Resize(fyne.NewSize(float32(m.x2-m.x1)+6, float32(m.y2-m.y1)+6))
}

// cutPairs cuts the names and values to a width that each pair shares, and returns the
// width of the widest pair.
func cutPairs(pairs []chartspec.Pair, size, limit float32) (cut []chartspec.Pair, width float32) {
	const between = 14
	k := windowLook()
	limit = min(limit, size*26)
	for _, p := range pairs {
		value := k.fit(p.Value, float64(size), float64(limit)*0.6, true)
		taken := k.measure(value, float64(size), true) + between
		name := k.fit(p.Name, float64(size), float64(limit)-taken, false)
		width = max(width, float32(taken+k.measure(name, float64(size), false)))
		cut = append(cut, chartspec.Pair{Name: name, Value: value})
	}
	return cut, min(width, limit)
}

// Options say what a chart in the window leads to.
type Options struct {
	// ID names the chart in the dump of rectangles; "" is "chart".
	ID string
	// Save asks the user for a file and writes it; write may be called on any goroutine.
	// Nil offers no saving.
	Save func(suggestedName string, write func(io.Writer) error)
	// Grown is called when the chart changes its own height, for lists that keep heights.
	Grown func()
	// Table holds the options of the table that "Table" shows.
	Table table.Options
}

// Widget is a chart in the window: its title, "Table" and "Save", and the drawing, which
// shows values for the mouse and the arrow keys.
type Widget struct {
	layout.Arranged
	ID string

	spec    *chartspec.Spec
	opt     Options
	title   *prose.Text
	toTable *widgets.Link
	toFile  *widgets.Link
	plot    *plot
	table   fyne.CanvasObject // made when first shown
	body    *fyne.Container
}

// NewWidget returns the widget of a spec, which must come from chartspec.Parse.
func NewWidget(spec *chartspec.Spec, opt Options) *Widget {
	if opt.ID == "" {
		opt.ID = "chart"
	}
	shown := spec // with the times in words; what is saved has them as data
	if opt.Table.When != nil {
		shown = withTimes(spec, opt.Table.When)
	}
	w := &Widget{ID: opt.ID, spec: spec, opt: opt, plot: newPlot(shown, opt.ID+".plot")}
	w.title = prose.New(prose.Span{Text: spec.Title, Size: theme.Small, Bold: true})
	w.title.MaxLines = 2
	w.toTable = widgets.Named(opt.ID+".table", widgets.NewQuietLink(lang.L("Table"), w.toggleTable))
	w.toFile = widgets.Named(opt.ID+".save", widgets.NewQuietLink(lang.L("Save"), w.chooseFormat))
	w.toFile.Hidden = opt.Save == nil
	w.body = layout.Stack(w.plot)
	w.Objects = []fyne.CanvasObject{layout.Column(6, layout.TopRow(12, 0, w.title, w.toTable, w.toFile), w.body)}
	w.Least = minPlotWidth
	w.ExtendBaseWidget(w)
	return w
}

// DumpName returns the widget's ID.
func (w *Widget) DumpName() string { return w.ID }

func (w *Widget) toggleTable() {
	if w.table == nil {
		opt := w.opt.Table
		opt.ID, opt.Bare, opt.Grown = w.ID+".numbers", true, w.grown
		w.table = table.New(tableOf(w.spec), opt)
		w.table.Hide()
		w.body.Add(w.table)
	}
	if w.table.Visible() {
		w.table.Hide()
		w.plot.Show()
		w.toTable.SetText(lang.L("Table"))
	} else {
		w.plot.Hide()
		w.table.Show()
		w.toTable.SetText(lang.L("Chart"))
	}
	w.grown()
}

func (w *Widget) grown() {
	w.Refresh()
	if w.opt.Grown != nil {
		w.opt.Grown()
	}
}

func (w *Widget) chooseFormat() {
	widgets.ShowMenu(w.toFile,
		widgets.MenuItem{Text: lang.L("Picture (PNG)"), Do: func() { w.save("png", w.png) }},
		widgets.MenuItem{Text: lang.L("Drawing (SVG)"), Do: func() { w.save("svg", SVG) }},
		widgets.MenuItem{Text: lang.L("Numbers (CSV)"), Do: func() { w.save("csv", writeCSV) }},
	)
}

// save draws the file at once, on the window's thread, so that it can be written from any
// goroutine.
func (w *Widget) save(extension string, draw func(io.Writer, *chartspec.Spec) error) {
	var file bytes.Buffer
	err := draw(&file, w.spec)
	w.opt.Save(cmp.Or(w.spec.Title, "chart")+"."+extension, func(out io.Writer) error {
		if err != nil {
			return err
		}
		_, err := out.Write(file.Bytes())
		return err
	})
}

// png draws the chart as wide as it is in the window.
func (w *Widget) png(out io.Writer, spec *chartspec.Spec) error {
	return writePNG(out, spec, max(w.Size().Width, 480))
}

// monthName returns the short name of a month in the user's language.
func monthName(t time.Time) string { return lang.L(t.Format("Jan")) }
