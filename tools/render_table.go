package tools

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"bowerbird/ndb/clean"
)

//go:embed render_table.md
var renderTableDoc string

// Limits of a table.
const (
	maxRows       = 500
	maxCellRunes  = 10_000
	maxTableBytes = 200_000
)

// Column is a table's column: a string, or {key,label}.
type Column struct {
	Key   string `json:"key"`
	Label string `json:"label,omitempty"`
}

// UnmarshalJSON reads both forms.
func (c *Column) UnmarshalJSON(raw []byte) error {
	if raw = bytes.TrimSpace(raw); len(raw) > 0 && raw[0] == '"' {
		return json.Unmarshal(raw, &c.Key)
	}
	type plain Column
	return json.Unmarshal(raw, (*plain)(c))
}

// TableArgs are the arguments of render_table.
type TableArgs struct {
	Title   string                       `json:"title,omitempty" maxLength:"300"`
	Columns []Column                     `json:"columns" minItems:"1" maxItems:"50" jsonschema:"names, or {key,label}"`
	Rows    []map[string]json.RawMessage `json:"rows" maxItems:"500" jsonschema:"objects with the columns' keys"`
}

// TableResult is what is drawn.
type TableResult struct {
	Title   string     `json:"title,omitempty"`
	Columns []Column   `json:"columns"`
	Rows    [][]string `json:"rows"`
	Numeric []bool     `json:"numeric"` // a column's cells are numbers: right-align
}

// Names returns what the columns are called.
func (t *TableResult) Names() []string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = cmp.Or(c.Label, c.Key)
	}
	return names
}

// Markdown returns the table as GitHub writes one, without its title.
func (t *TableResult) Markdown() string {
	rule := "|"
	for i := range t.Columns {
		if rule += " ---"; i < len(t.Numeric) && t.Numeric[i] {
			rule += ":"
		}
		rule += " |"
	}
	lines := []string{markdownRow(t.Names()), rule}
	for _, row := range t.Rows {
		lines = append(lines, markdownRow(row))
	}
	return strings.Join(lines, "\n")
}

func markdownRow(row []string) string {
	line := "|"
	for _, cell := range row {
		line += " " + PlainMarkdown(strings.Join(strings.Fields(cell), " ")) + " |"
	}
	return line
}

// PlainMarkdown writes a text so that Markdown shows it as it is.
func PlainMarkdown(s string) string {
	var b strings.Builder
	for _, c := range s {
		if strings.ContainsRune("\\`*_[]<>|#!~", c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

func runRenderTable(_ context.Context, _ *Env, a TableArgs) (TableResult, error) {
	res := TableResult{Title: clean.Line(a.Title, 300), Rows: make([][]string, 0, len(a.Rows)), Numeric: make([]bool, len(a.Columns))}
	size, filled := 0, make([]bool, len(a.Columns))
	for i, c := range a.Columns {
		if c.Key == "" {
			return res, wrongValue(fmt.Sprintf("columns[%d]", i), "a name", c.Key)
		}
		res.Columns = append(res.Columns, Column{Key: c.Key, Label: clean.Line(c.Label, 100)})
		res.Numeric[i] = true
		size += len(c.Key) + len(c.Label)
	}
	if err := filledColumns(a); err != nil {
		return res, err
	}
	for r, row := range a.Rows {
		cells := make([]string, len(a.Columns))
		for i, c := range a.Columns {
			text, number := cell(row[c.Key])
			if n := utf8.RuneCountInString(text); n > maxCellRunes {
				return res, wrongValue(fmt.Sprintf("rows[%d].%s", r, c.Key), fmt.Sprintf("at most %d characters", maxCellRunes), fmt.Sprintf("%d characters", n))
			}
			if text != "" {
				filled[i] = true
				res.Numeric[i] = res.Numeric[i] && number
			}
			cells[i] = text
			size += len(text)
		}
		if size > maxTableBytes {
			return res, wrongValue("rows", fmt.Sprintf("at most %d bytes in all", maxTableBytes), "more")
		}
		res.Rows = append(res.Rows, cells)
	}
	for i := range filled {
		res.Numeric[i] = res.Numeric[i] && filled[i]
	}
	return res, nil
}

// filledColumns refuses columns that are empty in every row.
func filledColumns(a TableArgs) error {
	keys := map[string]bool{}
	for _, row := range a.Rows {
		for key := range row {
			keys[key] = true
		}
	}
	var known []string
	for _, key := range sortedKeys(keys) {
		known = append(known, describe(key))
	}
	for i, c := range a.Columns {
		switch {
		case keys[c.Key] || len(a.Rows) == 0:
		case len(known) == 0:
			return wrongValue("rows", "objects with the keys "+describe(c.Key), "empty objects")
		default:
			return wrongValue(fmt.Sprintf("columns[%d]", i), "one of the keys of the rows: "+clip(strings.Join(known, ", "), 500), c.Key)
		}
	}
	return nil
}

// cell formats a JSON value as a cell's text, and reports whether it is a number.
func cell(raw json.RawMessage) (string, bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return "", false
	}
	switch raw[0] {
	case '"':
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return "", false
		}
		return clean.Text(s), false
	case '{', '[':
		var b bytes.Buffer
		if err := json.Compact(&b, raw); err != nil {
			return "", false
		}
		return clean.Text(b.String()), false
	case 't', 'f':
		return string(raw), false
	}
	return string(raw), true
}

// ForModel implements Result: the model wrote the table, so it is informed of what was
// shown, without a copy of it.
func (r TableResult) ForModel(limit int) string {
	return Fit(limit, len(r.Columns), func(show, text int) any {
		columns := make([]string, 0, show)
		for _, c := range r.Columns[:show] {
			columns = append(columns, clip(c.Key, 40))
		}
		return struct {
			Shown   string   `json:"shown"`
			Title   string   `json:"title,omitempty"`
			Columns []string `json:"columns"`
			Rows    int      `json:"rows"`
		}{"table", clip(r.Title, min(text, 100)), columns, len(r.Rows)}
	})
}
