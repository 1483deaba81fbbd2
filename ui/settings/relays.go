package settings

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/config"
	"bowerbird/ui/widgets"
)

// relays is how far back notes are fetched, and the way to the relays themselves.
type relays struct {
	body fyne.CanvasObject
	days *widgets.Picker
}

func newRelays(s *Screen) page {
	r := &relays{}
	if s.sample {
		r.body = sheet(lang.L("Relays"), section("", note(lang.L("This is the sample: it is made up, and nothing is fetched. With your own notes, you choose here how far back they are fetched, and from which servers."))))
		return r
	}
	var choices []choice
	for _, d := range []int{1, 3, 7, 14, 30} {
		label := lang.L("{{.N}} days", with("N", d))
		if d == 1 {
			label = lang.L("1 day")
		}
		choices = append(choices, choice{strconv.Itoa(d), label})
	}
	days := func() string { return strconv.Itoa(s.host.Settings().Sync.DaysBack()) }
	if chosen := days(); !hasValue(choices, chosen) {
		choices = append(choices, choice{chosen, lang.L("{{.N}} days", with("N", chosen))})
	}
	r.days = menu("settings.days", choices, days, func(v string) {
		n, err := strconv.Atoi(v)
		if err == nil {
			s.host.Change(func(set *config.Settings) { set.Sync.Days = n })
		}
	})
	open := widgets.NewButton(lang.L("Open the relays"), widgets.Outline, s.env.Go.OpenRelays)
	open.ID = "settings.relays"
	r.body = sheet(lang.L("Relays"),
		section(lang.L("Fetching"),
			newField(lang.L("How far back"), lang.L("The notes of this many days are fetched first, as far as the relays have them. More days take longer. Changes take effect at once."), r.days),
		),
		section(lang.L("Servers"),
			newField(lang.L("The relays"), lang.L("The servers that notes come from: see their state, add and remove them, or ask only your own."), open),
		),
	)
	return r
}

func (r *relays) content() fyne.CanvasObject { return r.body }
func (r *relays) first() fyne.Focusable {
	if r.days == nil {
		return nil
	}
	return r.days
}
func (r *relays) load() {}
