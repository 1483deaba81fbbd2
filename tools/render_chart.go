package tools

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"

	"bowerbird/ndb/clean"
	"bowerbird/tools/chartspec"
)

//go:embed render_chart.md
var renderChartDoc string

// ChartArgs are the arguments of render_chart.
type ChartArgs struct {
	Title string          `json:"title,omitempty" maxLength:"300"`
	Spec  json.RawMessage `json:"spec" jsonschema:"Vega-Lite v5 with inline values"`
}

// ChartResult is what is drawn: the chart, or the data as a table with the reason.
type ChartResult struct {
	Title   string          `json:"title,omitempty"`
	Spec    json.RawMessage `json:"spec,omitempty"` // Vega-Lite as given, checked: chartspec.Parse reads it again
	Refused string          `json:"refused,omitempty"`
	Table   *TableResult    `json:"table,omitempty"`

	// Chart is the checked chart, for drawing; nil if it was refused.
	Chart *chartspec.Spec `json:"-"`
}

func runRenderChart(ctx context.Context, env *Env, a ChartArgs) (ChartResult, error) {
	raw, err := specObject(a.Spec)
	if err != nil {
		return ChartResult{}, err
	}
	res := ChartResult{Title: clean.Line(a.Title, 300)}
	chart, err := chartspec.Parse(raw)
	var refused *chartspec.Refused
	switch {
	case errors.As(err, &refused):
		res.Refused = refused.Error()
		res.Table = chartData(ctx, env, res.Title, raw)
		return res, nil
	case err != nil:
		return ChartResult{}, err
	}
	if chart.Title == "" {
		chart.Title = res.Title
	}
	if res.Title == "" {
		res.Title = clean.Line(chart.Title, 300)
	}
	res.Chart, res.Spec = chart, raw
	return res, nil
}

// specObject accepts the specification, which models also send as a text.
func specObject(raw json.RawMessage) (json.RawMessage, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) > 0 && raw[0] == '"' {
		var text string
		if err := json.Unmarshal(raw, &text); err == nil {
			raw = bytes.TrimSpace([]byte(text))
		}
	}
	if len(raw) == 0 || raw[0] != '{' {
		return nil, wrongValue("spec", "a Vega-Lite v5 specification, an object", string(raw))
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return nil, wrongValue("spec", "a Vega-Lite v5 specification, an object", "a text that is no JSON")
	}
	return b.Bytes(), nil
}

// chartData makes the table that replaces a chart that is not drawn; nil if there are no
// rows, or too many.
func chartData(ctx context.Context, env *Env, title string, raw json.RawMessage) *TableResult {
	columns, rows := chartspec.Table(raw, maxRows)
	if len(columns) == 0 {
		return nil
	}
	args := TableArgs{Title: title}
	for _, c := range columns {
		if c != "" {
			args.Columns = append(args.Columns, Column{Key: c})
		}
	}
	for _, r := range rows {
		row := map[string]json.RawMessage{}
		for i, c := range columns {
			row[c] = r[i]
		}
		args.Rows = append(args.Rows, row)
	}
	t, err := runRenderTable(ctx, env, args)
	if err != nil {
		return nil
	}
	return &t
}

// ForModel implements Result: the model wrote the chart, so it is informed of what was
// shown, without a copy of it.
func (r ChartResult) ForModel(limit int) string {
	return Fit(limit, 0, func(_, text int) any {
		out := struct {
			Shown   string `json:"shown"`
			Title   string `json:"title,omitempty"`
			Marks   int    `json:"marks,omitempty"`
			Refused string `json:"refused,omitempty"`
			Rows    int    `json:"rows,omitempty"`
		}{Shown: "chart", Title: clip(r.Title, min(text, 100)), Refused: clip(r.Refused, min(text, 200))}
		if r.Chart != nil {
			for _, l := range r.Chart.Layers {
				out.Marks += len(l.Points)
			}
		}
		if r.Refused != "" {
			out.Shown = "nothing"
			if r.Table != nil {
				out.Shown, out.Rows = "the data as a table", len(r.Table.Rows)
			}
		}
		return out
	})
}
