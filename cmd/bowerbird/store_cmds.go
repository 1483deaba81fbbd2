package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"bowerbird/app"
	"bowerbird/app/upkeep"
	"bowerbird/ndb"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/present"
)

func (p *program) importCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE...",
		Short: "Import events from JSON Lines files (- for stdin)",
		Args:  usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := noneReadable(files); err != nil {
				return err
			}
			defer debug.SetGCPercent(debug.SetGCPercent(importGCPercent))
			return p.withApp(cmd.Context(), app.Write, "", func(a *app.App) error {
				return p.importFiles(cmd.Context(), a, files)
			})
		},
	}
}

// importGCPercent is how much garbage an import accumulates, in percent of the memory in
// use, before it is collected. Nearly all of that memory are large blocks without pointers
// (memtables and table builders), so collecting more often costs little, and each percent
// would cost megabytes.
const importGCPercent = 25

// noneReadable returns why none of the files can be read, so that no store is created or
// changed for an import of nothing; nil if at least one can.
func noneReadable(files []string) error {
	var failed []error
	for _, file := range files {
		// A pipe must not be opened twice: its writer may be gone then.
		if info, err := os.Stat(file); file == "-" || err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			return nil
		}
		f, err := openFile(file)
		if err == nil {
			return f.Close()
		}
		failed = append(failed, fmt.Errorf("import %s: %w", file, err))
	}
	return errors.Join(failed...)
}

