package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/internal/testkit"
)

// askFrames set to 1 measures frames: the program is built with a Fyne that times
// them, which has no hook for it.
const askFrames = "BOWERBIRD_FRAMES"

// frameTimer is added to Fyne's package that draws. A frame is what the window's
// thread does from one frame to the next: what was posted to it, and the drawing.
const frameTimer = `package glfw

import (
	"fmt"
	"os"
	"syscall"
	"time"
	"unsafe"
)

var frames struct {
	out    *os.File
	posted time.Duration
	drew   bool
}

func cpu(clock uintptr) time.Duration {
	var ts syscall.Timespec
	_, _, _ = syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(&ts)), 0)
	return time.Duration(ts.Nano())
}

const ofThread, ofProcess = 3, 2

var processBefore time.Duration

func timePosted(f func()) {
	before := cpu(ofThread)
	f()
	frames.posted += cpu(ofThread) - before
}

func timeDrawing(draw func()) {
	before, began := cpu(ofThread), time.Now()
	draw()
	spent, took := cpu(ofThread)-before, time.Since(began)
	if frames.drew {
		if frames.out == nil {
			frames.out, _ = os.Create(os.Getenv("FRAMES_FILE"))
		}
		process := cpu(ofProcess)
		fmt.Fprintf(frames.out, "%d %d %d %d\n", frames.posted.Microseconds(), spent.Microseconds(), took.Microseconds(), (process - processBefore).Microseconds())
		processBefore = process
	}
	frames.posted, frames.drew = 0, false
}
`

// buildTimed builds the program with it, from a copy of Fyne.
func buildTimed(t *testing.T) string {
	t.Helper()
	dir, root := t.TempDir(), testkit.Root(t)
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	fyne := filepath.Join(dir, "fyne")
	if err := os.CopyFS(fyne, os.DirFS(run("go", "list", "-m", "-f", "{{.Dir}}", "fyne.io/fyne/v2"))); err != nil {
		t.Fatal(err)
	}
	loop := filepath.Join(fyne, "internal", "driver", "glfw", "loop.go")
	text := readText(t, loop)
	for _, edit := range []struct{ old, new string }{
		{"case f := <-funcQueue.Out():\n\t\t\tf.f()\n", "case f := <-funcQueue.Out():\n\t\t\ttimePosted(f.f)\n"},
		{"\t\t\td.drawSingleFrame()\n", "\t\t\ttimeDrawing(d.drawSingleFrame)\n"},
		{"\tcanvas.paint(canvas.Size())\n", "\tcanvas.paint(canvas.Size())\n\tframes.drew = true\n"},
	} {
		if n := strings.Count(text, edit.old); n != 1 {
			t.Fatalf("Fyne's loop has changed: it contains %q %d times", edit.old, n)
		}
		text = strings.Replace(text, edit.old, edit.new, 1)
	}
	for path, content := range map[string]string{
		loop: text,
		filepath.Join(filepath.Dir(loop), "frame_timer.go"): frameTimer,
		filepath.Join(dir, "go.mod"):                        readText(t, filepath.Join(root, "go.mod")) + "\nreplace fyne.io/fyne/v2 => " + fyne + "\n",
		filepath.Join(dir, "go.sum"):                        readText(t, filepath.Join(root, "go.sum")),
	} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	bin := filepath.Join(dir, "bowerbird")
	run("go", "build", "-modfile", filepath.Join(dir, "go.mod"), "-tags", "no_animations", "-o", bin, "./cmd/bowerbird")
	return bin
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestFramesWhileAnAnswerStreams says how long the frames of the real window take
// while the last quarter of an answer of 10,000 characters comes in. By hand.
func TestFramesWhileAnAnswerStreams(t *testing.T) {
	if os.Getenv(askFrames) == "" || runtime.GOOS != "linux" {
		t.Skipf("%s=1 measures frames", askFrames)
	}
	const characters, delta = 10_000, 20
	const paragraph = "The **meeting** moved to Thursday, says the note that *everybody* quotes, and [its thread](https://example.com/a) has more: `go test` passes again. Nobody knows yet who will bring the cake.\n\n- One point of a list that is long enough to need a second line in the column\n- Another\n\n"
	answer := strings.Repeat(paragraph, characters/len(paragraph)+1)[:characters]
	var events []string
	for at := 0; at < characters; at += delta {
		content, _ := json.Marshal(map[string]string{"content": answer[at : at+delta]}) // a string is always JSON
		events = append(events, chunk(string(content), ""))
	}
	reply := testkit.SSE(append(events, chunk(`{}`, "stop"))...)
	reply.Chunks = []int{len("data: " + events[0] + "\n\n")} // about one event a piece
	gate := make(chan struct{})
	reply.Gate = gate
	server := testkit.NewModelServer(t, reply)

	p := installed(t)
	p.bin = buildTimed(t)
	file := filepath.Join(p.data, "frames")
	p.env = append(p.env, "FRAMES_FILE="+file)
	config := fmt.Sprintf("[assistant]\nmodel = \"custom:m\"\nbase_url = %q\n", server.URL+"/v1")
	if err := os.WriteFile(filepath.Join(p.data, "settings.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	w := newDisplay(t, "1300x900").openWindow(p)
	w.painted()
	w.click("welcome.sample")
	w.wait("note:*")
	w.click("chat.entry")
	w.typeText("What is new?")
	w.key("Return")
	for range len(events) * 3 / 4 {
		gate <- struct{}{}
	}
	time.Sleep(2 * time.Second) // until that is drawn
	before := len(readFrames(t, file))
	for range len(events) / 4 {
		gate <- struct{}{}
		time.Sleep(25 * time.Millisecond) // 800 characters a second: a fast model
	}
	frames := readFrames(t, file)[before:]
	close(gate)
	w.quit()
	if len(frames) < 20 {
		t.Fatalf("only %d frames", len(frames))
	}
	for i, what := range []string{"posted", "drawing", "drawing, by the clock", "all threads", "window's thread"} {
		var of []int
		for _, f := range frames {
			of = append(of, f[i])
		}
		slices.Sort(of)
		at := func(share float64) float64 { return float64(of[int(share*float64(len(of)-1))]) / 1000 }
		t.Logf("%-22s p50 %5.1f  p90 %5.1f  p99 %5.1f  most %5.1f ms", what, at(0.5), at(0.9), at(0.99), at(1))
	}
	t.Logf("%d frames", len(frames))
}

// readFrames reads the times of the frames so far, in microseconds: for what was
// posted, for drawing, the same by the clock, of all threads, and the sum of the
// first two.
func readFrames(t *testing.T, file string) (frames [][5]int) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var f [5]int
		if _, err := fmt.Sscan(line, &f[0], &f[1], &f[2], &f[3]); err != nil {
			t.Fatalf("frame %q: %v", line, err)
		}
		f[4] = f[0] + f[1]
		frames = append(frames, f)
	}
	return frames
}
