package llm

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// assembled puts the calls of chunks together; each line is one delta's
// tool_calls.
func assembled(t testing.TB, deltas ...string) []string {
	t.Helper()
	var a assembler
	for _, d := range deltas {
		c, err := parseChunk([]byte(`{"choices":[{"delta":{"tool_calls":` + d + `}}]}`))
		if err != nil {
			t.Fatalf("%s: %v", d, err)
		}
		a.add(c.calls)
	}
	var out []string
	n := 0
	for _, c := range a.calls(true, "", func() string { n++; return fmt.Sprint("new", n) }) {
		line := c.ID + " " + c.Name + " " + string(c.Arguments)
		if c.Repaired {
			line += " repaired"
		}
		if c.Invalid != "" {
			line += " invalid"
		}
		out = append(out, line)
	}
	return out
}

func TestCallsArePutTogetherFromTheirPieces(t *testing.T) {
	for _, test := range []struct {
		name   string
		deltas []string
		want   []string
	}{
		{
			"interleaved by index",
			[]string{
				`[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}]`,
				`[{"index":1,"id":"b","function":{"name":"g","arguments":"{\"y\""}}]`,
				`[{"index":0,"function":{"arguments":":1}"}},{"index":1,"function":{"arguments":":2}"}}]`,
			},
			[]string{`a f {"x":1}`, `b g {"y":2}`},
		},
		{
			"interleaved by id alone",
			[]string{
				`[{"id":"a","function":{"name":"f","arguments":"{\"x\""}}]`,
				`[{"id":"b","function":{"name":"g","arguments":"{\"y\""}}]`,
				`[{"id":"a","function":{"arguments":":1}"}}]`,
				`[{"id":"b","function":{"arguments":":2}"}}]`,
			},
			[]string{`a f {"x":1}`, `b g {"y":2}`},
		},
		{
			"an index is a label: it may begin anywhere, jump, fall and be huge",
			[]string{
				`[{"index":7,"id":"a","function":{"name":"f","arguments":"{}"}}]`,
				`[{"index":2,"id":"b","function":{"name":"g","arguments":"{"}}]`,
				`[{"index":999999999,"id":"c","function":{"name":"h"}}]`,
				`[{"index":2,"function":{"arguments":"}"}}]`,
				`[{"index":-1,"id":"d","function":{"name":"i"}}]`,
			},
			[]string{`a f {}`, `b g {}`, `c h {}`, `d i {}`},
		},
		{
			"an index in quotes, and an id that is a number",
			[]string{`[{"index":"0","id":17,"function":{"name":"f","arguments":"{\"x\":"}}]`, `[{"index":"0","function":{"arguments":"1}"}}]`},
			[]string{`17 f {"x":1}`},
		},
		{
			"all at index 0, told apart by id",
			[]string{
				`[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}]`,
				`[{"index":0,"id":"b","function":{"name":"f","arguments":"{\"x\":2}"}}]`,
				`[{"index":0,"id":"c","function":{"name":"g","arguments":""}}]`,
				`[{"index":0,"id":"d","function":{"name":"g","arguments":""}}]`,
			},
			[]string{`a f {"x":1}`, `b f {"x":2}`, `c g {}`, `d g {}`},
		},
		{
			"all at index 0 and no ids, told apart by whole arguments",
			[]string{
				`[{"index":0,"function":{"name":"f","arguments":"{\"x\":1}"}}]`,
				`[{"index":0,"function":{"name":"f","arguments":"{\"x\":2}"}}]`,
				`[{"index":0,"function":{"name":"g","arguments":"{\"x\":2}"}}]`,
			},
			[]string{`new1 f {"x":1}`, `new2 f {"x":2}`, `new3 g {"x":2}`},
		},
		{
			"two in one delta, with nothing to tell them apart",
			[]string{`[{"function":{"name":"f","arguments":"{}"}},{"function":{"name":"f","arguments":"{}"}}]`},
			[]string{`new1 f {}`, `new2 f {}`},
		},
		{
			"one id for all",
			[]string{
				`[{"index":0,"id":"call_0","function":{"name":"f","arguments":"{\"x\":1}"}}]`,
				`[{"index":1,"id":"call_0","function":{"name":"f","arguments":"{\"x\""}}]`,
				`[{"index":1,"function":{"arguments":":2}"}}]`,
			},
			[]string{`call_0 f {"x":1}`, `new1 f {"x":2}`},
		},
		{
			"another id with every piece",
			[]string{
				`[{"index":0,"id":"a","function":{"name":"f","arguments":""}}]`,
				`[{"index":0,"id":"b","function":{"arguments":"{\"x\":"}}]`,
				`[{"index":0,"id":"c","function":{"name":"f","arguments":"1}"}}]`,
			},
			[]string{`a f {"x":1}`},
		},
		{
			"the index comes late",
			[]string{`[{"id":"a","function":{"name":"f"}}]`, `[{"index":0,"function":{"arguments":"{\"x\":1}"}}]`},
			[]string{`a f {"x":1}`},
		},
		{
			"the index runs away from an open call",
			[]string{
				`[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}]`,
				`[{"index":1,"function":{"arguments":"1}"}}]`,
			},
			[]string{`a f {"x":1}`},
		},
		{
			"a name in pieces",
			[]string{`[{"index":0,"id":"a","function":{"name":"get_"}}]`, `[{"index":0,"function":{"name":"weather"}}]`, `[{"index":0,"function":{"arguments":"{}"}}]`},
			[]string{`a get_weather {}`},
		},
		{
			"a name that grows, and one that is repeated with every piece",
			[]string{
				`[{"index":0,"id":"a","function":{"name":"get"}}]`, `[{"index":0,"function":{"name":"get_weather"}}]`,
				`[{"index":0,"function":{"name":"get_weather","arguments":"{\"x\":"}}]`,
				`[{"index":0,"function":{"name":"get_weather","arguments":"1}"}}]`,
			},
			[]string{`a get_weather {"x":1}`},
		},
		{
			"arguments that grow",
			[]string{
				`[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}]`,
				`[{"index":0,"function":{"arguments":"{\"x\":[1"}}]`, `[{"index":0,"function":{"arguments":"{\"x\":[1]}"}}]`,
			},
			[]string{`a f {"x":[1]}`},
		},
		{
			"arguments that come once more as a whole",
			[]string{
				`[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}]`, `[{"index":0,"function":{"arguments":":1}"}}]`,
				`[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}]`,
			},
			[]string{`a f {"x":1}`},
		},
		{
			"arguments that come once more as a whole, before their end was reached",
			[]string{
				`[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}]`, `[{"index":0,"function":{"arguments":"1"}}]`,
				`[{"index":0,"function":{"arguments":"{\"x\":1,\"y\":2}"}}]`,
			},
			[]string{`a f {"x":1,"y":2}`},
		},
		{
			"an empty object before the arguments",
			[]string{`[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]`, `[{"index":0,"function":{"arguments":"{\"x\":"}}]`, `[{"index":0,"function":{"arguments":"1}"}}]`},
			[]string{`a f {"x":1}`},
		},
		{
			"an empty object behind the arguments",
			[]string{`[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}]`, `[{"index":0,"function":{"arguments":"{}"}}]`},
			[]string{`a f {"x":1}`},
		},
		{
			"arguments as an object",
			[]string{`[{"index":0,"id":"a","function":{"name":"f","arguments":{"x":"y"}}}]`},
			[]string{`a f {"x":"y"}`},
		},
		{
			"an empty text behind arguments as an object",
			[]string{`[{"index":0,"id":"a","function":{"name":"f","arguments":{"x":1}}}]`, `[{"index":0,"function":{"arguments":"{}"}}]`},
			[]string{`a f {"x":1}`},
		},
		{
			"two calls of one tool in pieces, with nothing to tell them apart",
			[]string{
				`[{"index":0,"function":{"name":"f","arguments":"{\"x\":"}}]`, `[{"index":0,"function":{"arguments":"1}"}}]`,
				`[{"index":0,"function":{"name":"f","arguments":"{\"x\":"}}]`, `[{"index":0,"function":{"arguments":"2}"}}]`,
			},
			[]string{`new1 f {"x":1}`, `new2 f {"x":2}`},
		},
		{
			"no arguments, in four ways",
			[]string{`[{"index":0,"id":"a","function":{"name":"f"}},{"index":1,"id":"b","function":{"name":"f","arguments":null}}]`, `[{"index":2,"id":"c","function":{"name":"f","arguments":"\"\""}},{"index":3,"id":"d","function":{"name":"f","arguments":"null"}}]`},
			[]string{`a f {}`, `b f {}`, `c f {}`, `d f {}`},
		},
		{
			"a call without its function object around it, alone in no list",
			[]string{`{"id":"a","name":"f","arguments":"{\"x\":1}"}`},
			[]string{`a f {"x":1}`},
		},
		{
			"members of the wrong type cost only themselves",
			[]string{`[{"index":{},"id":["a"],"type":3,"function":{"name":"f","arguments":"{\"x\":1}"}}]`},
			[]string{`new1 f {"x":1}`},
		},
		{
			"an id that we made is no one else's",
			[]string{`[{"index":0,"function":{"name":"f"}},{"index":1,"id":"new1","function":{"name":"g"}}]`},
			[]string{`new12 f {}`, `new1 g {}`},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := assembled(t, test.deltas...); strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

func TestTheCallsOfOneAnswerAreLimited(t *testing.T) {
	var a assembler
	for i := range 10 * maxCalls {
		a.add([]callDelta{{id: fmt.Sprint(i), name: "f", args: "{}"}})
	}
	if len(a.slots) != maxCalls {
		t.Errorf("got %d calls, want %d", len(a.slots), maxCalls)
	}
}

// FuzzAssemble holds that every call has an id of its own and either an object or
// a reason why not, whatever comes.
func FuzzAssemble(f *testing.F) {
	f.Add(`[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}]`, `[{"index":0,"function":{"arguments":"}"}}]`)
	f.Add(`[{"id":"a","name":"f"},{"id":"a","name":"g"}]`, `{"index":"1","function":{"arguments":{"x":1}}}`)
	f.Fuzz(func(t *testing.T, first, second string) {
		var a assembler
		for _, raw := range []string{first, second, first} {
			c := chunk{}
			c.readDelta(wireDelta{ToolCalls: json.RawMessage(raw)})
			a.add(c.calls)
		}
		ids := map[string]bool{}
		for _, c := range a.calls(true, "", func() string { return "new" }) {
			if c.ID == "" || ids[c.ID] {
				t.Fatalf("id %q is empty or double", c.ID)
			}
			ids[c.ID] = true
			if c.Invalid == "" && !isObject(c.Arguments) || !json.Valid(c.Arguments) {
				t.Fatalf("arguments %s of a call that is invalid because %q", c.Arguments, c.Invalid)
			}
		}
	})
}
