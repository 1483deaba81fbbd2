package main

import (
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"

	"bowerbird/ndb/nostr"
)

// plainEvents is the largest size at which ingest without text is measured.
const plainEvents = 200_000

// ratios are the goals of the design: the most that a figure may be of a peer's.
var ratios = map[string]map[string]float64{
	ingest:      {"nostrdb": 1},
	ingestPlain: {"nostrdb": 1.3, "strfry": 1.3, "eventstore": 1.3},
	byAuthor:    {"nostrdb": 0.8},
	inWindow:    {"nostrdb": 1.2},
	ofFollows:   {"nostrdb": 0.25},
	byHashtag:   {"nostrdb": 1},
	oneWord:     {"nostrdb": 2},
	disk:        {"nostrdb": 0.25},
}

// limits are the goals that are no ratio, by events.
var limits = map[string]map[int]float64{
	again:   {200_000: 6},
	peakOwn: {200_000: 120, 1_000_000: 150},
	opening: {10_000: 40, 200_000: 40, 1_000_000: 40},
}

// writeTable prints Markdown: a row a figure, a column a size.
func writeTable(out io.Writer, all []sized) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, signatures by %s, %d cores, load %s\n\n| figure |", runtime.Version(), nostr.Verifier(), runtime.NumCPU(), load())
	for _, s := range all {
		fmt.Fprintf(&b, " %d |", s.Events)
	}
	b.WriteString(" beside peers and goals |\n|---|" + strings.Repeat("---:|", len(all)) + "---|\n")
	for _, name := range all[len(all)-1].order {
		fmt.Fprintf(&b, "| %s |", name)
		for _, s := range all {
			v, ok := s.median(name)
			if !ok {
				b.WriteString(" |")
				continue
			}
			fmt.Fprintf(&b, " %s %s |", shortest(v), s.units[name])
		}
		fmt.Fprintf(&b, " %s |\n", goalsOf(name, all))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// goalsOf puts ours beside what peers took and the goals of a figure.
func goalsOf(name string, all []sized) string {
	var goals []string
	for _, s := range all {
		v, ok := s.median(name)
		if !ok {
			continue
		}
		if most, ok := limits[name][s.Events]; ok {
			goals = append(goals, fmt.Sprintf("at most %s at %d: %s", shortest(most), s.Events, verdict(v <= most)))
		}
		for _, peer := range slices.Sorted(maps.Keys(s.peers)) {
			theirs, ok := s.peers[peer].median(name)
			if !ok {
				continue
			}
			goal := fmt.Sprintf("%.2f of %s's %s at %d", v/theirs, peer, shortest(theirs), s.Events)
			if most, ok := ratios[name][peer]; ok {
				goal += fmt.Sprintf(", at most %.2f: %s", most, verdict(v <= most*theirs))
			}
			goals = append(goals, goal)
		}
	}
	return strings.Join(goals, "; ")
}

func verdict(held bool) string {
	if held {
		return "held"
	}
	return "**missed**"
}

// shortest writes three figures of a number.
func shortest(v float64) string {
	if v >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}
