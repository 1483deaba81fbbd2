package llm

import (
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// schema is a JSON Schema that is neither true nor false.
type schema = map[string]any

// simplifier writes a schema without references, and with keywords that all providers but
// Gemini read.
type simplifier struct {
	root   any
	draft7 bool // beside $ref nothing counts
	// anchored means that a part has an address of its own, which references in it are
	// relative to: then none is followed.
	anchored  bool
	following map[string]bool
	left      int // bytes that may still be written: references can multiply them
}

// mostSimplified is how much may be written of a simplified schema, and partSize what a part
// counts beside its texts, in bytes.
const (
	mostSimplified = 1 << 20
	partSize       = 100
)

var errGrows = errors.New("the description of its arguments grows too large for this provider")

func newSimplifier(root any) *simplifier {
	s := &simplifier{root: root, following: map[string]bool{}, left: mostSimplified}
	if top, ok := root.(schema); ok {
		dialect, _ := top["$schema"].(string)
		s.draft7 = strings.Contains(dialect, "draft-07")
		for name, v := range top {
			s.anchored = s.anchored || name != "$id" && hasAddress(v)
		}
	}
	return s
}

func hasAddress(v any) bool {
	switch v := v.(type) {
	case schema:
		if _, is := v["$id"].(string); is {
			return true
		}
		for _, x := range v {
			if hasAddress(x) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, hasAddress)
	}
	return false
}

// top returns the whole schema, an object without alternatives.
func (s *simplifier) top() (schema, error) {
	out, ok := s.simplify(s.root)
	if ok {
		out, ok = merge(out, schema{"type": "object"})
	}
	switch {
	case s.left < 0:
		return nil, errGrows
	case !ok:
		return nil, errors.New("its arguments are not an object")
	}
	delete(out, "enum")
	return flatten(out), nil
}

// The keywords that are taken over as they are. All others that are not read below are left
// out: whatever they forbid is permitted then.
var keptKeywords = []string{
	"title", "description", "default", "format", "pattern", "required", "type", "enum",
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
	"minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties",
}

// simplify returns a part of a schema; ok is false if it permits nothing.
func (s *simplifier) simplify(v any) (_ schema, ok bool) {
	in, is := v.(schema)
	if s.left -= partSize; !is || s.left < 0 {
		return schema{}, v != false
	}
	out := schema{}
	ref, refers := in["$ref"].(string)
	if refers && s.draft7 {
		in = keep(in, "title", "description")
	}
	for _, name := range keptKeywords {
		if v, has := in[name]; has {
			out[name] = v
			s.left -= sizeOf(v)
		}
	}
	if v, has := in["const"]; has {
		out["enum"] = []any{v}
	}
	s.members(in, out)
	s.items(in, out)
	var also []schema
	if refers {
		target, ok := s.follow(ref)
		if !ok {
			return nil, false
		}
		also = append(also, target)
	}
	parts, _ := in["allOf"].([]any)
	for _, v := range parts {
		part, ok := s.simplify(v)
		if !ok {
			return nil, false
		}
		also = append(also, part)
	}
	for _, name := range []string{"anyOf", "oneOf"} {
		if list, has := in[name].([]any); has {
			also = append(also, s.either(list))
		}
	}
	for _, part := range also {
		if out, ok = merge(out, part); !ok {
			return nil, false
		}
	}
	if _, says := out["items"]; !says && slices.Contains(typesOf(out["type"]), any("array")) {
		out["items"] = schema{} // without which OpenAI refuses a list
	}
	return out, true
}

// members reads the keywords about an object's members.
func (s *simplifier) members(in, out schema) {
	if properties, has := in["properties"].(schema); has {
		kept := schema{}
		for name, v := range properties {
			if p, ok := s.simplify(v); ok {
				kept[name] = p
			}
		}
		out["properties"] = kept
	}
	others, limited := in["additionalProperties"]
	if _, patterns := in["patternProperties"]; !limited || patterns {
		return
	}
	if _, is := others.(bool); is {
		out["additionalProperties"] = others
	} else if p, ok := s.simplify(others); ok {
		out["additionalProperties"] = p
	}
}

// items reads the keywords about a list's items. Those that depend on an item's place become
// what any item may be.
func (s *simplifier) items(in, out schema) {
	rest, limited := in["items"]
	first, byPlace := rest.([]any)
	switch {
	case byPlace: // draft-07
		rest, limited = in["additionalItems"]
	case !s.draft7:
		first, byPlace = in["prefixItems"].([]any)
	}
	if !limited {
		return
	}
	item, ok := s.simplify(rest)
	if byPlace {
		item, ok = s.either(append(slices.Clip(first), rest)), true
	}
	if ok && (len(item) > 0 || !byPlace) {
		out["items"] = item
	}
}

// either returns a schema that permits what one of several does.
func (s *simplifier) either(list []any) schema {
	var parts []any
	for _, v := range list {
		part, ok := s.simplify(v)
		switch {
		case !ok:
		case len(part) == 0:
			return schema{}
		default:
			parts = append(parts, part)
		}
	}
	return anyOf(parts)
}

func anyOf(parts []any) schema {
	switch len(parts) {
	case 0:
		return schema{}
	case 1:
		only, _ := parts[0].(schema)
		return only
	}
	return schema{"anyOf": parts}
}

// follow returns what a reference refers to. One that refers to itself, or to another
// document, permits everything.
func (s *simplifier) follow(ref string) (schema, bool) {
	path, local := strings.CutPrefix(ref, "#")
	path, err := url.PathUnescape(path)
	if !local || err != nil || s.anchored || s.following[ref] || path != "" && path[0] != '/' {
		return schema{}, true
	}
	target := s.root
	for _, step := range strings.Split(path, "/")[1:] {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch v := target.(type) {
		case schema:
			target = v[step]
		case []any:
			target = nil
			if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(v) {
				target = v[i]
			}
		default:
			return schema{}, true
		}
	}
	s.following[ref] = true
	defer delete(s.following, ref)
	return s.simplify(target)
}

// merge returns a schema that permits what both of two simplified ones do, and perhaps more;
// ok is false if there is no type that both permit.
func merge(a, b schema) (_ schema, ok bool) {
	out := maps.Clone(a)
	for name, v := range b {
		have, both := out[name]
		if !both {
			out[name] = v
			continue
		}
		switch name {
		case "type":
			types := commonTypes(typesOf(have), typesOf(v))
			switch len(types) {
			case 0:
				return nil, false
			case 1:
				out[name] = types[0]
			default:
				out[name] = types
			}
		case "required":
			out[name] = union(have, v)
		case "properties":
			out[name] = mergeProperties(have, v)
		case "items", "additionalProperties":
			one, first := have.(schema)
			other, second := v.(schema)
			if first && second {
				if merged, ok := merge(one, other); ok {
					out[name] = merged
				}
			}
		}
	}
	return out, true
}

func mergeProperties(a, b any) schema {
	one, _ := a.(schema)
	other, _ := b.(schema)
	out := maps.Clone(one)
	for name, v := range other {
		if have, both := out[name].(schema); both {
			next, _ := v.(schema)
			merged, ok := merge(have, next)
			if !ok {
				delete(out, name)
				continue
			}
			v = merged
		}
		out[name] = v
	}
	return out
}

// commonTypes returns the types that two lists share; an integer is a number.
func commonTypes(a, b []any) (common []any) {
	for _, t := range a {
		switch {
		case slices.Contains(b, t), t == "integer" && slices.Contains(b, any("number")):
			common = append(common, t)
		case t == "number" && slices.Contains(b, any("integer")):
			common = append(common, "integer")
		}
	}
	return common
}

// union returns the texts of two lists, each once.
func union(a, b any) (all []any) {
	one, _ := a.([]any)
	other, _ := b.([]any)
	has := setOf(nil)
	for _, v := range slices.Concat(one, other) {
		if text, is := v.(string); is && !has[text] {
			has[text] = true
			all = append(all, v)
		}
	}
	return all
}

// setOf returns the texts of a list.
func setOf(list []any) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, v := range list {
		if text, is := v.(string); is {
			set[text] = true
		}
	}
	return set
}

