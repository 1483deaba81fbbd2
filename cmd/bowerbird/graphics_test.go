package main

import (
	"bytes"
	"log"
	"testing"

	"fyne.io/fyne/v2"
)

func TestWhatFyneLogsOfAWindowThatCannotOpenEndsTheProgram(t *testing.T) {
	var out bytes.Buffer
	var why []string
	before := log.Writer()
	t.Cleanup(func() { log.SetOutput(before) })
	log.SetOutput(&graphics{Writer: &out, fail: func(w string) { why = append(why, w) }})
	fyne.LogError("another error", usagef("another cause"))
	if len(why) != 0 {
		t.Fatalf("ended for %q", why)
	}
	fyne.LogError("window creation error", usagef("APIUnavailable: no GLX"))
	if len(why) != 1 || why[0] != "APIUnavailable: no GLX" {
		t.Errorf("ended for %q", why)
	}
}
