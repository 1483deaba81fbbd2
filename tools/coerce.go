package tools

import (
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// coerce corrects a value if the schema leaves only one meaning: "10" for a number,
// "true" for a boolean, 2024 for a text, a text that contains the JSON of the list or
// object wanted, or the numbers of a list with commas, another case of an enum's word,
// null or "" for an optional argument. It reports whether anything changed; what it
// cannot correct is left for check to refuse.
func coerce(s *jsonschema.Schema, v any) (any, bool) {
	if s == nil || acceptsType(s, v) {
		switch v := v.(type) {
		case map[string]any:
			return coerceMembers(s, v)
		case []any:
			return coerceItems(s, v)
		case string:
			return coerceEnum(s, v)
		}
		return v, false
	}
	switch v := v.(type) {
	case string:
		return coerceString(s, v)
	case json.Number:
		if wants(s, "integer") {
			if n, ok := wholeNumber(v); ok {
				return n, true
			}
		}
		if wants(s, "string") {
			return v.String(), true
		}
	}
	return v, false
}

func coerceMembers(s *jsonschema.Schema, obj map[string]any) (any, bool) {
	if s == nil || len(s.Properties) == 0 {
		return obj, false
	}
	out, changed := make(map[string]any, len(obj)), false
	for name, v := range obj {
		p, known := s.Properties[name]
		if known && !slices.Contains(s.Required, name) && notGiven(p, v) {
			changed = true
			continue
		}
		if known {
			w, c := coerce(p, v)
			v, changed = w, changed || c
		}
		out[name] = v
	}
	return out, changed
}

// notGiven reports whether a value means an absent argument: null unless the schema
// permits or may permit it, or the empty text if a text makes no sense.
func notGiven(p *jsonschema.Schema, v any) bool {
	text, ok := v.(string)
	if !ok {
		return v == nil && !wants(p, "null") && !composed(p)
	}
	return strings.TrimSpace(text) == "" && (len(p.Enum) > 0 || !wants(p, "string"))
}

// composed reports whether only validation shows which types a schema accepts.
func composed(s *jsonschema.Schema) bool {
	return len(typesOf(s)) == 0 && (s.Ref != "" || s.DynamicRef != "" || s.Const != nil || s.Not != nil || s.If != nil ||
		len(s.Enum)+len(s.AllOf)+len(s.AnyOf)+len(s.OneOf) > 0)
}

func coerceItems(s *jsonschema.Schema, list []any) (any, bool) {
	items := itemsOf(s)
	if items == nil {
		return list, false
	}
	out, changed := make([]any, len(list)), false
	for i, v := range list {
		w, c := coerce(items, v)
		out[i], changed = w, changed || c
	}
	return out, changed
}

func coerceEnum(s *jsonschema.Schema, v string) (any, bool) {
	if s == nil || len(s.Enum) == 0 || slices.Contains(s.Enum, any(v)) {
		return v, false
	}
	for _, e := range s.Enum {
		if w, ok := e.(string); ok && strings.EqualFold(w, strings.TrimSpace(v)) {
			return w, true
		}
	}
	return v, false
}

func coerceString(s *jsonschema.Schema, v string) (any, bool) {
	text := strings.TrimSpace(v)
	if items := itemsOf(s); items != nil && wants(items, "integer") && text != "" && text[0] != '[' && strings.Contains(text, ",") {
		text = "[" + text + "]"
	}
	switch {
	case text == "":
		return v, false
	case wants(s, "object") && text[0] == '{', wants(s, "array") && text[0] == '[':
		if inner, err := parseJSON([]byte(text)); err == nil && acceptsType(s, inner) {
			inner, _ = coerce(s, inner)
			return inner, true
		}
	case wants(s, "boolean"):
		switch strings.ToLower(text) {
		case "true":
			return true, true
		case "false":
			return false, true
		}
	case wants(s, "integer"):
		if n, ok := wholeNumber(json.Number(text)); ok {
			return n, true
		}
	case wants(s, "number"):
		if f, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) && json.Valid([]byte(text)) {
			return json.Number(text), true
		}
	}
	return v, false
}

// wholeNumber reads 10, 10.0 and 1e1 as 10, within 2^53.
func wholeNumber(n json.Number) (json.Number, bool) {
	if !json.Valid([]byte(n)) || len(n) > 40 {
		return "", false
	}
	f, err := n.Float64()
	if err != nil || math.Abs(f) > 1<<53 || f != math.Trunc(f) {
		return "", false
	}
	if r, ok := new(big.Rat).SetString(string(n)); !ok || !r.IsInt() {
		return "", false
	}
	return json.Number(strconv.FormatInt(int64(f), 10)), true
}

// typesOf lists the JSON types that a schema accepts; none means any.
func typesOf(s *jsonschema.Schema) []string {
	switch {
	case s.Type != "":
		return []string{s.Type}
	case len(s.Types) > 0:
		return s.Types
	}
	var all []string
	for _, sub := range s.AnyOf {
		all = append(all, typesOf(sub)...)
	}
	return all
}

func wants(s *jsonschema.Schema, typ string) bool { return slices.Contains(typesOf(s), typ) }

func acceptsType(s *jsonschema.Schema, v any) bool {
	types := typesOf(s)
	return len(types) == 0 || slices.ContainsFunc(types, func(t string) bool { return isType(t, v) })
}

func isType(typ string, v any) bool {
	switch v := v.(type) {
	case nil:
		return typ == "null"
	case bool:
		return typ == "boolean"
	case string:
		return typ == "string"
	case []any:
		return typ == "array"
	case map[string]any:
		return typ == "object"
	case json.Number:
		if typ == "integer" {
			_, err := v.Int64()
			return err == nil
		}
		return typ == "number"
	}
	return false
}

// itemsOf is the schema of a list's items, also if the list is one of several
// alternatives.
func itemsOf(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	if s.Items != nil {
		return s.Items
	}
	for _, sub := range s.AnyOf {
		if sub.Items != nil {
			return sub.Items
		}
	}
	return nil
}
