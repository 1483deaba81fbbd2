package tools_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"bowerbird/tools"
)

// A saved chat keeps of an answer what fits: all of it, or its brief. Who reads one of
// them by the brief's type reads the same.
func TestABriefIsReadFromTheAnswerAndFromItself(t *testing.T) {
	ada, ben := "aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"
	scope := tools.Scope{Context: "home", Authors: 2, Since: "2026-03-01T00:00:00Z"}
	people := make([]tools.ProfileResult, 12)
	for _, r := range []tools.Result{
		tools.QueryResult{Scope: scope, Total: 9, Returned: 3, Truncated: true, Cursor: "c", Coverage: tools.CoverageSummary{Partly: 1}, Notes: []tools.Note{
			{PubKey: ada, Name: "Ada", NoteKind: 1}, {PubKey: ada, Name: "Ada", NoteKind: 30023}, {PubKey: ben, Name: "Ben", NoteKind: 6},
		}},
		tools.QueryResult{Scope: scope, Own: true, Notes: []tools.Note{{PubKey: ada, Name: "Ada", NoteKind: 1}, {PubKey: ben, Name: "Ben", NoteKind: 1}}},
		tools.QueryResult{Scope: scope, Notes: []tools.Note{}},
		tools.AggregateResult{Scope: scope, By: "day", Total: 4, Truncated: true},
		tools.ThreadResult{Root: "r", Total: 2, Notes: []tools.ThreadNote{{}, {}}},
		tools.FindProfileResult{People: people},
		tools.CoverageResult{Scope: scope, Summary: tools.CoverageSummary{Complete: 7}, People: []tools.PersonCoverage{{Name: "Ada"}}},
	} {
		want := r.(tools.Briefer).Brief()
		for _, from := range []any{r, want} {
			raw, err := json.Marshal(from)
			if err != nil {
				t.Fatal(err)
			}
			got := reflect.New(reflect.TypeOf(want))
			if err := json.Unmarshal(raw, got.Interface()); err != nil {
				t.Fatalf("%s: %v", raw, err)
			}
			brief := got.Elem().Interface()
			if b, is := brief.(tools.FindProfileBrief); is && len(b.People) > 10 {
				b.People = b.People[:10]
				brief = b
			}
			if !reflect.DeepEqual(brief, want) {
				t.Errorf("%s is read as\n%+v, want\n%+v", raw, brief, want)
			}
		}
	}
}
