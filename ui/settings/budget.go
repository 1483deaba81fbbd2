package settings

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"fyne.io/fyne/v2/lang"

	"bowerbird/app/config"
	"bowerbird/app/upkeep"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// offeredBudgets are the budgets in the menu: sizes in gigabytes, and days.
func offeredBudgets() []config.Storage {
	return []config.Storage{{}, {MaxGB: 1}, {MaxGB: 2}, {MaxGB: 5}, {MaxGB: 10}, {MaxGB: 20}, {Days: 30}, {Days: 90}, {Days: 365}}
}

// budgetValue identifies a budget in the menu.
func budgetValue(b config.Storage) string { return fmt.Sprintf("%d %d", b.MaxGB, b.Days) }

func budgetLabel(b config.Storage) string {
	size := lang.L("At most {{.N}} GB", with("N", strconv.Itoa(b.MaxGB)))
	days := lang.L("Strangers' notes for {{.N}} days", with("N", strconv.Itoa(b.Days)))
	switch {
	case b.MaxGB > 0 && b.Days > 0:
		return size + ", " + days
	case b.MaxGB > 0:
		return size
	case b.Days > 0:
		return days
	}
	return lang.L("Everything")
}

// budgetMenu lets the user choose how much is kept. A budget that is only in the settings
// file is offered too.
func (p *storage) budgetMenu() *widgets.Picker {
	now := func() config.Storage { return p.s.host.Settings().Storage }
	var choices []choice
	for _, b := range offeredBudgets() {
		choices = append(choices, choice{budgetValue(b), budgetLabel(b)})
	}
	if !hasValue(choices, budgetValue(now())) {
		choices = append(choices, choice{budgetValue(now()), budgetLabel(now())})
	}
	return menu("settings.budget", choices, func() string { return budgetValue(now()) }, func(v string) {
		var b config.Storage
		if _, err := fmt.Sscanf(v, "%d %d", &b.MaxGB, &b.Days); err != nil {
			return
		}
		p.s.host.Change(func(set *config.Settings) { set.Storage = b })
		p.load()
	})
}

// showPruning explains the budget, and shows what was last removed for it.
func (p *storage) showPruning(last upkeep.Pruning) {
	b := p.s.host.Settings().Storage
	about := lang.L("Nothing is removed automatically.")
	switch {
	case b.MaxGB > 0:
		about = lang.L("If there are more, the oldest notes are removed, at most once a day.") + " " +
			lang.L("The last {{.N}} days always stay.", with("N", strconv.Itoa(upkeep.KeptDays)))
		if b.Days > 0 {
			about += " " + lang.L("Older notes by people you do not follow are removed, once a day.")
		}
	case b.Days > 0:
		about = lang.L("Older notes by people you do not follow are removed, once a day.")
	}
	if b != (config.Storage{}) {
		about += " " + lang.L("Your own notes stay, and so does what you bookmarked, replied to or reacted to.")
	}
	p.budget.say(about, theme.Muted)
	if p.pruning {
		return // it says how far it is
	}
	if b == (config.Storage{}) || p.s.env.App.Sample() {
		p.remove.Disable()
	} else {
		p.remove.Enable()
	}
	text := lang.L("None have been removed yet.")
	if last.At > 0 {
		text = lang.N("Last removed: {{.Count}} notes, {{.Day}}.", last.Notes,
			map[string]any{"Count": p.s.env.Words.Number(last.Notes), "Day": p.s.env.Words.Day(time.Unix(last.At, 0), p.s.env.App.Now())})
		if last.Freed > 0 {
			text += " " + lang.L("{{.Size}} freed.", with("Size", p.s.env.Words.Bytes(last.Freed)))
		}
	}
	if last.Stopped {
		text += " " + lang.L("It was interrupted and will continue by itself.")
	}
	if last.Over > 0 && last.OverGB == b.MaxGB {
		text += " " + lang.L("What must stay takes up {{.Size}} more than that.", with("Size", p.s.env.Words.Bytes(last.Over)))
	}
	p.prune.say(text, theme.Muted)
}

// progressEvery is how many notes are removed between two updates of the progress.
const progressEvery = 500

// pruneNow removes what exceeds the budget, and shows the progress.
func (p *storage) pruneNow() {
	if p.pruning {
		return
	}
	p.pruning = true
	p.remove.Disable()
	p.prune.say(lang.L("Finding notes to remove"), theme.Muted)
	s, budget := p.s, p.s.host.Settings().Storage
	s.work(func(ctx context.Context) func() {
		_, err := s.env.App.Upkeep().Prune(ctx, budget, false, func(done, of int) {
			if done%progressEvery != 0 && done != of {
				return
			}
			s.env.Do.Do(func() {
				p.prune.say(lang.L("{{.Done}} of {{.Of}} removed", with("Done", s.env.Words.Number(done), "Of", s.env.Words.Number(of))), theme.Muted)
				s.frame.place()
			})
		})
		return func() {
			p.pruning = false
			p.load()
			if err != nil {
				s.env.Go.Toast(lang.L("Old notes could not be removed: {{.Reason}}", with("Reason", err.Error())), "", nil)
			}
		}
	})
}

// compactNow compacts the store of the notes, and shows the progress.
func (p *storage) compactNow() {
	if p.compact.Disabled() {
		return
	}
	p.compact.Disable()
	p.tidy.say(lang.L("Compacting starts"), theme.Muted)
	s := p.s
	s.work(func(ctx context.Context) func() {
		report, err := s.env.App.Upkeep().Compact(ctx, func(done, of int) {
			s.env.Do.Do(func() {
				p.tidy.say(lang.L("Compacting: step {{.N}} of {{.Of}}", with("N", strconv.Itoa(min(done+1, of)), "Of", strconv.Itoa(of))), theme.Muted)
				s.frame.place()
			})
		})
		return func() {
			p.compact.Enable()
			if err != nil {
				p.tidy.say(lang.L("Compacting failed: {{.Reason}}", with("Reason", err.Error())), theme.Bad)
			} else {
				p.tidy.say(lang.L("{{.Freed}} freed; the notes now take up {{.Size}}.", map[string]any{
					"Freed": s.env.Words.Bytes(max(0, report.Before-report.After)), "Size": s.env.Words.Bytes(report.After),
				}), theme.Muted)
			}
			p.load()
		}
	})
}
