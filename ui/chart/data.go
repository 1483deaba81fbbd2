package chart

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"bowerbird/tools"
	"bowerbird/tools/chartspec"
)

// Data is what a chart draws, as a table: a row for each mark, with the values that
// its tooltip has. It is what "Table" shows and what is saved as CSV.
func Data(spec *chartspec.Spec) *tools.TableResult {
	res := &tools.TableResult{Title: spec.Title}
	at := map[string]int{}
	var rows [][]string
	for _, l := range spec.Layers {
		for _, p := range l.Points {
			row := make([]string, len(res.Columns))
			for _, pair := range p.Tooltip {
				i, ok := at[pair.Name]
				if !ok {
					i = len(res.Columns)
					at[pair.Name] = i
					res.Columns = append(res.Columns, tools.Column{Key: pair.Name, Label: pair.Name})
					row = append(row, "")
				}
				if row[i] == "" {
					row[i] = pair.Value
				}
			}
			if len(p.Tooltip) > 0 {
				rows = append(rows, row)
			}
		}
	}
	res.Numeric = make([]bool, len(res.Columns))
	for i := range res.Columns {
		res.Numeric[i] = len(rows) > 0
	}
	for r := range rows {
		rows[r] = append(rows[r], slices.Repeat([]string{""}, len(res.Columns)-len(rows[r]))...)
		for i, cell := range rows[r] {
			_, number := chartspec.ParseNumber(cell)
			res.Numeric[i] = res.Numeric[i] && (number || cell == "")
		}
	}
	res.Rows = rows
	return res
}

// WriteCSV writes what the chart draws as comma-separated values (RFC 4180).
func (w *Widget) WriteCSV(out io.Writer) error { return CSV(out, w.spec) }

// CSV writes what a chart draws as comma-separated values (RFC 4180), with the
// names of the columns first. A text that a spreadsheet would take for a formula
// gets an apostrophe before it.
func CSV(out io.Writer, spec *chartspec.Spec) error {
	t := Data(spec)
	c := csv.NewWriter(out)
	names := make([]string, len(t.Columns))
	for i, col := range t.Columns {
		names[i] = harmless(col.Key)
	}
	if err := c.Write(names); err != nil {
		return fmt.Errorf("write chart %q as CSV: %w", spec.Title, err)
	}
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = harmless(cell)
		}
		if err := c.Write(cells); err != nil {
			return fmt.Errorf("write chart %q as CSV: %w", spec.Title, err)
		}
	}
	c.Flush()
	if err := c.Error(); err != nil {
		return fmt.Errorf("write chart %q as CSV: %w", spec.Title, err)
	}
	return nil
}

// harmless keeps a spreadsheet from running a stranger's text.
func harmless(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return cell
	}
	if _, number := chartspec.ParseNumber(cell); number {
		return cell
	}
	return "'" + cell
}
