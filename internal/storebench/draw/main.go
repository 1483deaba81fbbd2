// Command draw makes an SVG of a chart that another program has written as Vega-Lite:
//
//	go run ./internal/storebench/draw chart.json chart.svg
//
// It is a package of its own so that what is measured does not load Fyne.
package main

import (
	"fmt"
	"os"

	"bowerbird/tools/chartspec"
	"bowerbird/ui/chart"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: draw CHART.json PICTURE.svg")
		os.Exit(2)
	}
	if err := draw(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "draw:", err)
		os.Exit(1)
	}
}

func draw(from, to string) error {
	raw, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	spec, err := chartspec.Parse(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := chart.SVG(f, spec); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return f.Close()
}
