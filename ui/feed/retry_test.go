package feed

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/app/live"
	"bowerbird/app/notesync"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

func TestTheRelaysThatWereTriedInVainAreNamed(t *testing.T) {
	w := present.Words{}
	at := func(trouble notesync.Trouble, names ...string) (all []live.RelayState) {
		for _, n := range names {
			all = append(all, live.RelayState{URL: "wss://" + n, Trouble: trouble})
		}
		return all
	}
	for want, relays := range map[string][]live.RelayState{
		"":                                  at(notesync.NoTrouble, "a.example"),
		"Tried without success: a.example.": append(at(notesync.Offline, "a.example"), at(notesync.NoTrouble, "b.example")...),
		"Tried without success: a.example, b.example, c.example, d.example and 2 more.": at(notesync.NoAnswer, "a.example", "b.example", "c.example", "d.example", "e.example", "f.example"),
	} {
		if got := triedWords(w, relays); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestTryingAgainShowsThatItIsUnderWay(t *testing.T) {
	st := setStage(t, openApp(t), theme.Options{Mode: theme.Light}, column)
	empty := newEmptyHome(t.Context(), st.env, emptyQuiet)
	again := buttonIn(empty, "home.again")
	again.Tapped(nil)
	if !again.Disabled() {
		t.Error("the button can be pressed while it is tried")
	}
	st.until("it can be tried again", func() bool { return !again.Disabled() })
}

// buttonIn finds a button by its name.
func buttonIn(o fyne.CanvasObject, id string) *widgets.Button {
	if b, ok := o.(*widgets.Button); ok && b.ID == id {
		return b
	}
	var inside []fyne.CanvasObject
	switch o := o.(type) {
	case *fyne.Container:
		inside = o.Objects
	case fyne.Widget:
		inside = test.WidgetRenderer(o).Objects()
	}
	for _, child := range inside {
		if b := buttonIn(child, id); b != nil {
			return b
		}
	}
	return nil
}
