package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// ownSchemas are the schemas of argument types that accept more than one shape.
func ownSchemas() map[reflect.Type]*jsonschema.Schema {
	str := &jsonschema.Schema{Type: "string"}
	kind := &jsonschema.Schema{Type: "integer", Minimum: jsonschema.Ptr(0.0), Maximum: jsonschema.Ptr(65535.0)}
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[Kinds]():           {AnyOf: []*jsonschema.Schema{kind, {Type: "array", Items: kind}}},
		reflect.TypeFor[When]():            {Types: []string{"string", "integer"}},
		reflect.TypeFor[StringList]():      {AnyOf: []*jsonschema.Schema{str, {Type: "array", Items: str}}},
		reflect.TypeFor[json.RawMessage](): {},
		reflect.TypeFor[Column](): {AnyOf: []*jsonschema.Schema{str, {
			Type:                 "object",
			Properties:           map[string]*jsonschema.Schema{"key": str, "label": str},
			Required:             []string{"key"},
			AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
			PropertyOrder:        []string{"key", "label"},
		}}},
	}
}

// schemaFor infers the schema of an argument struct.
func schemaFor[A any]() (*jsonschema.Schema, error) {
	typ := reflect.TypeFor[A]()
	if typ.Kind() != reflect.Struct {
		return nil, fmt.Errorf("arguments are a struct, not %s", typ)
	}
	s, err := jsonschema.ForType(typ, &jsonschema.ForOptions{TypeSchemas: ownSchemas()})
	if err != nil {
		return nil, err
	}
	if s.Properties == nil {
		s.Properties = map[string]*jsonschema.Schema{} // servers refuse an object without the member
	}
	dropNull(s)
	for _, f := range reflect.VisibleFields(typ) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "" || name == "-" {
			continue
		}
		if p := s.Properties[name]; p != nil {
			if err := applyTags(p, f.Tag); err != nil {
				return nil, fmt.Errorf("field %s: %w", f.Name, err)
			}
		}
	}
	return s, nil
}

// dropNull removes null from the types of lists and maps: a null argument is an absent
// one, and saying so in each schema only costs tokens.
func dropNull(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if i := slices.Index(s.Types, "null"); i >= 0 && len(s.Types) == 2 {
		s.Type, s.Types = s.Types[1-i], nil
	}
	for _, p := range s.Properties {
		dropNull(p)
	}
	dropNull(s.Items)
	dropNull(s.AdditionalProperties)
}

// applyTags reads the struct tags that jsonschema-go does not know.
func applyTags(p *jsonschema.Schema, tag reflect.StructTag) error {
	if v, ok := tag.Lookup("enum"); ok {
		for _, e := range strings.Split(v, ",") {
			p.Enum = append(p.Enum, e)
		}
	}
	if v, ok := tag.Lookup("default"); ok {
		if !json.Valid([]byte(v)) {
			v = strconv.Quote(v)
		}
		p.Default = json.RawMessage(v)
	}
	for name, field := range map[string]**int{"minItems": &p.MinItems, "maxItems": &p.MaxItems, "maxLength": &p.MaxLength} {
		if v, ok := tag.Lookup(name); ok {
			n, err := strconv.Atoi(v)
			if err != nil {
				return fmt.Errorf("tag %s: %w", name, err)
			}
			*field = &n
		}
	}
	return nil
}

// Kinds reads one number or a list from JSON.
type Kinds []uint16

// maxKinds bounds a list of kinds.
const maxKinds = 50

// UnmarshalJSON reads 1, "1", [1,6] and "1,6".
func (k *Kinds) UnmarshalJSON(raw []byte) error {
	v, err := parseJSON(raw)
	if err != nil {
		return err
	}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	if len(list) > maxKinds {
		return wrongValue("kind", fmt.Sprintf("at most %d kinds", maxKinds), v)
	}
	out := make(Kinds, 0, len(list))
	for _, item := range list {
		n, err := strconv.ParseUint(strings.TrimSpace(fmt.Sprint(item)), 10, 16)
		if err != nil {
			return wrongValue("kind", "a kind from 0 to 65535, or a list of them", item)
		}
		out = append(out, uint16(n))
	}
	*k = out
	return nil
}

// StringList reads a list of strings, or one string with commas, from JSON.
type StringList []string

// UnmarshalJSON splits a string at commas and white space, and at the punctuation of a
// list inside a text; empty parts are dropped.
func (l *StringList) UnmarshalJSON(raw []byte) error {
	var list []string
	if err := json.Unmarshal(raw, &list); err != nil {
		var one string
		if err := json.Unmarshal(raw, &one); err != nil {
			return wrongValue("", "a list of texts, or one text with commas", string(raw))
		}
		list = []string{one}
	}
	*l = (*l)[:0]
	for _, s := range list {
		*l = append(*l, strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(",; \n\t\r[]\"'", r) })...)
	}
	return nil
}

// When is a time as the model or the user writes it: unix seconds (a number or a text),
// RFC 3339, a date, or relative ("24h", "7d" ago). Empty: absent.
type When string

// UnmarshalJSON reads a text or a number.
func (w *When) UnmarshalJSON(raw []byte) error {
	raw = bytes.TrimSpace(raw)
	if len(raw) > 0 && raw[0] == '"' {
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return err
		}
		*w = When(strings.TrimSpace(s))
		return nil
	}
	n, ok := wholeNumber(json.Number(raw))
	if !ok {
		return wrongValue("", "unix seconds or a text", string(raw))
	}
	*w = When(n)
	return nil
}
