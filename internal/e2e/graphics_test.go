package e2e

import (
	"strings"
	"testing"
)

func TestWithoutOpenGLTheProgramSaysWhatToInstallAndEnds(t *testing.T) {
	p := installed(t)
	w := newDisplay(t, "800x600", "-extension", "GLX").openWindow(p, "--sample")
	if err := <-w.ended; err == nil {
		t.Error("it ended as if all were well")
	} else {
		w.ended <- err // for the clean-up
	}
	if said := w.errOut.String(); !strings.Contains(said, "libgl1-mesa-dri") || !strings.Contains(said, "GLX") {
		t.Errorf("it said:\n%s", said)
	}
}
