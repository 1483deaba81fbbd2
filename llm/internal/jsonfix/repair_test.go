package jsonfix

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestArgumentsAreReadOrRefused(t *testing.T) {
	const cut, refused = "cut off", "not valid JSON"
	for _, test := range []struct {
		name, in string
		want     string // the object; "" when it is refused
		repaired bool
		because  string // part of the reason
	}{
		{"an object", `{"a":1}`, `{"a":1}`, false, ""},
		{"nothing", ``, `{}`, false, ""},
		{"white space", " \n", `{}`, false, ""},
		{"null", `null`, `{}`, false, ""},
		{"an empty string", `""`, `{}`, false, ""},
		{"an object in a string", `"{\"a\":\"b\"}"`, `{"a":"b"}`, false, ""},
		{"null in a string", `"null"`, `{}`, false, ""},
		{"a broken object in a string", `"{a:1}"`, `{"a":1}`, true, ""},
		{"an object in a string in a string", `"\"{\\\"a\\\":1}\""`, ``, false, "not a JSON object"},
		{"large numbers keep their digits", `{"id":12345678901234567890}`, `{"id":12345678901234567890}`, false, ""},
		{"a double key: the last one", `{"k":1,"k":{"j":12345678901234567890,"j":"<b>"}}`, `{"k":{"j":"<b>"}}`, false, ""},
		{"the same key in two objects", `{"a":{"k":1},"b":[{"k":1},{"k":2}]}`, `{"a":{"k":1},"b":[{"k":1},{"k":2}]}`, false, ""},
		{"an empty list, as PHP writes an empty object", `[]`, `{}`, true, ""},
		{"a list", `[{"a":1}]`, ``, false, "not a JSON object"},
		{"a number", `3`, ``, false, "not a JSON object"},
		{"a text", `"hello"`, ``, false, refused},

		{"a fence", "```json\n{\"a\":1}\n```", `{"a":1}`, true, ""},
		{"text before", `Sure: {"a":1}`, `{"a":1}`, true, ""},
		{"text behind", `{"a":1} I hope this helps.`, `{"a":1}`, true, ""},
		{"a token of the template", `{"a":1}<|call|>`, `{"a":1}`, true, ""},
		{"single quotes", `{'a':'it is "b"'}`, `{"a":"it is \"b\""}`, true, ""},
		{"a trailing comma", `{"a":[1,2,],}`, `{"a":[1,2]}`, true, ""},
		{"bare keys", `{a_b:1, c-d: {e2:2}}`, `{"a_b":1,"c-d":{"e2":2}}`, true, ""},
		{"Python's words", `{"a":True,"b":False,"c":None}`, `{"a":true,"b":false,"c":null}`, true, ""},
		{"None", `None`, `{}`, true, ""},
		{"a raw line break in a string", "{\"a\":\"b\nc\"}", `{"a":"b\u000ac"}`, true, ""},
		{"escapes that are none", `{"p":"a\.b\d+\x"}`, `{"p":"a\\.b\\d+\\x"}`, true, ""},
		{"good escapes beside a bad one", `{"p":"\"\\\u00e9\n\d"}`, `{"p":"\"\\\u00e9\n\\d"}`, true, ""},
		{"an escaped single quote", `{"a":'it\'s'}`, `{"a":"it's"}`, true, ""},
		{"a missing bracket", `{"a":{"b":[1,2`, `{"a":{"b":[1,2]}}`, true, ""},
		{"a bracket too many", `{"a":1}}`, `{"a":1}`, true, ""},
		{"the same object twice", `{"a":1}{"a":1}`, `{"a":1}`, true, ""},
		{"an empty object that is filled later", `{}{"a":1}`, `{"a":1}`, true, ""},

		{"two objects", `{"a":1}{"a":2}`, ``, false, "more than one"},
		{"a cut inside a string", `{"a":"b`, ``, false, refused},
		{"a cut behind a colon", `{"a":`, ``, false, refused},
		{"a cut behind a comma", `{"a":1,`, ``, false, refused},
		{"a lone bracket", `{`, ``, false, refused},
		{"a cut word", `{"a":tru`, ``, false, refused},
		{"quotes inside a string", `{"a":"say "hi" now"}`, ``, false, refused},
		{"a missing comma", `{"a":1 "b":2}`, ``, false, refused},
		{"two commas", `{"a":1,,"b":2}`, ``, false, refused},
		{"an object inside something else", `[{"a":1}`, ``, false, refused},
		{"an object that goes on behind its end", `{"a":1},"b":2}`, ``, false, refused},
		{"a list closed by a brace", `{"a":[1}`, ``, false, refused},
		{"words that are no values", `{"a":NaN}`, ``, false, refused},
		{"prose", `I cannot do that`, ``, false, refused},
		{"too deep", `{"a":` + strings.Repeat(`[`, 300), ``, false, "nested"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Read(test.in, true)
			if string(got.Object) != test.want || got.Repaired != test.repaired {
				t.Errorf("%s: got %s, repaired %v; want %s, %v", test.in, got.Object, got.Repaired, test.want, test.repaired)
			}
			if (test.want == "") != (got.Invalid != "") || !strings.Contains(got.Invalid, test.because) {
				t.Errorf("%s: refused because %q, want %q", test.in, got.Invalid, test.because)
			}
			if got.Object != nil && !json.Valid(got.Object) {
				t.Errorf("%s: %s is no JSON", test.in, got.Object)
			}
		})
		t.Run(test.name+", cut off by the limit", func(t *testing.T) {
			got := Read(test.in, false)
			if test.repaired && json.Valid([]byte(test.in)) {
				return // no text is missing
			}
			if test.repaired && !strings.Contains(got.Invalid, cut) {
				t.Errorf("%s: got %s (%q), but what is missing may be more than a bracket", test.in, got.Object, got.Invalid)
			}
		})
	}
}

// FuzzRepair holds that the outcome is an object or a reason, that valid objects
// stay as they are, and that what was repaired needs no second repair.
func FuzzRepair(f *testing.F) {
	for _, seed := range []string{
		`{"a":1}`, `{'a':True,}`, "```json\n{\"a\":\"b\\d\"}\n```", `{"a":[{"b":"c`, `"{\"a\":1}"`, `{}{"a":1}`, `{"a":1,"a":2}`,
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, in string, ended bool) {
		got := Read(in, ended)
		if (got.Object == nil) == (got.Invalid == "") {
			t.Fatalf("got both or neither of object %s and reason %q", got.Object, got.Invalid)
		}
		if got.Object == nil {
			return
		}
		if !isObject(got.Object) {
			t.Fatalf("%s is no object", got.Object)
		}
		if isObject([]byte(in)) && got.Repaired {
			t.Fatalf("a valid object was repaired to %s", got.Object)
		}
		if again := Read(string(got.Object), ended); again.Repaired || string(again.Object) != string(got.Object) {
			t.Fatalf("read again, %s became %s", got.Object, again.Object)
		}
	})
}

func isObject(raw []byte) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && raw[0] == '{' && json.Valid(raw)
}
