package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/ui/shell"
)

// patience bounds each wait for the window. The machine may be slow; a test that
// waits for something that comes does not wait longer than it takes.
const patience = testkit.Patience

// display is an X server of its own with a window manager.
type display struct {
	t   *testing.T
	env []string
}

// newDisplay starts Xvfb and openbox; without them the test is skipped, since only
// `make test` installs them.
func newDisplay(t *testing.T, size string, options ...string) *display {
	t.Helper()
	for _, program := range []string{"Xvfb", "openbox", "xdotool", "import"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed; packaging/setup.sh test installs it", program)
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.Command("Xvfb", append(options, "-displayfd", "3", "-screen", "0", size+"x24", "-nolisten", "tcp")...)
	server.ExtraFiles = []*os.File{w}
	begin(t, server)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	number := make([]byte, 16)
	n, err := r.Read(number)
	if err != nil {
		t.Fatalf("Xvfb named no display: %v", err)
	}
	d := &display{t: t, env: append(os.Environ(), "DISPLAY=:"+strings.TrimSpace(string(number[:n])),
		"DBUS_SESSION_BUS_ADDRESS=unix:path=/dev/null")} // without an address each run may start a bus that stays
	manager := exec.Command("openbox", "--sm-disable")
	manager.Env = append(d.env, "HOME="+t.TempDir())
	begin(t, manager)
	return d
}

// begin starts a process that ends with the test.
func begin(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended already
		_ = cmd.Wait()
	})
}

// window is a running Bowerbird on a display.
type window struct {
	*display
	cmd    *exec.Cmd
	dump   string
	errOut *bytes.Buffer
	ended  chan error
}

// openWindow starts the program's window, which reports where its widgets are.
func (d *display) openWindow(p *program, args ...string) *window {
	d.t.Helper()
	w := &window{display: d, dump: filepath.Join(d.t.TempDir(), "widgets.json"), ended: make(chan error, 1), errOut: new(bytes.Buffer)}
	ctx, cancel := context.WithCancel(context.Background())
	args = append([]string{"--data", p.data, "--dump-widgets", w.dump}, args...)
	w.cmd = exec.CommandContext(ctx, p.bin, args...)
	w.cmd.Env = append(d.env, "HOME="+p.data, "TZ=UTC", "LANG=en_GB.UTF-8", "LC_ALL=")
	w.cmd.Env = append(w.cmd.Env, p.env...)
	w.cmd.Stderr, w.cmd.Stdout = w.errOut, w.errOut
	if err := w.cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	go func() { w.ended <- w.cmd.Wait() }()
	d.t.Cleanup(func() {
		cancel()
		w.ended <- <-w.ended // whoever waits later finds it too
		if d.t.Failed() {
			d.t.Logf("the program said:\n%s", w.errOut)
		}
	})
	return w
}

// widgets reads where everything is.
func (w *window) widgets() []shell.Rect {
	raw, err := os.ReadFile(w.dump)
	if err != nil {
		return nil // not yet written
	}
	var all []shell.Rect
	if err := json.Unmarshal(raw, &all); err != nil {
		w.t.Fatalf("dump: %v", err)
	}
	return all
}

// find returns the topmost widget of a name, which may end in * for any rest.
func (w *window) find(name string) (shell.Rect, bool) {
	prefix, anyRest := strings.CutSuffix(name, "*")
	all := w.widgets()
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Name == name || anyRest && strings.HasPrefix(all[i].Name, prefix) {
			return all[i], true
		}
	}
	return shell.Rect{}, false
}

