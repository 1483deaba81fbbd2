package llm_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/tools"
)

// What providers document and refuse, one limit a row. "" means that the schema is sent as it
// is; anthropic "=" means the same as plain.
func TestSchemasAreBroughtIntoTheFormThatAProviderTakes(t *testing.T) {
	for _, c := range []struct{ about, schema, plain, anthropic, gemini string }{
		{
			"nothing to do", `{"type":"object","properties":{"a":{"type":"string","description":"d"}},"required":["a"]}`, "", "", "",
		},
		{
			"additionalProperties, title and default", `{"type":"object","properties":{"a":{"type":"string","title":"A","default":"x"}},"additionalProperties":false}`, "", "",
			`{"type":"object","properties":{"a":{"type":"string"}}}`,
		},
		{
			"a list of types", `{"type":"object","properties":{"a":{"type":["string","integer"],"description":"d"}}}`, "", "",
			`{"type":"object","properties":{"a":{"anyOf":[{"type":"string","description":"d"},{"type":"integer"}]}}}`,
		},
		{
			"null", `{"type":"object","properties":{"a":{"type":["integer","null"],"minimum":1}}}`, "", "",
			`{"type":"object","properties":{"a":{"type":"integer","minimum":1,"nullable":true}}}`,
		},
		{
			"null as an alternative", `{"type":"object","properties":{"a":{"description":"d","anyOf":[{"type":"object","properties":{"b":{"type":"string"}}},{"type":"null"}]}}}`, "", "",
			`{"type":"object","properties":{"a":{"type":"object","description":"d","properties":{"b":{"type":"string"}},"nullable":true}}}`,
		},
		{
			"const", `{"type":"object","properties":{"a":{"const":"x"}}}`,
			`{"type":"object","properties":{"a":{"enum":["x"]}}}`, "=",
			`{"type":"object","properties":{"a":{"type":"string","enum":["x"]}}}`,
		},
		{
			"an enum that is not of texts", `{"type":"object","properties":{"a":{"type":"integer","enum":[3,6]},"b":{"enum":["",  "x"]}}}`, "", "",
			`{"type":"object","properties":{"a":{"type":"integer","description":"One of [3,6]."},"b":{"type":"string","description":"One of [\"\",\"x\"]."}}}`,
		},
		{
			"formats", `{"type":"object","properties":{"a":{"type":"string","format":"uri"},"b":{"type":"string","format":"date-time"},"c":{"type":"integer","format":"uint8"}}}`, "", "",
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string","format":"date-time"},"c":{"type":"integer"}}}`,
		},
		{
			"a list of lists", `{"type":"object","properties":{"a":{"type":"array","items":{"type":"array","items":{"type":"string"}},"maxItems":2.0}}}`, "", "",
			`{"type":"object","properties":{"a":{"type":"array","items":{"type":"array","items":{"type":"string"}},"maxItems":2}}}`,
		},
		{
			"a list of anything", `{"type":"object","properties":{"a":{"type":"array"}}}`, `{"type":"object","properties":{"a":{"type":"array","items":{}}}}`, "=", "?",
		},
		{
			"oneOf", `{"type":"object","properties":{"a":{"oneOf":[{"type":"string"},{"type":"boolean"}]}}}`,
			`{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"boolean"}]}}}`, "=", "=",
		},
		{
			"something beside anyOf", `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string"}},"anyOf":[{"required":["b"]},{"properties":{"c":{"type":"string"}},"required":["c"]}]}}}`, "", "",
			`{"type":"object","properties":{"a":{"anyOf":[{"type":"object","properties":{"b":{"type":"string"}},"required":["b"]},{"type":"object","properties":{"b":{"type":"string"},"c":{"type":"string"}},"required":["c"]}]}}}`,
		},
		{
			"alternatives at the top", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"oneOf":[{"required":["a"]},{"required":["b"]}]}`,
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`, "=", "=",
		},
		{
			"objects at the top", `{"type":"object","anyOf":[{"properties":{"kind":{"const":"a"},"n":{"type":"integer"}},"required":["kind"],"additionalProperties":false},{"properties":{"kind":{"const":"b"}},"required":["kind"],"additionalProperties":false}]}`,
			`{"type":"object","properties":{"kind":{"anyOf":[{"enum":["a"]},{"enum":["b"]}]},"n":{"type":"integer"}},"required":["kind"]}`, "=",
			`{"type":"object","properties":{"kind":{"anyOf":[{"type":"string","enum":["a"]},{"type":"string","enum":["b"]}]},"n":{"type":"integer"}},"required":["kind"]}`,
		},
		{
			"a property that only one of them describes", `{"type":"object","anyOf":[{"properties":{"n":{"type":"integer","description":"d"}}},{"required":["q"]}]}`,
			`{"type":"object","properties":{"n":{"description":"d {\"type\":\"integer\"}"}}}`, "=", "?",
		},
		{
			"allOf", `{"type":"object","properties":{"a":{"allOf":[{"type":"object","properties":{"x":{"type":"number"}},"required":["x"]},{"properties":{"x":{"type":"integer"},"y":{"type":"string"}}}]}}}`,
			`{"type":"object","properties":{"a":{"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"string"}},"required":["x"]}}}`, "=", "=",
		},
		{
			"references", `{"type":"object","$defs":{"unit/a":{"type":"string","enum":["k"]}},"properties":{"a":{"$ref":"#/$defs/unit~1a","description":"d"}}}`,
			`{"type":"object","properties":{"a":{"type":"string","enum":["k"],"description":"d"}}}`, "=", "=",
		},
		{
			"a reference to itself", `{"type":"object","properties":{"name":{"type":"string"},"child":{"$ref":"#"}}}`,
			`{"type":"object","properties":{"name":{"type":"string"},"child":{"type":"object","properties":{"name":{"type":"string"},"child":{}}}}}`, "=", "?",
		},
		{
			"beside a reference nothing counts in draft-07", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","definitions":{"a":{"type":"string"}},"properties":{"a":{"$ref":"#/definitions/a","maxLength":1}}}`,
			`{"type":"object","properties":{"a":{"type":"string"}}}`, "=", "=",
		},
		{
			"items by their place", `{"type":"object","properties":{"a":{"type":"array","prefixItems":[{"type":"string"},{"type":"number"}],"items":false},"b":{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"string"},"minItems":1}}}`,
			`{"type":"object","properties":{"a":{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"number"}]}},"b":{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"string"}]},"minItems":1}}}`, "=", "=",
		},
		{
			"keywords that few read", `{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"x","type":"object","properties":{"a":{"type":"object","patternProperties":{"^x":{}},"additionalProperties":false,"propertyNames":{"maxLength":3}}},"not":{"required":["z"]},"if":{},"then":{},"dependentRequired":{"a":["b"]},"unevaluatedProperties":false}`,
			`{"type":"object","properties":{"a":{"type":"object"}}}`, "=", "=",
		},
		{
			"true and false", `{"type":"object","properties":{"a":true,"b":false}}`, `{"type":"object","properties":{"a":{}}}`, "=", "?",
		},
		{
			"a property of no type", `{"type":"object","properties":{"a":{"properties":{"b":{"type":"string"}}}}}`, "", "", "?",
		},
		{
			"names of properties", `{"type":"object","properties":{"$top":{"type":"integer"},"max-size":{"type":"integer"},"a.b":{"type":"integer"}},"required":["$top"]}`, "",
			`{"type":"object","properties":{"__top_uLzGyjRO":{"type":"integer"},"max-size":{"type":"integer"},"a.b":{"type":"integer"}},"required":["__top_uLzGyjRO"]}`,
			`{"type":"object","properties":{"__top_uLzGyjRO":{"type":"integer"},"_max_size_QdFP9ffH":{"type":"integer"},"_a_b_b0UEGNgV":{"type":"integer"}},"required":["__top_uLzGyjRO"]}`,
		},
		{
			"no properties", `{"type":"object"}`, "", "", `{"type":"object","properties":{}}`,
		},
	} {
		want := map[string]string{"plain": c.plain, "anthropic": c.anthropic, "gemini": c.gemini}
		for name, rule := range llm.SchemaRules {
			got, _, err := llm.FitSchema(rule, json.RawMessage(c.schema))
			if err != nil {
				t.Errorf("%s, %s: %v", c.about, name, err)
				continue
			}
			if err := checkForm(name, got); err != nil {
				t.Errorf("%s, %s: %v in %s", c.about, name, err, got)
			}
			w := want[name]
			if w == "=" {
				w = c.plain
			}
			if w == "" && string(got) != c.schema || w != "" && w != "?" && !sameValue(t, got, w) {
				t.Errorf("%s, %s:\n%s, want\n%s", c.about, name, got, w)
			}
		}
	}
}

