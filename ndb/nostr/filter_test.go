package nostr

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestParseFilterReadsEachField(t *testing.T) {
	id, pk := ID{31: 0xaa}, PubKey{31: 0xbb}
	since, until, limit, none := int64(5), int64(-6), 7, 0
	tests := []struct {
		name string
		raw  string
		want Filter
	}{
		{"nothing", `{}`, Filter{}},
		{"ids", `{"ids":["` + someID + `"]}`, Filter{IDs: []ID{id}}},
		{"authors", `{"authors":["` + someKey + `"]}`, Filter{Authors: []PubKey{pk}}},
		{"kinds", `{"kinds":[0,1,65535]}`, Filter{Kinds: []uint16{0, 1, 65535}}},
		{"empty lists", `{"ids":[],"authors":[],"kinds":[],"#t":[]}`, Filter{IDs: []ID{}, Authors: []PubKey{}, Kinds: []uint16{}, Tags: map[byte][]string{'t': {}}}},
		{"tags", `{"#e":["x",""],"#E":["y"],"#t":["\u00e9"]}`, Filter{Tags: map[byte][]string{'e': {"x", ""}, 'E': {"y"}, 't': {"é"}}}},
		{"times", `{"since":5,"until":-6}`, Filter{Since: &since, Until: &until}},
		{"limit", `{"limit":7}`, Filter{Limit: &limit}},
		{"limit 0", `{"limit":0}`, Filter{Limit: &none}},
		{"search", `{"search":"blue \"birds\""}`, Filter{Search: `blue "birds"`}},
		{"white space", " {\n\"limit\" : 7 } ", Filter{Limit: &limit}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := ParseFilter([]byte(test.raw))
			if err != nil || !reflect.DeepEqual(got, test.want) {
				t.Fatalf("got %+v, %v, want %+v", got, err, test.want)
			}
			raw, err := got.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			if back, err := ParseFilter(raw); err != nil || !reflect.DeepEqual(back, got) {
				t.Errorf("written as %s it reads as %+v, %v", raw, back, err)
			}
		})
	}
}

func TestParseFilterNamesTheFieldThatIsWrong(t *testing.T) {
	tests := []struct{ raw, field, detail string }{
		{``, "", "want an object"},
		{`[]`, "", "want an object"},
		{`{} {}`, "", "want the end"},
		{"{\"search\":\"\xff\"}", "", "byte 11 is no UTF-8"},
		{`{"kinds":[1]`, "", "text ends"},
		{`{"kind":[1]}`, "kind", "no filter has this field"},
		{`{"id":[]}`, "id", "no filter has this field"},
		{`{"IDS":[]}`, "IDS", "no filter has this field"},
		{`{"#":[]}`, "#", "# and one letter"},
		{`{"#1":["a"]}`, "#1", "# and one letter"},
		{`{"#é":["a"]}`, "#é", "# and one letter"},
		{`{"#emoji":["a"]}`, "#emoji", "# and one letter"},
		{`{"kinds":[1],"kinds":[2]}`, "kinds", "twice"},
		{`{"ids":["aa"]}`, "ids", "element 1: event id: 2 characters, want 64 hex digits"},
		{`{"ids":["` + someID + `","` + strings.ToUpper(someID) + `"]}`, "ids", "element 2: event id: character 63 is no lower-case hex digit"},
		{`{"authors":["npub1"]}`, "authors", "element 1: public key"},
		{`{"ids":"` + someID + `"}`, "ids", "want an array"},
		{`{"ids":null}`, "ids", "want an array"},
		{`{"ids":[1]}`, "ids", "want a string"},
		{`{"kinds":1}`, "kinds", "want an array"},
		{`{"kinds":["1"]}`, "kinds", "want a number"},
		{`{"kinds":[65536]}`, "kinds", "65536 is no kind"},
		{`{"kinds":[-1]}`, "kinds", "-1 is no kind"},
		{`{"kinds":[1.0]}`, "kinds", "1.0 is no kind"},
		{`{"since":"1"}`, "since", "want a number"},
		{`{"since":1.5}`, "since", "1.5 is no time"},
		{`{"until":1e9}`, "until", "1e9 is no time"},
		{`{"until":99999999999999999999}`, "until", "is no time"},
		{`{"limit":-1}`, "limit", "-1 is no limit"},
		{`{"limit":1.5}`, "limit", "1.5 is no limit"},
		{`{"limit":null}`, "limit", "want a number"},
		{`{"search":1}`, "search", "want a string"},
		{`{"#t":"cats"}`, "#t", "want an array"},
		{`{"#t":[1]}`, "#t", "want a string"},
		{`{"#t":[["a"]]}`, "#t", "want a string"},
	}
	for _, test := range tests {
		t.Run(test.raw, func(t *testing.T) {
			_, err := ParseFilter([]byte(test.raw))
			wrong, ok := errors.AsType[*FilterError](err)
			if !ok {
				t.Fatalf("got error %v, want a FilterError", err)
			}
			if wrong.Field != test.field || !strings.Contains(wrong.Detail, test.detail) {
				t.Errorf("got %q: %s\nwant %q: ...%s...", wrong.Field, wrong.Detail, test.field, test.detail)
			}
		})
	}
}

