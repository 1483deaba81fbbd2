package screentest

import (
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/ui/wordstest"
)

// Noon is when the tests are: the day is not over, the sample is fresh.
func Noon() time.Time { return time.Date(2026, 3, 12, 14, 0, 0, 0, time.UTC) }

// Main runs the tests of a package (see testing.M), with the English words, and takes
// away what OpenApp made.
func Main(m *testing.M) int {
	wordstest.Load()
	code := m.Run()
	_ = os.RemoveAll(samples())
	return code
}

// OpenApp opens the sample, at Noon, in a folder of the test's own.
func OpenApp(t testing.TB) *app.App {
	t.Helper()
	a, err := app.Open(t.Context(), sampleOptions(SampleOf(t, Noon()), Noon()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

// SampleOf returns a folder of the test's own that holds the sample as it is made at a
// time. Making it takes a second, copying it nothing: each is made once.
func SampleOf(t testing.TB, now time.Time) string {
	t.Helper()
	made := filepath.Join(samples(), strconv.FormatInt(now.Unix(), 10))
	if _, err := os.Stat(made); err != nil {
		a, err := app.Open(t.Context(), sampleOptions(made, now))
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(made)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func sampleOptions(dir string, now time.Time) app.Options {
	return app.Options{
		Places: config.Locate(dir, ""), Sample: true, Zone: time.UTC,
		Now: func() time.Time { return now }, Getenv: func(string) string { return "" },
	}
}

// samples returns the folder in which the samples are made.
var samples = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "bowerbird-screens")
	if err != nil {
		panic(err)
	}
	return dir
})
