package e2e

import (
	"testing"

	"bowerbird/ndb/nostr"
)

// TestASecondStartHandsItsLinkToTheFirst goes the way of a link in a browser: the first
// one opens the window at a note, the next ones lead the same window elsewhere.
func TestASecondStartHandsItsLinkToTheFirst(t *testing.T) {
	p := installed(t)
	notes := p.toolAnswer(t, "query", `{"limit":2}`)
	if len(notes.Notes) != 2 {
		t.Fatalf("the sample gave %d notes", len(notes.Notes))
	}
	var links []string
	for _, n := range notes.Notes {
		id, err := nostr.ParseID(n.NoteID)
		if err != nil {
			t.Fatal(err)
		}
		links = append(links, "nostr:"+id.Note())
	}
	d := newDisplay(t, "1300x900")
	w := d.openWindow(p, "--sample", links[0])
	w.wait("thread.back")
	w.wait("note:" + notes.Notes[0].NoteID[:8])

	w.xdotool("search", "--sync", "--onlyvisible", "--name", "^Bowerbird$", "windowminimize", "--sync")
	p.env = append(p.env, "DISPLAY=") // a second start that opened a window would fail
	if r := p.run(t, "", "--sample", "web+"+links[1]); r.code != 0 || r.out+r.err != "" {
		t.Fatalf("the second start: exit %d, %s%s", r.code, r.out, r.err)
	}
	w.xdotool("search", "--sync", "--onlyvisible", "--name", "^Bowerbird$") // until it is raised
	w.wait("note:" + notes.Notes[1].NoteID[:8])
	w.keep("raised-by-a-link")

	if r := p.run(t, "", "--sample", "nostr:nsec1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq"); r.code != 2 {
		t.Errorf("a secret key: exit %d, %s", r.code, r.err)
	}
	if r := p.run(t, "", "--sample", "prune", "--days", "1"); r.code != 3 {
		t.Errorf("a command beside the window: exit %d, %s", r.code, r.err)
	}
	w.quit()
	if r := p.run(t, "", "--sample", links[0]); r.code != 1 {
		t.Errorf("without a window or a display: exit %d, %s", r.code, r.err)
	}
}
