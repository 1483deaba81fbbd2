package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bowerbird/app"
	"bowerbird/app/account"
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
		Short: "read everything and verify it; with --repair, repair what is damaged",
		Long: `Reads both stores, the notes and what is your own, and verifies each note again.
Nothing is changed. The check runs in a separate process, which damaged files
cannot take down with this one.

With --repair a damaged store is renamed and kept, and a new one is made of what
can be read of it. The report says what was lost; the next sync asks the relays
for it again.`,
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

// examineCmd is what the program starts itself with to examine a store.
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

// examiner examines stores by starting this program again.
func examiner() examine.Func {
	self, err := os.Executable()
	if err != nil {
		return nil // in this process, then
	}
	return examine.ByChild(self, examineName)
}

// storePlaces returns the places of the stores that the command line names.
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

// checkReport is what check --json prints: the report of the notes, with that of the own
// data inside.
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
		say(p.out, "  the damaged files are in %s", r.Report.Aside)
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

func (p *program) pruneCmd() *cobra.Command {
	var dry bool
	var budget config.Storage
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "remove old notes that the budget does not keep",
		Long: `Removes old notes that the budget of the settings, or of the flags, does not
keep, and gives the space back to the disk. What is yours stays, and so does
what you bookmarked, answered, reacted to or quoted, what a saved chat cites,
the profiles and lists of the people you follow, and what a note that stays
answers or quotes, if it is of theirs or to you. Of the last days nothing goes
for its size. Nothing is removed with --dry-run. What you remove beyond the
budget of the settings is fetched again by the next sync.`,
		Args: usageArgs(noArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags := cmd.Flags(); flags.Changed("max-gb") && budget.MaxGB < 1 || flags.Changed("days") && budget.Days < 1 {
				return usagef("--max-gb and --days want a number from 1 on; for the budget of the settings leave both out")
			}
			access := app.Write
			if dry {
				access = app.Read
			}
			return p.withApp(cmd.Context(), access, "", func(a *app.App) error {
				if budget == (config.Storage{}) {
					budget = a.Settings().Storage
				}
				report, err := a.Upkeep().Prune(cmd.Context(), budget, dry, func(done, of int) {
					if done%10_000 == 0 || done == of {
						p.progress("%d of %d removed", done, of)
					}
				})
				if errors.Is(err, upkeep.ErrNoBudget) {
					return usagef("everything is to be kept: give --max-gb or --days, or set a budget in the settings")
				}
				if errors.Is(err, account.ErrNobodyChosen) {
					return usagef("whose notes must stay is not known: set key under [person] in the settings file, or run sync --as KEY once")
				}
				if err != nil && !report.Stopped {
					return err
				}
				return errors.Join(err, p.printPruned(report, dry))
			})
		},
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only show what would be removed")
	cmd.Flags().IntVar(&budget.MaxGB, "max-gb", 0, "remove the oldest notes until they take up less on disk")
	cmd.Flags().IntVar(&budget.Days, "days", 0, "remove notes older than this many days by people you do not follow")
	return cmd
}

func (p *program) printPruned(r ndb.PruneReport, dry bool) error {
	if p.json {
		return p.printJSON(struct {
			ndb.PruneReport
			DryRun bool `json:"dry_run"`
		}{r, dry})
	}
	verb := "were removed"
	if dry {
		verb = "would be removed"
	}
	line := fmt.Sprintf("%s of about %s %s", numberWords(r.Notes, "note"), sizeWords(r.Bytes), verb)
	if r.Before > 0 {
		line += fmt.Sprintf("; none is of %s or later", localTime(r.Before))
	}
	say(p.out, "%s", line)
	if r.Stopped {
		say(p.out, "it was interrupted, and there is more to remove")
	}
	if r.Over > 0 {
		say(p.out, "what has to stay is about %s over the limit", sizeWords(r.Over))
	}
	if r.Spared > 0 {
		say(p.out, "%s equally old stay, since others refer to them", numberWords(r.Spared, "note"))
	}
	return nil
}

