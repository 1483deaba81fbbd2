package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"bowerbird/app"
	"bowerbird/app/account"
	"bowerbird/app/config"
	"bowerbird/app/upkeep"
	"bowerbird/ndb"
)

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
		say(p.out, "it was broken off, and there is more to remove")
	}
	if r.Over > 0 {
		say(p.out, "what has to stay takes about %s more than it may", sizeWords(r.Over))
	}
	if r.Spared > 0 {
		say(p.out, "%s as old, for what refers to them", stay(r.Spared))
	}
	return nil
}

func stay(n int) string {
	if n == 1 {
		return "1 note stays that is"
	}
	return fmt.Sprintf("%d notes stay that are", n)
}

func (p *program) compactCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "compact",
		Short: "give the space of removed and replaced notes back to the disk",
		Args:  usageArgs(noArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withApp(cmd.Context(), app.Write, "", func(a *app.App) error {
				report, err := a.Upkeep().Compact(cmd.Context(), func(done, of int) {
					if done < of {
						p.progress("step %d of %d", done+1, of)
					}
				})
				if err != nil {
					return err
				}
				if p.json {
					return p.printJSON(report)
				}
				say(p.out, "%s on disk, before it was %s", sizeWords(report.After), sizeWords(report.Before))
				return nil
			})
		},
	}
}
