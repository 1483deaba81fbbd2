package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"

	"fyne.io/fyne/v2/lang"
)

// graphics passes on what Fyne logs, and notices that it can open no window for want of
// OpenGL: Fyne only logs that, and runs on without one.
type graphics struct {
	io.Writer
	failed bool
	fail   func(why string)
}

func (g *graphics) Write(line []byte) (int, error) {
	text := string(line)
	g.failed = g.failed || strings.Contains(text, "window creation error")
	if _, why, ok := strings.Cut(text, "Cause: "); ok && g.failed {
		g.fail(strings.TrimSpace(why))
	}
	return g.Writer.Write(line)
}

// noGraphics says what to do where no window can be opened.
func noGraphics(goos, why string) string {
	var remedy string
	switch goos {
	case "windows":
		remedy = lang.L("Install the driver of the graphics card, or the free \"OpenCL, OpenGL & Vulkan Compatibility Pack\" from the Microsoft Store, which also serves virtual machines and remote desktops. Then start Bowerbird again.")
	case "darwin":
		remedy = lang.L("Start Bowerbird on this computer's own screen.")
	default:
		remedy = lang.L("Install Mesa's drivers (libgl1-mesa-dri on Debian and Ubuntu, mesa-dri-drivers on Fedora). Then start Bowerbird again.")
	}
	return fmt.Sprintf("%s\n\n%s\n\n(%s)", lang.L("Bowerbird cannot open its window, because the graphics driver lacks OpenGL 2.1."), remedy, why)
}

// endWithoutWindow ends the program, having said why.
func (p *program) endWithoutWindow(exit func(code int)) func(why string) {
	return func(why string) {
		text := noGraphics(runtime.GOOS, why)
		_, _ = fmt.Fprintf(p.err, "bowerbird: %s\n", text)
		showBox(text)
		exit(exitFailed)
	}
}
