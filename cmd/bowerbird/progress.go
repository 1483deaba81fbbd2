package main

import (
	"fmt"
	"io"
	"os"
	"sync"

	"golang.org/x/term"

	"bowerbird/ui/present"
)

// progressLine is the line of a terminal that shows progress. The next one replaces it, and
// any other output erases it.
type progressLine struct {
	to    *os.File // the terminal; nil if there is none
	mu    sync.Mutex
	shown bool
}

func newProgressLine(err io.Writer) *progressLine {
	f, _ := terminalOf(err)
	return &progressLine{to: f}
}

// terminalOf returns the terminal that w writes to, if it is one.
func terminalOf(w io.Writer) (*os.File, bool) {
	switch under := w.(type) {
	case *stickyWriter:
		return terminalOf(under.out)
	case wiper:
		return terminalOf(under.Writer)
	case *os.File:
		if term.IsTerminal(int(under.Fd())) {
			return under, true
		}
	}
	return nil, false
}

// wipeLine moves to the beginning of a terminal's line and erases it.
const wipeLine = "\r\x1b[K"

// show replaces the line, cut to the width of the terminal.
func (l *progressLine) show(text string) {
	if l.to == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	width := defaultWidth
	if w, _, err := term.GetSize(int(l.to.Fd())); err == nil && w > 1 {
		width = w
	}
	_, _ = io.WriteString(l.to, wipeLine+present.ClipWidth(text, width-1))
	l.shown = true
}

func (l *progressLine) wipe() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shown {
		_, _ = io.WriteString(l.to, wipeLine)
		l.shown = false
	}
}

// wiper erases the progress line before it writes.
type wiper struct {
	io.Writer
	line *progressLine
}

func (w wiper) Write(p []byte) (int, error) {
	w.line.wipe()
	return w.Writer.Write(p)
}

// progress shows progress: in place on a terminal, otherwise as a new line.
func (p *program) progress(format string, args ...any) {
	if p.line.to == nil {
		p.say(format, args...)
		return
	}
	p.line.show(fmt.Sprintf(format, args...))
}
