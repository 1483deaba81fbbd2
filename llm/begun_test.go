package llm

import (
	"slices"
	"testing"
)

// Row 001-14: a call is announced as soon as its name is certain, and not before: some
// servers cut it, and some send a longer one each time.
func TestACallIsAnnouncedAsSoonAsItsNameIsCertain(t *testing.T) {
	for _, tt := range []struct {
		name   string
		deltas []string
		want   []string // behind each delta, "" for none
	}{
		{"with the first piece of its arguments", []string{
			`[{"index":0,"id":"a","function":{"name":"query","arguments":""}}]`,
			`[{"index":0,"function":{"arguments":"{\"since"}}]`,
			`[{"index":0,"function":{"arguments":"\":1}"}}]`,
		}, []string{"", "a query", ""}},
		{"a name in pieces, when it is whole", []string{
			`[{"index":0,"id":"a","function":{"name":"present"}}]`,
			`[{"index":0,"function":{"name":"_notes"}}]`,
			`[{"index":0,"function":{"arguments":"{}"}}]`,
		}, []string{"", "", "a present_notes"}},
		{"one without arguments, when the next begins", []string{
			`[{"index":0,"id":"a","function":{"name":"coverage"}}]`,
			`[{"index":1,"id":"b","function":{"name":"query"}}]`,
			`[{"index":1,"function":{"arguments":"{}"}}]`,
		}, []string{"", "a coverage", "b query"}},
		{"two whole calls in one delta", []string{
			`[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}},{"index":1,"id":"b","function":{"name":"g","arguments":"{}"}}]`,
		}, []string{"a f b g"}},
		{"no id", []string{`[{"function":{"name":"f","arguments":"{"}}]`}, []string{" f"}},
		{"no name", []string{`[{"index":0,"id":"a","function":{"arguments":"{}"}}]`}, []string{""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var a answer
			a.decode = func(e sseEvent) (chunk, error) { return parseChunk(e.data) }
			var got []string
			for _, d := range tt.deltas {
				events, _, err := a.read(sseEvent{data: []byte(`{"choices":[{"delta":{"tool_calls":` + d + `}}]}`)})
				if err != nil {
					t.Fatal(err)
				}
				told := ""
				for _, e := range events {
					if e.Type != EventToolBegun {
						t.Fatalf("event %s", e.Type)
					}
					if told != "" {
						told += " "
					}
					told += e.Call.ID + " " + e.Call.Name
				}
				got = append(got, told)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("told %q, want %q", got, tt.want)
			}
		})
	}
}
