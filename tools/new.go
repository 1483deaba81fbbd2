package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// maxArguments is the maximum size of a call's arguments, in bytes.
const maxArguments = 2 << 20

// Option changes what New assumes.
type Option func(*Spec)

// Untainting declares that a tool's results hold nothing but numbers, ids and what the
// caller itself wrote. Without it a tool counts as showing strangers' text.
func Untainting() Option { return func(s *Spec) { s.Tainting = false } }

// Rich declares that a tool shows more than text.
func Rich() Option { return func(s *Spec) { s.Rich = true } }

// Ordered declares that a result depends on the calls before it in the turn.
func Ordered() Option { return func(s *Spec) { s.Ordered = true } }

// About declares what a tool is found by when a model is not sent all: its category, and what
// else it is called, in any language. example is a call's arguments.
func About(category, example string, aliases ...string) Option {
	return func(s *Spec) { s.Category, s.Example, s.Aliases = category, json.RawMessage(example), aliases }
}

var toolName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

// New makes a tool of a function. The schema comes from A, a struct: its json tags name
// the arguments (omitempty: optional), and the tags jsonschema (description), enum,
// default, minItems, maxItems and maxLength refine it. The model reads doc.
//
// New panics if the name, a tag or A is not valid for a tool: that is a mistake in the
// program, found by the first test that makes the tool.
func New[A any, R Result](name, doc string, effect Effect, run func(context.Context, *Env, A) (R, error), opts ...Option) Tool {
	if !toolName.MatchString(name) {
		panic(fmt.Sprintf("tools: %q is no tool name", name))
	}
	schema, err := schemaFor[A]()
	if err != nil {
		panic(fmt.Sprintf("tools: schema of %s: %v", name, err))
	}
	resolved, err := schema.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		panic(fmt.Sprintf("tools: schema of %s: %v", name, err))
	}
	raw, err := json.Marshal(schema)
	if err != nil {
		panic(fmt.Sprintf("tools: schema of %s: %v", name, err))
	}
	t := &tool[A, R]{
		reader: reader{
			spec:   Spec{Name: name, Description: strings.TrimSpace(doc), Schema: raw, Effect: effect, Tainting: true},
			schema: schema, resolved: resolved,
		},
		run: run,
	}
	for _, o := range opts {
		o(&t.spec)
	}
	return t
}

type tool[A any, R Result] struct {
	reader
	run func(context.Context, *Env, A) (R, error)
}

func (t *tool[A, R]) Call(ctx context.Context, env *Env, raw json.RawMessage) (Result, error) {
	args, err := t.arguments(raw)
	if err != nil {
		return nil, t.named(err)
	}
	res, err := t.run(ctx, env, args)
	if err != nil {
		return nil, t.named(err)
	}
	return res, nil
}

// Normalize implements [Normalizer].
func (t *tool[A, R]) Normalize(raw json.RawMessage) (json.RawMessage, error) {
	if _, err := t.arguments(raw); err != nil {
		return nil, t.named(err)
	}
	return t.normalized(raw)
}

// arguments turns what a model sent into A: parsed, corrected if only one meaning is
// possible, checked, decoded.
func (t *tool[A, R]) arguments(raw json.RawMessage) (A, error) {
	var args A
	corrected, changed, err := t.corrected(raw)
	if err != nil {
		return args, err
	}
	if err := check(t.schema, corrected, ""); err != nil {
		return args, err
	}
	// check covers the keywords that our structs use, with better messages; the library
	// covers the others.
	if err := t.validate(corrected); err != nil {
		return args, err
	}
	// What needed no correction is decoded as it was sent, so that the order of an
	// object's members is kept.
	if changed || len(bytes.TrimSpace(raw)) == 0 {
		if raw, err = json.Marshal(corrected); err != nil {
			return args, fmt.Errorf("write corrected arguments: %w", err)
		}
	}
	if err := json.Unmarshal(raw, &args); err != nil {
		var ae *ArgumentError
		if errors.As(err, &ae) {
			return args, ae
		}
		var te *json.UnmarshalTypeError
		if errors.As(err, &te) {
			return args, &ArgumentError{Path: te.Field, Expected: te.Type.String(), Got: te.Value}
		}
		return args, &ArgumentError{Expected: "arguments that can be read", Got: clip(err.Error(), 200)}
	}
	return args, nil
}

// parseArguments reads one JSON object. Nothing, null and an empty text mean no
// arguments; a text that contains an object is parsed once, as models nest them.
func parseArguments(raw json.RawMessage) (any, error) {
	if len(raw) > maxArguments {
		return nil, &ArgumentError{Expected: fmt.Sprintf("at most %d bytes", maxArguments), Got: fmt.Sprintf("%d bytes", len(raw))}
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return map[string]any{}, nil
	}
	value, err := parseJSON(raw)
	if err != nil {
		return nil, &ArgumentError{Expected: "a JSON object", Got: "text that is no JSON (" + err.Error() + ")"}
	}
	switch v := value.(type) {
	case nil:
		return map[string]any{}, nil
	case map[string]any:
		return v, nil
	case string:
		if strings.TrimSpace(v) == "" {
			return map[string]any{}, nil
		}
		// coerce parses it; this only finds out that it is worth trying.
		if inner, err := parseJSON([]byte(v)); err == nil {
			if _, ok := inner.(map[string]any); ok {
				return v, nil
			}
		}
	}
	return nil, &ArgumentError{Expected: "a JSON object", Got: describe(value)}
}

// parseJSON reads exactly one JSON value, numbers as written.
func parseJSON(raw []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more text after the value")
	}
	return v, nil
}

// plainNumbers converts numbers to the types that the schema library knows.
func plainNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		f, err := v.Float64()
		if err != nil {
			return v.String()
		}
		return f
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plainNumbers(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k := range v {
			out[k] = plainNumbers(v[k])
		}
		return out
	}
	return v
}
