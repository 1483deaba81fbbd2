package e2e

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
)

// offThread is what Fyne says of something that was drawn off the window's thread,
// unless it is built with migrated_fynedo.
const offThread = "Error in Fyne call thread"

// TestDrawingOffTheWindowsThreadIsNoticed does it once, so that a window's run
// without the line means something.
func TestDrawingOffTheWindowsThreadIsNoticed(t *testing.T) {
	d := newDisplay(t, "400x300")
	bin := filepath.Join(t.TempDir(), "offthread")
	build := exec.Command("go", "build", "-tags", "no_animations", "-o", bin, "./internal/e2e/offthread")
	build.Dir = testkit.Root(t)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	run := exec.CommandContext(t.Context(), bin)
	run.Env = append(d.env, "HOME="+t.TempDir())
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), offThread) {
		t.Errorf("Fyne did not say %q:\n%s", offThread, out)
	}
}
