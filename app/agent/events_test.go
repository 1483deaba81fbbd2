package agent_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/app/check"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/tools"
)

var update = flag.Bool("update", false, "write the examples of docs/events.md anew")

const (
	noteA = "43bc2ea9cc4ff0e1d1a7b5c6bd8e9d3c0a7b5c6bd8e9d3c0a7b5c6bd8e9d3c0a"
	noteB = "9f21d3c0a7b5c6bd8e9d3c0a7b5c6bd8e9d3c0a7b5c6bd8e9d3c0a7b5c6bd8e9"
)

// documented are the examples of docs/events.md, by name.
func documented() map[string]agent.Event {
	columns := []tools.Column{{Key: "tag", Label: "Hashtag"}, {Key: "n", Label: "Notes"}}
	table := tools.TableResult{Title: "Top hashtags", Columns: columns, Rows: [][]string{{"#comet", "41"}, {"#choir", "12"}}, Numeric: []bool{false, true}}
	event := func(step int, e agent.Event) agent.Event {
		e.Turn, e.Step = "0f3a-2", step
		return e
	}
	return map[string]agent.Event{
		"text":            event(2, agent.Event{Type: agent.EventText, Delta: "Ada's bridge is <open> again ^1.\n"}),
		"reasoning":       event(1, agent.Event{Type: agent.EventReasoning, Delta: "The user asks about yesterday"}),
		"refusal":         event(1, agent.Event{Type: agent.EventRefusal, Delta: "I cannot help with that."}),
		"tool_call_begun": event(1, agent.Event{Type: agent.EventToolCallBegun, ID: "call_1", Name: "query"}),
		"tool_call": event(1, agent.Event{
			Type: agent.EventToolCall, ID: "call_1", Name: "query",
			Arguments: json.RawMessage(`{"since":"2026-03-29T00:00:00+01:00","limit":100}`),
		}),
		"tool_call repaired": event(1, agent.Event{
			Type: agent.EventToolCall, ID: "call_2", Name: "count",
			Arguments: json.RawMessage(`{"hashtag":"comet"}`), Repaired: true,
		}),
		"tool_call invalid": event(1, agent.Event{
			Type: agent.EventToolCall, ID: "call_3", Name: "query",
			Arguments: json.RawMessage(`"{\"search\": \"com"`), Invalid: "cut off inside a string",
		}),
		"tool_result": event(1, agent.Event{
			Type: agent.EventToolResult, ID: "call_2", Name: "count", Millis: 7,
			Result: tools.CountResult{Scope: tools.Scope{Context: "any"}, Count: 41, Authors: 12},
		}),
		"tool_result failed": event(1, agent.Event{
			Type: agent.EventToolResult, ID: "call_3", Name: "query",
			Failure: "not run: the arguments could not be read (cut off inside a string); write them as one JSON object",
		}),
		"approval": event(2, agent.Event{
			Type: agent.EventApproval, ID: "call_4", Name: "publish_note", Effect: tools.Publishes,
			Preview: `publish_note (publishes): {"content":"good morning"}`,
			Frozen: &agent.Frozen{
				Arguments: `{"content":"good morning"}`, Tainted: true,
				Hash: "8d2f4c3b1a6e5f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8",
			},
		}),
		"progress":     event(2, agent.Event{Type: agent.EventProgress, ID: "call_4", Name: "mcp__weather__forecast", Progress: &tools.Progress{Done: 3, Total: 10, Words: "asking Bern"}}),
		"tool_started": event(2, agent.Event{Type: agent.EventToolStarted, ID: "call_4", Name: "publish_note"}),
		"present_notes": event(2, agent.Event{Type: agent.EventPresentNotes, Notes: &tools.PresentResult{
			Presented: []tools.PresentedNote{{Index: 1, NoteID: noteA}, {Index: 2, NoteID: noteB}},
			Missing:   []string{"note1xyz"},
		}}),
		"table": event(2, agent.Event{Type: agent.EventTable, Table: &table}),
		"chart": event(2, agent.Event{Type: agent.EventChart, Chart: &tools.ChartResult{
			Title: "Notes a day",
			Spec:  json.RawMessage(`{"mark":"bar","data":{"values":[{"day":"Mon","n":3}]},"encoding":{"x":{"field":"day","type":"nominal"},"y":{"field":"n","type":"quantitative"}}}`),
		}}),
		"chart refused": event(2, agent.Event{Type: agent.EventChart, Chart: &tools.ChartResult{Refused: "data must be inline, not at a URL", Table: &table}}),
		"usage":         event(2, agent.Event{Type: agent.EventUsage, Usage: &llm.Usage{Input: 5120, Output: 340, Cached: 4096}}),
		"usage with a cost": event(2, agent.Event{
			Type: agent.EventUsage, Usage: &llm.Usage{Input: 5120, Output: 340, Total: 5460, Cached: 4096, Written: 512, Thought: 120}, Cost: usd(0.0041),
		}),
		"checked": event(3, agent.Event{Type: agent.EventChecked, Checked: &check.Report{
			Read: 22, Sentences: 4, Cited: 3, Quotes: 1, Numbers: 1, Given: 1, Marks: []check.Mark{
				{Step: 3, Start: 45, End: 85, After: 85, Kind: check.Uncited, Text: "Tomasz has promised her a server in Rome."},
				{Step: 3, Start: 126, End: 132, After: 139, Kind: check.QuoteNotFound, Text: "ninety", Note: 2, Says: "nine hundred"},
				{Step: 3, Start: 137, End: 139, After: 139, Kind: check.Dangling, Text: "^7"},
			},
		}}),
		"retrying":               event(1, agent.Event{Type: agent.EventRetrying, Retry: &llm.Retry{AfterSeconds: 2, Reason: "overloaded"}}),
		"error":                  event(1, agent.Event{Type: agent.EventError, Err: &llm.Error{Kind: llm.KindRateLimit, Message: "too many requests", Status: 429, RetryAfterSeconds: 20}}),
		"error without a status": event(1, agent.Event{Type: agent.EventError, Err: &llm.Error{Kind: llm.KindOffline, Message: "no connection to the network"}}),
		"error with a cause":     event(1, agent.Event{Type: agent.EventError, Err: &llm.Error{Kind: llm.KindTransport, Cause: llm.CauseExpired, Message: "the connection to models.example broke: tls: failed to verify certificate: x509: certificate has expired or is not yet valid"}}),
		"finish":                 event(2, agent.Event{Type: agent.EventFinish, Finish: agent.FinishStop}),
		"finish with totals": event(2, agent.Event{
			Type: agent.EventFinish, Finish: agent.FinishStop,
			Usage: &llm.Usage{Input: 9800, Output: 410, Total: 10210, Cached: 8192}, Cost: usd(0.0067),
		}),
		"finish truncated": event(9, agent.Event{Type: agent.EventFinish, Finish: agent.FinishSteps, Trimmed: true}),
	}
}

