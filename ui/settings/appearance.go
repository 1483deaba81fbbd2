package settings

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/config"
	"bowerbird/ui/layout"
)

// appearance is how the window looks, and which pictures load automatically.
type appearance struct {
	still
	s    *Screen
	rows *fyne.Container // the page, which draw fills
}

func newAppearance(s *Screen) page {
	a := &appearance{s: s, rows: layout.Column(0)}
	a.body = a.rows
	a.draw()
	return a
}

func (a *appearance) load() {
	a.draw()
	a.s.frame.place()
}

// draw makes the page again: a key may have changed the look.
func (a *appearance) draw() {
	s := a.s
	now := s.host.Settings()
	mode := segments("settings.mode", now.Appearance.Mode, []choice{
		{config.ModeSystem, lang.L("System")}, {config.ModeLight, lang.L("Light")}, {config.ModeDark, lang.L("Dark")},
	}, func(v string) { s.host.Change(func(set *config.Settings) { set.Appearance.Mode = v }) })

	var sizes []choice
	current := strconv.Itoa(now.Appearance.TextPercent())
	for _, percent := range []int{80, 90, 100, 110, 125, 150, 175, 200} {
		sizes = append(sizes, choice{strconv.Itoa(percent), lang.L("{{.N}} %", with("N", percent))})
	}
	if !hasValue(sizes, current) {
		sizes = append(sizes, choice{current, lang.L("{{.N}} %", with("N", current))})
	}
	size := menu("settings.text", sizes, func() string { return strconv.Itoa(s.host.Settings().Appearance.TextPercent()) }, func(v string) {
		percent, err := strconv.Atoi(v)
		if err == nil {
			s.host.Change(func(set *config.Settings) { set.Appearance.Text = percent })
			s.frame.place()
		}
	})

	density := segments("settings.density", now.Appearance.Density, []choice{
		{config.Comfortable, lang.L("Comfortable")}, {config.Compact, lang.L("Compact")},
	}, func(v string) { s.host.Change(func(set *config.Settings) { set.Appearance.Density = v }) })

	language := menu("settings.language", []choice{
		{"", lang.L("System")}, {"en", "English"}, {"de", "Deutsch"},
	}, func() string { return s.host.Settings().Appearance.Language }, func(v string) {
		s.host.Change(func(set *config.Settings) { set.Appearance.Language = v })
	})

	pictures := segments("settings.pictures", now.Pictures.Show, []choice{
		{config.PicturesOnClick, lang.L("After a click")}, {config.PicturesOfFollowed, lang.L("At once")},
	}, func(v string) { s.host.Change(func(set *config.Settings) { set.Pictures.Show = v }) })

	a.start = size
	a.rows.Objects = []fyne.CanvasObject{sheet(lang.L("Appearance"),
		section(lang.L("Look"),
			newField(lang.L("Colours"), "", mode),
			newField(lang.L("Text size"), lang.L("Ctrl + and Ctrl − change it anywhere, Ctrl 0 brings it back."), size),
			newField(lang.L("Space between notes"), "", density),
			newField(lang.L("Language"), lang.L("Takes effect after a restart."), language),
		),
		section(lang.L("Pictures"),
			newField(lang.L("Pictures of people you follow"), lang.L("The operator of a picture's server sees that somebody looks at it, and from where. Strangers' pictures always wait for a click."), pictures),
		),
	)}
}
