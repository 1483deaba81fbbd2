package widgets

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/theme"
)

// Fyne's test driver runs an animation to its end at once.
func TestWhatFloatsFadesInUnlessTheUserWantsLessMotion(t *testing.T) {
	for _, calm := range []bool{false, true} {
		th, err := theme.New(theme.Options{Mode: theme.Light, Calm: calm})
		if err != nil {
			t.Fatal(err)
		}
		test.NewTempApp(t).Settings().SetTheme(th)
		v := newVeil(4)
		if v.Hidden != calm {
			t.Errorf("calm %v: the card is covered at first: %v", calm, !v.Hidden)
		}
		v.lift()
		if _, _, _, a := v.FillColor.RGBA(); !v.Hidden || !calm && a != 0 {
			t.Errorf("calm %v: it stays covered, by %d", calm, a)
		}
	}
}

func TestAMenuBeginsOrEndsWithItsButton(t *testing.T) {
	th, err := theme.New(theme.Options{Mode: theme.Light})
	if err != nil {
		t.Fatal(err)
	}
	test.NewTempApp(t).Settings().SetTheme(th)
	m := newMenu([]MenuItem{{Text: "Copy the link to this note"}})
	m.Resize(fyne.NewSize(600, 400))
	button := fyne.NewSize(80, 30)
	m.put(fyne.Position{}, button)
	for at, want := range map[float32]float32{100: 100, 500: 580 - m.card.Size().Width, 0: 4} {
		m.put(fyne.NewPos(at, 20), button)
		if got := m.card.Position().X; got != want {
			t.Errorf("the menu of a button at %v begins at %v, not %v", at, got, want)
		}
	}
}
