package llm_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"bowerbird/llm"
)

// checkForm checks a schema against what a provider documents or has refused, independently
// of the code that brings it into that form.
func checkForm(provider string, raw []byte) error {
	var s map[string]any
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	if s["type"] != "object" {
		return errors.New(`the top is not of type "object"`)
	}
	for _, name := range []string{"anyOf", "oneOf", "allOf", "enum", "const", "not"} {
		if s[name] != nil {
			return fmt.Errorf("%s at the top", name)
		}
	}
	switch provider {
	case "gemini":
		if s["properties"] == nil {
			return errors.New("no properties at the top")
		}
		return checkGemini(s, "")
	case "anthropic":
		return checkPlain(s, "", regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`))
	}
	return checkPlain(s, "", regexp.MustCompile(``))
}

func checkPlain(s map[string]any, path string, names *regexp.Regexp) error {
	return walk(s, path, names, func(name string, v any) error {
		if slices.Contains([]string{
			"$ref", "$defs", "definitions", "$dynamicRef", "oneOf", "allOf", "const", "not", "if", "prefixItems", "patternProperties",
		}, name) || strings.HasPrefix(name, "$") {
			return errors.New("is not read everywhere")
		}
		return nil
	})
}

func checkGemini(s map[string]any, path string) error {
	if err := walk(s, path, regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]{0,63}$`), func(name string, v any) error {
		if !slices.Contains([]string{
			"type", "format", "description", "nullable", "enum", "items", "minItems", "maxItems", "properties", "required",
			"minimum", "maximum", "minLength", "maxLength", "anyOf",
		}, name) {
			return errors.New("Cannot find field")
		}
		return nil
	}); err != nil {
		return err
	}
	return checkGeminiPart(s, path)
}

func checkGeminiPart(s map[string]any, path string) error {
	if list, is := s["anyOf"].([]any); is {
		if len(s) > 1 {
			return fmt.Errorf("%s: When using any_of, it must be the only field set", path)
		}
		for i, v := range list {
			if err := checkGeminiPart(v.(map[string]any), fmt.Sprintf("%s/anyOf/%d", path, i)); err != nil {
				return err
			}
		}
		return nil
	}
	kind, _ := s["type"].(string)
	belong := map[string][]string{
		"string": {"format", "enum", "minLength", "maxLength"}, "number": {"minimum", "maximum"}, "integer": {"minimum", "maximum"},
		"boolean": {}, "array": {"items", "minItems", "maxItems"}, "object": {"properties", "required"},
	}
	if belong[kind] == nil {
		return fmt.Errorf("%s: type must be specified, got %v", path, s["type"])
	}
	for name := range s {
		if !slices.Contains(append([]string{"type", "description", "nullable"}, belong[kind]...), name) {
			return fmt.Errorf("%s: %s: not allowed for %s", path, name, kind)
		}
	}
	for _, name := range []string{"minItems", "maxItems", "minLength", "maxLength"} {
		if n, is := s[name].(float64); is && (n != math.Trunc(n) || n < 0) {
			return fmt.Errorf("%s: %s is %v", path, name, n)
		}
	}
	values, _ := s["enum"].([]any)
	for _, v := range values {
		if text, is := v.(string); !is || text == "" {
			return fmt.Errorf("%s: enum holds %v", path, v)
		}
	}
	if format := s["format"]; format != nil && format != "date-time" {
		return fmt.Errorf("%s: format: only 'enum' and 'date-time' are supported", path)
	}
	if items, is := s["items"].(map[string]any); kind == "array" {
		if !is {
			return fmt.Errorf("%s: items: missing field", path)
		}
		if err := checkGeminiPart(items, path+"/items"); err != nil {
			return err
		}
	}
	properties, has := s["properties"].(map[string]any)
	if has && len(properties) == 0 && path != "" {
		return fmt.Errorf("%s: properties: should be non-empty", path)
	}
	for name, v := range properties {
		if err := checkGeminiPart(v.(map[string]any), path+"/"+name); err != nil {
			return err
		}
	}
	required, _ := s["required"].([]any)
	for _, name := range required {
		if properties[name.(string)] == nil {
			return fmt.Errorf("%s: required: %v is not defined", path, name)
		}
	}
	return nil
}

