package main

import (
	"encoding/json"
	"math"
	"os"
)

// grown are the figures whose growth is drawn.
var grown = []string{ingest, byAuthor, inWindow, ofFollows, byHashtag, oneWord, twoWords, byID}

// writeGrowth writes a Vega-Lite chart of both axes in powers of ten, as logarithms
// of the numbers.
func writeGrowth(path string, all []sized) error {
	type row struct {
		Events float64 `json:"events"`
		Cost   float64 `json:"cost"`
		Figure string  `json:"figure"`
	}
	var rows []row
	for _, name := range grown {
		for _, s := range all {
			if v, ok := s.median(name); ok && v > 0 {
				rows = append(rows, row{math.Log10(float64(s.Events)), math.Log10(v), name})
			}
		}
	}
	axis := func(field, title string) map[string]any {
		return map[string]any{"field": field, "type": "quantitative", "title": title, "scale": map[string]any{"zero": false}}
	}
	raw, err := json.Marshal(map[string]any{
		"title": "CPU time as the store grows",
		"mark":  map[string]any{"type": "line", "point": true},
		"data":  map[string]any{"values": rows},
		"encoding": map[string]any{
			"x":     axis("events", "events stored, as a power of ten"),
			"y":     axis("cost", "microseconds, as a power of ten"),
			"color": map[string]any{"field": "figure", "type": "nominal", "title": "figure"},
		},
	})
	if err != nil {
		return err
	}
	return os.WriteFile(path, raw, 0o600)
}
