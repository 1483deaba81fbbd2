package builtin_test

import (
	"os"
	"testing"
	"time"

	"bowerbird/app/sample"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func TestShowSample(t *testing.T) {
	w, err := sample.Make(sample.Options{Now: noon, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	r := newReader(t, w.Me, noon, w.Events)
	q := os.Getenv("Q")
	if q == "" {
		q = "What did I miss last 9 days"
	}
	start := time.Now()
	a := r.ask(t, q)
	t.Logf("%v\n%s", time.Since(start), a)
	t.Logf("%v planted", len(w.Planted))
}
