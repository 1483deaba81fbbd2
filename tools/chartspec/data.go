package chartspec

import (
	"encoding/json"
	"maps"
	"slices"
)

// Table returns the data in a specification, to be shown as a table if the chart is not
// drawn: the names of the columns, and the JSON of each cell. It reads at most limit rows
// and 50 columns, and returns nothing if it finds no rows.
func Table(raw []byte, limit int) (columns []string, rows [][]json.RawMessage) {
	top, err := readObject(raw)
	if err != nil {
		return nil, nil
	}
	if err := nameData(top); err != nil {
		return nil, nil
	}
	list, err := inlineRows(top["data"])
	if layers, ok := top["layer"].([]any); ok && err != nil && len(layers) > 0 {
		first, _ := layers[0].(object)
		list, err = inlineRows(first["data"])
	}
	if err != nil {
		return nil, nil
	}
	list = list[:min(limit, len(list))]
	for _, r := range list {
		for _, name := range slices.Sorted(maps.Keys(r)) {
			if !slices.Contains(columns, name) && len(columns) < 50 {
				columns = append(columns, name)
			}
		}
	}
	slices.Sort(columns)
	for _, r := range list {
		row := make([]json.RawMessage, len(columns))
		for i, name := range columns {
			if v, ok := r[name]; ok {
				if cell, err := json.Marshal(v); err == nil {
					row[i] = cell
				}
			}
		}
		rows = append(rows, row)
	}
	return columns, rows
}

// inlineRows returns the rows in data.values.
func inlineRows(data any) ([]object, error) {
	o, _ := data.(object)
	values, ok := o["values"].([]any)
	if !ok {
		return nil, refuse("data", "only data.values with a list of rows is drawn")
	}
	if err := checkFormat(o["format"]); err != nil {
		return nil, err
	}
	if len(values) > MaxRows {
		return nil, refuse("data.values", "%d rows, at most %d are read", len(values), MaxRows)
	}
	rows := make([]object, 0, len(values))
	for _, v := range values {
		row, ok := v.(object)
		if !ok {
			row = object{"data": v} // Vega-Lite's name for a bare value
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// checkFormat refuses formats that would transform the rows before they are drawn. Numbers,
// times and booleans are recognised without one.
func checkFormat(v any) error {
	format, _ := v.(object)
	for _, name := range []string{"property", "feature", "mesh", "delimiter"} {
		if !empty(format[name]) {
			return refuse("data.format."+name, "only a plain list of rows is read")
		}
	}
	parse, _ := format["parse"].(object)
	for _, field := range slices.Sorted(maps.Keys(parse)) {
		switch how := parse[field]; how {
		case nil, "number", "date", "boolean", "string":
		default:
			s, _ := how.(string)
			return refuse("data.format.parse", "%q is not read; write times as 2026-05-03T18:00", clip(s, 40))
		}
	}
	return nil
}
