package builtin_test

import (
	"flag"
	"strings"
	"testing"

	"bowerbird/internal/testworld"
)

var measureFrom = flag.Uint64("measure-from", 0, "measure digests of worlds from this seed on; 0 measures nothing")

// TestMeasureDigests prints, for worlds of each shape and two sizes, how many
// planted facts a digest finds beside as many newest and most answered notes:
//
//	go test ./app/builtin -run TestMeasureDigests -v -measure-from 7000
//
// Choose constants on some seeds and report others.
func TestMeasureDigests(t *testing.T) {
	if *measureFrom == 0 {
		t.Skip("no -measure-from given")
	}
	planted, found, latest, answered := 0, 0, 0, 0
	t.Log("shape seed followed events | planted digest newest answered | cited lines")
	for i, shape := range testworld.Shapes() {
		for j, size := range []struct{ people, followed, events int }{{140, 50, 2000}, {400, 150, 5000}} {
			seed := *measureFrom + uint64(10*i+j)
			w, err := testworld.Make(testworld.Options{
				Seed: seed, Now: noon, Shape: shape, Planted: 10,
				Events: size.events, People: size.people, Followed: size.followed,
			})
			if err != nil {
				t.Fatal(err)
			}
			r := newReader(t, w.Me, noon, w.Events)
			a := r.ask(t, "What did I miss in the last 7 days?")
			f, n, m := told(w, a.notes), told(w, newest(w, len(a.notes))), told(w, mostAnswered(w, len(a.notes)))
			t.Logf("%s %d %d %d | %d %d %d %d | %d %d", shape, seed, size.followed, size.events, len(w.Planted), f, n, m, len(a.notes), lines(a.text))
			planted, found, latest, answered = planted+len(w.Planted), found+f, latest+n, answered+m
		}
	}
	t.Logf("all: %d planted, %d in digests, %d newest, %d most answered", planted, found, latest, answered)
}

// lines counts the lines of a text that say something.
func lines(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}
