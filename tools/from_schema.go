package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// maxForeignSchema is the maximum size of a schema from elsewhere, in bytes: a model would
// read all of it.
const maxForeignSchema = 64 << 10

var foreignName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// FromSchema makes a tool that is described by a JSON Schema from elsewhere, draft-07 or
// 2020-12: that of an MCP server. spec.Schema is that schema and spec.Source is required.
// run gets arguments that fit the schema, written so that they can be read in one way only.
//
// The errors say what the schema asks for that is not supported: another draft, a reference
// to a schema elsewhere, or a pattern that Go's regexp does not know.
func FromSchema(spec Spec, run func(ctx context.Context, args json.RawMessage) (Result, error)) (Tool, error) {
	switch {
	case !foreignName.MatchString(spec.Name):
		return nil, fmt.Errorf("%q is no tool name: want up to 64 letters, digits, _ and -", clip(spec.Name, 80))
	case spec.Source == "":
		return nil, fmt.Errorf("tool %s: no source", spec.Name)
	case len(spec.Schema) > maxForeignSchema:
		return nil, fmt.Errorf("schema of %d bytes, at most %d are read", len(spec.Schema), maxForeignSchema)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(spec.Schema, &schema); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	if schema.Type != "object" {
		return nil, errors.New(`schema: arguments are of type "object"`)
	}
	if err := knownDraft(schema.Schema); err != nil {
		return nil, err
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	if schema.Properties == nil && schema.Ref == "" {
		raw, err := withProperties(spec.Schema) // servers of models refuse an object without the member
		if err != nil {
			return nil, fmt.Errorf("schema: %w", err)
		}
		spec.Schema = raw
	}
	return &foreign{reader{spec, &schema, resolved}, run}, nil
}

// knownDraft returns an error if the schema's dialect has keywords that would be read as
// those of another one.
func knownDraft(dialect string) error {
	switch strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(dialect, "https://"), "http://"), "#") {
	case "", "json-schema.org/draft-07/schema", "json-schema.org/draft/2020-12/schema":
		return nil
	}
	return fmt.Errorf("schema: draft %q is not supported; draft-07 and 2020-12 are", clip(dialect, 80))
}

func withProperties(raw json.RawMessage) (json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, err
	}
	members["properties"] = json.RawMessage("{}")
	return json.Marshal(members)
}

// foreign is a tool that another program carries out.
type foreign struct {
	reader
	run func(context.Context, json.RawMessage) (Result, error)
}

// Call implements [Tool].
func (t *foreign) Call(ctx context.Context, _ *Env, raw json.RawMessage) (Result, error) {
	args, err := t.Normalize(raw)
	if err != nil {
		return nil, err
	}
	res, err := t.run(ctx, args)
	if err != nil {
		return nil, t.named(err)
	}
	return res, nil
}

// Normalize implements [Normalizer].
func (t *foreign) Normalize(raw json.RawMessage) (json.RawMessage, error) {
	value, _, err := t.corrected(raw)
	if err != nil {
		return nil, t.named(err)
	}
	if err := t.validate(value); err != nil {
		return nil, t.named(err)
	}
	return t.normalized(raw)
}
