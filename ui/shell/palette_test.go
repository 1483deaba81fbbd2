package shell

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
)

// paletteFinds types a text into the palette and returns the names of its lines from top to
// bottom, and where the field stands.
func paletteFinds(st *stage, text string) (lines []string, field Rect) {
	st.t.Helper()
	if !st.covered() {
		st.press(fyne.KeyK, ctrl())
		st.wait("palette.entry")
	}
	st.window.Canvas().Focused().(fyne.Shortcutable).TypedShortcut(&fyne.ShortcutSelectAll{})
	st.typeKey(fyne.KeyBackspace)
	st.typeText(text)
	st.pump(quietly)
	for _, r := range Dump(st.window.Canvas()) {
		if line, ok := strings.CutPrefix(r.Name, "palette:"); ok {
			lines = append(lines, line)
		}
		if r.Name == "palette.entry" {
			field = r
		}
	}
	return lines, field
}

func TestThePaletteFindsPeopleNotesAndChatsWhereItStands(t *testing.T) {
	st := startSample(t)
	st.Ask("Who posted most this week?")
	st.pump(quietly)
	all, at := paletteFinds(st, "")
	if len(all) < 8 {
		t.Errorf("nothing typed shows %q", all)
	}
	for _, tc := range []struct{ text, first, has string }{
		{"ada", "Ada Lindqvist", "Ask the assistant: “ada”"},
		{"posted most this", "Who posted most this week?", "Search notes and people for “posted most this”"},
		{"rel", "Relays", "Settings: relays"}, // what is called so comes before what holds it
		{"wordthatnobodywrites", "Search notes and people for “wordthatnobodywrites”", ""},
	} {
		lines, field := paletteFinds(st, tc.text)
		if len(lines) == 0 || lines[0] != tc.first || tc.has != "" && !slices.Contains(lines, tc.has) {
			t.Errorf("%q shows %q", tc.text, lines)
		}
		if field != at {
			t.Errorf("%q moves the field from %+v to %+v", tc.text, at, field)
		}
	}
	paletteFinds(st, "ada")
	st.typeKey(fyne.KeyReturn)
	st.wait("profile.back")
	paletteFinds(st, "bell") // only notes and what can be done
	st.typeKey(fyne.KeyReturn)
	st.wait("thread.back")
	paletteFinds(st, "posted most this")
	st.typeKey(fyne.KeyReturn)
	st.wait("chat.entry")
}

func TestThePaletteHasEachHeadingOnce(t *testing.T) {
	st := startReader(t)
	for _, text := range []string{"", "re", "se", "a", "new"} {
		var headings []string
		for _, a := range group(find(st.paletteActions(), text)) {
			if n := len(headings); n == 0 || headings[n-1] != a.group {
				headings = append(headings, a.group)
			}
		}
		if n := len(headings); n == 0 || n > 2 || n == 2 && headings[0] == headings[1] {
			t.Errorf("%q is under %q", text, headings)
		}
	}
}

func TestThePaletteHasItsLinesInTheWindow(t *testing.T) {
	st := startSample(t)
	for _, size := range []fyne.Size{{Width: 480, Height: 600}, {Width: 900, Height: 700}, {Width: 1280, Height: 832}} {
		st.window.Resize(size)
		st.pump(quietly)
		st.press(fyne.KeyK, ctrl())
		st.wait("palette.entry")
		lines := 0
		for _, r := range Dump(st.window.Canvas()) {
			if !strings.HasPrefix(r.Name, "palette:") {
				continue
			}
			if lines++; float32(r.Y+r.Height) > size.Height || float32(r.X+r.Width) > size.Width {
				t.Errorf("in %v %s is at %+v", size, r.Name, r)
			}
		}
		if lines < 4 {
			t.Errorf("in %v there are %d lines", size, lines)
		}
		st.typeKey(fyne.KeyEscape)
	}
}
