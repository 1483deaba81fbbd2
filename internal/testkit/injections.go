package testkit

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// Injections returns the texts of strangers that try to make an assistant act: the
// 1,360 of the shared data. It skips the test where they are absent.
func Injections(t testing.TB) []string {
	t.Helper()
	f, err := os.Open(Shared(t, "data", "hostile", "injection.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		out = append(out, row.Text)
	}
	if err := lines.Err(); err != nil || len(out) != 1360 {
		t.Fatalf("%d texts, want 1,360 (%v)", len(out), err)
	}
	return out
}
