package chart

import (
	"bytes"
	"cmp"
	"io"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/tools/chartspec"
	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/table"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

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
	w := &Widget{ID: opt.ID, spec: spec, opt: opt, plot: newPlot(spec, opt.ID+".plot")}
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
