package settings

import (
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/config"
	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
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

	calm := onOff("settings.calm", now.Appearance.Calm, func(on bool) {
		s.host.Change(func(set *config.Settings) { set.Appearance.Calm = on })
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
			newField(lang.L("Language"), "", language),
			newField(lang.L("Less motion"), lang.L("Nothing fades in, and the wheel scrolls without gliding."), calm),
		),
		section(lang.L("Pictures"),
			newField(lang.L("Pictures of people you follow"), lang.L("The operator of a picture's server sees that somebody looks at it, and from where. Strangers' pictures always wait for a click."), pictures),
		),
	)}
}

// newDigest is when the digest is made automatically.
func newDigest(s *Screen) fyne.CanvasObject {
	if s.sample {
		return section(lang.L("What you missed"), note(lang.L("This is the sample. With your own notes, Bowerbird can make a digest every day.")))
	}
	set := s.host.Settings().Digest
	start := onOff("settings.digest.start", set.AtStart, func(on bool) {
		s.host.Change(func(set *config.Settings) { set.Digest.AtStart = on })
	})
	at := widgets.Named("settings.digest.at", widgets.NewEntry(config.DefaultDigestAt))
	at.SetText(clockOf(set))
	atField := newField(lang.L("At"), lang.L("While Bowerbird is running you get a notification; otherwise at the next start."), at)
	atField.wide = 90
	usual := atField.about.String()
	take := func(text string) {
		typed, ok := clock(text)
		if !ok {
			atField.say(lang.L("Type a time such as {{.Example}}.", with("Example", config.DefaultDigestAt)), theme.Bad)
			s.frame.place()
			return
		}
		atField.say(usual, theme.Muted)
		at.SetText(typed)
		if typed != clockOf(s.host.Settings().Digest) {
			s.host.Change(func(set *config.Settings) { set.Digest.At = typed })
		}
		s.frame.place()
	}
	at.OnSubmitted = take
	at.OnFocus = func(has bool) {
		if !has {
			take(at.Text)
		}
	}
	login := onOff("settings.login", s.host.AtLogin(), s.host.StartAtLogin)
	widgets.SetVisible(atField, set.Daily)
	daily := onOff("settings.digest.daily", set.Daily, func(on bool) {
		s.host.Change(func(set *config.Settings) { set.Digest.Daily = on })
		widgets.SetVisible(atField, on)
		s.frame.place()
	})
	return section(lang.L("What you missed"),
		layout.Column(12, newField(lang.L("Every day"), lang.L("A digest of what happened since your last visit."), daily), atField),
		newField(lang.L("When Bowerbird opens"), "", start),
		newField(lang.L("Start when you log in"), lang.L("In the background, where the desktop has a tray. Then closing the window does not end Bowerbird."), login),
	)
}

func clockOf(d config.Digest) string {
	if d.At == "" {
		return config.DefaultDigestAt
	}
	return d.At
}

// clock reads a time of day as people type it ("8", "08:30", "8.30", "0830") and returns
// it as the settings have it.
func clock(text string) (at string, ok bool) {
	text = strings.NewReplacer(".", ":", " ", "").Replace(strings.TrimSpace(text))
	if len(text) == 4 && !strings.Contains(text, ":") {
		text = text[:2] + ":" + text[2:]
	}
	for _, layout := range []string{"15:04", "15"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.Format("15:04"), true
		}
	}
	return "", false
}
