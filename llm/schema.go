package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"strings"
)

// schemaRule is the part of JSON Schema that a provider takes as the parameters of tools.
// Tools of MCP servers use all of it, and one schema that a provider does not take fails
// every request that lists it.
//
// A schema is brought into the provider's form so that it still permits whatever it did: what
// cannot be expressed is left out, since arguments are checked by the schema itself before a
// call. A schema that has the form already is sent as it is, byte for byte.
type schemaRule uint8

const (
	// schemasPlain has an object at the top, without alternatives beside it, and no
	// references or keywords that few servers read. OpenAI refuses alternatives at the top;
	// servers that read schemas into types of their own lose or refuse the others.
	//
	// https://platform.openai.com/docs/guides/function-calling
	schemasPlain schemaRule = iota
	// schemasAnthropic limits the names of properties too.
	//
	// https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use
	schemasAnthropic
	// schemasGemini is Gemini's part of OpenAPI's schemas, see schema_gemini.go.
	schemasGemini
)

// largestSchema bounds a schema in a provider's form, in bytes.
const largestSchema = 64 << 10

// propertyNames are the names of properties that a provider takes; none for all.
var propertyNames = map[schemaRule]*regexp.Regexp{
	schemasAnthropic: regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`),
	schemasGemini:    regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]{0,63}$`),
}

// fit returns a schema in the form that a provider takes, and the properties that have
// another name there: theirs by that one. The error is what the user reads as the reason
// why the tool is left out.
func (rule schemaRule) fit(raw json.RawMessage) (fitted json.RawMessage, renamed map[string]string, err error) {
	var root any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&root); err != nil {
		return nil, nil, fmt.Errorf("its arguments are not described in JSON: %w", err)
	}
	out, err := newSimplifier(root).top()
	if err != nil {
		return nil, nil, err
	}
	renamed = map[string]string{}
	if allowed := propertyNames[rule]; allowed != nil {
		out, _ = rename(out, allowed, renamed).(schema)
	}
	if rule == schemasGemini {
		if out, err = (&geminiWriter{left: mostGemini}).top(out); err != nil {
			return nil, nil, err
		}
	}
	if reflect.DeepEqual(any(out), root) {
		return raw, nil, nil
	}
	if fitted, err = json.Marshal(out); err != nil {
		return nil, nil, err
	}
	if len(fitted) > largestSchema {
		return nil, nil, errGrows
	}
	return fitted, renamed, nil
}

// rename gives the properties of a simplified schema names that are allowed, and notes them.
func rename(v any, allowed *regexp.Regexp, renamed map[string]string) any {
	if list, is := v.([]any); is {
		out := make([]any, len(list))
		for i := range list {
			out[i] = rename(list[i], allowed, renamed)
		}
		return out
	}
	in, is := v.(schema)
	if !is {
		return v
	}
	out := maps.Clone(in)
	for _, name := range []string{"items", "additionalProperties", "anyOf"} {
		if part, has := in[name]; has {
			out[name] = rename(part, allowed, renamed)
		}
	}
	named := func(name string) string {
		if allowed.MatchString(name) {
			return name
		}
		safe := hashedName("_"+strings.Map(func(r rune) rune {
			if r == '_' || strings.ContainsRune(letters, r) {
				return r
			}
			return '_'
		}, name), name)
		renamed[safe] = name
		return safe
	}
	if properties, has := in["properties"].(schema); has {
		kept := schema{}
		for name, p := range properties {
			kept[named(name)] = rename(p, allowed, renamed)
		}
		out["properties"] = kept
	}
	if required, has := in["required"].([]any); has {
		kept := make([]any, len(required))
		for i, name := range required {
			text, _ := name.(string)
			kept[i] = named(text)
		}
		out["required"] = kept
	}
	return out
}

// restore returns a call's arguments with the tool's own names of properties.
func restore(args json.RawMessage, renamed map[string]string) json.RawMessage {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(args))
	decoder.UseNumber()
	if len(renamed) == 0 || decoder.Decode(&value) != nil {
		return args
	}
	out, err := json.Marshal(restoredNames(value, renamed))
	if err != nil {
		return args
	}
	return out
}

func restoredNames(v any, renamed map[string]string) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = restoredNames(v[i], renamed)
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, x := range v {
			if own, is := renamed[name]; is {
				name = own
			}
			out[name] = restoredNames(x, renamed)
		}
		return out
	}
	return v
}
