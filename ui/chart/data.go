package chart

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bowerbird/tools"
	"bowerbird/tools/chartspec"
	"bowerbird/ui/table"
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
					res.Columns = append(res.Columns, tools.Column{Key: pair.Name, Label: heading(pair.Name)})
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

// heading makes the name of a field, such as "note_count", one that people read.
func heading(field string) string {
	words := strings.Join(strings.Fields(strings.ReplaceAll(field, "_", " ")), " ")
	first, size := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[size:]
}

// CSV writes what a chart draws as comma-separated values (RFC 4180), with the
// names of the columns first.
func CSV(out io.Writer, spec *chartspec.Spec) error {
	t := Data(spec)
	rows := [][]string{make([]string, len(t.Columns))}
	for i, c := range t.Columns {
		rows[0][i] = c.Key
	}
	if err := table.WriteCSV(out, append(rows, t.Rows...)); err != nil {
		return fmt.Errorf("write chart %q as CSV: %w", spec.Title, err)
	}
	return nil
}

// WriteCSV writes the chart's numbers as CSV.
func (w *Widget) WriteCSV(out io.Writer) error { return CSV(out, w.spec) }
