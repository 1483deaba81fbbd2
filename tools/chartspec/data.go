package chartspec

import (
	"encoding/json"
	"maps"
	"slices"
)

// Table reads the rows that stand in a specification, for a table in the place
// of a chart that is not drawn: the names of the columns and one text a cell. It
// reads at most limit rows and 50 columns, and returns nothing when there are no
// rows to be found.
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
