package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

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
	besideWindow := [][]string{
		{"--sample", "search", "is:reply"},
		{"--sample", "--json", "search", "is:reply"},
		{"--sample", "ask", "Top hashtags this week"},
		{"--sample", "ask", "Anything new?", "--chat", "nothing"},
	}
	var alone []result
	for _, args := range besideWindow {
		alone = append(alone, p.run(t, "", args...))
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
	if beside := p.toolAnswer(t, "query", `{"limit":2}`); len(beside.Notes) != 2 || beside.Notes[0].NoteID != notes.Notes[0].NoteID || beside.Notes[1].NoteID != notes.Notes[1].NoteID {
		t.Errorf("beside the window the terminal reads %+v", beside)
	}
	for i, args := range besideWindow {
		if r := p.run(t, "", args...); r != alone[i] {
			t.Errorf("%q beside the window: %+v; alone: %+v", args, r, alone[i])
		}
	}
	p.must(t, "--sample", "ask", "Top hashtags this week, as a chart", "--charts", filepath.Join(p.data, "charts"))
	if _, err := os.Stat(filepath.Join(p.data, "charts", "chart-1.svg")); err != nil {
		t.Error(err)
	}
	if r := p.run(t, "", "--sample", "prune", "--days", "1"); r.code != 3 {
		t.Errorf("a command beside the window: exit %d, %s", r.code, r.err)
	}
	w.quit()
	if r := p.run(t, "", "--sample", links[0]); r.code != 1 {
		t.Errorf("without a window or a display: exit %d, %s", r.code, r.err)
	}
}

// tray takes the place of a desktop's tray.
type tray struct{ items chan string }

// RegisterStatusNotifierItem implements the method of org.kde.StatusNotifierWatcher.
func (y *tray) RegisterStatusNotifierItem(_ string, from dbus.Sender) *dbus.Error {
	y.items <- string(from)
	return nil
}

// TestInTheBackgroundTheProgramStaysWithoutAWindow starts the program as at login: there is
// an icon in the tray and no window, a second start shows one, and closing that ends nothing.
func TestInTheBackgroundTheProgramStaysWithoutAWindow(t *testing.T) {
	desktop := newNotifications(t)
	conn, err := dbus.Connect(desktop.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	const name = "org.kde.StatusNotifierWatcher"
	y := &tray{items: make(chan string, 8)}
	if err := conn.Export(y, "/StatusNotifierWatcher", name); err != nil {
		t.Fatal(err)
	}
	if reply, err := conn.RequestName(name, 0); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("taking the tray's name: %v %v", reply, err)
	}
	p := installed(t)
	p.env = append(p.env, "DBUS_SESSION_BUS_ADDRESS="+desktop.address)
	d := newDisplay(t, "1300x900")
	shown := func() bool {
		cmd := exec.Command("xdotool", "search", "--onlyvisible", "--name", "^Bowerbird$")
		cmd.Env = d.env
		return cmd.Run() == nil
	}
	w := d.openWindow(p, "--sample", "--background")
	select {
	case <-y.items:
	case <-time.After(patience):
		t.Fatal("no icon came into the tray")
	}
	w.until("the socket", func() bool { _, err := os.Stat(filepath.Join(p.data, "sample", "window.socket")); return err == nil })
	if shown() {
		t.Error("a window opened at login")
	}
	p.must(t, "--sample")
	w.until("the window", shown)
	w.wait("note:*")
	w.keep("out-of-the-tray")
	w.key("alt+F4")
	w.until("the window to close", func() bool { return !shown() })
	select {
	case title := <-desktop.titles:
		if title != "Bowerbird is still running" {
			t.Errorf("the desktop was asked to tell %q", title)
		}
	case <-time.After(patience):
		t.Fatal("it stays without a word")
	}
	p.must(t, "--sample")
	w.until("the window again", shown)
	w.key("alt+F4")
	w.until("the window to close again", func() bool { return !shown() })
	p.must(t, "--sample")
	w.until("the window a third time", shown)
	w.wait("note:*")
	w.quit()
	if len(desktop.titles) != 0 {
		t.Error("it says twice that it stays")
	}

	for len(y.items) > 0 {
		<-y.items
	}
	w = d.openWindow(p, "--sample", "--background") // and is ended without a window
	item := conn.Object(<-y.items, "/StatusNotifierItem/menu")
	w.until("the way out", func() bool { return choose(item, "Quit") })
	select {
	case err := <-w.ended:
		if w.ended <- err; err != nil {
			t.Errorf("quitting in the tray: %v", err)
		}
	case <-time.After(patience):
		t.Fatal("Quit in the tray did not end it")
	}
}

// choose clicks an item of a menu in the tray, and reports whether it is there.
func choose(menu dbus.BusObject, label string) bool {
	const menus = "com.canonical.dbusmenu."
	var revision uint32
	var root struct {
		ID       int32
		Props    map[string]dbus.Variant
		Children []dbus.Variant
	}
	if menu.Call(menus+"GetLayout", 0, int32(0), int32(-1), []string{}).Store(&revision, &root) != nil {
		return false
	}
	for _, child := range root.Children {
		fields, _ := child.Value().([]any)
		props, _ := fields[1].(map[string]dbus.Variant)
		if props["label"].Value() == label {
			return menu.Call(menus+"Event", 0, fields[0], "clicked", dbus.MakeVariant(""), uint32(0)).Err == nil
		}
	}
	return false
}
