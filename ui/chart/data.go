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

// tableOf returns the numbers of a chart as a table: a row for each mark, with the values of
// its tooltip. The window shows it and saves it as CSV.
func tableOf(spec *chartspec.Spec) *tools.TableResult {
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
	// Names come before numbers; horizontal bars have them the other way round.
	if name := slices.Index(res.Numeric, false); name > 0 {
		front(res.Columns, name)
		front(res.Numeric, name)
		for _, row := range rows {
			front(row, name)
		}
	}
	return res
}

// front moves an element to the beginning of a list.
func front[T any](list []T, at int) {
	e := list[at]
	copy(list[1:at+1], list[:at])
	list[0] = e
}

// heading turns the name of a field, such as "note_count", into a heading.
func heading(field string) string {
	words := strings.Join(strings.Fields(strings.ReplaceAll(field, "_", " ")), " ")
	first, size := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[size:]
}

// writeCSV writes the table of a chart as comma-separated values.
func writeCSV(out io.Writer, spec *chartspec.Spec) error {
	if err := table.WriteCSV(out, tableOf(spec)); err != nil {
		return fmt.Errorf("write chart %q as CSV: %w", spec.Title, err)
	}
	return nil
}
