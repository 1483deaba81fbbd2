package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
)

// reader reads the arguments of one tool by its schema.
type reader struct {
	spec     Spec
	schema   *jsonschema.Schema
	resolved *jsonschema.Resolved
}

// Spec implements [Tool].
func (r *reader) Spec() Spec { return r.spec }

// corrected returns what a model sent, corrected where only one meaning is possible, and
// whether that changed anything.
func (r *reader) corrected(raw json.RawMessage) (value any, changed bool, err error) {
	value, err = parseArguments(raw)
	if err != nil {
		return nil, false, err
	}
	inner, wrapped := r.unwrapped(value)
	value, changed = coerce(r.schema, inner)
	return value, changed || wrapped, nil
}

// validate checks corrected arguments by the schema.
func (r *reader) validate(value any) error {
	if err := r.resolved.Validate(plainNumbers(value)); err != nil {
		return &ArgumentError{Expected: "arguments that fit the schema", Got: clip(err.Error(), 300), Schema: r.spec.Schema}
	}
	return nil
}

// normalized returns corrected arguments as JSON that can be read in one way only.
func (r *reader) normalized(raw json.RawMessage) (json.RawMessage, error) {
	value, _, err := r.corrected(raw)
	if err != nil {
		return nil, r.named(err)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, r.named(fmt.Errorf("write corrected arguments: %w", err))
	}
	return bytes.TrimSpace(out.Bytes()), nil
}

// named adds the tool's name to an error.
func (r *reader) named(err error) error {
	var ae *ArgumentError
	if errors.As(err, &ae) {
		c := *ae
		c.Tool = r.spec.Name
		return &c
	}
	return fmt.Errorf("%s: %w", r.spec.Name, err)
}

// unwrapped takes arguments out of the call that some models wrap around them again:
// alone in one member, or beside the tool's own name.
func (r *reader) unwrapped(value any) (any, bool) {
	obj, _ := value.(map[string]any)
	name, named := obj["name"]
	for _, member := range []string{"arguments", "parameters"} {
		inner, wraps := obj[member]
		if text, ok := inner.(string); ok {
			inner, _ = parseJSON([]byte(text))
		}
		_, isObject := inner.(map[string]any)
		if wraps && isObject && r.schema.Properties[member] == nil &&
			(len(obj) == 1 || len(obj) == 2 && named && name == r.spec.Name) {
			return inner, true
		}
	}
	return value, false
}
