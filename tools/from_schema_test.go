package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"bowerbird/tools"
)

// echoed is a result that shows which arguments arrived.
type echoed struct{ json.RawMessage }

func (e echoed) ForModel(int) string { return string(e.RawMessage) }

func foreign(t *testing.T, schema string) (tools.Tool, error) {
	t.Helper()
	return tools.FromSchema(tools.Spec{Name: "mcp__x__y", Source: "mcp:x", Schema: json.RawMessage(schema)},
		func(_ context.Context, args json.RawMessage) (tools.Result, error) { return echoed{args}, nil })
}

// Schemas as MCP servers write them: what arrives at the server, or the part of the error
// that says what was wrong.
func TestArgumentsFitASchemaFromElsewhere(t *testing.T) {
	const ref = `{"type":"object","$defs":{"unit":{"enum":["celsius","kelvin"]}},"properties":{"unit":{"$ref":"#/$defs/unit"},"days":{"type":"integer","minimum":1}},"required":["unit"]}`
	for _, c := range []struct{ schema, sent, arrives, wrong string }{
		{ref, `{"unit":"kelvin","days":"3"}`, `{"days":3,"unit":"kelvin"}`, ""},
		{ref, `{"unit":"rankine"}`, "", "unit"},
		{ref, `{}`, "", `missing properties: ["unit"]`},
		{ref, `{"arguments":{"unit":"celsius"}}`, `{"unit":"celsius"}`, ""},
		{ref, `{"unit":"celsius","days":0}`, "", "minimum"},
		{ref, `{"unit":"celsius","more":1}`, `{"more":1,"unit":"celsius"}`, ""}, // permitted unless said otherwise
		{`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`, `{"b":1}`, "", "b"},
		{`{"type":"object","properties":{"a":{"type":["string","null"]}}}`, `{"a":null}`, `{"a":null}`, ""},
		{`{"type":"object","properties":{"a":{"type":"string"}}}`, `{"a":null}`, `{}`, ""},
		{`{"type":"object","properties":{"a":{"oneOf":[{"type":"null"},{"type":"integer"}]}}}`, `{"a":null}`, `{"a":null}`, ""},
		{`{"type":"object","properties":{"a":{"oneOf":[{"type":"integer"},{"type":"number","maximum":5}]}}}`, `{"a":3}`, "", "oneOf"},
		{`{"type":"object","properties":{"a":{"const":"x"}}}`, `{"a":"y"}`, "", "const"},
		{`{"type":"object","properties":{"id":{"type":"string","pattern":"^[a-z]+$"}}}`, `{"id":"A"}`, "", "pattern"},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":"array","items":[{"type":"integer"}],"additionalItems":false}}}`, `{"a":[1,2]}`, "", "additionalItems"},
		{`{"type":"object"}`, `{"any":[1,{"deep":true}]}`, `{"any":[1,{"deep":true}]}`, ""},
		{`{"type":"object"}`, `{"big":12345678901234567890}`, `{"big":12345678901234567890}`, ""},
		{`{"type":"object"}`, `{"a":1,"a":2}`, `{"a":2}`, ""}, // what is approved can be read in one way only
		{`{"type":"object"}`, `[1]`, "", "a JSON object"},
	} {
		tool, err := foreign(t, c.schema)
		if err != nil {
			t.Errorf("%s: %v", c.schema, err)
			continue
		}
		res, err := tool.Call(t.Context(), nil, json.RawMessage(c.sent))
		var wrong *tools.ArgumentError
		switch {
		case c.wrong != "" && (!errors.As(err, &wrong) || !strings.Contains(err.Error(), c.wrong) || wrong.Tool != "mcp__x__y"):
			t.Errorf("%s with %s: %v, %v; want an error about %s", c.schema, c.sent, res, err, c.wrong)
		case c.wrong == "" && (err != nil || res.ForModel(1000) != c.arrives):
			t.Errorf("%s with %s: %v, %v; want %s", c.schema, c.sent, res, err, c.arrives)
		}
	}
}

func TestSchemasThatAreNotSupportedAreRefusedByName(t *testing.T) {
	for schema, why := range map[string]string{
		`{"type":"string"}`: `type "object"`,
		`{"properties":{}}`: `type "object"`,
		`true`:              `type "object"`,
		`[`:                 "schema",
		`{"$schema":"http://json-schema.org/draft-04/schema#","type":"object"}`:      "draft-04",
		`{"$schema":"https://json-schema.org/draft/2019-09/schema","type":"object"}`: "2019-09",
		`{"type":"object","properties":{"a":{"$ref":"https://example.com/a.json"}}}`: "https://example.com/a.json",
		`{"type":"object","properties":{"a":{"type":"string","pattern":"(?=x)y"}}}`:  "pattern",
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/none"}}}`:               "$defs",
		`{"type":"object","description":"` + strings.Repeat("long ", 20_000) + `"}`:  "65536",
	} {
		if _, err := foreign(t, schema); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%.100s: %v, want %s", schema, err, why)
		}
	}
}

// Servers of models refuse a schema of an object without "properties".
func TestASchemaWithoutPropertiesGetsThem(t *testing.T) {
	tool, err := foreign(t, `{"type":"object","additionalProperties":{"type":"integer"}}`)
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]json.RawMessage
	if err := json.Unmarshal(tool.Spec().Schema, &schema); err != nil || string(schema["properties"]) != "{}" || schema["additionalProperties"] == nil {
		t.Errorf("%s, %v", tool.Spec().Schema, err)
	}
	if _, err := tool.Call(t.Context(), nil, json.RawMessage(`{"a":"b"}`)); err == nil {
		t.Error("additionalProperties is not checked")
	}
}