func usd(amount float64) *float64 { return &amount }

var example = regexp.MustCompile("(?s)(<!-- example: ([a-z_ ]+) -->\n```json\n)(.*?)(```)")

func TestEventsHaveTheDocumentedForm(t *testing.T) {
	file := filepath.Join(testkit.Root(t), "docs", "events.md")
	doc, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	events := documented()
	seen := make(map[string]bool)
	out := example.ReplaceAllStringFunc(string(doc), func(block string) string {
		parts := example.FindStringSubmatch(block)
		name := parts[2]
		e, ok := events[name]
		if !ok || seen[name] {
			t.Errorf("%q is documented twice, or not tested", name)
			return block
		}
		seen[name] = true
		raw, err := e.MarshalJSON()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if want := string(raw) + "\n"; !*update && parts[3] != want {
			t.Errorf("%s: documented is\n%swritten is\n%s", name, parts[3], want)
		}
		return parts[1] + string(raw) + "\n" + parts[4]
	})
	for name := range events {
		if !seen[name] {
			t.Errorf("%q is not documented", name)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnEventIsReadAsItWasWritten(t *testing.T) {
	for name, e := range documented() {
		raw, err := e.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		var back agent.Event
		if err := json.Unmarshal(raw, &back); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		again, err := back.MarshalJSON()
		if err != nil || string(again) != string(raw) {
			t.Errorf("%s:\n%s\nis read back as\n%s (%v)", name, raw, again, err)
		}
		if e.Type != agent.EventToolResult && !reflect.DeepEqual(back, e) {
			t.Errorf("%s: %+v is read back as %+v", name, e, back)
		}
	}
}

func TestAnEventIsOneLineWhateverItHolds(t *testing.T) {
	hostile := "a\nb\r\u2028\u2029\x00\x1b\xff</script>"
	for _, e := range []agent.Event{
		{Type: agent.EventText, Delta: hostile},
		{Type: agent.EventToolCall, ID: hostile, Name: hostile, Arguments: json.RawMessage(hostile), Invalid: hostile},
		{Type: agent.EventToolCall, Arguments: json.RawMessage("{\n\"a\":\n1}")},
		{Type: agent.EventToolResult, Result: agent.RawResult("{\n}"), Name: hostile},
		{Type: agent.EventToolResult, Result: answerText(hostile)},
		{Type: agent.EventTable, Table: &tools.TableResult{Rows: [][]string{{hostile}}}},
		{Type: agent.EventPresentNotes},
		{Type: agent.EventChart},
		{Type: agent.EventUsage},
		{Type: agent.EventChecked},
		{Type: agent.EventRetrying},
		{Type: agent.EventError},
		{Type: agent.EventFinish, Finish: hostile},
	} {
		raw, err := e.MarshalJSON()
		if err != nil {
			t.Errorf("%+v: %v", e, err)
			continue
		}
		if strings.ContainsAny(string(raw), "\n\r\u2028\u2029") || !json.Valid(raw) {
			t.Errorf("%s is not one line of JSON", raw)
		}
	}
	if _, err := (agent.Event{Type: "odd"}).MarshalJSON(); err == nil {
		t.Error("an event of no known type was written")
	}
}

func FuzzReadEvent(f *testing.F) {
	for _, e := range documented() {
		raw, err := e.MarshalJSON()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(raw))
	}
	f.Fuzz(func(t *testing.T, s string) {
		var e agent.Event
		if json.Unmarshal([]byte(s), &e) != nil {
			return
		}
		raw, err := e.MarshalJSON()
		if err != nil {
			t.Fatalf("%q was read and cannot be written: %v", s, err)
		}
		var back agent.Event
		if err := json.Unmarshal(raw, &back); err != nil {
			t.Fatalf("%s was written and cannot be read: %v", raw, err)
		}
	})
}
