package e2e

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// notifications takes the place of a desktop on a separate session bus, and keeps the
// notifications that it is asked to show.
type notifications struct {
	address string
	titles  chan string
}

// Notify implements the method of org.freedesktop.Notifications.
func (n *notifications) Notify(_ string, _ uint32, _, title, _ string, _ []string, _ map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	n.titles <- title
	return 1, nil
}

// newNotifications starts the bus; without a bus the test is skipped, since only
// `make test` installs it.
func newNotifications(t *testing.T) *notifications {
	t.Helper()
	if _, err := exec.LookPath("dbus-daemon"); err != nil {
		t.Skip("dbus-daemon is not installed; packaging/setup.sh test installs it")
	}
	bus := exec.Command("dbus-daemon", "--session", "--nofork", "--print-address", "--address=unix:tmpdir="+t.TempDir())
	out, err := bus.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	begin(t, bus)
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the bus named no address: %v", err)
	}
	n := &notifications{address: strings.TrimSpace(address), titles: make(chan string, 8)}
	conn, err := dbus.Connect(n.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() }) // before the bus ends
	const name, path = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
	if err := conn.Export(n, path, name); err != nil {
		t.Fatal(err)
	}
	if reply, err := conn.RequestName(name, 0); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("taking the desktop's name: %v %v", reply, err)
	}
	return n
}

// TestTheDailyDigestThatWasMissedIsToldByTheDesktopAtTheNextStart starts the window
// after the digest's time: the desktop is asked to show it once, and Show opens it.
// It is not made again at the next start.
func TestTheDailyDigestThatWasMissedIsToldByTheDesktopAtTheNextStart(t *testing.T) {
	desktop := newNotifications(t)
	p := installed(t)
	p.env = append(p.env, "DBUS_SESSION_BUS_ADDRESS="+desktop.address)
	settings := "[window]\nsample = true\n[digest]\ndaily = true\nat = \"00:00\"\n"
	if err := os.WriteFile(filepath.Join(p.data, "settings.toml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	d := newDisplay(t, "1300x900")
	w := d.openWindow(p)
	select {
	case title := <-desktop.titles:
		if title != "Your digest is ready" {
			t.Errorf("the desktop was asked to tell %q", title)
		}
	case <-time.After(patience):
		t.Fatal("the desktop was not asked to tell anything")
	}
	w.click("toast.action")
	w.wait("cite:*")
	w.keep("daily-digest")
	w.quit()

	w = d.openWindow(p)
	w.wait("note:*")
	w.quit()
	var saved struct{ Chats []struct{ Title string } }
	if err := json.Unmarshal([]byte(p.must(t, "--sample", "--json", "chats").out), &saved); err != nil {
		t.Fatal(err)
	}
	if len(saved.Chats) != 1 || len(desktop.titles) != 0 {
		t.Errorf("there are %d chats, and the desktop was asked %d times more", len(saved.Chats), len(desktop.titles))
	}
}
