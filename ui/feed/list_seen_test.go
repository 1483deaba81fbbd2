package feed

import (
	"regexp"
	"strconv"
	"testing"

	"bowerbird/app"
	"bowerbird/app/agent"
	"bowerbird/ui/theme"
)

// leftOut asks for what was not seen, and returns how many notes the answer leaves out.
func leftOut(t *testing.T, a *app.App) int {
	t.Helper()
	answer, err := a.Ask(t.Context(), app.Question{Text: "What did I miss in the last 5 days, only what I have not seen?", Unattended: true})
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for e := range answer.Events {
		if e.Type == agent.EventText {
			text += e.Delta
		}
	}
	found := regexp.MustCompile(`shown them before: (\d+) note`).FindStringSubmatch(text)
	if found == nil {
		return 0
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// What rested on the screen is not told as news again, and what is further down is.
func TestNotesOnTheScreenAreMarkedAsSeen(t *testing.T) {
	a := openApp(t)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, column)
	h := NewHome(st.env)
	st.show(h)
	l := h.list()
	if l.looked == nil {
		t.Fatal("a list that is shown does not wait to be looked at")
	}
	h.Hidden()
	l.markSeen()
	st.settle()
	if n := leftOut(t, a); n != 0 || len(l.marked) != 0 {
		t.Fatalf("%d notes are seen that were on no screen", n)
	}
	h.Shown()
	l.markSeen()
	st.settle()
	from, to := l.rows.InSight()
	first := len(l.marked)
	if first == 0 || first > to-from || first == l.count() {
		t.Fatalf("%d of %d notes in sight are marked, of %d", first, to-from, l.count())
	}
	if n := leftOut(t, a); n != first {
		t.Errorf("%d notes were seen, an answer leaves out %d", first, n)
	}
	scroll(st, l, 1500)
	l.markSeen()
	st.settle()
	if n := leftOut(t, a); n <= first || n != len(l.marked) {
		t.Errorf("further down %d notes were seen in all, an answer leaves out %d", len(l.marked), n)
	}
}
