package ndb_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"bowerbird/ndb/nostr"
)

// Variables of the long run of the oracle (`make oracle`).
const (
	oracleTime = "BOWERBIRD_ORACLE"      // how long it runs, as Go writes durations
	oracleSeed = "BOWERBIRD_ORACLE_SEED" // to run the same again
)

// TestTheOracleAgreesForAsLongAsItIsAsked compares random filters over random worlds
// with a scan of all events, and each event of a world with each filter. A case is
// one event and one filter.
func TestTheOracleAgreesForAsLongAsItIsAsked(t *testing.T) {
	length, err := time.ParseDuration(os.Getenv(oracleTime))
	if err != nil {
		t.Skipf("run by `make oracle`, or with %s=60s", oracleTime)
	}
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv(oracleSeed); text != "" {
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("%s: %v", oracleSeed, err)
		}
	}
	t.Logf("%s=%d", oracleSeed, seed)
	cases, questions, worlds := 0, 0, 0
	for end := time.Now().Add(length); time.Now().Before(end); worlds++ {
		rng := rand.New(rand.NewPCG(seed, uint64(worlds)))
		w := generatedWorld(t, rng, 500+rng.IntN(2_500))
		store, oracle := openWorld(t, w)
		twins := parseWorld(t, w)
		for i := 0; i < 1_500 && time.Now().Before(end); i++ {
			q := w.ask(t, rng)
			w.sameAnswer(t, store, oracle, rng.IntN(10) == 0, q)
			sameMatches(t, twins, q)
			cases += len(oracle.events)
			questions++
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d pairs of an event and a filter, %d filters, %d worlds in %v", cases, questions, worlds, length)
}

// twin is one event as ndb and as the oracle know it.
type twin struct {
	event  *nostr.Event
	oracle *oracleEvent
}

func parseWorld(t *testing.T, w *world) []twin {
	t.Helper()
	byID := make(map[string]*oracleEvent, len(w.events))
	for _, e := range w.events {
		byID[e.ID] = e
	}
	var twins []twin
	for _, line := range w.lines {
		e, err := nostr.ParseEvent(line)
		if err != nil {
			t.Fatal(err)
		}
		twins = append(twins, twin{e, byID[e.ID.String()]})
	}
	return twins
}

// sameMatches asks the filter of each event itself, without a store.
func sameMatches(t *testing.T, twins []twin, q question) {
	t.Helper()
	if q.oracle.search != nil {
		return // Filter.Matches does not look at it
	}
	for _, e := range twins {
		if got, want := q.filter.Matches(e.event), q.oracle.matches(e.oracle); got != want {
			t.Fatalf("%s and %s: matches %v, want %v", q.raw, e.event.AppendJSON(nil), got, want)
		}
	}
}
