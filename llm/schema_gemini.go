package llm

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Gemini's schemas are a part of OpenAPI 3.0: one type each, null by "nullable", alternatives
// without anything beside them, enums of texts only, and few formats. A list needs its items,
// and what may be anything needs a list of types.
//
// https://ai.google.dev/api/caching#Schema

// listsInAny is how deep lists go in lists where anything is permitted: the form cannot
// refer to itself.
const listsInAny = 2

// mostGemini is how many parts and properties a schema has at most in this form.
const mostGemini = 10_000

// geminiWriter writes a simplified schema in Gemini's form.
type geminiWriter struct {
	left int // parts that may still be written: what stands beside alternatives goes into each
}

// top returns the schema of all arguments.
func (w *geminiWriter) top(s schema) (schema, error) {
	out := w.object(s)
	if _, has := out["properties"]; !has {
		out["properties"] = schema{}
	}
	if w.left < 0 {
		return nil, errGrows
	}
	return out, nil
}

// schema returns any part in Gemini's form.
func (w *geminiWriter) schema(s schema, lists int) schema {
	var parts []any
	nullable := false
	for _, part := range w.parts(s, lists) {
		if part["type"] == nil {
			nullable = true
		} else {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		parts = []any{schema{"type": "string"}}
	}
	if first, _ := parts[0].(schema); nullable {
		first["nullable"] = true
	}
	return anyOf(parts)
}

// parts returns the alternatives of a schema, of one type each; that of null has none.
func (w *geminiWriter) parts(s schema, lists int) (all []schema) {
	properties, _ := s["properties"].(schema)
	if w.left -= 1 + len(properties); w.left < 0 {
		return nil
	}
	alternatives, several := s["anyOf"].([]any)
	beside := without(s, "anyOf", "description")
	for _, v := range alternatives {
		part, _ := v.(schema)
		if part, ok := merge(part, beside); ok {
			all = append(all, w.parts(part, lists)...)
		}
	}
	if !several {
		all = w.ofTypes(s, lists)
	}
	description, _ := s["description"].(string)
	for _, part := range all {
		if own, _ := part["description"].(string); part["type"] != nil && description != "" {
			part["description"] = strings.TrimSpace(description + " " + own)
			break
		}
	}
	return all
}

func (w *geminiWriter) ofTypes(s schema, lists int) (all []schema) {
	for _, t := range geminiTypes(s) {
		switch t {
		case "null":
			all = append(all, schema{})
		case "object":
			all = append(all, w.object(s))
		case "array":
			if lists > 0 || s["type"] != nil {
				all = append(all, w.list(s, lists))
			}
		case "string":
			all = append(all, geminiText(s))
		case "boolean":
			all = append(all, schema{"type": t})
		default:
			all = append(all, geminiNumber(s, t))
		}
	}
	return all
}

// geminiTypes returns the types that a schema permits, those first that it says most about.
func geminiTypes(s schema) []any {
	types := typesOf(s["type"])
	if values, has := s["enum"].([]any); has {
		var found []any
		for _, v := range values {
			found = append(found, jsonType(v))
		}
		found = union(nil, found)
		if types == nil {
			return found
		}
		return commonTypes(found, types)
	}
	if types != nil {
		return types
	}
	types = []any{"string", "number", "boolean", "object", "array", "null"}
	if _, says := s["items"]; says {
		types = union([]any{"array"}, types)
	}
	if _, says := s["properties"]; says {
		types = union([]any{"object"}, types)
	}
	return types
}

func jsonType(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case schema:
		return "object"
	}
	return "number"
}

func (w *geminiWriter) object(s schema) schema {
	out := schema{"type": "object"}
	properties, _ := s["properties"].(schema)
	if len(properties) == 0 {
		return out
	}
	kept := schema{}
	for name, v := range properties {
		p, _ := v.(schema)
		kept[name] = w.schema(p, listsInAny)
	}
	out["properties"] = kept
	all, _ := s["required"].([]any)
	if required := slices.DeleteFunc(slices.Clone(all), func(name any) bool {
		text, _ := name.(string)
		return kept[text] == nil
	}); len(required) > 0 {
		out["required"] = required
	}
	return out
}

func (w *geminiWriter) list(s schema, lists int) schema {
	items, limited := s["items"].(schema)
	if !limited {
		lists--
	}
	return geminiNumbers(s, schema{"type": "array", "items": w.schema(items, lists)}, "minItems", "maxItems")
}

func geminiText(s schema) schema {
	out := geminiNumbers(s, schema{"type": "string"}, "minLength", "maxLength")
	if s["format"] == "date-time" {
		out["format"] = "date-time"
	}
	values, _ := s["enum"].([]any)
	texts := slices.DeleteFunc(slices.Clone(values), func(v any) bool { return jsonType(v) != "string" })
	switch {
	case slices.Contains(texts, any("")): // which an enum may not hold
		out["description"] = oneOf(texts)
	case len(texts) > 0:
		out["enum"] = texts
	}
	return out
}

func geminiNumber(s schema, t any) schema {
	out := geminiNumbers(s, schema{"type": t}, "minimum", "maximum")
	values, _ := s["enum"].([]any)
	if numbers := slices.DeleteFunc(slices.Clone(values), func(v any) bool { return jsonType(v) != "number" }); len(numbers) > 0 {
		out["description"] = oneOf(numbers)
	}
	return out
}

// oneOf describes what cannot be an enum.
func oneOf(values []any) string {
	raw, err := json.Marshal(values)
	if err != nil || len(raw) > 300 {
		return ""
	}
	return fmt.Sprintf("One of %s.", raw)
}

// geminiNumbers takes over limits that are numbers of a usual size.
func geminiNumbers(from, to schema, names ...string) schema {
	for _, name := range names {
		n, _ := from[name].(json.Number)
		if f, err := n.Float64(); err == nil && math.Abs(f) <= 1<<53 {
			to[name] = n
			if f == math.Trunc(f) {
				to[name] = int64(f)
			}
		}
	}
	return to
}
