package shell

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
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
	row := container.New(statusRow{}, layout.Row(16, -1, st.dot, st.relays), st.age, st.stored)
	line := widgets.NewTappable(layout.Pad(layout.Sides(0, theme.ColumnPadding), row), open)
	line.ID = "status"
	line.Tip = lang.L("Where your notes come from")
	st.content = line
	return st
}

// statusRow puts three parts side by side, the last at the right edge. In a narrow
// window the last goes first, then the second is cut.
type statusRow struct{}

func (statusRow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const gap = 16
	x, right := float32(0), size.Width
	last := objects[2].MinSize()
	objects[2].Move(fyne.NewPos(right-last.Width, (size.Height-last.Height)/2))
	objects[2].Resize(last)
	hide := objects[0].MinSize().Width+objects[1].MinSize().Width+last.Width+2*gap > right
	if hide {
		objects[2].Resize(fyne.NewSize(0, last.Height))
	} else {
		right -= last.Width + gap
	}
	for _, o := range objects[:2] {
		least := o.MinSize()
		o.Move(fyne.NewPos(x, (size.Height-least.Height)/2))
		o.Resize(fyne.NewSize(max(0, min(least.Width, right-x)), least.Height))
		x += least.Width + gap
	}
}

func (statusRow) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var h float32
	for _, o := range objects {
		h = max(h, o.MinSize().Height)
	}
	return fyne.NewSize(60, h)
}

// statusWords are what the line says.
type statusWords struct {
	dot                 fyne.ThemeColorName
	relays, age, stored string
}

// sayStatus puts the state of the sync into words; stored says whether any notes are
// there.
func sayStatus(words present.Words, st app.Status, sample, stored bool, now time.Time) statusWords {
	switch {
	case sample:
		return statusWords{dot: theme.OK, relays: lang.L("The sample"), age: lang.L("Made up; nothing is fetched or sent")}
	case st.Offline:
		return statusWords{dot: theme.Warn, relays: lang.L("Offline"), age: sayOffline(words, st.LastSync, stored, now)}
	case st.Trouble != app.NoTrouble:
		notice, _ := words.FetchNotice(st, now)
		return statusWords{dot: theme.Warn, relays: notice}
	case st.Connected == 0:
		return statusWords{dot: theme.Warn, relays: lang.L("Connecting"), age: sayAge(words, st, now)}
	}
	return statusWords{
		dot: theme.OK, age: sayAge(words, st, now),
		relays: lang.L("{{.Connected}} of {{.Relays}} relays", map[string]any{"Connected": st.Connected, "Relays": st.Relays}),
	}
}

func sayOffline(words present.Words, last time.Time, stored bool, now time.Time) string {
	switch {
	case !stored:
		return lang.L("No notes could be fetched yet")
	case last.IsZero(): // the first sync came to no end
		return lang.L("Showing what is stored")
	}
	return lang.L("Showing what was stored {{.When}}", map[string]any{"When": words.Since(last, now)})
}

// sayAge says how far everything is there, steadily: not a new word each second.
func sayAge(words present.Words, st app.Status, now time.Time) string {
	switch {
	case st.First && st.People == 0:
		return lang.L("Looking for the people you follow")
	case st.First:
		return lang.L("Getting notes: {{.Done}} of {{.People}} people", map[string]any{"Done": st.PeopleDone, "People": st.People})
	case st.Connected > 0 && (st.Stage == app.StageLists || st.Stage == app.StageProfiles || st.Stage == app.StageNotes):
		return lang.L("Getting new notes")
	case st.LastSync.IsZero():
		return ""
	case now.Sub(st.LastSync) < time.Minute:
		return lang.L("Up to date")
	}
	return lang.L("Up to date {{.When}}", map[string]any{"When": words.Since(st.LastSync, now)})
}

func (st *status) show(w statusWords) {
	st.dot.SetColor(w.dot)
	st.relays.SetText(w.relays)
	st.age.SetText(w.age)
	st.age.ID = "status.age=" + w.age // for the test that waits for it
	st.stored.SetText(w.stored)
	st.content.Refresh()
}
