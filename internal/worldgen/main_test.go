package main

import (
	"bytes"
	"io"
	"testing"
)

func TestRunWritesOneLineAnEventAndNamesMe(t *testing.T) {
	var out, log bytes.Buffer
	if err := run(t.Context(), []string{"-events", "600", "-planted", "2"}, &out, &log); err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(out.Bytes(), []byte("\n")); n != 600 {
		t.Errorf("%d lines, want 600", n)
	}
	if !bytes.HasPrefix(log.Bytes(), []byte("me: ")) {
		t.Errorf("log is %q", log.String())
	}
}

func TestRunRefusesWhatItCannotRead(t *testing.T) {
	for _, args := range [][]string{{"-until", "tomorrow"}, {"-shape", "round"}, {"-events", "3"}, {"-such", "1"}} {
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("no error for %q", args)
		}
	}
}