// flatten returns an object whose alternatives have become one: with the properties of all,
// and what all require.
func flatten(s schema) schema {
	list, has := s["anyOf"].([]any)
	if !has {
		return s
	}
	out := maps.Clone(s)
	delete(out, "anyOf")
	var parts []schema
	for _, v := range list {
		part, _ := v.(schema)
		if object, ok := merge(part, schema{"type": "object"}); ok {
			parts = append(parts, flatten(object))
		}
	}
	properties, _ := out["properties"].(schema)
	properties = maps.Clone(properties)
	if properties == nil {
		properties = schema{}
	}
	var required []any
	for i, part := range parts {
		own, _ := part["properties"].(schema)
		for name := range own {
			if _, has := properties[name]; !has {
				properties[name] = inAll(parts, name)
			}
		}
		needs, _ := part["required"].([]any)
		if i == 0 {
			required = slices.Clone(needs)
		}
		needed := setOf(needs)
		required = slices.DeleteFunc(required, func(name any) bool {
			text, _ := name.(string)
			return !needed[text]
		})
	}
	out["properties"] = properties
	if required = union(out["required"], required); len(required) > 0 {
		out["required"] = required
	}
	return out
}

// inAll returns what a property may be in one of several objects. Where one of them permits
// anything, so does the result, and describes what the others expect.
func inAll(parts []schema, name string) schema {
	var wanted []any
	open := false
	for _, part := range parts {
		properties, _ := part["properties"].(schema)
		if p, has := properties[name]; has {
			if !slices.ContainsFunc(wanted, func(w any) bool { return reflect.DeepEqual(w, p) }) {
				wanted = append(wanted, p)
			}
		} else if part["additionalProperties"] != false {
			open = true
		}
	}
	either := anyOf(wanted)
	if !open {
		return either
	}
	hint, _ := either["description"].(string)
	if raw, err := json.Marshal(without(either, "description", "title")); err == nil && len(raw) <= 300 {
		hint = strings.TrimSpace(hint + " " + string(raw))
	}
	if hint == "" {
		return schema{}
	}
	return schema{"description": hint}
}

// sizeOf returns about how many bytes a value takes.
func sizeOf(v any) int {
	size := 8
	switch v := v.(type) {
	case string:
		size += len(v)
	case []any:
		for _, x := range v {
			size += sizeOf(x)
		}
	case schema:
		for name, x := range v {
			size += len(name) + sizeOf(x)
		}
	}
	return size
}

func keep(s schema, names ...string) schema {
	out := schema{}
	for _, name := range names {
		if v, has := s[name]; has {
			out[name] = v
		}
	}
	return out
}

func without(s schema, names ...string) schema {
	out := maps.Clone(s)
	for _, name := range names {
		delete(out, name)
	}
	return out
}

// typesOf returns the types that a schema's "type" names, which may be one or a list.
func typesOf(v any) []any {
	if list, is := v.([]any); is {
		return union(nil, list)
	}
	if _, is := v.(string); is {
		return []any{v}
	}
	return nil
}
