package textcall_test

import (
	"strings"
	"testing"

	"bowerbird/llm/textcall"
)

func TestACallOfMoreThanAMegabyteIsRefusedAndNotSearched(t *testing.T) {
	const inner = `[TOOL_CALLS]query{} `
	long := strings.Repeat(inner, 1+(1<<20)/len(inner))
	for name, answer := range map[string]string{
		"JSON":       `<tool_call>{"name": "query", "arguments": {"a": "` + long + `"}}</tool_call>`,
		"named":      `[TOOL_CALLS]query{"a": "` + long + `"}`,
		"Python":     `[query(a="` + long + `")]`,
		"parameters": "<function=query><parameter=a>" + long + "</parameter></function>",
	} {
		events := scan(textcall.Options{}, answer)
		if len(events) != 1 || events[0].Call.Name != "query" || !strings.Contains(events[0].Call.Invalid, "too long") {
			t.Errorf("%s: got %.300s", name, shown(events))
		}
	}
}

func TestBehindTheMostCallsOfAnAnswerAllIsText(t *testing.T) {
	const call, most = `[TOOL_CALLS]query{}`, 256
	calls, text := 0, ""
	for _, e := range scan(textcall.Options{}, strings.Repeat(call, most+2)) {
		if e.Kind == textcall.Called {
			calls++
		}
		text += e.Delta
	}
	if calls != most || text != call+call {
		t.Errorf("got %d calls and the text %q", calls, text)
	}
}
