package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"bowerbird/ui/present"
)

// screen is a terminal from which the last lines can be wiped: it counts the rows that they
// take, and knows what they show.
type screen struct {
	io.Writer
	width, height int
	rows          int
	line          string // the last one, which is not whole yet
	parts         []part
}

// escapes are the sequences of ECMA-48, which take no room.
var escapes = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`)

func (s *screen) Write(p []byte) (int, error) {
	s.line += string(p)
	for {
		line, rest, whole := strings.Cut(s.line, "\n")
		if !whole {
			return s.Writer.Write(p)
		}
		cells := present.Width(escapes.ReplaceAllString(line, ""))
		s.rows += max(1, (cells+s.width-1)/s.width)
		s.line = rest
	}
}

// wipe empties the rows that were counted, from the beginning of a line; false where some
// of them are gone from the screen.
func (s *screen) wipe() bool {
	if s.rows >= s.height {
		return false
	}
	if s.rows > 0 {
		_, _ = fmt.Fprintf(s.Writer, "\x1b[%dA\r\x1b[J", s.rows)
	}
	s.rows = 0
	return true
}
