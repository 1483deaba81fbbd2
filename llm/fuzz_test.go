package llm_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"bowerbird/llm"
)

// FuzzStream holds, for any body at all, that it is read to an end, that what is
// made of it does not depend on how it was cut, and that no call may be run that
// is not whole.
func FuzzStream(f *testing.F) {
	for set := range fixtureSets() {
		for _, fx := range readFixtures(f, filepath.Join("testdata", set)) {
			if len(fx.body) < 2000 {
				f.Add(fx.body)
			}
		}
	}
	f.Fuzz(func(t *testing.T, body string) {
		whole, err := llm.ReadRecorded(t.Context(), strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		cut, err := llm.ReadRecorded(t.Context(), iotest.OneByteReader(strings.NewReader(body)))
		if err != nil {
			t.Fatal(err)
		}
		a, err := json.Marshal(whole)
		if err != nil {
			t.Fatalf("%+v: %v", whole, err)
		}
		b, err := json.Marshal(cut)
		if err != nil {
			t.Fatalf("%+v: %v", cut, err)
		}
		if string(a) != string(b) {
			t.Fatalf("whole %s\ncut   %s", a, b)
		}
		for _, c := range whole.Calls {
			if !c.Invalid && (broken(whole) || json.Unmarshal(c.Arguments, &map[string]any{}) != nil) {
				t.Fatalf("call %+v is valid, with error %+v", c, whole.Error)
			}
		}
	})
}

// broken reports whether an answer did not come whole.
func broken(r *llm.Recorded) bool {
	return r.Error != nil && (r.Error.Kind == llm.KindIncomplete || r.Error.Kind == llm.KindBadChunk || r.Finish == nil && r.Error.Kind == llm.KindAPI)
}
