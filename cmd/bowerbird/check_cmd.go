package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"bowerbird/app/config"
	"bowerbird/app/examine"
	"bowerbird/app/upkeep"
	"bowerbird/ndb"
)

const examineName = "examine-store"

func (p *program) checkCmd() *cobra.Command {
	var repair bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "read everything and verify it; with --repair, mend what is damaged",
		Long: `Reads both stores, the notes and what is your own, and verifies each note anew.
Nothing is changed. The check runs in a process of its own: whatever damaged
files make of it, this one says so.

With --repair a damaged store is renamed and kept, and a new one is made of what
can be read of it. What was lost is told; the next sync asks the relays for it
again.`,
		Args: usageArgs(noArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if repair {
				return p.repair(cmd.Context())
			}
			return p.check(cmd.Context())
		},
	}
	cmd.Flags().BoolVar(&repair, "repair", false, "make a new store of what can be read of a damaged one")
	return cmd
}

// examineCmd is what the program starts itself with to look at a store.
func (p *program) examineCmd() *cobra.Command {
	var full bool
	cmd := &cobra.Command{
		Use:    examineName + " DIR",
		Hidden: true,
		Args:   usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return examine.Serve(cmd.Context(), p.out, args[0], full)
		},
	}
	cmd.Flags().BoolVar(&full, "full", false, "read everything")
	return cmd
}

// examiner starts this program again to look at a store.
func examiner() examine.Func {
	self, err := os.Executable()
	if err != nil {
		return nil // looked at in this process
	}
	return examine.ByChild(self, examineName)
}

// storePlaces are the places that the command line speaks of.
func (p *program) storePlaces() config.Places {
	if p.sample {
		return p.places().ForSample()
	}
	return p.places()
}

func (p *program) checkOptions() upkeep.CheckOptions {
	return upkeep.CheckOptions{Examine: examiner(), Progress: func(store string, done, of int) {
		if done%10_000 == 0 && done > 0 {
			p.progress("%s: %d of %d", store, done, of)
		}
	}}
}

// checkReport is what check prints: of the notes as ever, of the own data beside.
type checkReport struct {
	ndb.CheckReport
	Own *ndb.CheckReport `json:"own,omitempty"`
}

func (p *program) check(ctx context.Context) error {
	checks, err := upkeep.CheckStores(ctx, p.storePlaces(), p.checkOptions())
	if err != nil {
		return err
	}
	var report checkReport
	bad := 0
	for _, c := range checks {
		bad += c.Report.BadCount
		if c.Store == "notes" {
			report.CheckReport = c.Report
		} else {
			report.Own = &c.Report
		}
		if !p.json {
			say(p.out, "%s: %d events read, %d things wrong", c.Store, c.Report.Events, c.Report.BadCount)
			for _, bad := range c.Report.Bad {
				say(p.out, "  %s", bad)
			}
		}
	}
	if p.json {
		if err := p.printJSON(report); err != nil {
			return err
		}
	}
	if bad > 0 {
		return fmt.Errorf("%w in %s; \"bowerbird check --repair\" saves what can be read, and keeps the damaged files", ndb.ErrDamaged, numberWords(bad, "place"))
	}
	return nil
}

func (p *program) repair(ctx context.Context) error {
	repaired, err := upkeep.RepairStores(ctx, p.storePlaces(), p.checkOptions())
	if p.json {
		reports := make(map[string]ndb.SalvageReport)
		for _, r := range repaired {
			reports[r.Store] = r.Report
		}
		if printErr := p.printJSON(map[string]any{"repaired": reports}); err == nil {
			err = printErr
		}
		return err
	}
	for _, r := range repaired {
		say(p.out, "%s: repaired: %s", r.Store, r.Report)
		say(p.out, "  the damaged files lie in %s", r.Report.Aside)
		switch {
		case r.Report.Whole():
		case r.Store == "notes":
			say(p.out, "  the next sync asks the relays for what is missing")
		default:
			say(p.out, "  a daily backup may have it; \"bowerbird restore FILE\" goes back to one")
		}
	}
	if err == nil && len(repaired) == 0 {
		say(p.out, "nothing is damaged")
	}
	return err
}
