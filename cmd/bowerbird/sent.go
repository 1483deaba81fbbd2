package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"bowerbird/app/models"
	"bowerbird/ndb/clean"
)

// printSent prints to stderr what was sent to the model's server for a turn; stdout is for
// the answer.
func (p *program) printSent(sent []models.SentRequest) {
	if len(sent) == 0 {
		p.say("\nNothing was sent.")
		return
	}
	for i, s := range sent {
		p.say("\nrequest %d of %d: POST %s", i+1, len(sent), s.URL)
		for _, name := range slices.Sorted(maps.Keys(s.Header)) {
			for _, value := range s.Header[name] {
				p.say("%s: %s", name, value)
			}
		}
		switch {
		case s.Failed != "":
			p.say("result: %d %s", s.Status, clean.Line(s.Failed, 300))
		case s.Status != 0:
			p.say("result: %d", s.Status)
		}
		if s.Dropped {
			p.say("(the %s of its body are no longer in memory)", sizeWords(int64(s.Size)))
			continue
		}
		body := string(s.Body)
		if _, ok := terminalOf(p.err); ok {
			body = escapeControls(body)
		}
		p.say("\n%s", body)
	}
}

// escapeControls writes what a terminal obeys or does not show as JSON escapes: requests
// contain strangers' text. Files and pipes get the original bytes.
func escapeControls(body string) string {
	var b strings.Builder
	for _, r := range body {
		if r != '\n' && !unicode.IsPrint(r) {
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, "\\u%04x", unit)
			}
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