func TestAFilterWithATagNameThatIsNoLetterIsNotWritten(t *testing.T) {
	for _, name := range []byte{0, '1', '#', 0xe9} {
		f := Filter{Tags: map[byte][]string{name: {"x"}}}
		if raw, err := json.Marshal(f); err == nil {
			t.Errorf("wrote %s", raw)
		}
	}
}

func TestMatches(t *testing.T) {
	e := &Event{
		ID: ID{1}, PubKey: PubKey{2}, CreatedAt: 100, Kind: 7,
		Tags: Tags{{"e", "one", "two"}, {"e", "three"}, {"p"}, {}, {"t", "cats"}, {"T", "Dogs"}, {"emoji", "x"}},
	}
	at := func(n int64) *int64 { return &n }
	limit := 0
	tests := []struct {
		name   string
		filter Filter
		want   bool
	}{
		{"the zero filter takes all", Filter{}, true},
		{"its id", Filter{IDs: []ID{{9}, {1}}}, true},
		{"other ids", Filter{IDs: []ID{{9}}}, false},
		{"no ids", Filter{IDs: []ID{}}, false},
		{"its author", Filter{Authors: []PubKey{{2}}}, true},
		{"other authors", Filter{Authors: []PubKey{{1}}}, false},
		{"no authors", Filter{Authors: []PubKey{}}, false},
		{"its kind", Filter{Kinds: []uint16{1, 7}}, true},
		{"other kinds", Filter{Kinds: []uint16{1, 6}}, false},
		{"no kinds", Filter{Kinds: []uint16{}}, false},
		{"since that second", Filter{Since: at(100)}, true},
		{"since the next second", Filter{Since: at(101)}, false},
		{"until that second", Filter{Until: at(100)}, true},
		{"until the second before", Filter{Until: at(99)}, false},
		{"a tag's value", Filter{Tags: map[byte][]string{'e': {"no", "three"}}}, true},
		{"a tag's third item is no value", Filter{Tags: map[byte][]string{'e': {"two"}}}, false},
		{"a tag without a value", Filter{Tags: map[byte][]string{'p': {""}}}, false},
		{"both tags", Filter{Tags: map[byte][]string{'e': {"one"}, 't': {"cats"}}}, true},
		{"one of two tags", Filter{Tags: map[byte][]string{'e': {"one"}, 't': {"dogs"}}}, false},
		{"names keep their case", Filter{Tags: map[byte][]string{'T': {"cats"}}}, false},
		{"values keep their case", Filter{Tags: map[byte][]string{'T': {"dogs"}}}, false},
		{"a long name is not its first letter", Filter{Tags: map[byte][]string{'e': {"x"}}}, false},
		{"no values", Filter{Tags: map[byte][]string{'e': {}}}, false},
		{"limit and search are no tests", Filter{Limit: &limit, Search: "birds"}, true},
		{"everything at once", Filter{
			IDs: []ID{{1}}, Authors: []PubKey{{2}}, Kinds: []uint16{7},
			Tags: map[byte][]string{'e': {"one"}}, Since: at(1), Until: at(200),
		}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.filter.Matches(e); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func FuzzParseFilter(f *testing.F) {
	for _, raw := range []string{
		`{"ids":["` + someID + `"],"authors":["` + someKey + `"],"kinds":[1,2]}`,
		`{"#e":["a"],"since":1,"until":2,"limit":3,"search":"x"}`, `{"kinds":[],"#T":[]}`, `{"limit":-0}`,
	} {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		filter, err := ParseFilter(raw)
		if err != nil {
			if _, ok := errors.AsType[*FilterError](err); !ok {
				t.Fatalf("error %T: %v", err, err)
			}
			return
		}
		if !json.Valid(raw) {
			t.Fatal("taken, but encoding/json says it is no JSON")
		}
		written, err := json.Marshal(filter)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := ParseFilter(written); err != nil || !reflect.DeepEqual(back, filter) {
			t.Fatalf("written as %s it reads as %+v, %v", written, back, err)
		}
	})
}
