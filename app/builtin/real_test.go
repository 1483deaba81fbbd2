package builtin_test

import (
	"bufio"
	"os"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/ndb"
)

func realEvents(t testing.TB) []*ndb.Event {
	t.Helper()
	f, err := os.Open(testkit.Shared(t, "data", "real-notes.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var events []*ndb.Event
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		e, err := ndb.ParseEvent(lines.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return events
}

func realReader(t testing.TB) *reader {
	t.Helper()
	me, err := ndb.ParsePubKey("7f0e64b52ef56bec2b588d460fc63125f567db2c014d1ecce806d8d5b4209e2e")
	if err != nil {
		t.Fatal(err)
	}
	return newReader(t, me, noon, realEvents(t))
}

func TestShowReal(t *testing.T) {
	r := realReader(t)
	q := os.Getenv("Q")
	if q == "" {
		q = "what did the people I follow talk about since 2023?"
	}
	start := time.Now()
	a := r.ask(t, q)
	t.Logf("%v\n%s", time.Since(start), a)
}
