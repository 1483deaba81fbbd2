package llm_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

// foreignTools are ours and those of a server: tool 0 is ours, and the last is at fault.
func foreignTools(n int) (all []llm.Tool) {
	all = append(all, llm.Tool{Name: "query"})
	for i := range n {
		all = append(all, llm.Tool{Name: fmt.Sprintf("mcp__x__t%d", i+1), Description: "d", Foreign: true})
	}
	return all
}

// Refusals as providers word them: the tool that they name is left out, the request is
// repeated, and what is left out is remembered and named.
func TestAToolThatAServerRefusesIsLeftOut(t *testing.T) {
	for _, c := range []struct{ provider, message, param string }{
		{"openai", "Invalid schema for function 'mcp__x__t2': schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.", "tools[2].function.parameters"},
		{"openai", "Invalid schema for function 'mcp__x__t2': In context=('properties', 'temperature'), array schema missing items.", ""},
		{"openai", "Invalid 'tools[2].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 2357 instead.", "tools[2].function.description"},
		{"responses", "Invalid schema for function 'mcp__x__t2': array schema missing items.", "tools[2].parameters"},
		{"anthropic", "tools.2.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level", ""},
		{"anthropic", "tools.2.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'", ""},
		{"gemini", "* GenerateContentRequest.tools[0].function_declarations[2].parameters.properties[a].enum: only allowed for STRING type\n", ""},
		{"gemini", `Invalid JSON payload received. Unknown name "const" at 'tools[0].function_declarations[2].parameters': Cannot find field.`, ""},
		{"openrouter", "Unable to submit request because `mcp__x__t2` functionDeclaration `parameters.a` schema didn't specify the schema type field.", ""},
	} {
		s := testkit.NewModelServer(t, refusal(400, c.message, c.param, "invalid_function_parameters"), nextOf(c.provider), nextOf(c.provider))
		client := newClient(t, s, row(t, c.provider))
		var reasons []string
		req := &llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hi"}}, Tools: foreignTools(3)}
		for range 2 {
			for e, err := range client.Stream(t.Context(), req) {
				if err != nil {
					t.Errorf("%s, %s: %v", c.provider, c.message, err)
				}
				if e.Type == llm.EventRetrying {
					reasons = append(reasons, e.Retry.Reason)
				}
			}
		}
		if len(reasons) != 1 || reasons[0] != llm.ToolRefused+"mcp__x__t2" {
			t.Errorf("%s, %s: %q", c.provider, c.message, reasons)
		}
		got := s.Received()
		if len(got) != 3 || !strings.Contains(string(got[0].Body), "t2") {
			t.Fatalf("%s, %s: %d requests", c.provider, c.message, len(got))
		}
		for _, again := range got[1:] {
			if body := string(again.Body); strings.Contains(body, "t2") || !strings.Contains(body, "t1") || !strings.Contains(body, "t3") || !strings.Contains(body, "query") {
				t.Errorf("%s, %s: repeated with %s", c.provider, c.message, body)
			}
		}
		changed := req.Tools[2]
		changed.Description += " better"
		if why := client.Refuses(req.Tools[2]); why != strings.TrimSpace(c.message) || client.Refuses(changed) != "" || client.Refuses(req.Tools[1]) != "" {
			t.Errorf("%s: %q, %q, %q", c.message, why, client.Refuses(changed), client.Refuses(req.Tools[1]))
		}
	}
}

func TestOnlyToolsOfOtherProgramsThatAreNamedAreLeftOut(t *testing.T) {
	for _, c := range []struct {
		status         int
		message, param string
	}{
		{400, "Invalid schema for function 'query': no.", "tools[0].function.parameters"}, // ours
		{400, "Invalid value for messages[3]: mcp__x__t2 was here.", "messages[3]"},
		{400, "Invalid schema for function 'mcp__x__t22'.", ""},
		{400, "tools.9.custom.input_schema: no", ""},
		{400, "Bad request: 'messages', 3: {'function': {'name': 'mcp__x__t2'}}", ""}, // what it was sent
		{400, "Something is wrong with a schema.", ""},
		{403, "Invalid schema for function 'mcp__x__t2'.", "tools[2].function.parameters"},
	} {
		s := testkit.NewModelServer(t, refusal(c.status, c.message, c.param, "x"))
		got := ask(t, newClient(t, s), &llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hi"}}, Tools: foreignTools(3)})
		if got.Error == nil || len(s.Received()) != 1 {
			t.Errorf("%s: %+v after %d requests", c.message, got, len(s.Received()))
		}
	}
}

// Our own mark on the last tool is not that tool's fault.
func TestAMarkThatIsRefusedLeavesOutNoTool(t *testing.T) {
	s := testkit.NewModelServer(t, refusal(400, "tools.3.custom.cache_control: Extra inputs are not permitted", "", "x"), nextOf("anthropic"))
	client := newClient(t, s, row(t, "anthropic"))
	req := &llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hi"}}, Tools: foreignTools(3)}
	ask(t, client, req)
	if got := s.Received(); len(got) != 2 || !strings.Contains(string(got[1].Body), "mcp__x__t3") || client.Refuses(req.Tools[3]) != "" {
		t.Errorf("%d requests, %q", len(got), client.Refuses(req.Tools[3]))
	}
}

// A server that names one tool after the other is asked a few times, not once a tool.
func TestRefusalsOfOneToolAfterTheOtherEnd(t *testing.T) {
	var replies []testkit.Reply
	for i := range 20 {
		replies = append(replies, refusal(400, fmt.Sprintf("Invalid schema for function 'mcp__x__t%d'.", i+1), "tools[1].function.parameters", "x"))
	}
	s := testkit.NewModelServer(t, replies...)
	got := ask(t, newClient(t, s), &llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hi"}}, Tools: foreignTools(20)})
	if got.Error == nil || len(s.Received()) != 9 {
		t.Errorf("%+v after %d requests", got.Error, len(s.Received()))
	}
}

func TestWhatAServerRefusedOutlivesTheProgram(t *testing.T) {
	var first, second llm.Learned
	tools := foreignTools(2)
	s := testkit.NewModelServer(t, refusal(400, "tools[1]: no", "", ""), ok())
	ask(t, newClient(t, s, func(o *llm.Options) { o.Learned = &first }), &llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hi"}}, Tools: tools})
	raw, err := json.Marshal(first.Lessons())
	if err != nil {
		t.Fatal(err)
	}
	var kept []llm.Lesson
	if err := json.Unmarshal(raw, &kept); err != nil {
		t.Fatal(err)
	}
	second.Keep(kept, nil)
	if c := newClient(t, s, func(o *llm.Options) { o.Learned = &second }); c.Refuses(tools[1]) != "tools[1]: no" || c.Refuses(tools[2]) != "" {
		t.Errorf("kept %s: %q", raw, c.Refuses(tools[1]))
	}
}
