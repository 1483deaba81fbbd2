package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
)

const printed = `2026/11/21 14:48:22 Fyne error:  Error parsing user locale C
goos: linux
goarch: amd64
pkg: bowerbird/ui/widgets
cpu: Some Processor
BenchmarkScrollStep-2   	  360220	      3906 ns/op	         2.000 p99-µs	      46 B/op	       0 allocs/op
BenchmarkSetIDs/one_before-2         	     145	   7563753 ns/op	 4227269 B/op	 12009 allocs/op
PASS
ok  	bowerbird/ui/widgets	7.332s
?   	bowerbird/internal/shots	[no test files]
pkg: bowerbird/ui/feed
BenchmarkScrollHundredThousand-2	1	12345678901 ns/op	 2.31 p99-ms	 120.5 heap-MB
ok  	bowerbird/ui/feed	17.332s
PASS
ok  	bowerbird/ui/none	0.332s
`

func tableOf(t *testing.T, in string) (string, bool) {
	t.Helper()
	var out strings.Builder
	ok, err := run(strings.NewReader(in), &out)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), ok
}

func TestATableIsMadeOfWhatBenchmarksPrint(t *testing.T) {
	got, ok := tableOf(t, printed)
	if !ok {
		t.Error("it says that something failed")
	}
	want := strings.Join([]string{
		"ui/widgets           time/op     B/op  allocs/op  goal                       other",
		"  ScrollStep         3.91 µs     46 B          0  p99 2 µs <= 2 ms: reached  p99 2 µs",
		"  SetIDs/one before  7.56 ms  4.03 MB     12,009",
		"",
		"ui/feed                  time/op  B/op  allocs/op  goal                         other",
		"  ScrollHundredThousand   12.3 s                   p99 2.31 ms <= 2 ms: missed  p99 2.31 ms, heap 120 MB",
		"", "",
	}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAFailureIsPassedOn(t *testing.T) {
	for name, in := range map[string]string{
		"a benchmark": "pkg: bowerbird/ndb\n--- FAIL: BenchmarkPut\n    bench_test.go:3: no space\nFAIL\nexit status 1\nFAIL\tbowerbird/ndb\t1s\n",
		"a build":     "FAIL\tbowerbird/ndb [build failed]\n",
		"a panic":     "pkg: bowerbird/ndb\npanic: oh\nFAIL\tbowerbird/ndb\t1s\n",
	} {
		got, ok := tableOf(t, in)
		if ok || !strings.Contains(got, "FAIL\tbowerbird/ndb") {
			t.Errorf("%s: ok %v, %q", name, ok, got)
		}
	}
}

func TestWhatWasBrokenOffIsShown(t *testing.T) {
	got, _ := tableOf(t, "pkg: bowerbird/ndb\nBenchmarkPut-2 1 5 ns/op\n")
	if !strings.Contains(got, "Put") {
		t.Errorf("got %q", got)
	}
}

func TestUnitsFitTheNumber(t *testing.T) {
	for _, tc := range []struct{ got, want string }{
		{duration(0.4), "0.40 ns"},
		{duration(999), "999 ns"},
		{duration(1500), "1.50 µs"},
		{duration(17_400_000), "17.4 ms"},
		{duration(2e12), "2000 s"},
		{bytes(1023), "1023 B"},
		{bytes(1 << 20), "1 MB"},
		{thousands(1234567), "1,234,567"},
		{thousands(0), "0"},
		{thousands(0.25), "0.25"},
		{metric{3, "cpu-s/op"}.String(), "cpu 3 s/op"},
		{metric{41, "notes"}.String(), "41 notes"},
	} {
		if tc.got != tc.want {
			t.Errorf("got %q, want %q", tc.got, tc.want)
		}
	}
}

// full is a writer that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space") }

func TestATableThatCannotBeWrittenIsAnError(t *testing.T) {
	if _, err := run(strings.NewReader(printed), full{}); err == nil {
		t.Error("no error")
	}
}

// declares reports whether a test file of a package holds a text.
func declares(t *testing.T, pkg, text string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(testkit.Root(t), pkg, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(content), text) {
			return true
		}
	}
	return false
}

func TestEveryGoalNamesABenchmarkThatIsThere(t *testing.T) {
	for name := range goals {
		pkg, benchmark, _ := strings.Cut(name, " ")
		benchmark, _, _ = strings.Cut(benchmark, "/")
		if !declares(t, pkg, "func Benchmark"+benchmark+"(") {
			t.Errorf("%s has no such benchmark", name)
		}
	}
}
