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
		Short: "Verify all stored data; --repair repairs damage",
		Long: `Reads both stores, the notes and your own data, and verifies every note again.
Nothing is changed. The check runs in a separate process, so damaged files
cannot crash the program.

With --repair a damaged store is renamed and kept, and a new one is created from
everything readable in it. The report says what was lost; the next sync asks the
relays for it again.`,
		Args: usageArgs(noArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if repair {
				return p.repair(cmd.Context())
			}
			return p.check(cmd.Context())
		},
	}
	cmd.Flags().BoolVar(&repair, "repair", false, "replace a damaged store with a new one that has everything readable")
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
			say(p.out, "%s: %d events read, %d problems found", c.Store, c.Report.Events, c.Report.BadCount)
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
		return fmt.Errorf("%w in %s; \"bowerbird check --repair\" saves everything readable and keeps the damaged files", ndb.ErrDamaged, numberWords(bad, "place"))
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
			say(p.out, "  a daily backup may contain it; \"bowerbird restore FILE\" restores one")
		}
	}
	if err == nil && len(repaired) == 0 {
		say(p.out, "Nothing is damaged.")
	}
	return err
}

func (p *program) pruneCmd() *cobra.Command {
	var dry bool
	var budget config.Storage
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Remove old notes beyond the storage limits",
		Long: `Removes old notes beyond the limits in the settings or on the command line, and
returns their space to the disk.

These are never removed: your own notes; notes that you bookmarked, replied to,
reacted to or quoted; notes that a saved chat cites; the profiles, lists and
articles of the people you follow; and notes that a remaining note by them or to
you replies to or quotes. Notes from the last few days are never removed to save
space.

With --dry-run nothing is removed. If you remove more than the limits in the
settings require, the next sync fetches those notes again.`,
		Args: usageArgs(noArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags := cmd.Flags(); flags.Changed("max-gb") && budget.MaxGB < 1 || flags.Changed("days") && budget.Days < 1 {
				return usagef("--max-gb and --days must be at least 1; leave both out to use the limits in the settings")
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
					return usagef("no limit is set: give --max-gb or --days, or set a limit in the settings")
				}
				if errors.Is(err, account.ErrNobodyChosen) {
					return usagef("no account is chosen, so it is unknown whose notes to keep: set key under [person] in the settings file, or run \"bowerbird sync --as KEY\" once")
				}
				if err != nil && !report.Stopped {
					return err
				}
				return errors.Join(err, p.printPruned(report, dry))
			})
		},
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only show what would be removed")
	cmd.Flags().IntVar(&budget.MaxGB, "max-gb", 0, "remove the oldest notes until they take up less disk space than this, in GB")
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
	verb := "Removed"
	if dry {
		verb = "Would remove"
	}
	line := fmt.Sprintf("%s %s, about %s", verb, numberWords(r.Notes, "note"), sizeWords(r.Bytes))
	if r.Before > 0 {
		line += fmt.Sprintf("; all are from before %s", localTime(r.Before))
	}
	say(p.out, "%s.", line)
	if r.Stopped {
		say(p.out, "Stopped before everything was removed.")
	}
	if r.Over > 0 {
		say(p.out, "The notes that must be kept exceed the limit by about %s.", sizeWords(r.Over))
	}
	if r.Spared > 0 {
		say(p.out, "Kept %s just as old, because other notes refer to them.", numberWords(r.Spared, "note"))
	}
	return nil
}

func (p *program) compactCmd() *cobra.Command {
	const short = "Return the space of removed and replaced notes to the disk"
	return p.appCmd("compact", short, app.Write, nil, func(ctx context.Context, a *app.App, _ []string) error {
		report, err := a.Upkeep().Compact(ctx, func(done, of int) {
			if done < of {
				p.progress("step %d of %d", done+1, of)
			}
		})
		if err != nil {
			return err
		}
		return p.print(report, "%s on disk, %s before", sizeWords(report.After), sizeWords(report.Before))
	})
}

func (p *program) backupCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Back up your own data (chats, own notes, lists) to a file",
		Example: `  bowerbird backup mine.backup
  bowerbird --json backup mine-too.backup            # with its size and checksum`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if info, err := os.Stat(args[0]); args[0] == "" || err == nil && info.IsDir() {
				return usagef("backup %s: name a new file in an existing folder", args[0])
			}
			return p.withApp(cmd.Context(), app.Read, "", func(a *app.App) error {
				report, err := a.Upkeep().BackUp(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return p.print(report, "%d rows were saved in %s and verified by a trial restore", report.Rows, args[0])
			})
		},
	}
}

func (p *program) restoreCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "restore FILE",
		Short: "Replace your own data with a backup; the current data is set aside",
		Long: `Replaces your own data (chats, own notes, lists) with a backup. The current data
is set aside, not deleted. A damaged or incomplete backup is refused, and
nothing is changed. Daily backups are in "backups" in the data folder.`,
		Args: usageArgs(cobra.ExactArgs(1)),
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
				p.say("The previous data is now in %s", aside)
			}
			return p.print(map[string]string{"restored": places.Own, "aside": aside}, "Restored.")
		},
	}
}

// notABackup replaces [ndb.ErrBadBackup] by which file to name. At which byte the reading of
// another kind of file failed would help nobody.
func notABackup(err error, places config.Places) error {
	why := "it is damaged or not a backup"
	if errors.Is(err, io.ErrUnexpectedEOF) {
		why = "it is incomplete or not a backup"
	}
	return fmt.Errorf("%s; name a file written by \"bowerbird backup\", or a daily backup in %s", why, places.Backups)
}

// withWayOut adds to the error of a store that cannot be made where to make it instead, and
// to that of a damaged store how to repair it.
func (p *program) withWayOut(err error) error {
	var store *upkeep.StoreError
	if (errors.Is(err, ndb.ErrReadOnly) || errors.Is(err, ndb.ErrNoSpace)) && !ndb.IsStore(p.places().Notes) {
		return fmt.Errorf("%w; choose another folder with --data FOLDER or $%s", err, config.EnvData)
	}
	if p.sample || !errors.Is(err, ndb.ErrDamaged) || !errors.As(err, &store) {
		return err
	}
	if store.Store == "notes" && strings.Contains(err.Error(), "saving what can be read failed") {
		return err
	}
	if store.Store == "notes" {
		return fmt.Errorf("%w; the window and every command that writes save everything readable, and \"bowerbird sync\" fetches the other notes again", err)
	}
	list, listErr := upkeep.Backups(p.places())
	if listErr != nil || len(list) == 0 {
		return fmt.Errorf("%w; there is no backup in %s, but \"bowerbird check --repair\" saves everything readable", err, p.places().Backups)
	}
	return fmt.Errorf("%w; \"bowerbird check --repair\" saves everything readable, or restore the last backup, of %s: bowerbird restore %s",
		err, list[0].Day.Format("2 January 2006"), filepath.ToSlash(list[0].File))
}
