package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"bowerbird/tools"
)

func TestAServersQuestionInTheTerminal(t *testing.T) {
	q, err := tools.NewQuestion("weather", "Which\u202e city?", json.RawMessage(`{"type":"object","required":["city"],"properties":{
		"city":{"type":"string"},"days":{"type":"integer","maximum":7,"default":3},"fast":{"type":"boolean"},
		"parts":{"type":"array","items":{"anyOf":[{"const":"r","title":"Rain"},{"const":"w","title":"Wind"}]}},"unit":{"type":"string","enum":["c","f"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]string{
		"Bern\n5\nyes\nrain, w\nf\nyes\n": `{"city":"Bern","days":5,"fast":true,"parts":["r","w"],"unit":"f"}`,
		"Bern\n\nno\n\n\nyes\n":           `{"city":"Bern","days":3,"fast":false}`,
		"Bern\n\n\n\n\nno\n":              "declined",
		"Bern\n":                          "declined", // the end of the input
		"\n\n\n\n\nyes\n":                 "city is missing",
		"Bern\n9\n\n\n\nyes\n":            "days does not fit",
		"Bern\n\nperhaps\n\n\nyes\n":      "fast does not fit",
	} {
		var out bytes.Buffer
		reply, err := (&askingApprover{in: bufio.NewReader(strings.NewReader(typed)), err: &out}).Ask(t.Context(), q)
		got, _ := json.Marshal(reply.Values)
		switch {
		case err != nil:
			got = []byte(err.Error())
		case !reply.Accepted:
			got = []byte("declined")
		}
		if !strings.HasPrefix(string(got), want) || err == nil && want[0] == '{' && string(got) != want {
			t.Errorf("%q: %s, want %s", typed, got, want)
		}
		if !strings.Contains(out.String(), `The MCP server "weather" asks`) || strings.Contains(out.String(), "\u202e") {
			t.Error(out.String())
		}
	}
}
