package settings

import (
	"strconv"

	"fyne.io/fyne/v2/lang"

	"bowerbird/app/config"
	"bowerbird/ui/widgets"
)

// newRelays is how far back notes are fetched, and a button that opens the relays.
func newRelays(s *Screen) page {
	if s.sample {
		return still{body: sheet(lang.L("Relays"), section("", note(lang.L("This is the sample: it is made up, and nothing is fetched. With your own notes, you choose here how far back they are fetched, and from which servers."))))}
	}
	var choices []choice
	for _, d := range []int{1, 3, 7, 14, 30} {
		label := lang.L("{{.N}} days", with("N", d))
		if d == 1 {
			label = lang.L("1 day")
		}
		choices = append(choices, choice{strconv.Itoa(d), label})
	}
	now := func() string { return strconv.Itoa(s.host.Settings().Sync.DaysBack()) }
	if chosen := now(); !hasValue(choices, chosen) {
		choices = append(choices, choice{chosen, lang.L("{{.N}} days", with("N", chosen))})
	}
	days := menu("settings.days", choices, now, func(v string) {
		n, err := strconv.Atoi(v)
		if err == nil {
			s.host.Change(func(set *config.Settings) { set.Sync.Days = n })
		}
	})
	open := widgets.Named("settings.relays", widgets.NewButton(lang.L("Open the relays"), widgets.Outline, s.env.Go.OpenRelays))
	body := sheet(lang.L("Relays"),
		section(lang.L("Fetching"),
			newField(lang.L("How far back"), lang.L("The notes of this many days are fetched first, as far as the relays have them. More days take longer. Changes take effect at once."), days),
		),
		section(lang.L("Servers"),
			newField(lang.L("The relays"), lang.L("The servers that notes come from: see their state, add and remove them, or ask only your own."), open),
		),
	)
	return still{body, days}
}
