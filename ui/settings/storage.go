package settings

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/app/upkeep"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// storage is what is stored on this computer, and how to remove it.
type storage struct {
	still
	s     *Screen
	rows  *fyne.Container
	where *field
	smpl  *field

	budget  *field
	pruning bool // by a click
	prune   *field
	remove  *widgets.Button // prunes
	tidy    *field
	compact *widgets.Button
}

func newStorage(s *Screen) page {
	p := &storage{s: s, rows: layout.Column(7)}
	places := s.env.App.Places()
	copyPath := widgets.Named("settings.copy-place", widgets.NewButton(lang.L("Copy the path"), widgets.Outline, func() { s.env.Go.Copy(places.Data) }))
	p.where = newField(lang.L("Location"), present.Isolate(config.ShortPath(places.Data)), copyPath)
	forget := widgets.Named("settings.forget-pictures", widgets.NewButton(lang.L("Delete pictures"), widgets.Outline, p.forgetPictures))

	removeSample := widgets.Named("settings.remove-sample", widgets.NewButton(lang.L("Remove the sample"), widgets.Outline, func() {
		p.ask(lang.L("Remove the sample?"), lang.L("The sample notes and your chats about them are deleted. You can open the sample again at any time; it is then created again."), lang.L("Remove the sample"), true)
	}))
	p.smpl = newField(lang.L("The sample"), lang.L("Your own notes stay."), removeSample)
	removeAll := widgets.Named("settings.remove-all", widgets.NewButton(lang.L("Remove everything"), widgets.Danger, func() {
		p.ask(lang.L("Remove everything from this computer?"), lang.L("All of Bowerbird's notes, chats, pictures and settings on this computer are deleted and cannot be restored. Notes on relays can be fetched again; chats cannot. Keys for models stay in this computer's keyring."), lang.L("Remove everything"), false)
	}))

	p.budget = newField(lang.L("Notes to keep"), "", p.budgetMenu())
	p.remove = widgets.Named("settings.prune", widgets.NewButton(lang.L("Remove now"), widgets.Outline, p.pruneNow))
	p.prune = newField(lang.L("Old notes"), "", p.remove)
	p.compact = widgets.Named("settings.compact", widgets.NewButton(lang.L("Compact now"), widgets.Outline, p.compactNow))
	p.tidy = newField(lang.L("Disk space"), lang.L("Compacting frees the disk space of removed notes."), p.compact)

	body := sheet(lang.L("Storage"),
		section(lang.L("On this computer"), p.rows, p.where,
			newField(lang.L("Pictures"), lang.L("Small copies are kept so that they need not be fetched twice."), forget)),
		section(lang.L("How much is kept"), p.budget, p.prune, p.tidy),
		section(lang.L("Removing"), p.smpl,
			newField(lang.L("Everything"), lang.L("As if Bowerbird had never been installed."), removeAll)),
	)
	p.still = still{body, copyPath}
	return p
}

func (p *storage) load() {
	p.s.work(func(ctx context.Context) func() {
		stored, err := p.s.env.App.Storage(ctx)
		last, lastErr := p.s.env.App.Upkeep().LastPruning(ctx)
		return func() {
			if lastErr == nil {
				p.showPruning(last)
			}
			p.show(stored, err)
			p.s.frame.place()
		}
	})
}

func (p *storage) show(stored app.Storage, err error) {
	p.rows.Objects = nil
	for i, r := range p.s.env.Words.Stored(stored) {
		color := theme.Muted
		if i == 0 || r.Size != "" {
			color = theme.Text
		}
		p.rows.Add(newStoredRow(r, color))
	}
	if err != nil {
		p.rows.Add(prose.Plain(lang.L("This could not be read: {{.Reason}}", with("Reason", err.Error())), theme.Small, theme.Bad))
	}
	p.smpl.say(lang.L("Your own notes stay.")+" "+lang.L("It takes {{.Size}}.", with("Size", p.s.env.Words.Bytes(stored.Sample))), theme.Muted)
	if stored.Sample == 0 {
		p.smpl.say(lang.L("There is none on this computer."), theme.Muted)
	}
}

func (p *storage) forgetPictures() {
	p.s.work(func(context.Context) func() {
		err := p.s.env.App.Pictures().Clear()
		return func() {
			if err != nil {
				p.s.env.Go.Toast(lang.L("The pictures could not be deleted."), "", nil)
				return
			}
			p.s.env.Go.Toast(lang.L("Pictures deleted."), "", nil)
			p.load()
		}
	})
}

// ask confirms that something is to be removed. The keyboard begins on the button that
// keeps it.
func (p *storage) ask(title, text, do string, sampleOnly bool) {
	s := p.s
	s.closeDialog()
	keep := widgets.Named("settings.keep", widgets.NewButton(lang.L("Keep it"), widgets.Outline, s.closeDialog))
	remove := widgets.Named("settings.remove", widgets.NewButton(do, widgets.Danger, func() {
		s.closeDialog()
		s.host.Remove(sampleOnly)
	}))
	s.close = widgets.ShowDialog(s.env.Go.Window(), layout.Column(14,
		prose.New(prose.Span{Text: title, Size: theme.Title, Bold: true}),
		prose.Plain(text, theme.Body, theme.Muted),
		layout.WrapEnd(8, keep, remove),
	))
	s.env.Go.Window().Canvas().Focus(keep)
}

// newStoredRow is a line of what is stored, with its size at the right edge, or below if a
// word would break otherwise.
func newStoredRow(r present.StorageRow, color fyne.ThemeColorName) *layout.Arranged {
	figure := r.Count + r.Size
	if r.Count != "" && r.Size != "" {
		figure = r.Count + " · " + r.Size
	}
	what, much := prose.Plain(r.What, theme.Body, color), widgets.NewLabel(figure, theme.Body, color)
	return layout.NewArranged(80, func(width float32, put layout.Put) float32 {
		const gap = 8
		figure := much.MinSize()
		left := width - figure.Width - gap
		y := max(0, float32(int((what.HeightFor(1_000)-figure.Height)/2))) // a whole number, as lines of text begin
		stacked := left < what.LeastWidth(width)
		if stacked {
			left = width
		}
		height := what.HeightFor(left)
		if stacked {
			y = height
		}
		if put != nil {
			put(what, 0, 0, left, height)
			put(much, width-figure.Width, y, figure.Width, figure.Height)
		}
		return max(height, y+figure.Height)
	}, what, much)
}

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