// until waits for something to become true.
func (w *window) until(what string, ok func() bool) {
	w.t.Helper()
	deadline := time.Now().Add(patience)
	for !ok() {
		select {
		case err := <-w.ended:
			w.ended <- err
			w.t.Fatalf("the program ended while waiting for %s: %v", what, err)
		case <-time.After(100 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			var names []string
			for _, r := range w.widgets() {
				names = append(names, r.Name)
			}
			w.keep("gave-up")
			w.t.Fatalf("waited too long for %s; there are: %s", what, strings.Join(names, ", "))
		}
	}
}

// wait returns a widget once it is there and no longer moves.
func (w *window) wait(name string) shell.Rect {
	w.t.Helper()
	var last shell.Rect
	w.until(name, func() bool {
		r, ok := w.find(name)
		still := ok && r == last
		last = r
		return still
	})
	return last
}

// click clicks into the middle of a widget.
func (w *window) click(name string) {
	w.t.Helper()
	w.clickAt(w.wait(name))
}

func (w *window) clickAt(r shell.Rect) {
	w.t.Helper()
	w.xdotool("search", "--name", "^Bowerbird$", "mousemove", "--window", "%1", strconv.Itoa(r.X+r.Width/2), strconv.Itoa(r.Y+r.Height/2))
	time.Sleep(50 * time.Millisecond) // the hover comes first, as with a hand
	w.xdotool("click", "1")
}

func (w *window) typeText(text string) { w.t.Helper(); w.xdotool("type", "--delay", "20", text) }
func (w *window) key(keys ...string)   { w.t.Helper(); w.xdotool(append([]string{"key"}, keys...)...) }

func (w *window) xdotool(args ...string) {
	w.t.Helper()
	cmd := exec.Command("xdotool", args...)
	cmd.Env = w.env
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("xdotool %v: %v %s", args, err, out)
	}
}

// shot returns what the display shows.
func (w *window) shot() image.Image {
	w.t.Helper()
	cmd := exec.Command("import", "-silent", "-window", "root", "png:-")
	cmd.Env = w.env
	raw, err := cmd.Output()
	if err != nil {
		w.t.Fatalf("import: %v", err)
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		w.t.Fatal(err)
	}
	return img
}

// keep keeps a picture for people to look at.
func (w *window) keep(name string) {
	if testkit.Looking() {
		testkit.Picture(w.t, name, w.shot())
	}
}

// colours counts the colours in a part of a picture.
func colours(img image.Image, r image.Rectangle) int {
	seen := map[color.NRGBA]bool{}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			seen[rgb(img, x, y)] = true
		}
	}
	return len(seen)
}

func rgb(img image.Image, x, y int) color.NRGBA {
	r, g, b, _ := img.At(x, y).RGBA()
	return color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0xff}
}

// tolerance is by how much a channel of a pixel may differ and be the same.
const tolerance = 16

// differ returns how many pixels of two pictures of one size differ.
func differ(a, b image.Image) int {
	n := 0
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			p, q := rgb(a, x, y), rgb(b, x, y)
			if apart(p.R, q.R) || apart(p.G, q.G) || apart(p.B, q.B) {
				n++
			}
		}
	}
	return n
}

func apart(a, b uint8) bool { return max(a, b)-min(a, b) > tolerance }

// painted waits until the window shows something, and returns it.
func (w *window) painted() image.Image {
	w.t.Helper()
	var img image.Image
	w.until("the first picture", func() bool {
		img = w.shot()
		return colours(img, img.Bounds()) > 20
	})
	return img
}

// changes does something and fails if the picture stays as it was.
func (w *window) changes(what string, do func()) {
	w.t.Helper()
	before := w.shot()
	do()
	w.until("the picture to change when "+what, func() bool { return differ(before, w.shot()) > 50 })
}

// quit closes the window as its user would and checks that it ends well.
func (w *window) quit() {
	w.t.Helper()
	w.key("ctrl+q")
	select {
	case err := <-w.ended:
		w.ended <- err
		if err != nil {
			w.t.Fatalf("the program ended with %v", err)
		}
	case <-time.After(patience):
		w.t.Fatal("the program did not end")
	}
	if strings.Contains(w.errOut.String(), offThread) {
		w.t.Errorf("something was drawn off the window's thread:\n%s", w.errOut)
	}
}
