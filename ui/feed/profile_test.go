package feed

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

func TestTheKeyboardStaysOnTheWordsThatChooseAList(t *testing.T) {
	a := openApp(t)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, mainPart)
	p := NewProfile(st.env, a.Me())
	st.show(p)
	p.cards[0].which.TakeKeyboard()
	for range 2 {
		st.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
		st.settle()
		if widgets.KeyboardLost(st.window.Canvas()) {
			t.Fatalf("list %d: the keyboard is on %T, which is not seen", p.chosen, st.window.Canvas().Focused())
		}
	}
	if p.chosen != 2 {
		t.Errorf("two to the right is list %d", p.chosen)
	}
}

func TestTheHeadOfAProfileIsTheName(t *testing.T) {
	a := openApp(t)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, mainPart)
	p := NewProfile(st.env, a.Me())
	st.show(p)
	if got, name := p.title.Text(), p.person.Name; name == "" || !strings.Contains(got, name) {
		t.Errorf("the head is %q, the person %q", got, name)
	}
}
