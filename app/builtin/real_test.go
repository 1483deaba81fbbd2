package builtin_test

import (
	"bufio"
	"os"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
)

func TestADigestOfRealNotesQuotesThemVerbatim(t *testing.T) {
	f, err := os.Open(testkit.Shared(t, "data", "real-notes.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var events []*nostr.Event
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		e, err := nostr.ParseEvent(lines.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	me, err := nostr.ParsePubKey("7f0e64b52ef56bec2b588d460fc63125f567db2c014d1ecce806d8d5b4209e2e")
	if err != nil {
		t.Fatal(err)
	}
	r := newReader(t, me, noon, events)
	a := r.ask(t, "what did the people I follow talk about since 2023?")
	if n := checkQuotes(t, r, a); n < 10 {
		t.Errorf("%d sentences are quoted:\n%s", n, a)
	}
	checkText(t, a.text)
}
