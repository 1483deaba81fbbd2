package chat

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/answers"
	"bowerbird/ui/theme"
)

func TestEachKindOfRowFollowsAChangeOfTheLook(t *testing.T) {
	if testing.Short() {
		t.Skip("draws all rows: not beside the race detector")
	}
	dark := theme.Options{Mode: theme.Dark}
	for name, to := range map[string]theme.Options{
		"to light": {Mode: theme.Light},
		"to large": {Mode: theme.Dark, Scale: 2},
	} {
		t.Run(name, func(t *testing.T) {
			st := setStage(t, openApp(t), dark, window)
			st.open.turns = []answers.Turn{
				wholeAnswer(t, st, 1), tableAnswer(t, st, 2), failedAnswer(t, st, 3), interruptedAnswer(t, st, 4), retryingAnswer(t, st, 5), runningAnswer(t, st, 6),
			}
			st.refresh()
			look := func(o fyne.CanvasObject, high float32) string {
				w := fyne.CurrentApp().NewWindow("")
				w.SetPadded(false)
				w.SetContent(o)
				w.Resize(fyne.NewSize(796, high))
				defer w.SetContent(container.NewWithoutLayout())
				return test.RenderToMarkup(w.Canvas())
			}
			th, err := theme.New(to)
			if err != nil {
				t.Fatal(err)
			}
			var kept []*slot
			for _, r := range st.rows {
				s := newSlot(st.drawer(r.kind))
				s.bind(r)
				look(s, s.HeightFor(796))
				kept = append(kept, s)
			}
			fyne.CurrentApp().Settings().SetTheme(th)
			for i, r := range st.rows {
				theme.Apply(kept[i])
				fresh := newSlot(st.drawer(r.kind))
				fresh.bind(r)
				high := fresh.HeightFor(796)
				if got := kept[i].HeightFor(796); got != high {
					t.Errorf("a %s is %v high, a new one %v", r.kind, got, high)
				}
				if want, got := look(fresh, high), look(kept[i], high); got != want {
					t.Errorf("a %s keeps of the look before: got\n%s\nwant\n%s", r.kind, got, want)
				}
			}
		})
	}
}
