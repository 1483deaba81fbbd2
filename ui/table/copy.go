package table

import (
	"cmp"
	"encoding/csv"
	"io"
	"strings"

	"bowerbird/tools"
)

// result returns the table with its rows as they are sorted.
func (t *Table) result() *tools.TableResult {
	out := &tools.TableResult{}
	for _, c := range t.data.columns {
		out.Columns, out.Numeric = append(out.Columns, tools.Column{Label: c.name}), append(out.Numeric, c.numeric)
	}
	for _, r := range t.data.order {
		cells := make([]string, len(t.data.columns))
		for c := range cells {
			cells[c] = t.data.rows[r][c].raw
		}
		out.Rows = append(out.Rows, cells)
	}
	return out
}

// CSV returns the table as comma-separated values, with the rows as they are sorted.
func (t *Table) CSV() string {
	var b strings.Builder
	_ = WriteCSV(&b, t.result()) // a strings.Builder returns no error
	return b.String()
}

// Markdown returns the table as GitHub Flavored Markdown, with the rows as they are sorted.
func (t *Table) Markdown() string { return t.result().Markdown() + "\n" }

// WriteCSV writes a table as comma-separated values (RFC 4180), the names of the columns first.
// Notes are written by strangers: a text that a spreadsheet would run as a formula gets an
// apostrophe before it.
func WriteCSV(w io.Writer, t *tools.TableResult) error {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = cmp.Or(c.Key, c.Label)
	}
	c := csv.NewWriter(w)
	for _, row := range append([][]string{names}, t.Rows...) {
		cells := make([]string, len(row))
		for i, text := range row {
			if _, number := readNumber(text); text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) && !number {
				text = "'" + text
			}
			cells[i] = text
		}
		if err := c.Write(cells); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}
