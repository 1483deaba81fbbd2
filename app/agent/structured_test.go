package agent_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/tools"
)

// digestCard is an answer in a fixed form.
type digestCard struct {
	Title  string   `json:"title" jsonschema:"a few words" maxLength:"40"`
	Mood   string   `json:"mood,omitempty" enum:"calm,busy"`
	Points []string `json:"points" minItems:"1" maxItems:"3"`
}

// Row 002-32: an answer in a given form is checked, and asked for once more where it
// does not fit; then it is an error that says what was wrong.
func TestAnAnswerInAGivenFormIsCheckedAndAskedForOnceMore(t *testing.T) {
	const fine = `{"title":"Bridge","mood":"busy","points":["open again"]}`
	for _, tt := range []struct {
		name    string
		answers []string
		want    string // title, or what the error says
		fails   bool
		rounds  int
	}{
		{"valid", []string{fine}, "Bridge", false, 1},
		{"in a fence, with words around it", []string{"Here it is:\n```json\n" + fine + "\n```\n"}, "Bridge", false, 1},
		{"with a trailing comma", []string{`{"title":"Bridge","points":["a"],}`}, "Bridge", false, 1},
		{"invalid, then valid", []string{`{"title":"Bridge"}`, fine}, "Bridge", false, 2},
		{"no JSON, then valid", []string{"I would rather talk.", fine}, "Bridge", false, 2},
		{"an object too many, then valid", []string{fine + `{"title":"Ferry","points":["b"]}`, fine}, "Bridge", false, 2},
		{"invalid twice", []string{`{"title":"Bridge"}`, `{"title":"Bridge","points":[]}`, fine}, "points: expected at least 1 items", true, 2},
		{"not one of those named, twice", []string{`{"title":"x","mood":"grim","points":["a"]}`}, "mood: expected", true, 2},
		{"an unknown member, twice", []string{`{"title":"x","points":["a"],"colour":"red"}`}, "colour", true, 2},
		{"longer than any answer", []string{`{"title":"` + strings.Repeat("x", 10<<20) + `"}`}, "longer than", true, 1},
		{"deeper than any answer", []string{strings.Repeat("[", 200<<10)}, "not", true, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var script []reply
			for _, text := range tt.answers {
				script = append(script, func(*llm.Request) ([]llm.Event, error) {
					return []llm.Event{{Type: llm.EventText, Delta: text}, {Type: llm.EventUsage, Usage: &llm.Usage{Input: 10, Output: 1}}, {Type: llm.EventFinish, Finish: "stop"}}, nil
				})
			}
			m := &scripted{script: script}
			card, usage, err := agent.Structured[digestCard](t.Context(), newAgent(t, agent.Options{Model: m}), "You are short.", "How is it?")
			var form *agent.AnswerError
			switch {
			case tt.fails && (!errors.As(err, &form) || !strings.Contains(err.Error(), tt.want) || card.Title != ""):
				t.Errorf("%+v, %v", card, err)
			case !tt.fails && (err != nil || card.Title != tt.want):
				t.Errorf("%+v, %v", card, err)
			}
			if len(m.requests) != tt.rounds || tt.rounds == 2 && usage.Input != 20 {
				t.Fatalf("%d rounds, want %d; usage %+v", len(m.requests), tt.rounds, usage)
			}
			if tt.rounds < 2 {
				return
			}
			last := m.requests[1].Messages
			if n := len(last); n != 4 || !strings.HasPrefix(last[3].Text, "That does not fit: ") || last[2].Role != llm.Assistant {
				t.Errorf("the second round is asked with %+v", last)
			}
		})
	}
}

// Row 002-32: what the model failed with, refused or did not finish is no answer.
func TestAnAnswerInAGivenFormThatDidNotComeIsAnError(t *testing.T) {
	event := func(events ...llm.Event) reply {
		return func(*llm.Request) ([]llm.Event, error) { return events, nil }
	}
	half := llm.Event{Type: llm.EventText, Delta: `{"title":"Bri`}
	for name, tt := range map[string]struct {
		answer reply
		want   string
	}{
		"a failure":       {fails(llm.KindServer, half), "scripted"},
		"a refusal":       {event(llm.Event{Type: llm.EventRefusal, Delta: "I will not."}), "I will not."},
		"held back":       {event(half, llm.Event{Type: llm.EventFinish, Finish: "content_filter"}), "rules of content"},
		"out of tokens":   {event(half, llm.Event{Type: llm.EventFinish, Finish: "length"}), "out of tokens"},
		"nothing, twice":  {event(), "title: expected"},
		"the wrong shape": {event(llm.Event{Type: llm.EventText, Delta: `["a"]`}), "not a JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := agent.Structured[digestCard](t.Context(), newAgent(t, agent.Options{Model: &scripted{script: []reply{tt.answer}}}), "", "q")
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

// Row 002-32: a server that takes the schema gets it; one that refuses it is asked in
// words alone, now and later.
func TestASchemaIsSentToServersThatTakeOne(t *testing.T) {
	fine := testkit.SSE(`{"choices":[{"index":0,"delta":{"content":"{\"title\":\"Bridge\",\"points\":[\"a\"]}"}}]}`, `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`)
	refused := testkit.Reply{Status: 400, Body: `{"error":{"message":"This response_format type is unavailable now","type":"invalid_request_error"}}`}
	s := testkit.NewModelServer(t, refused, fine, fine)
	a := newAgent(t, agent.Options{Model: overHTTP(t, s), Tools: []tools.Tool{echo("read")}})
	for range 2 {
		card, _, err := agent.Structured[digestCard](t.Context(), a, "", "How is it? My key is "+testNsec)
		if err != nil || card.Title != "Bridge" {
			t.Fatal(card, err)
		}
	}
	got := s.Received()
	if len(got) != 3 {
		t.Fatalf("%d requests", len(got))
	}
	for i, r := range got {
		var body struct {
			Format struct {
				Type   string `json:"type"`
				Schema struct {
					Schema json.RawMessage `json:"schema"`
				} `json:"json_schema"`
			} `json:"response_format"`
			Tools []any `json:"tools"`
		}
		if err := json.Unmarshal(r.Body, &body); err != nil {
			t.Fatal(err)
		}
		if sent := body.Format.Type == "json_schema" && bytes.Contains(body.Format.Schema.Schema, []byte(`"points"`)); sent != (i == 0) {
			t.Errorf("request %d: a schema was sent: %v", i+1, sent)
		}
		if len(body.Tools) > 0 || !bytes.Contains(r.Body, []byte("fits this JSON Schema")) || bytes.Contains(r.Body, []byte(testNsec)) {
			t.Errorf("request %d: %s", i+1, r.Body)
		}
	}
}