// walk checks every keyword of a schema and of its parts, and the names of properties.
func walk(s map[string]any, path string, names *regexp.Regexp, keyword func(name string, v any) error) error {
	part := func(v any, at string) error {
		if sub, is := v.(map[string]any); is {
			return walk(sub, at, names, keyword)
		}
		if _, is := v.(bool); is && strings.HasSuffix(at, "additionalProperties") {
			return nil
		}
		return fmt.Errorf("%s is %v", at, v)
	}
	if _, has := s["items"]; !has && s["type"] == "array" {
		return fmt.Errorf("%s: array schema missing items", path)
	}
	for name, v := range s {
		at := path + "/" + name
		if err := keyword(name, v); err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
		var err error
		switch name {
		case "items", "additionalProperties":
			err = part(v, at)
		case "anyOf":
			for _, x := range v.([]any) {
				err = errors.Join(err, part(x, at))
			}
		case "properties":
			for property, x := range v.(map[string]any) {
				if !names.MatchString(property) {
					err = fmt.Errorf("%s: property keys should match %s, got %q", at, names, property)
				}
				err = errors.Join(err, part(x, at+"/"+property))
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Every schema of the JSON Schema test suite, as the whole of a tool's arguments and as one
// of them, has a form for every provider, and what it permits is permitted there.
func TestWhatASchemaPermitsIsPermittedInEveryForm(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/jsonschema-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "jsonschema", "testdata", "draft*", "*.json"))
	if err != nil || len(files) < 80 {
		t.Fatalf("%d files of the suite, %v", len(files), err)
	}
	schemas, checked := 0, 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var groups []struct {
			Description string
			Schema      json.RawMessage
			Tests       []struct {
				Data  any
				Valid bool
			}
		}
		if err := json.Unmarshal(raw, &groups); err != nil {
			t.Fatal(err)
		}
		draft := "https://json-schema.org/draft/2020-12/schema"
		if strings.Contains(filepath.ToSlash(file), "/draft7/") {
			draft = "http://json-schema.org/draft-07/schema#"
		}
		for _, g := range groups {
			about := filepath.Base(filepath.Dir(file)) + "/" + filepath.Base(file) + ": " + g.Description
			asArgument, _ := json.Marshal(map[string]any{"$schema": draft, "type": "object", "properties": map[string]any{"x": moved(g.Schema)}})
			var instances, objects []any
			for _, c := range g.Tests {
				if c.Valid {
					instances = append(instances, map[string]any{"x": c.Data})
					if _, is := c.Data.(map[string]any); is {
						objects = append(objects, c.Data)
					}
				}
			}
			schemas++
			checked += permitted(t, about, asArgument, instances, false)
			var whole map[string]any
			toItself := strings.Contains(string(g.Schema), `"$ref": "#"`) // which would be of type object too
			if json.Unmarshal(g.Schema, &whole) == nil && whole != nil && !toItself {
				if whole["type"] == nil {
					whole["type"] = "object"
				}
				whole["$schema"] = draft
				asWhole, _ := json.Marshal(whole)
				checked += permitted(t, about+", whole", asWhole, objects, true)
			}
		}
	}
	t.Logf("%d schemas, %d instances", schemas, checked)
}

// permitted checks that instances are permitted in every form of a schema, and returns how
// many were checked. Without an object there may be no form.
func permitted(t *testing.T, about string, raw json.RawMessage, instances []any, may bool) (checked int) {
	t.Helper()
	for name, rule := range llm.SchemaRules {
		form, renamed, err := llm.FitSchema(rule, raw)
		if err != nil {
			if !may || len(instances) > 0 {
				t.Errorf("%s, %s: %v", about, name, err)
			}
			continue
		}
		if err := checkForm(name, form); err != nil {
			t.Errorf("%s, %s: %v\nin %s\nof %s", about, name, err, form, raw)
		}
		var v any
		if err := json.Unmarshal(form, &v); err != nil {
			t.Fatal(err)
		}
		whole, _ := json.Marshal(withNull(v))
		var schema jsonschema.Schema
		if err := json.Unmarshal(whole, &schema); err != nil {
			t.Errorf("%s, %s: %v", about, name, err)
			continue
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Errorf("%s, %s: %v", about, name, err)
			continue
		}
		for _, instance := range instances {
			if name == "gemini" && listDepth(instance) > 2 {
				continue
			}
			asSent := renamedIn(instance, renamed)
			if err := resolved.Validate(asSent); err != nil {
				shown, _ := json.Marshal(asSent)
				t.Errorf("%s, %s: %s is not permitted by\n%s\nof %s", about, name, shown, form, raw)
			}
			shown, _ := json.Marshal(asSent)
			var back any
			if err := json.Unmarshal(llm.Restore(shown, renamed), &back); err != nil || !reflect.DeepEqual(back, instance) {
				t.Errorf("%s, %s: %s restored is %v, want %v", about, name, shown, back, instance)
			}
			checked++
		}
	}
	return checked
}

// moved returns a schema whose references are relative to the top of the schema around it.
func moved(raw json.RawMessage) any {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	var move func(any) any
	move = func(v any) any {
		switch v := v.(type) {
		case []any:
			for i := range v {
				v[i] = move(v[i])
			}
		case map[string]any:
			for name, x := range v {
				if ref, is := x.(string); is && name == "$ref" && strings.HasPrefix(ref+"/", "#/") {
					v[name] = "#/properties/x" + ref[1:]
				} else if name != "enum" && name != "const" {
					v[name] = move(x)
				}
			}
		}
		return v
	}
	return move(v)
}

// withNull writes "nullable" as JSON Schema does.
func withNull(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = withNull(v[i])
		}
	case map[string]any:
		for name, x := range v {
			v[name] = withNull(x)
		}
		if v["nullable"] == true {
			delete(v, "nullable")
			return map[string]any{"anyOf": []any{map[string]any{"type": "null"}, v}}
		}
	}
	return v
}

func renamedIn(v any, renamed map[string]string) any {
	safe := maps.Collect(func(yield func(string, string) bool) {
		for s, own := range renamed {
			if !yield(own, s) {
				return
			}
		}
	})
	var rename func(any) any
	rename = func(v any) any {
		switch v := v.(type) {
		case []any:
			out := make([]any, len(v))
			for i := range v {
				out[i] = rename(v[i])
			}
			return out
		case map[string]any:
			out := map[string]any{}
			for name, x := range v {
				if s, is := safe[name]; is {
					name = s
				}
				out[name] = rename(x)
			}
			return out
		}
		return v
	}
	return rename(v)
}

func listDepth(v any) (deepest int) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			deepest = max(deepest, listDepth(x))
		}
		deepest++
	case map[string]any:
		for _, x := range v {
			deepest = max(deepest, listDepth(x))
		}
	}
	return deepest
}

func sameValue(t *testing.T, a []byte, b string) bool {
	t.Helper()
	var x, y any
	if err := errors.Join(json.Unmarshal(a, &x), json.Unmarshal([]byte(b), &y)); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(x, y)
}