func (p *program) compactCmd() *cobra.Command {
	const short = "give the space of removed and replaced notes back to the disk"
	return p.appCmd("compact", short, app.Write, nil, func(ctx context.Context, a *app.App, _ []string) error {
		report, err := a.Upkeep().Compact(ctx, func(done, of int) {
			if done < of {
				p.progress("step %d of %d", done+1, of)
			}
		})
		if err != nil {
			return err
		}
		return p.print(report, "%s on disk, before it was %s", sizeWords(report.After), sizeWords(report.Before))
	})
}

func (p *program) backupCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "copy what is yours (chats, own notes, lists) into a file, verified",
		Example: `  bowerbird backup mine.backup
  bowerbird --json backup mine-too.backup            # with its size and checksum`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if info, err := os.Stat(args[0]); args[0] == "" || err == nil && info.IsDir() {
				return usagef("backup %s: name a file that is not there yet, in a folder that is", args[0])
			}
			return p.withApp(cmd.Context(), app.Read, "", func(a *app.App) error {
				report, err := a.Upkeep().BackUp(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return p.print(report, "%d rows are in %s; it was restored once to try it, and all of it is there", report.Rows, args[0])
			})
		},
	}
}

func (p *program) restoreCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "restore FILE",
		Short: "put a backup in the place of what is yours; that is set aside",
		Long:  "Puts a backup in the place of what is yours: chats, own notes, lists.\nWhat was there is set aside, not deleted. A backup that is damaged or cut off\nis refused, and nothing is changed. Daily backups are in the folder\n\"backups\" of the data folder.",
		Args:  usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			places := p.storePlaces()
			f, err := openFile(args[0])
			if err != nil {
				return fmt.Errorf("restoring %s: %w; daily backups are in %s", args[0], err, places.Backups)
			}
			_ = f.Close()
			aside, err := upkeep.RestoreOwn(cmd.Context(), places, args[0], time.Now())
			if errors.Is(err, ndb.ErrBadBackup) {
				return fmt.Errorf("restoring %s: %w; nothing was changed", args[0], notABackup(err, places))
			}
			if err != nil {
				return err
			}
			if aside != "" && !p.json {
				p.say("what was there is in %s now", aside)
			}
			return p.print(map[string]string{"restored": places.Own, "aside": aside}, "restored")
		},
	}
}

// notABackup says which file [ndb.ErrBadBackup] asks for. What the reading of another kind
// of file stumbled on, such as its early end, would not help anybody.
func notABackup(err error, places config.Places) error {
	why := "it is damaged, or no backup at all"
	if errors.Is(err, io.ErrUnexpectedEOF) {
		why = "it ends too early: it was cut off, or is no backup at all"
	}
	return fmt.Errorf("%s; name a file that \"bowerbird backup\" has written, or a daily backup in %s", why, places.Backups)
}

// withWayOut adds to the error of a damaged store how to repair it.
func (p *program) withWayOut(err error) error {
	var store *upkeep.StoreError
	if p.sample || !errors.Is(err, ndb.ErrDamaged) || !errors.As(err, &store) {
		return err
	}
	if store.Store == "notes" && strings.Contains(err.Error(), "saving what can be read failed") {
		return err
	}
	if store.Store == "notes" {
		return fmt.Errorf("%w; every command that writes, and the window, save what can be read, and \"bowerbird sync\" fetches the rest again", err)
	}
	list, listErr := upkeep.Backups(p.places())
	if listErr != nil || len(list) == 0 {
		return fmt.Errorf("%w; there is no backup of them in %s, but \"bowerbird check --repair\" saves what can be read", err, p.places().Backups)
	}
	return fmt.Errorf("%w; \"bowerbird check --repair\" saves what can be read, or go back to the last backup, of %s: bowerbird restore %s",
		err, list[0].Day.Format("2 January 2006"), filepath.ToSlash(list[0].File))
}
