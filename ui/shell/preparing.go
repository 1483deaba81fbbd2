package shell

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// preparing is what the window shows while a store is prepared to be opened: notes that
// an older Bowerbird stored, or damaged ones.
type preparing struct {
	what    app.Preparation
	bar     *widgets.Progress
	text    *prose.Text
	shown   fyne.CanvasObject
	percent int
	end     func() // leaves it; the next opening goes on there, or begins anew
}

func newPreparing(what app.Preparation, end func()) *preparing {
	m := &preparing{what: what, bar: widgets.NewProgress(), text: prose.New(), percent: -1, end: end}
	m.set(0, 1) // before it is laid out
	m.text.ID = "open.progress"
	m.text.Align = fyne.TextAlignCenter
	title, text := lang.L("Upgrading your notes"),
		lang.L("They were stored by an older Bowerbird. This happens once, and nothing is sent anywhere. You can close the window meanwhile: the next start continues from there.")
	if what == app.SavingDamaged {
		title, text = lang.L("Repairing your notes"),
			lang.L("Some of the stored notes are damaged. What can be read is saved, and the rest is fetched again from the relays. Your chats and settings are not touched, and the damaged files are kept.")
	}
	m.shown = pageOf(title, text, m.bar, m.text)
	return m
}

// set shows how much is done. It never goes back: the store of the notes is followed
// by that of the user's own, which is small.
func (m *preparing) set(done, of int) {
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

// tellPreparing returns what hears, off the window's thread, how far the store that is
// being opened is with its preparation, which end leaves.
func (s *Shell) tellPreparing(end func()) func(what app.Preparation, done, of int) {
	return func(what app.Preparation, done, of int) {
		s.do.Post("preparing", func() {
			switch {
			case s.closing:
				end()
				return
			case s.session != nil || s.busy == 0: // it is over
				return
			case s.preparing == nil || s.preparing.what != what:
				s.preparing = newPreparing(what, end)
				s.rootShows(s.preparing.shown)
			}
			s.preparing.set(done, of)
		})
	}
}
