package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func question(t *testing.T, properties, required string) Question {
	t.Helper()
	q, err := NewQuestion("weather", "Where\u202e to?", json.RawMessage(`{"type":"object","properties":{`+properties+`},"required":[`+required+`]}`))
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestAFormIsReadInEachOfTheWaysThatServersWriteIt(t *testing.T) {
	q := question(t, `
		"age":{"type":"integer","minimum":18,"maximum":99,"default":30},
		"city":{"type":"string","title":"City\u202e","description":"where","minLength":1,"maxLength":9,"default":"Bern"},
		"colours":{"type":"array","items":{"anyOf":[{"const":"r","title":"Red"},{"const":"g"}]},"minItems":1,"default":["r"]},
		"fast":{"type":"boolean","default":false},
		"old":{"type":"string","enum":["a","b"],"enumNames":["Ay","Bee"]},
		"plain":{"type":"array","items":{"type":"string","enum":["x"]}},
		"size":{"type":"string","oneOf":[{"const":"s","title":"Small"},{"const":"l","title":"Large"}],"default":"l"}`, `"city"`)
	if q.Message != "Where to?" {
		t.Errorf("%q", q.Message)
	}
	want := []string{
		"age 2 18–99 [] [30] false", "City 0 1–9 [] [Bern] true", "colours 4  [{r Red} {g g}] [r] false", "fast 2 ",
		"old 3  [{a Ay} {b Bee}] [] false", "plain 4  [{x x}] [] false", "size 3  [{s Small} {l Large}] [l] false",
	}
	want[0], want[3] = "age 1 18–99 [] [30] false", "fast 2  [] [false] false"
	for i, f := range q.Fields {
		if got := fmt.Sprint(f.Label, " ", f.Kind, " ", f.Limits, " ", f.Options, " ", f.Default, " ", f.Required); got != want[i] {
			t.Errorf("%s; want %s", got, want[i])
		}
	}
}

func TestAFormThatIsNotSupportedIsRefusedByName(t *testing.T) {
	many := `"f0":{"type":"string"}`
	for i := range 30 {
		many += fmt.Sprintf(`,"g%d":{"type":"string"}`, i)
	}
	for schema, why := range map[string]string{
		`{"type":"object","properties":{"a":{"type":"object"}}}`:                                                `field "a": type "object"`,
		`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}}}`:                       "a list of anything",
		`{"type":"object","properties":{"a":{"type":"array"}}}`:                                                 "a list of anything",
		`{"type":"object","properties":{"a":{}}}`:                                                               `type ""`,
		`{"type":"object","properties":{` + many + `}}`:                                                         "31 fields",
		`{"type":"object","properties":{"a":{"enum":[` + strings.Repeat(`"x",`, 50) + `"y"],"type":"string"}}}`: "51 choices",
		`[]`: "schema",
	} {
		if _, err := NewQuestion("s", "m", json.RawMessage(schema)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%.80s: %v; want %s", schema, err, why)
		}
	}
	if q, err := NewQuestion("s", strings.Repeat("m", 3000), nil); err != nil || len(q.Fields) != 0 || len([]rune(q.Message)) != maxQuestion {
		t.Error(q, err)
	}
}

func TestWhatIsFilledInFitsTheSchemaOrIsNamed(t *testing.T) {
	q := question(t, `"n":{"type":"integer","minimum":2},"t":{"type":"string","maxLength":3},"y":{"type":"boolean"},
		"o":{"type":"string","enum":["a"]},"s":{"type":"array","items":{"enum":["x","z"]},"minItems":1}`, `"n","s"`)
	for filled, want := range map[string]string{
		`{"n":["2"],"s":["x"]}`: `{"n":2,"s":["x"]}`,
		`{"n":[" 3 "],"t":["abc"],"y":["true"],"o":["a"],"s":["x","z"]}`: `{"n":3,"o":"a","s":["x","z"],"t":"abc","y":true}`,
		`{"n":["2"],"t":[""],"o":[""],"y":[""],"s":["x"],"else":["1"]}`:  `{"n":2,"s":["x"]}`,
		`{"s":["x"]}`:                         "n is missing",
		`{"n":[""],"s":["x"]}`:                "n is missing",
		`{"n":["1"],"s":["x"]}`:               "n does not fit what is asked for ≥ 2",
		`{"n":["2.5"],"s":["x"]}`:             "n does not fit",
		`{"n":["NaN"],"s":["x"]}`:             "n does not fit",
		`{"n":["two"],"s":["x"]}`:             "n does not fit",
		`{"n":["2"],"s":[]}`:                  "s does not fit",
		`{"n":["2"],"s":["q"]}`:               "s does not fit",
		`{"n":["2"],"s":["x"],"o":["b"]}`:     "o does not fit",
		`{"n":["2"],"s":["x"],"t":["abcd"]}`:  "t does not fit what is asked for ≤ 3",
		`{"n":["2"],"s":["x"],"y":["maybe"]}`: "y does not fit",
	} {
		var in map[string][]string
		if err := json.Unmarshal([]byte(filled), &in); err != nil {
			t.Fatal(err)
		}
		reply, err := q.Accept(in)
		got, _ := json.Marshal(reply.Values)
		if err != nil {
			got = []byte(err.Error())
			if _, ok := errors.AsType[*FieldError](err); !ok || !reflect.DeepEqual(reply, Reply{}) {
				t.Errorf("%s: %T, %+v", filled, err, reply)
			}
		} else if !reply.Accepted {
			t.Error(filled, "is not accepted")
		}
		if err == nil && string(got) != want || !strings.HasPrefix(string(got), want) {
			t.Errorf("%s: %s; want %s", filled, got, want)
		}
	}
}
