package app

import (
	"fmt"
	"strings"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// ways are the ways by which a text comes to the model.
var ways = []string{"note", "imported note", "profile", "tool result", "tool error", "question with a stranger's words"}

// entry prepares a way in, and says for some of the texts what the user asks, and what
// the model reads first.
func (w *gateWorld) entry(way string) func(from, to int) (Question, []modelCall) {
	w.t.Helper()
	ask := Question{Text: "What did I miss?"}
	query := func(from, to int) (Question, []modelCall) {
		return ask, []modelCall{{"query", map[string]any{
			"context": "any", "limit": batch, "since": noteTime(from), "until": noteTime(to - 1),
		}}}
	}
	numbers := func(tool string) func(from, to int) (Question, []modelCall) {
		return func(from, to int) (Question, []modelCall) {
			var n []int
			for i := from; i < to; i++ {
				n = append(n, i)
			}
			return ask, []modelCall{{tool, map[string]any{"n": n}}}
		}
	}
	switch way {
	case "note":
		w.holdNotes()
		return query
	case "imported note":
		w.holdFile()
		return query
	case "profile":
		people := w.holdProfiles()
		return func(from, to int) (Question, []modelCall) {
			var reads []modelCall
			for i := from; i < to; i++ {
				reads = append(reads, modelCall{"get_profile", map[string]any{"person": people[i].PubKey}})
			}
			return ask, reads
		}
	case "tool result":
		return numbers("hand_out")
	case "tool error":
		return numbers("break_down")
	case "question with a stranger's words":
		return func(from, to int) (Question, []modelCall) {
			return Question{Text: strings.Join(w.texts[from:to], "\n"), Foreign: true}, nil
		}
	}
	w.t.Fatalf("nobody knows the way %q", way)
	return nil
}

// holdProfiles puts the texts into the store as what people say of themselves.
func (w *gateWorld) holdProfiles() (people []testkit.Key) {
	w.t.Helper()
	var raw [][]byte
	for i, text := range w.texts {
		key := testkit.NewKey(fmt.Sprint("hostile ", i))
		people = append(people, key)
		profile := marshalled(map[string]string{"name": text, "display_name": text, "about": text, "nip05": text})
		raw = append(raw, key.Event(w.t, 0, noteTime(i), string(profile)))
	}
	w.put(raw)
	return people
}

// holdNotes puts the texts into the store as notes that come from a relay.
func (w *gateWorld) holdNotes() {
	w.t.Helper()
	var raw [][]byte
	for i, text := range w.texts {
		raw = append(raw, testkit.NewKey("hostile").Event(w.t, 1, noteTime(i), signable(text)))
	}
	w.put(raw)
}

func (w *gateWorld) put(raw [][]byte) {
	w.t.Helper()
	var events []*nostr.Event
	for _, r := range raw {
		e, err := nostr.ParseEvent(r)
		if err != nil {
			w.t.Fatal(err)
		}
		events = append(events, e)
	}
	for at := 0; at < len(events); at += 500 {
		if _, err := w.Notes().Put(w.t.Context(), ndb.Batch{Events: events[at:min(at+500, len(events))]}); err != nil {
			w.t.Fatal(err)
		}
	}
}

// holdFile imports the texts: as notes, and as lines that are no events.
func (w *gateWorld) holdFile() {
	w.t.Helper()
	var file strings.Builder
	for i, text := range w.texts {
		text = signable(text)
		file.Write(testkit.NewKey("hostile").Event(w.t, 1, noteTime(i), text))
		file.WriteString("\n" + text + "\n")
	}
	report, err := w.Import(w.t.Context(), strings.NewReader(file.String()), ndb.ImportOptions{})
	if err != nil || report.Stored != len(w.texts) {
		w.t.Fatalf("imported %+v, %v", report, err)
	}
}

// signable leaves out the few characters that programs write differently into what is
// signed.
func signable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' {
			return ' '
		}
		return r
	}, text)
}

// noteTime is when the text i is posted, a minute apart.
func noteTime(i int) int64 { return gateNow.Add(-31*24*time.Hour).Unix() + int64(60*i) }
