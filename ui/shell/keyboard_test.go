package shell

import (
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/note"
	"bowerbird/ui/widgets"
)

// typeKey types a key the way a driver does: into what has the keyboard, else into
// the window.
func (st *stage) typeKey(key fyne.KeyName) {
	e := &fyne.KeyEvent{Name: key}
	if f := st.window.Canvas().Focused(); f != nil {
		f.TypedKey(e)
	} else {
		st.window.Canvas().OnTypedKey()(e)
	}
	st.pump(quietly)
}

// typeText types letters likewise.
func (st *stage) typeText(text string) {
	for _, r := range text {
		if f := st.window.Canvas().Focused(); f != nil {
			f.TypedRune(r)
		}
	}
}

// seesKeyboard fails the test if the keyboard is on something that is not seen.
func (st *stage) seesKeyboard(when string) {
	st.t.Helper()
	if o, ok := st.window.Canvas().Focused().(fyne.CanvasObject); ok && !widgets.Seen(o) {
		st.t.Errorf("%s: the keyboard is on %T, which is not seen", when, o)
	}
}

func TestTheKeyboardIsNeverOnWhatIsNotSeen(t *testing.T) {
	for _, size := range []fyne.Size{{Width: 1280, Height: 832}, {Width: 520, Height: 640}} {
		st := startSample(t)
		st.window.Resize(size)
		st.press(fyne.Key2, ctrl())
		st.until("the notes", func() bool { _, ok := st.window.Canvas().Focused().(*note.Card); return ok || st.has("home.list") })
		st.pump(quietly)
		for range 8 {
			st.typeKey(fyne.KeyDown)
			st.seesKeyboard("walking Home")
		}
		st.tap("segment:With replies")
		st.pump(quietly)
		st.seesKeyboard("with replies")
		st.typeKey(fyne.KeyEnd)
		st.seesKeyboard("at the end")
		st.typeKey(fyne.KeyReturn)
		st.wait("thread.list")
		st.seesKeyboard("in a thread")
		st.tap("rail.assistant")
		st.seesKeyboard("at the assistant")
		st.typeText("hello")
		entry, ok := st.window.Canvas().Focused().(*widgets.Entry)
		if !ok || entry.Text != "hello" {
			t.Errorf("at %v: what is typed at the assistant does not come into its entry, but to %T", size, st.window.Canvas().Focused())
		}
		st.end()
	}
}

func TestEscapeLeavesWhatWasOpenedFromTheRelays(t *testing.T) {
	st := startSample(t)
	st.press(fyne.Key4, ctrl())
	st.wait("rail.relays")
	st.OpenProfile(st.session.app.Me())
	st.wait("profile.back")
	st.pump(quietly)
	st.typeKey(fyne.KeyDown)
	st.typeKey(fyne.KeyDown)
	st.typeKey(fyne.KeyEscape)
	if st.route.at != relays || st.route.top() != nil {
		t.Errorf("at %s with %v on top", st.route.at, st.route.top())
	}
}

func TestF5IsHeardInAFieldAndOnACard(t *testing.T) {
	st := startSample(t)
	st.press(fyne.Key3, ctrl())
	st.wait("search.entry")
	st.typeKey(fyne.KeyF5)
	if !st.has("toast") && !st.has("toast.text") {
		t.Error("nothing is said")
	}
}

func TestNothingHasTheKeyboardWhileAnotherStoreOpens(t *testing.T) {
	st := startReader(t)
	st.OpenThread(nostr.ID{1})
	st.LeaveSample()
	st.seesKeyboard("while it opens")
	st.wait("chat.entry")
}
