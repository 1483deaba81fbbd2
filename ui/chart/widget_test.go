package chart

import (
	"fmt"
	"io"
	"maps"
	"strings"
)

func saveNowhere(string, func(io.Writer) error) {}

// digest is the chart of the design's picture: notes of an evening and a night.
func digest() string {
	var rows []string
	for i, n := range []int{14, 17, 21, 12, 6, 3, 1, 1, 0, 2, 5, 9, 12, 15, 13, 10, 12, 11, 9, 11} {
		h := 18 + i
		rows = append(rows, fmt.Sprintf(`{"hour":"2026-11-%02dT%02d:00:00+01:00","notes":%d}`, 19+h/24, h%24, n))
	}
	return `{"title":"184 notes by people you follow, per hour","mark":"bar","data":{"values":[` + strings.Join(rows, ",") +
		`]},"encoding":{"x":{"field":"hour","type":"temporal"},"y":{"field":"notes","type":"quantitative"}}}`
}

// sheetSpecs are the charts to look at.
func sheetSpecs() map[string]string {
	out := maps.Clone(specs())
	out["00 digest"] = digest()
	var days, many, series, names []string
	for i := range 60 {
		days = append(days, fmt.Sprintf(`{"t":"2026-%02d-%02d","n":%d}`, 9+i/30, 1+i%30, 5+(i*i*7)%40))
		many = append(many, fmt.Sprintf(`{"x":%d,"y":%g}`, i, float64((i*37)%50)*1e6))
		for k, who := range []string{"Ada Lindqvist", "Ben Okafor", "Yuki 雪", "Clara M."} {
			series = append(series, fmt.Sprintf(`{"t":"2026-%02d-%02d","who":%q,"n":%d}`, 9+i/30, 1+i%30, who, 10*k+(i*(k+3))%17))
		}
	}
	for i := range 50 {
		names = append(names, fmt.Sprintf(`{"k":"Category %d","n":%d}`, i+1, (i*13)%29))
	}
	out["days"] = `{"mark":"bar","data":{"values":[` + strings.Join(days, ",") + `]},"encoding":{"x":{"field":"t"},"y":{"field":"n"}}}`
	out["large numbers"] = `{"mark":"point","data":{"values":[` + strings.Join(many, ",") + `]},"encoding":{"x":{"field":"x"},"y":{"field":"y"}}}`
	out["lines"] = `{"mark":"line","data":{"values":[` + strings.Join(series, ",") + `]},"encoding":{"x":{"field":"t"},"y":{"field":"n"},"color":{"field":"who"}}}`
	out["stacked area"] = strings.Replace(out["lines"], `"mark":"line"`, `"mark":"area"`, 1)
	out["fifty"] = `{"mark":"bar","data":{"values":[` + strings.Join(names, ",") + `]},"encoding":{"x":{"field":"k","sort":null},"y":{"field":"n"}}}`
	out["scripts"] = `{"mark":"bar","data":{"values":[{"k":"محمد عبد الرحمن الطويل","n":12},{"k":"👩‍🚀 Astronaut","n":5},{"k":"山田花子","n":8},{"k":"a name that is much too long to stand below a bar","n":3},{"k":"Ελένη","n":7}]},"encoding":{"x":{"field":"k","sort":"-y"},"y":{"field":"n"}}}`
	out["tiny"] = `{"mark":"line","data":{"values":[{"x":0,"y":1e-9},{"x":1,"y":3e-9},{"x":2,"y":2e-9}]},"encoding":{"x":{"field":"x"},"y":{"field":"y","title":"metres"}}}`
	return out
}
