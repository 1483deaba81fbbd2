package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"

	"bowerbird/ndb/nostr"
)

// peer is what another store took in the measurements of the design, and the most
// that ours may take of it.
type peer struct {
	name   string
	figure float64 // in the unit of ours; the middle of what was measured
	ratio  float64
}

// goalEvents is the size that the peers' figures are of.
const goalEvents = 200_000

// peers are the figures of the design, at goalEvents.
var peers = map[string][]peer{
	ingest:      {{"nostrdb", 143, 1.0}},
	ingestPlain: {{"eventstore", 107, 0.45}, {"nostrdb", 40, 1.2}, {"strfry", 48, 0.9}},
	again:       {{"strfry", 24, 0.6}},
	byAuthor:    {{"eventstore", 990, 0.05}, {"nostrdb", 203, 0.3}},
	inWindow:    {{"eventstore", 6198, 0.06}, {"nostrdb", 411, 0.8}},
	ofFollows:   {{"eventstore", 12_070, 0.02}, {"nostrdb", 106, 1.2}},
	byHashtag:   {{"eventstore", 1382, 0.05}, {"nostrdb", 106, 0.6}},
	oneWord:     {{"nostrdb", 72, 1.5}},
	twoWordsP95: {{"nostrdb", 4820, 0.3}},
	disk:        {{"eventstore", 166, 1.0}, {"nostrdb", 661, 0.25}, {"strfry", 498, 0.35}},
}

// limits are the figures that are no ratio, by events.
var limits = map[string]map[int]float64{
	peak:    {200_000: 300, 1_000_000: 300},
	opening: {200_000: 150, 1_000_000: 300},
}

// writeTable prints Markdown: a row a figure, a column a size.
func writeTable(out io.Writer, all []sized) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, signatures by %s, %d cores, load %s\n\n| figure |", runtime.Version(), nostr.Verifier(), runtime.NumCPU(), load())
	for _, s := range all {
		fmt.Fprintf(&b, " %d |", s.Events)
	}
	b.WriteString(" goal |\n|---|" + strings.Repeat("---:|", len(all)) + "---|\n")
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

// goalsOf puts ours beside each goal of a figure.
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
		if s.Events != goalEvents {
			continue
		}
		for _, p := range peers[name] {
			goals = append(goals, fmt.Sprintf("%.2f of %s's %s, at most %.2f: %s",
				v/p.figure, p.name, shortest(p.figure), p.ratio, verdict(v/p.figure <= p.ratio)))
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
