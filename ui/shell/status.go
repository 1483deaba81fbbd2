package shell

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// status is the line at the foot of the main part: relays connected, last sync,
// notes and size. A click opens the relays.
type status struct {
	content     fyne.CanvasObject
	dot         *widgets.Dot
	relays, age *widgets.Label
	stored      *widgets.Label
}

func newStatus(open func()) *status {
	st := &status{
		dot:    widgets.NewDot(theme.Warn),
		relays: widgets.NewLabel("", theme.Small, theme.Muted),
		age:    widgets.NewLabel("", theme.Small, theme.Muted),
		stored: widgets.NewLabel("", theme.Small, theme.Muted),
	}
	row := layout.Row(16, 1, layout.Row(16, -1, st.dot, st.relays), st.age, st.stored)
	line := widgets.NewTappable(layout.Pad(layout.Sides(0, theme.ColumnPadding), row), open)
	line.ID = "status"
	line.Tip = lang.L("Where your notes come from")
	st.content = line
	return st
}

// statusWords are what the line says.
type statusWords struct {
	dot                 fyne.ThemeColorName
	relays, age, stored string
}

// sayStatus puts the state of the sync into words.
func sayStatus(words present.Words, st app.Status, sample bool, now time.Time) statusWords {
	switch {
	case sample:
		return statusWords{dot: theme.OK, relays: lang.L("The sample"), age: lang.L("Made up; nothing is fetched or sent")}
	case st.Offline && st.LastSync.IsZero():
		return statusWords{dot: theme.Warn, relays: lang.L("Offline"), age: lang.L("No notes could be fetched yet")}
	case st.Offline:
		return statusWords{dot: theme.Warn, relays: lang.L("Offline"), age: lang.L("Showing what was stored {{.When}} ago",
			map[string]any{"When": words.Ago(st.LastSync.In(now.Location()), now)})}
	}
	w := statusWords{dot: theme.OK, relays: lang.L("{{.Connected}} of {{.Relays}} relays",
		map[string]any{"Connected": st.Connected, "Relays": st.Relays})}
	if st.Connected == 0 {
		w.dot, w.relays = theme.Warn, lang.L("Connecting")
	}
	switch {
	case st.First:
		w.age = lang.L("Getting notes: {{.Done}} of {{.People}} people", map[string]any{"Done": st.PeopleDone, "People": st.People})
	case !st.LastSync.IsZero():
		w.age = upToDate(words, st.LastSync, now)
	}
	return w
}

// upToDate says how long ago everything was there, steadily: not a new word each
// second.
func upToDate(words present.Words, last, now time.Time) string {
	if now.Sub(last) < time.Minute {
		return lang.L("Up to date")
	}
	return lang.L("Up to date {{.Ago}} ago", map[string]any{"Ago": words.Ago(last.In(now.Location()), now)})
}

func (st *status) show(w statusWords) {
	st.dot.SetColor(w.dot)
	st.relays.SetText(w.relays)
	st.age.SetText(w.age)
	st.age.ID = "status.age=" + w.age // for the test that waits for it
	st.stored.SetText(w.stored)
	st.content.Refresh()
}
