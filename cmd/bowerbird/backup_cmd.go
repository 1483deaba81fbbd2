package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bowerbird/app"
	"bowerbird/app/upkeep"
	"bowerbird/ndb"
)

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
				if p.json {
					return p.printJSON(report)
				}
				say(p.out, "%d rows are in %s; it was restored once to try it, and all of it is there", report.Rows, args[0])
				return nil
			})
		},
	}
}

func (p *program) restoreCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "restore FILE",
		Short: "put a backup in the place of what is yours; that is set aside",
		Long:  "Puts a backup in the place of what is yours: chats, own notes, lists.\nWhat was there is set aside, not deleted. A backup that is damaged or cut off\nis refused, and nothing is changed. Daily backups lie in the folder\n\"backups\" of the data folder.",
		Args:  usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			places := p.places()
			if p.sample {
				places = places.ForSample()
			}
			f, err := openFile(args[0])
			if err != nil {
				return fmt.Errorf("restoring %s: %w; daily backups lie in %s", args[0], err, places.Backups)
			}
			_ = f.Close()
			aside, err := upkeep.RestoreOwn(cmd.Context(), places, args[0], time.Now())
			if errors.Is(err, ndb.ErrBadBackup) {
				return fmt.Errorf("%w; nothing was changed", err)
			}
			if err != nil {
				return err
			}
			if p.json {
				return p.printJSON(map[string]string{"restored": places.Own, "aside": aside})
			}
			if aside != "" {
				p.say("what was there lies in %s now", aside)
			}
			say(p.out, "restored")
			return nil
		},
	}
}

// withWayOut adds to an error of a damaged store how to mend it.
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
