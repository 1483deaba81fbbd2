package shell

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// migrating is what the window shows while notes that an older Bowerbird stored are
// brought along to this one.
type migrating struct {
	bar     *widgets.Progress
	text    *prose.Text
	shown   fyne.CanvasObject
	percent int
	end     func() // leaves it where it is; the next opening goes on there
}

func newMigrating(end func()) *migrating {
	m := &migrating{bar: widgets.NewProgress(), text: prose.New(), percent: -1, end: end}
	m.set(0, 1) // before it is laid out
	m.text.ID = "open.progress"
	m.text.Align = fyne.TextAlignCenter
	m.shown = pageOf(lang.L("Bringing your notes up to date"),
		lang.L("An older Bowerbird has stored them. This is done once, and nothing is sent anywhere. You can close the window meanwhile: the next start goes on from there."),
		m.bar, m.text)
	return m
}

// set shows how much is done. It never goes back: the store of the notes is followed
// by that of the user's own, which is small.
func (m *migrating) set(done, of int) {
	percent := 100 * done / max(of, 1)
	if percent <= m.percent {
		return
	}
	m.percent = percent
	m.bar.SetValue(float64(percent) / 100)
	m.text.SetSpans(prose.Span{
		Text: lang.L("{{.Percent}} % done", map[string]any{"Percent": strconv.Itoa(percent)}),
		Size: theme.Small, Color: theme.Muted,
	})
}

// bringAlong returns what hears, off the window's thread, how far the store that is
// being opened is with its migration, which end leaves.
func (s *Shell) bringAlong(end func()) func(done, of int) {
	return func(done, of int) {
		s.do.Post("migrating", func() {
			switch {
			case s.closing:
				end()
				return
			case s.session != nil || s.busy == 0: // it is over
				return
			case s.migrating == nil:
				s.migrating = newMigrating(end)
				s.rootShows(s.migrating.shown)
			}
			s.migrating.set(done, of)
		})
	}
}
