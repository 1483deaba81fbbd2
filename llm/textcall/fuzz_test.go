package textcall_test

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"bowerbird/llm/textcall"
)

// FuzzScan holds, for any answer at all, that the result does not depend on how it
// was cut, that nothing comes out that did not go in, that an answer without a call
// comes out whole, and that every call is
// either invalid with a reason or has an object as its arguments.
func FuzzScan(f *testing.F) {
	for _, dir := range []string{"textcalls", "own"} {
		for _, fx := range readFixtures(f, dir) {
			if len(fx.body) < 2000 {
				f.Add(fx.body, false)
			}
		}
	}
	f.Fuzz(func(t *testing.T, body string, known bool) {
		o := textcall.Options{Tools: []textcall.Tool{{Name: "query"}, {Name: "get_weather"}}, KnownOnly: known}
		whole := scan(o, body)
		if got := scan(o, bytewise(body)...); !reflect.DeepEqual(got, whole) {
			t.Fatalf("byte by byte\n %s\nwhole\n %s", shown(got), shown(whole))
		}
		if got := scan(o, cutAtRandom(body, 1)...); !reflect.DeepEqual(got, whole) {
			t.Fatalf("in pieces\n %s\nwhole\n %s", shown(got), shown(whole))
		}
		rest := body
		for _, e := range whole {
			if e.Kind != textcall.Called {
				for i := range len(e.Delta) { // marks may stand between
					at := strings.IndexByte(rest, e.Delta[i])
					if at < 0 {
						t.Fatalf("%q did not stand in the answer", e.Delta)
					}
					rest = rest[at+1:]
				}
				continue
			}
			checkCall(t, o, e.Call)
		}
		if strings.IndexFunc(body, isLetter) >= 0 && !dropsMarks.MatchString(body) && len(whole) == 1 && whole[0].Kind == textcall.Text && whole[0].Delta != body {
			t.Fatalf("an answer without a call became %s", shown(whole))
		}
		opener := strings.ContainsAny(body, "<[{`>◁✿") || strings.Contains(body, "functools") || strings.Contains(body, "Action:") || strings.Contains(body, "all\n")
		if !opener && body != "" && (len(whole) != 1 || whole[0].Kind != textcall.Text || whole[0].Delta != body) {
			t.Fatalf("text without an opener became %s", shown(whole))
		}
	})
}

// dropsMarks finds the marks that are left out where they hold no call: those of
// messages, of answers, and of reasoning that may be empty.
var dropsMarks = regexp.MustCompile(`<\|message\|>|>>>all|<\|recipient\|>|all\n|_RESPONSE\|>|✿RETURN✿|(?i)think|thought|reasoning`)

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' }

func checkCall(t *testing.T, o textcall.Options, c textcall.Call) {
	t.Helper()
	var object map[string]any
	var raw string
	switch {
	case c.Invalid == "" && (json.Unmarshal(c.Arguments, &object) != nil || object == nil):
		t.Fatalf("the arguments of %+v are no object", c)
	case c.Invalid == "" && c.Name == "":
		t.Fatalf("the call %+v has no name and is valid", c)
	case c.Invalid != "" && json.Unmarshal(c.Arguments, &raw) != nil:
		t.Fatalf("the arguments of the invalid %+v are no text", c)
	case o.KnownOnly && c.Name != "query" && c.Name != "get_weather":
		t.Fatalf("%+v is not a known tool", c)
	}
}
