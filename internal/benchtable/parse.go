package main

import (
	"strconv"
	"strings"
)

type lineKind int

const (
	otherLine lineKind = iota
	packageLine
	benchmarkLine
	endLine     // of a package that passed
	failureLine // of a test, or a package
)

// line is what one line of `go test -bench` says.
type line struct {
	kind lineKind
	name string // of the package
	row  row
}

// row is one benchmark's result.
type row struct {
	name    string // without "Benchmark" and without the number of processors
	metrics []metric
}

// metric is a number with its unit as `go test` writes it: "ns/op", "B/op",
// "allocs/op", or what the benchmark reports of its own.
type metric struct {
	value float64
	unit  string
}

func (r row) metric(unit string) (float64, bool) {
	for _, m := range r.metrics {
		if m.unit == unit {
			return m.value, true
		}
	}
	return 0, false
}

const module = "bowerbird/"

func parseLine(text string) line {
	if name, ok := strings.CutPrefix(text, "pkg: "); ok {
		return line{kind: packageLine, name: strings.TrimPrefix(name, module)}
	}
	for _, sign := range []string{"FAIL", "--- FAIL", "panic:"} {
		if strings.HasPrefix(text, sign) {
			return line{kind: failureLine}
		}
	}
	if strings.HasPrefix(text, "ok ") {
		return line{kind: endLine}
	}
	if r, ok := parseRow(text); ok {
		return line{kind: benchmarkLine, row: r}
	}
	return line{}
}

// parseRow reads "BenchmarkName-2  100  12345 ns/op  67 B/op ...".
func parseRow(text string) (r row, ok bool) {
	fields := strings.Fields(text)
	if len(fields) < 4 || len(fields)%2 != 0 || !strings.HasPrefix(fields[0], "Benchmark") {
		return row{}, false
	}
	r.name = strings.TrimPrefix(fields[0], "Benchmark")
	if at := strings.LastIndexByte(r.name, '-'); at > 0 {
		if _, err := strconv.Atoi(r.name[at+1:]); err == nil {
			r.name = r.name[:at]
		}
	}
	for i := 2; i < len(fields); i += 2 {
		value, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return row{}, false
		}
		r.metrics = append(r.metrics, metric{value, fields[i+1]})
	}
	return r, true
}
