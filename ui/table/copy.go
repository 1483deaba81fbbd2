package table

import (
	"encoding/csv"
	"io"
	"strings"

	"bowerbird/tools"
)

// CSV returns the table as comma-separated values, its columns' names first, the
// rows as they are sorted.
func (t *Table) CSV() string {
	rows := [][]string{make([]string, len(t.data.columns))}
	for i, c := range t.data.columns {
		rows[0][i] = c.name
	}
	for _, r := range t.data.order {
		cells := make([]string, len(t.data.columns))
		for c := range cells {
			cells[c] = t.data.rows[r][c].raw
		}
		rows = append(rows, cells)
	}
	var b strings.Builder
	_ = WriteCSV(&b, rows) // a strings.Builder takes everything
	return b.String()
}

// WriteCSV writes rows as comma-separated values (RFC 4180). A text that a
// spreadsheet would take for a formula gets an apostrophe before it.
func WriteCSV(w io.Writer, rows [][]string) error {
	c := csv.NewWriter(w)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, text := range row {
			cells[i] = harmless(text)
		}
		if err := c.Write(cells); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// harmless keeps a spreadsheet from running a stranger's text.
func harmless(text string) string {
	if text == "" || !strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return text
	}
	if _, number := readNumber(text); number {
		return text
	}
	return "'" + text
}

// Markdown returns the table as Markdown (GFM), the rows as they are sorted.
func (t *Table) Markdown() string {
	out := tools.TableResult{}
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
	return out.Markdown() + "\n"
}
