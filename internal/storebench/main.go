// Command storebench measures the note database on made-up worlds of several sizes, beside
// other stores:
//
//	go run ./internal/storebench -sizes 10000,200000,1000000 -growth growth.json -peer eventstore=PROGRAM
//	go run ./internal/storebench/draw growth.json docs/growth.svg
//
// prints a table and draws how the figures grow. Ratios are only to peers that were
// measured in the same rounds; peers.go says how.
// Worlds and stores are kept in -dir and made where they are missing. Every size is
// measured in a process of its own, so that its memory is its own. Times are CPU
// time of the whole process, garbage collection and Badger's goroutines included;
// the load of the machine is printed beside them. A figure that is missed fails
// nothing: the machine may be busy, so people judge.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "storebench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("storebench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	sizes := flags.String("sizes", "10000,200000", "how many events the worlds have")
	runs := flags.Int("runs", 1, "how often each size is measured; the median is shown")
	dir := flags.String("dir", filepath.Join(os.TempDir(), "bowerbird-storebench"), "where worlds and stores are kept")
	growth := flags.String("growth", "", "`FILE` for a chart of the growth over the sizes")
	var peers []peer
	flags.Func("peer", "`NAME=PROGRAM` measures another store in the same rounds; may be given several times", func(text string) error {
		p, err := parsePeer(text)
		peers = append(peers, p)
		return err
	})
	phase := flags.String("phase", "", "measures one thing of one size, as JSON; used by the program itself")
	if err := flags.Parse(args); err != nil {
		return err
	}
	counts, err := parseSizes(*sizes)
	if err != nil {
		return err
	}
	if *runs < 1 {
		return errors.New("-runs must be at least 1")
	}
	if *phase != "" {
		p, err := newPlace(*dir, counts[0])
		if err != nil {
			return err
		}
		measures, err := measurePhase(ctx, p, *phase)
		if err != nil {
			return err
		}
		return json.NewEncoder(stdout).Encode(measures)
	}
	var all []sized
	for _, events := range counts {
		s := sized{Events: events, peers: make(map[string]*figures)}
		for range *runs {
			for _, phase := range phases {
				if phase == "plain" && events > plainEvents {
					continue // making its world takes long
				}
				fmt.Fprintf(stderr, "%d events: %s (load %s)\n", events, phase, load())
				measures, err := child(ctx, stderr, *dir, events, phase)
				if err != nil {
					return fmt.Errorf("%s of %d events: %w", phase, events, err)
				}
				s.add(measures)
			}
			for _, p := range peers {
				fmt.Fprintf(stderr, "%d events: %s (load %s)\n", events, p.name, load())
				measures, err := p.measure(ctx, stderr, *dir, events)
				if err != nil {
					return fmt.Errorf("%s with %d events: %w", p.name, events, err)
				}
				if s.peers[p.name] == nil {
					s.peers[p.name] = &figures{}
				}
				s.peers[p.name].add(measures)
			}
		}
		all = append(all, s)
	}
	if err := writeTable(stdout, all); err != nil {
		return err
	}
	if *growth != "" {
		return writeGrowth(*growth, all)
	}
	return nil
}

func parseSizes(list string) (counts []int, err error) {
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1000 {
			return nil, fmt.Errorf("-sizes: %q is no number of events, 1000 or more", text)
		}
		counts = append(counts, n)
	}
	slices.Sort(counts)
	return slices.Compact(counts), nil
}

// child measures in a process of its own.
func child(ctx context.Context, stderr io.Writer, dir string, events int, phase string) ([]measure, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, "-dir", dir, "-sizes", strconv.Itoa(events), "-phase", phase)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, stderr
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	var measures []measure
	if err := json.Unmarshal(out.Bytes(), &measures); err != nil {
		return nil, fmt.Errorf("read what was measured: %w", err)
	}
	return measures, nil
}

// measure is one figure.
type measure struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"` // "us", "ms", "MB" or "": a ratio
}

// sized is what was measured of one size.
type sized struct {
	Events int
	figures
	peers map[string]*figures
}

// figures are what was measured of one store, each figure as often as it was.
type figures struct {
	order  []string
	values map[string][]float64
	units  map[string]string
}

func (s *figures) add(measures []measure) {
	if s.values == nil {
		s.values, s.units = make(map[string][]float64), make(map[string]string)
	}
	for _, m := range measures {
		if _, ok := s.units[m.Name]; !ok {
			s.order = append(s.order, m.Name)
			s.units[m.Name] = m.Unit
		}
		s.values[m.Name] = append(s.values[m.Name], m.Value)
	}
}

// median returns the middle one of a figure's values, and whether there is any.
func (s *figures) median(name string) (float64, bool) {
	values := slices.Sorted(slices.Values(s.values[name]))
	if len(values) == 0 {
		return 0, false
	}
	return values[len(values)/2], true
}

// load returns the machine's load of the last minute, where it is known.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return cmp.Or(first, "unknown")
}
