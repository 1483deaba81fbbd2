package tools

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

type sampleArgs struct {
	Word  string          `json:"word" maxLength:"10"`
	Count int             `json:"count,omitempty"`
	Ratio float64         `json:"ratio,omitempty"`
	Loud  bool            `json:"loud,omitempty"`
	Mode  string          `json:"mode,omitempty" enum:"low,high"`
	IDs   StringList      `json:"ids,omitempty"`
	Kind  Kinds           `json:"kind,omitempty"`
	Since When            `json:"since,omitempty"`
	Cols  []Column        `json:"cols,omitempty" maxItems:"2"`
	Spec  json.RawMessage `json:"spec,omitempty"`
}

// echo answers with what reached it.
type echo struct{ sampleArgs }

func (e echo) ForModel(limit int) string {
	return Fit(limit, 0, func(_, _ int) any { return e.sampleArgs })
}

func echoTool() Tool {
	return New("echo", "Repeats.", None, func(_ context.Context, _ *Env, a sampleArgs) (echo, error) { return echo{a}, nil })
}

func TestArgumentsAreMendedWhereOnlyOneMeaningIsPossible(t *testing.T) {
	for _, tt := range []struct{ name, args, want string }{
		{"as they should be", `{"word":"a","count":3}`, `{"word":"a","count":3}`},
		{"a number in a text", `{"word":"a","count":"10"}`, `{"word":"a","count":10}`},
		{"a whole number written with a point", `{"word":"a","count":10.0}`, `{"word":"a","count":10}`},
		{"a fraction in a text", `{"word":"a","ratio":"0.5"}`, `{"word":"a","ratio":0.5}`},
		{"a boolean in a text", `{"word":"a","loud":"True"}`, `{"word":"a","loud":true}`},
		{"a text given as a number", `{"word":2024}`, `{"word":"2024"}`},
		{"null for what may be left out", `{"word":"a","count":null}`, `{"word":"a"}`},
		{"an empty text for a number that may be left out", `{"word":"","count":" ","mode":""}`, `{"word":""}`},
		{"an enum in another case", `{"word":"a","mode":"HIGH"}`, `{"word":"a","mode":"high"}`},
		{"a list in one text", `{"word":"a","ids":"x, y,z"}`, `{"word":"a","ids":["x","y","z"]}`},
		{"one kind", `{"word":"a","kind":6}`, `{"word":"a","kind":[6]}`},
		{"one kind in a text", `{"word":"a","kind":"6"}`, `{"word":"a","kind":[6]}`},
		{"kinds as texts", `{"word":"a","kind":["6",16]}`, `{"word":"a","kind":[6,16]}`},
		{"a time as a number", `{"word":"a","since":1700000000}`, `{"word":"a","since":"1700000000"}`},
		{"a column by its name alone", `{"word":"a","cols":["k",{"key":"l","label":"L"}]}`, `{"word":"a","cols":[{"key":"k"},{"key":"l","label":"L"}]}`},
		{"a list inside a text", `{"word":"a","cols":"[\"k\"]"}`, `{"word":"a","cols":[{"key":"k"}]}`},
		{"all of it inside a text", `"{\"word\":\"a\",\"count\":\"2\"}"`, `{"word":"a","count":2}`},
		{"members of free JSON stay in order", `{"word":"a","spec":{"z":1,"a":2}}`, `{"word":"a","spec":{"z":1,"a":2}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res, err := echoTool().Call(t.Context(), &Env{}, json.RawMessage(tt.args))
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(res.(echo).sampleArgs)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestWrongArgumentsAreNamedSoThatAModelCanCorrectThem(t *testing.T) {
	for _, tt := range []struct{ name, args, want string }{
		{"a required one is missing", `{}`, `echo: word: expected a text (required), got nothing; schema: {"type":"string","maxLength":10}`},
		{"nothing at all", ``, `echo: word: expected a text (required), got nothing`},
		{"a required one is null", `{"word":null}`, `echo: word: expected a text, got null`},
		{"an unknown one, near a known one", `{"word":"a","counts":1}`, `echo: counts: expected one of word, count, ratio, loud, mode, ids, kind, since, cols, spec (did you mean "count"?), got an unknown argument`},
		{"a fraction for a whole number", `{"word":"a","count":1.5}`, `echo: count: expected a whole number, got the number 1.5; schema: {"type":"integer"}`},
		{"a huge number", `{"word":"a","count":1e30}`, `echo: count: expected a whole number, got the number 1e30`},
		{"a word for a number", `{"word":"a","count":"ten"}`, `echo: count: expected a whole number, got "ten"`},
		{"a list for a text", `{"word":["a"]}`, `echo: word: expected a text, got a list of 1`},
		{"a word that is none of the enum's", `{"word":"a","mode":"middle"}`, `echo: mode: expected one of low, high, got "middle"`},
		{"a text too long", `{"word":"aaaaaaaaaaaaaaaa"}`, `echo: word: expected at most 10 characters`},
		{"a kind out of range", `{"word":"a","kind":70000}`, `echo: kind: expected a whole number from 0 to 65535 or a list, got the number 70000`},
		{"a wrong item in a list", `{"word":"a","ids":["x",{}]}`, `echo: ids[1]: expected a text, got an object with 0 members`},
		{"a wrong member of an object in a list", `{"word":"a","cols":[{"key":"k","title":"x"}]}`, `echo: cols[0].title: expected one of key, label`},
		{"too many items", `{"word":"a","cols":["a","b","c"]}`, `echo: cols: expected at most 2 items, got a list of 3`},
		{"a list for the arguments", `[1]`, `echo: arguments: expected a JSON object, got a list of 1`},
		{"no JSON", `{"word":`, `echo: arguments: expected a JSON object, got text that is no JSON`},
		{"two values", `{"word":"a"}{}`, `more text after the value`},
		{"a private key is not repeated", `{"word":"a","mode":"nsec1qqqqqq"}`, `got a private key`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := echoTool().Call(t.Context(), &Env{}, json.RawMessage(tt.args))
			var ae *ArgumentError
			if !errors.As(err, &ae) {
				t.Fatalf("error %v is no *ArgumentError", err)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got  %s\nwant %s", err, tt.want)
			}
		})
	}
}

func TestArgumentsAreCheckedWithoutRunningTheTool(t *testing.T) {
	normalizer, ok := echoTool().(Normalizer)
	if !ok {
		t.Fatal("a tool made by New is no Normalizer")
	}
	var wrong *ArgumentError
	if _, err := normalizer.Normalize(json.RawMessage(`{"count":3}`)); !errors.As(err, &wrong) || wrong.Tool != "echo" || wrong.Path != "word" {
		t.Errorf("got %v", err)
	}
	if got, err := normalizer.Normalize(json.RawMessage(`{"word":"hello","count":"3"}`)); err != nil || string(got) != `{"count":3,"word":"hello"}` {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestArgumentsOverTheirSizeAreRefused(t *testing.T) {
	big := `{"word":"` + strings.Repeat("a", maxArguments) + `"}`
	if _, err := echoTool().Call(t.Context(), &Env{}, json.RawMessage(big)); err == nil {
		t.Fatal("not refused")
	}
}

func TestARegistryRefusesTwoToolsOfOneName(t *testing.T) {
	if _, err := NewRegistry(echoTool(), echoTool()); err == nil {
		t.Fatal("not refused")
	}
}

func TestBuiltinToolsAreSortedFoundAndHarmless(t *testing.T) {
	r := Builtin()
	last := ""
	for _, tool := range r.All() {
		s := tool.Spec()
		if s.Name <= last {
			t.Errorf("%s comes after %s", s.Name, last)
		}
		last = s.Name
		if got, ok := r.Get(s.Name); !ok || got != tool {
			t.Errorf("%s is not found by its name", s.Name)
		}
		if s.Effect != None {
			t.Errorf("%s has effect %s", s.Name, s.Effect)
		}
		if s.Description == "" || !json.Valid(s.Schema) {
			t.Errorf("%s has no description or no schema", s.Name)
		}
	}
	if _, ok := r.Get("nothing"); ok {
		t.Error("an unknown tool is found")
	}
}
