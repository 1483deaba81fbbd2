// Command benchtable makes a table that people can read of what
// `go test -bench . -benchmem` prints, and puts the project's figures beside the
// benchmarks that measure one:
//
//	go test -run '^$' -bench . -benchmem ./... | go run ./internal/benchtable
//
// It ends with 1 when a benchmark failed. A figure that is missed fails nothing:
// the machine may be busy, so people judge. How benchmarks measure is left to them.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

func main() {
	ok, err := run(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchtable:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// run copies benchmarks from in to out as a table, a package at a time as they come.
// It reports whether all of them passed. Failures are passed on as they are.
func run(in io.Reader, out io.Writer) (ok bool, err error) {
	ok = true
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	p := table{}
	for lines.Scan() {
		switch l := parseLine(lines.Text()); l.kind {
		case packageLine:
			p = table{name: l.name}
		case benchmarkLine:
			p.rows = append(p.rows, l.row)
		case endLine:
			if err := p.write(out); err != nil {
				return false, err
			}
			p = table{}
		case failureLine:
			ok = false
			if _, err := fmt.Fprintln(out, lines.Text()); err != nil {
				return false, err
			}
		}
	}
	if err := lines.Err(); err != nil {
		return false, fmt.Errorf("read what the benchmarks print: %w", err)
	}
	return ok, p.write(out) // of what was broken off
}
