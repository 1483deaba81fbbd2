package markdown

import (
	"fyne.io/fyne/v2"

	"bowerbird/tools"
	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/table"
	"bowerbird/ui/theme"
)

// given draws a table: at the top level with the widget of Options.Table, elsewhere as part
// of the text.
type given struct {
	layout.Arranged
	draw func(Block) fyne.CanvasObject
}

func newTable(opt *Options, b Block) *given {
	g := &given{draw: opt.table}
	if opt.Table != nil && b.ID != "" {
		g.draw = opt.Table
	}
	g.Objects, g.Least = []fyne.CanvasObject{g.draw(b)}, 120
	g.ExtendBaseWidget(g)
	return g
}

func (g *given) object() fyne.CanvasObject { return g }

func (g *given) set(b Block) {
	if fresh := g.draw(b); fresh != g.Objects[0] {
		g.Objects[0] = fresh
		g.Refresh()
	}
}

// table draws a table as part of the text around it.
func (o *Options) table(b Block) fyne.CanvasObject {
	result, spans := o.TableOf(b)
	opt := table.Options{Bare: true, Whole: true, Copy: o.copyText, Spans: spans}
	for _, c := range b.Rows[0] {
		opt.Align = append(opt.Align, c.Align)
	}
	return table.New(result, opt)
}

// TableOf returns the content of a table, and a function that returns the spans of a cell
// with markup; nil for others.
func (o *Options) TableOf(b Block) (*tools.TableResult, func(row, column int) []prose.Span) {
	result := &tools.TableResult{}
	for i, row := range b.Rows {
		texts := make([]string, len(row))
		for j, cell := range row {
			texts[j] = cell.Text()
		}
		if i > 0 {
			result.Rows = append(result.Rows, texts)
			continue
		}
		for _, name := range texts {
			result.Columns = append(result.Columns, tools.Column{Label: name})
		}
	}
	return result, func(row, column int) []prose.Span {
		c := b.Rows[row+1][column]
		if c.plain() {
			return nil
		}
		return o.spans(c.Inline, look{size: theme.Small})
	}
}
