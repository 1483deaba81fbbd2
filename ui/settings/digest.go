package settings

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/config"
	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

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
	widgets.SetVisible(atField, set.Daily)
	daily := onOff("settings.digest.daily", set.Daily, func(on bool) {
		s.host.Change(func(set *config.Settings) { set.Digest.Daily = on })
		widgets.SetVisible(atField, on)
		s.frame.place()
	})
	return section(lang.L("What you missed"),
		layout.Column(12, newField(lang.L("Every day"), lang.L("A digest of what happened since your last visit."), daily), atField),
		newField(lang.L("When Bowerbird opens"), "", start),
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
