package shell

import (
	"context"
	"errors"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/upkeep"
	"bowerbird/ndb"
	"bowerbird/ui/present"
	"bowerbird/ui/widgets"
)

// damagedStore returns which of the user's stores an error of [app.Open] reports as
// damaged; "" for none.
func damagedStore(err error) string {
	var store *upkeep.StoreError
	if errors.Is(err, ndb.ErrDamaged) && errors.As(err, &store) && store.Store != "sample" {
		return store.Store
	}
	return ""
}

// repair salvages the damaged stores, then shows the result.
func (s *Shell) repair() {
	s.rootShows(opening(lang.L("Saving what can be read. With many notes this takes a few minutes.")))
	s.between(func() func() {
		repaired, err := s.opt.Repair(s.ctx)
		return func() {
			switch {
			case err != nil:
				s.opt.Logger.Error("repairing", "err", err)
				s.rootShows(s.cannotOpen(err, false))
			case len(repaired) == 0: // it can be opened by now
				s.open(false, nil)
			default:
				for _, r := range repaired {
					s.opt.Logger.Warn("repaired", "store", r.Store, "report", r.Report)
				}
				s.rootShows(s.repaired(repaired))
			}
		}
	})
}

// repaired shows what was saved and what was lost, before the store is opened.
func (s *Shell) repaired(all []upkeep.Repaired) fyne.CanvasObject {
	goOn := widgets.Named("repaired.on", widgets.NewButton(lang.L("Continue"), widgets.Primary, func() { s.open(false, nil) }))
	title, text := repairWords(s.words, all, s.opt.Now())
	return page(title, text, goOn)
}

func repairWords(words present.Words, all []upkeep.Repaired, now time.Time) (title, text string) {
	title = lang.L("Everything was saved")
	var says, aside []string
	for _, r := range all {
		if !r.Report.Whole() {
			title = lang.L("Most was saved")
		}
		says = append(says, lostText(words, r, now)...)
		aside = append(aside, lang.L("The damaged files are kept in {{.Folder}}.", map[string]any{"Folder": present.Isolate(r.Report.Aside)}))
	}
	return title, strings.Join(append(says, aside...), " ")
}

// lostText words what was lost of a store.
func lostText(words present.Words, r upkeep.Repaired, now time.Time) (says []string) {
	report := r.Report
	if report.Lost > 0 {
		says = append(says, lang.N("{{.Notes}} notes are lost.", report.Lost, map[string]any{"Notes": words.Number(report.Lost)}))
		if report.LostTo > 0 {
			says = append(says, lang.L("Time span: {{.From}} – {{.To}}.", map[string]any{
				"From": words.Day(time.Unix(report.LostFrom, 0), now), "To": words.Day(time.Unix(report.LostTo, 0), now),
			}))
		}
	}
	values := 0
	for _, n := range report.LostValues {
		values += n
	}
	if values > 0 {
		says = append(says, lang.N("{{.Values}} of your own saved things (chats, what you last saw) are lost.", values, map[string]any{"Values": words.Number(values)}))
	}
	if report.Incomplete {
		says = append(says, lang.L("More may be missing: the newest notes, deletions, or earlier versions of your lists."))
	}
	if r.Store == "notes" && !report.Whole() {
		says = append(says, lang.L("Bowerbird asks the relays for what is missing."))
	}
	return says
}

// restore replaces the user's own data by its last backup.
func (s *Shell) restore() {
	s.rootShows(opening(lang.L("Restoring the backup")))
	s.between(func() func() {
		day, err := s.opt.Restore(context.Background())
		return func() {
			if err != nil {
				s.opt.Logger.Error("restoring the backup", "err", err)
				s.rootShows(s.cannotOpen(err, false))
				return
			}
			s.opt.Logger.Info("restored the backup", "of", day)
			s.open(false, nil)
		}
	})
}
