package textcall_test

import (
	"strings"
	"testing"

	"bowerbird/llm/textcall"
)

func TestOnlyWhatMayBecomeACallIsHeldBack(t *testing.T) {
	for _, test := range []struct{ piece, held string }{
		{"Hello, how are you?", ""},
		{"Hello \n", ""},
		{"a < b", ""},
		{"a <", "<"},
		{"a `co", ""},
		{"a ~~", "~~"},
		{"> quoted <tool_c", ""},
		{"qu", "qu"}, // Functionary begins with the name
		{"question", ""},
		{"al", "al"}, // or with all
		{"assist", "assist"},
		{"assistants", ""},
		{"a <tool_cal", "<tool_cal"},
		{"a <tool_calk", ""},
		{"a <table>", ">"}, // Functionary begins with three
		{"a <table> on", ""},
		{"see [", "["},
		{"see [1]", ""},
		{"see [get_note(", ""}, // no such tool
		{"see [query(a=1", "[query(a=1"},
		{`data: {"a`, `{"a`},
		{`data: {"answer": 42, "list": [1`, ""},
		{`call: {"name": "query"`, `{"name": "query"`},
		{"`<tool_call>` is", ""},
		{"code:\n```go\nfunc main() {", ""},
		{"code:\n```json\n{\"name\"", "```json\n{\"name\""},
		{"a \xf0\x9f\xa6", "\xf0\x9f\xa6"}, // a character that is not all there
		{"find functools", "functools"},
		{"find functions", ""},
		{"the <think> tag and ", ""},
		{"<|channel|>final<|message|>Hello <|en", "<|en"},
	} {
		s := textcall.New(textcall.Options{Tools: []textcall.Tool{{Name: "query"}}})
		told := ""
		for _, e := range s.Add(test.piece) {
			told += e.Delta
		}
		s.Close()
		want := strings.TrimPrefix(strings.TrimSuffix(test.piece, test.held), "<|channel|>final<|message|>")
		if told != want {
			t.Errorf("of %q it told %q, want %q", test.piece, told, want)
		}
	}
}

func TestAScannerCanBeLeftAtAnyPlace(t *testing.T) {
	for _, f := range readFixtures(t, "own") {
		for i := 0; i < len(f.body); i += 7 {
			s := textcall.New(f.options(t))
			s.Add(f.body[:i])
			s.Close()
			if more := append(s.Add("x"), s.End(true)...); more != nil {
				t.Fatalf("%s: after Close came %v", f.name, more)
			}
			s.Close()
		}
	}
}
