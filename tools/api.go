package tools

// SKELETON: types only; each moves to its tool's file.

import "encoding/json"

// ChartArgs are the arguments of render_chart.
type ChartArgs struct {
	Title string          `json:"title,omitempty"`
	Spec  json.RawMessage `json:"spec"` // Vega-Lite v5 with inline values
}

// ChartResult is what is drawn: the chart, or the data as a table and why.
type ChartResult struct {
	Title   string          `json:"title,omitempty"`
	Spec    json.RawMessage `json:"spec,omitempty"` // as checked
	Refused string          `json:"refused,omitempty"`
	Table   *TableResult    `json:"table,omitempty"`
}
