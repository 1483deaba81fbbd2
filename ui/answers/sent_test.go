package answers

import (
	"strings"
	"testing"

	"bowerbird/app/models"
	"bowerbird/llm"
)

func TestARequestIsTakenApartByItsMessagesInEveryFamilysForm(t *testing.T) {
	for name, tt := range map[string]struct{ body, parts string }{
		"chat completions": {
			`{"model":"m","messages":[{"role":"system","content":"Be short."},{"role":"user","content":"How many?"},
			 {"role":"assistant","tool_calls":[{"id":"c","function":{"name":"count"}}]},{"role":"tool","tool_call_id":"c","content":"{\"count\":3}"}],
			 "tools":[{"type":"function","function":{"name":"count"}},{"type":"function","function":{"name":"query"}}],"stream":true}`,
			"Instructions: Be short. | You: How many? | The model: tool_calls: [ { \"id\": \"c\", \"function\": { \"name\": \"count\" } } ] | Tool result: {\"count\":3} | 2 tools: count, query | Settings: model: m stream: true",
		},
		"Anthropic": {
			`{"system":[{"type":"text","text":"Be short.","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":"How many?"},
			 {"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"3"}]}],"tools":[{"name":"count"}]}`,
			"Instructions: type: text Be short. cache_control: { \"type\": \"ephemeral\" } | You: How many? | Tool result: type: tool_result tool_use_id: c 3 | 1 tools: count",
		},
		"Responses": {
			`{"instructions":"Be short.","input":[{"role":"user","content":[{"type":"input_text","text":"How many?"}]},{"type":"function_call","name":"count"},{"type":"function_call_output","output":"3"}],"store":false}`,
			"Instructions: Be short. | You: type: input_text How many? | The model: type: function_call name: count | Tool result: type: function_call_output 3 | Settings: store: false",
		},
		"a plain prompt":    {`{"input":"How many?"}`, "You: How many?"},
		"no object":         {`[1,2]`, ""},
		"something behind":  {`{"messages":[]} x`, ""},
		"broken":            {`{"messages":[`, ""},
		"nothing":           {``, ""},
		"hidden characters": {`{"messages":[{"role":"user","content":"a\u202eb"}]}`, "You: ab"},
	} {
		t.Run(name, func(t *testing.T) {
			r := ReadSent([]models.SentRequest{{SentRequest: llm.SentRequest{Body: []byte(tt.body)}}})[0]
			var got []string
			for _, p := range r.Parts {
				got = append(got, english(p.Name)+": "+p.First)
			}
			if all := strings.Join(got, " | "); all != tt.parts {
				t.Errorf("the parts are\n%s\nwant\n%s", all, tt.parts)
			}
			if exact := strings.Join(r.Exact, ""); !strings.HasSuffix(strings.ReplaceAll(exact, "\n", ""), strings.ReplaceAll(tt.body, "\n", "")) {
				t.Errorf("its bytes are shown as %q", exact)
			}
			if name == "hidden characters" && !strings.Contains(r.Parts[0].Text[0], "⟦U+202E⟧") {
				t.Errorf("a hidden character is hidden: %q", r.Parts[0].Text)
			}
		})
	}
}

func TestWhatBecameOfARequestIsSaid(t *testing.T) {
	for want, of := range map[string]llm.Outcome{
		"answered": {Status: 200}, "refused with 429": {Status: 429}, "not answered yet": {},
		"not answered: connection refused": {Failed: "connection\nrefused"},
	} {
		r := ReadSent([]models.SentRequest{{SentRequest: llm.SentRequest{URL: "https://api.example/v1/x"}, Outcome: of}})[0]
		if got := english(r.Outcome); got != want || r.Host != "api.example" {
			t.Errorf("%q at %q, want %q", got, r.Host, want)
		}
	}
}

func TestPiecesOfATextAreShortAndTogetherTheText(t *testing.T) {
	for name, text := range map[string]string{
		"lines":        strings.Repeat("a line\n", 1000) + "end",
		"one word":     strings.Repeat("ä", 50_000),
		"words":        strings.Repeat("word ", 20_000) + "end",
		"long lines":   strings.Repeat(strings.Repeat("word ", 900)+"\n", 20) + "end",
		"empty":        "",
		"feeds inside": "a\n\n\n\nb",
	} {
		t.Run(name, func(t *testing.T) {
			all := pieces(text)
			for _, p := range all {
				if n := len([]rune(p)); n > pieceRunes+pieceLines || strings.Count(p, "\n") >= pieceLines {
					t.Fatalf("a piece has %d runes and %d lines", n, strings.Count(p, "\n")+1)
				}
			}
			if got := strings.ReplaceAll(strings.Join(all, ""), "\n", ""); got != strings.ReplaceAll(text, "\n", "") {
				t.Errorf("%d bytes of %d are left", len(got), len(text))
			}
		})
	}
}

// BenchmarkReadSent measures reading a request of 4 MB, off the window's thread.
func BenchmarkReadSent(b *testing.B) {
	message := `{"role":"user","content":"` + strings.Repeat(`A note about a relay.\n`, 500) + `"}`
	body := []byte(`{"messages":[` + strings.Repeat(message+",", 380) + message + `]}`)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		ReadSent([]models.SentRequest{{SentRequest: llm.SentRequest{Body: body}}})
	}
}
