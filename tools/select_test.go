package tools_test

import (
	"errors"
	"testing"

	"bowerbird/ndb"
	"bowerbird/tools"
	"bowerbird/tools/tooltest"
)

func TestWhatIsSelectedIsWhatIsCounted(t *testing.T) {
	w := crowd(t, 3)
	for _, args := range []struct {
		json string
		args tools.CountArgs
	}{
		{`{}`, tools.CountArgs{}},
		{`{"context":"any","search":"bread","include_replies":true}`, tools.CountArgs{Context: tools.ScopeAny, Search: "bread", IncludeReplies: true}},
		{`{"context":"any","search":"from:\"Person 2\" since:3d","kind":[1,30023]}`, tools.CountArgs{Context: tools.ScopeAny, Search: `from:"Person 2" since:3d`, Kind: tools.Kinds{1, 30023}}},
	} {
		want := tooltest.Call(t, builtin(t, "count"), w.Env(), args.json).(tools.CountResult)
		sel, err := w.Env().Select(t.Context(), args.args)
		if err != nil {
			t.Fatal(err)
		}
		got, err := w.Env().Store.Count(t.Context(), ndb.QueryOptions{Match: sel.Shown}, sel.Filter)
		if err != nil || got != want.Count || got == 0 {
			t.Errorf("%s: %d selected, %d counted (%v)", args.json, got, want.Count, err)
		}
	}
	var wrong *tools.ArgumentError
	if _, err := w.Env().Select(t.Context(), tools.CountArgs{Search: "since:never"}); !errors.As(err, &wrong) {
		t.Errorf("a time that is none: %v", err)
	}
}
