// Package table shows rows and columns: what the assistant's tools tabulate, the
// tables of Markdown, the numbers behind a chart.
package table

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ndb"
	"bowerbird/tools"
)

// Options say what a table leads to.
type Options struct {
	ID         string
	OpenNote   func(ndb.ID)
	OpenPerson func(ndb.PubKey)
	NameOf     func(code string) string
	Copy       func(text string)
}

// Table is a table in the window.
type Table struct {
	widget.BaseWidget
	result *tools.TableResult
}

// New returns the widget of a table.
func New(result *tools.TableResult, opt Options) *Table {
	t := &Table{result: result}
	t.ExtendBaseWidget(t)
	return t
}

// CreateRenderer implements fyne.Widget.
func (t *Table) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(widget.NewLabel(t.result.Title))
}
