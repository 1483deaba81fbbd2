package llm

import (
	"encoding/json"
	"strings"
	"testing"
)

// Row 002-32: each family asks for an answer in a given form in its own way, until a
// server refuses it.
func TestAFormOfTheAnswerIsAskedForInTheWayOfTheFamily(t *testing.T) {
	req := &Request{
		Messages: []Message{{Role: User, Text: "q"}},
		Answer:   json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`),
	}
	schema := string(req.Answer)
	for name, tt := range map[string]struct {
		write func(settings) any
		drop  string
		want  string
	}{
		"ollama": {
			func(s settings) any { return ollamaBody(&Client{model: "m"}, req, s) },
			"format", `"format":` + schema,
		},
		"responses": {
			func(s settings) any { return responsesBody("m", req, Provider{}, s) },
			"text.format", `"text":{"format":{"name":"answer","schema":` + schema + `,"strict":false,"type":"json_schema"}}`,
		},
		"chat completions": {
			func(s settings) any { return chatBody("m", req, Provider{}, s) },
			"response_format", `"response_format":{"json_schema":{"name":"answer","schema":` + schema + `},"type":"json_schema"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			body, err := json.Marshal(tt.write(settings{}))
			if err != nil || !strings.Contains(string(body), tt.want) {
				t.Errorf("%s (%v)", body, err)
			}
			body, err = json.Marshal(tt.write(settings{drop: map[string]bool{tt.drop: true}}))
			if err != nil || strings.Contains(string(body), "properties") {
				t.Errorf("refused, and sent all the same: %s (%v)", body, err)
			}
		})
	}
}