func (p *program) importFiles(ctx context.Context, a *app.App, files []string) error {
	total := ndb.ImportReport{Invalid: map[nostr.Reason]int{}}
	var failed []error
	for _, file := range files {
		report, err := p.importFile(ctx, a, file)
		total = plus(total, report)
		invalid := 0
		for _, n := range report.Invalid {
			invalid += n
		}
		if err == nil && invalid == report.Read {
			err = errors.New("no line is an event; expected uncompressed JSON Lines, one event per line")
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("import %s: %w", file, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	if total.Read == 0 && len(failed) > 0 {
		return errors.Join(failed...)
	}
	if err := p.printImport(total); err != nil {
		return err
	}
	return errors.Join(failed...)
}

// plus adds up the reports of two files.
func plus(a, b ndb.ImportReport) ndb.ImportReport {
	for reason, n := range b.Invalid {
		a.Invalid[reason] += n
	}
	a.Read += b.Read
	a.Stored += b.Stored
	a.Duplicate += b.Duplicate
	a.Replaced += b.Replaced
	a.Deleted += b.Deleted
	a.Expired += b.Expired
	a.Ephemeral += b.Ephemeral
	a.Hidden += b.Hidden
	a.Seconds += b.Seconds
	return a
}

// badLinesShown is how many invalid lines are named; the report counts the others.
const badLinesShown = 10

func (p *program) importFile(ctx context.Context, a *app.App, file string) (ndb.ImportReport, error) {
	in := p.in
	if file != "-" {
		f, err := openFile(file)
		if err != nil {
			return ndb.ImportReport{}, err
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	bad := 0
	// The name of a file may come from strangers, as its contents do.
	name := clean.Line(file, 0)
	report, err := a.Import(ctx, in, ndb.ImportOptions{
		Progress: func(r ndb.ImportReport) { p.progress("%s: %d read, %d stored", name, r.Read, r.Stored) },
		Bad: func(b ndb.BadLine) {
			if bad++; bad <= badLinesShown {
				p.say("%s:%d: skipped: %s", name, b.Line, clean.Line(b.Err.Detail, 0))
			}
		},
	})
	if bad > badLinesShown {
		p.say("%s: %d more lines were skipped", name, bad-badLinesShown)
	}
	return report, err
}

func (p *program) printImport(r ndb.ImportReport) error {
	if p.json {
		return p.printJSON(r)
	}
	say(p.out, "%d read: %d stored, %d already stored, %d replaced by newer versions, %d deleted by their authors, %d expired, %d ephemeral (not stored)",
		r.Read, r.Stored, r.Duplicate, r.Replaced, r.Deleted, r.Expired, r.Ephemeral)
	if r.Hidden > 0 {
		say(p.out, "Stored, but hidden until their date: %d", r.Hidden)
	}
	for _, reason := range slices.Sorted(maps.Keys(r.Invalid)) {
		say(p.out, "%d invalid: %s", r.Invalid[reason], reason)
	}
	return nil
}

func (p *program) exportCmd() *cobra.Command {
	var filter string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Print stored events as JSON Lines, newest first",
		Args:  usageArgs(noArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			f, err := parseFilters([]string{filter})
			if err != nil {
				return err
			}
			return p.withApp(cmd.Context(), app.Read, "", func(a *app.App) error {
				return p.printEvents(a.Notes().Export(cmd.Context(), f[0]))
			})
		},
	}
	cmd.Flags().StringVar(&filter, "filter", "{}", "a NIP-01 filter")
	return cmd
}

func (p *program) reqCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "req FILTER...",
		Short: "Print the stored events that match NIP-01 filters, as JSON Lines",
		Example: `  bowerbird req '{"kinds": [1], "limit": 10}'
  bowerbird req '{"search": "kayak from:Ada", "limit": 3}'
  bowerbird req '{"#t": ["bread"]}' '{"kinds": [30023]}'    # matching either filter`,
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			filters, err := parseFilters(args)
			if err != nil {
				return err
			}
			return p.withApp(cmd.Context(), app.Read, "", func(a *app.App) error {
				// Keys and times replace names and days, as in the search command.
				for i, f := range filters {
					if strings.TrimSpace(f.Search) == "" {
						continue
					}
					q, err := resolvedSearch(cmd.Context(), a, f.Search)
					if err != nil {
						return err
					}
					filters[i].Search = q.String()
				}
				return p.printEvents(a.Notes().Query(cmd.Context(), ndb.QueryOptions{}, filters...))
			})
		},
	}
}

func parseFilters(args []string) ([]nostr.Filter, error) {
	filters := make([]nostr.Filter, 0, len(args))
	for i, arg := range args {
		f, err := nostr.ParseFilter([]byte(arg))
		if err != nil {
			if len(args) > 1 {
				err = fmt.Errorf("filter %d: %w", i+1, err)
			}
			return nil, usagef("%w\nexpected a NIP-01 filter as JSON, like {\"kinds\": [1], \"limit\": 10}, with ids and keys in hex\n\"bowerbird search\" accepts names and npub codes (from:npub1…)", err)
		}
		filters = append(filters, f)
	}
	return filters, nil
}

func (p *program) printEvents(events iter.Seq2[*nostr.Event, error]) error {
	out := bufio.NewWriter(p.out)
	var line []byte
	for e, err := range events {
		if err != nil {
			return err
		}
		line = append(e.AppendJSON(line[:0]), '\n')
		if _, err := out.Write(line); err != nil {
			return fmt.Errorf("writing events: %w", err)
		}
	}
	return out.Flush()
}

func (p *program) statsCmd() *cobra.Command {
	return p.appCmd("stats", "Show counts and sizes of the store", app.Read, nil, func(ctx context.Context, a *app.App, _ []string) error {
		s, err := a.Notes().Stats(ctx)
		if err != nil {
			return err
		}
		if p.json {
			return p.printJSON(s)
		}
		printStats(p.out, s)
		return nil
	})
}

func printStats(w io.Writer, s ndb.Stats) {
	say(w, "%d events by %d people, %s on disk (layout %d)", s.Events, s.Authors, sizeWords(s.DiskBytes), s.Schema)
	if s.Events > 0 {
		say(w, "from %s to %s", localTime(s.Oldest), localTime(s.Newest))
	}
	if s.Hidden > 0 {
		say(w, "Hidden until their date: %d", s.Hidden)
	}
	kinds := slices.SortedFunc(maps.Keys(s.Kinds), func(a, b uint16) int { return cmp.Or(s.Kinds[b]-s.Kinds[a], int(a)-int(b)) })
	for _, k := range kinds[:min(10, len(kinds))] {
		name := "kind " + strconv.Itoa(int(k))
		if known := present.EventName(k); known != "" {
			name = known + " (" + name + ")"
		}
		say(w, "%8d  %s", s.Kinds[k], name)
	}
	say(w, "signatures are checked with %s", s.Verifier)
}

func (p *program) dataCmd() *cobra.Command {
	data := &cobra.Command{
		Use:   "data",
		Short: "Show where Bowerbird's data is, or remove it",
		Args:  usageArgs(noArgs),
		RunE: func(*cobra.Command, []string) error {
			return p.print(map[string]string{"data": p.dataFolder()}, "%s", p.dataFolder())
		},
	}
	var yes bool
	remove := &cobra.Command{
		Use:   "remove",
		Short: "Delete all of Bowerbird's notes, chats and settings, after asking",
		Args:  usageArgs(noArgs),
		RunE: func(*cobra.Command, []string) error {
			return p.removeData(yes)
		},
	}
	remove.Flags().BoolVar(&yes, "yes", false, "do not ask for confirmation")
	data.AddCommand(remove)
	return data
}

func (p *program) dataFolder() string {
	if p.sample {
		return p.places().Sample
	}
	return p.places().Data
}

func (p *program) removeData(yes bool) error {
	dir, remove := p.dataFolder(), upkeep.RemoveData
	what := "all notes, chats and settings, and everything you wrote but did not publish"
	if p.sample {
		remove, what = upkeep.RemoveSample, "the sample notes and the chats about them"
	}
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return p.sayRemoved(dir, false)
	}
	if !yes {
		_, _ = fmt.Fprintf(p.err, "This deletes %s.\nFolder: %s\nType \"remove\" to continue: ", what, dir)
		answer, err := bufio.NewReader(p.in).ReadString('\n')
		if err != nil && answer == "" {
			return errors.New("nothing was removed: no answer")
		}
		if strings.TrimSpace(answer) != "remove" {
			return errors.New("nothing was removed")
		}
	}
	if err := remove(p.places()); err != nil {
		return err
	}
	return p.sayRemoved(dir, true)
}

func (p *program) sayRemoved(dir string, removed bool) error {
	switch {
	case p.json:
		return p.printJSON(map[string]any{"data": dir, "removed": removed})
	case removed:
		p.say("Removed.")
	default:
		p.say("There was nothing to remove.")
	}
	return nil
}