// Built-in tools are sent byte for byte as they describe themselves, but to Gemini, which
// takes no list of types and no additionalProperties.
func TestBuiltInToolsHaveTheFormAlready(t *testing.T) {
	for _, tool := range tools.BuiltinTools() {
		spec := tool.Spec()
		for name, rule := range llm.SchemaRules {
			got, renamed, err := llm.FitSchema(rule, spec.Schema)
			if err != nil || len(renamed) > 0 || name != "gemini" && string(got) != string(spec.Schema) {
				t.Errorf("%s, %s: %v, %v, %s", name, spec.Name, err, renamed, got)
			}
			if err := checkForm(name, got); err != nil {
				t.Errorf("%s, %s: %v in %s", name, spec.Name, err, got)
			}
		}
	}
}

func TestWhatHasNoFormIsLeftOutByName(t *testing.T) {
	var wide []string // references multiply what they refer to
	for i := range 40 {
		wide = append(wide, fmt.Sprintf(`"p%d":{"$ref":"#/$defs/d"}`, i))
	}
	for schema, why := range map[string]string{
		`{"type":"string"}`: "its arguments are not an object",
		`false`:             "its arguments are not an object",
		`{"type":"object","allOf":[{"type":"object"},{"type":"array"}]}`: "its arguments are not an object",
		`{"type":`: "its arguments are not described in JSON",
		`{"type":"object","$defs":{"d":{"type":"string","description":"` + strings.Repeat("long ", 500) + `"}},"properties":{` + strings.Join(wide, ",") + `}}`: "grows too large",
	} {
		if _, _, err := llm.FitSchema(llm.SchemaRules["plain"], json.RawMessage(schema)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%.80s: %v, want %s", schema, err, why)
		}
	}

	odd := llm.Tool{Name: "mcp__x__odd", Schema: json.RawMessage(`{"type":"string"}`)}
	fine := llm.Tool{Name: "mcp__x__fine", Schema: json.RawMessage(`{"type":"object","properties":{"a":{"const":1}}}`)}
	for _, provider := range []string{"openai", "responses", "anthropic", "gemini", "ollama"} {
		body := sentTo(t, provider, &llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hi"}}, Tools: []llm.Tool{fine, odd}})
		if strings.Contains(string(body), "odd") || !strings.Contains(string(body), "mcp__x__fine") || strings.Contains(string(body), "const") {
			t.Errorf("%s got %s", provider, body)
		}
	}
	c := newClient(t, testkit.NewModelServer(t), row(t, "gemini"))
	if c.Refuses(odd) != "its arguments are not an object" || c.Refuses(fine) != "" || c.Refuses(llm.Tool{}) != "" {
		t.Errorf("%q, %q", c.Refuses(odd), c.Refuses(fine))
	}
	if c = newClient(t, testkit.NewModelServer(t), func(o *llm.Options) { o.Format = "hermes" }); c.Refuses(odd) != "" {
		t.Error("refused where tools are described in the text")
	}
}

// Schemas of a few kilobytes that would grow without bound end at once, in every form.
func TestASchemaThatGrowsIsRefusedAtOnce(t *testing.T) {
	deep := `{"type":"string"}`
	for range 40 {
		deep = `{"type":"object","anyOf":[{"title":"a"},{"title":"b"}],"properties":{"p":` + deep + `}}`
	}
	doubled := `"d0":{"type":"object"}`
	for i := range 40 {
		doubled += fmt.Sprintf(`,"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i+1, i, i)
	}
	var names, parts []string
	for i := range 4_000 {
		names = append(names, fmt.Sprintf(`"n%d"`, i))
	}
	for i := range 400 {
		parts = append(parts, fmt.Sprintf(`"p%d":{"allOf":[{"$ref":"#/$defs/d"},{"$ref":"#/$defs/d"}]}`, i))
	}
	needs := `{"type":"object","$defs":{"d":{"type":"object","required":[` + strings.Join(names, ",") + `]}},"properties":{` + strings.Join(parts, ",") + `}}`
	for name, raw := range map[string]string{
		"alternatives beside properties": `{"type":"object","properties":{"x":` + deep + `}}`,
		"references that double":         `{"type":"object","$defs":{` + doubled + `},"properties":{"x":{"$ref":"#/$defs/d40"}}}`,
		"long lists of what is required": needs,
	} {
		for form, rule := range llm.SchemaRules {
			if _, _, err := llm.FitSchema(rule, json.RawMessage(raw)); err == nil && (form == "gemini" || name != "alternatives beside properties") {
				t.Errorf("%s, %s: has a form", name, form)
			}
		}
	}
	odd := `{"type":"object","allOf":[{"required":[[],{}],"type":["object",{}]},{"required":[[],"a"],"type":[[],"object"]}],"properties":{"a":{"type":[{}]}}}`
	for form, rule := range llm.SchemaRules {
		if _, _, err := llm.FitSchema(rule, json.RawMessage(odd)); err != nil {
			t.Errorf("%s: %v", form, err)
		}
	}
}

// A model that OpenRouter passes on to Google takes what Google takes.
func TestAGatewaysModelsTakeWhatTheirProvidersTake(t *testing.T) {
	tool := llm.Tool{Name: "t", Schema: json.RawMessage(`{"type":"object","properties":{"$a":{"type":"string","title":"A"}}}`)}
	for model, want := range map[string]string{"google/gemini-3-pro": "__a_", "anthropic/claude-5": "__a_", "openai/gpt-5": "$a", "google/gemma-3": "$a"} {
		body := sentTo(t, "openrouter", &llm.Request{Messages: []llm.Message{{Role: llm.User}}, Tools: []llm.Tool{tool}}, func(o *llm.Options) { o.Model = model })
		if !strings.Contains(string(body), `"`+want) || strings.Contains(string(body), "title") == strings.Contains(model, "gemini") {
			t.Errorf("%s: %s", model, body)
		}
	}
}

func TestACallHasTheToolsOwnNamesOfProperties(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"$top":{"type":"integer"},"list":{"type":"array","items":{"type":"object","properties":{"a b":{"type":"string"}}}}}}`)
	_, renamed, err := llm.FitSchema(llm.SchemaRules["anthropic"], schema)
	if err != nil || len(renamed) != 2 {
		t.Fatal(renamed, err)
	}
	args := `{"$top":12345678901234567890,"list":[{"a b":"x"},{"c":1}]}`
	called := args
	for safe, own := range renamed {
		called = strings.ReplaceAll(called, `"`+own+`"`, `"`+safe+`"`)
	}
	s := testkit.NewModelServer(t, testkit.Reply{
		Body: `data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"t","input":` + called + "}}\n\n" +
			`data: {"type":"message_stop"}` + "\n\n",
	})
	got := ask(t, newClient(t, s, row(t, "anthropic")), &llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hi"}}, Tools: []llm.Tool{{Name: "t", Schema: schema}}})
	if len(got.Calls) != 1 || string(got.Calls[0].Arguments) != args || called == args {
		t.Errorf("called with %s: %+v, %+v", called, got.Calls, got.Error)
	}
}
