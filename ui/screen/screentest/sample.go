package screentest

import (
	"context"
	"os"
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
	_ = os.RemoveAll(sampleOnce())
	return code
}

// OpenApp opens the sample, at Noon, in a folder of the test's own.
func OpenApp(t testing.TB) *app.App {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(sampleOnce())); err != nil {
		t.Fatal(err)
	}
	a, err := app.Open(t.Context(), sampleOptions(dir))
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

func sampleOptions(dir string) app.Options {
	return app.Options{
		Places: config.Locate(dir, ""), Sample: true, Zone: time.UTC,
		Now: Noon, Getenv: func(string) string { return "" },
	}
}

// sampleOnce returns a folder that the sample was made in: that takes a second.
var sampleOnce = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "bowerbird-screens")
	if err != nil {
		panic(err)
	}
	a, err := app.Open(context.Background(), sampleOptions(dir))
	if err != nil {
		panic(err)
	}
	if err := a.Close(); err != nil {
		panic(err)
	}
	return dir
})
