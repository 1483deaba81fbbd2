package tools

import (
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
)

// Shape is the form of a JSON object that a model is asked for, given by a struct like
// those for New. What the model writes is read by the rules for a tool's arguments.
type Shape[A any] struct{ tool tool[A, Result] }

// ShapeOf returns the shape of A, a struct.
func ShapeOf[A any]() (*Shape[A], error) {
	schema, err := schemaFor[A]()
	if err != nil {
		return nil, fmt.Errorf("the shape of an answer: %w", err)
	}
	resolved, err := schema.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		return nil, fmt.Errorf("the shape of an answer: %w", err)
	}
	raw, err := json.Marshal(schema)
	if err != nil {
		return nil, fmt.Errorf("the shape of an answer: %w", err)
	}
	return &Shape[A]{tool[A, Result]{spec: Spec{Name: "answer", Schema: raw}, schema: schema, resolved: resolved}}, nil
}

// Schema returns the JSON Schema.
func (s *Shape[A]) Schema() json.RawMessage { return s.tool.spec.Schema }

// Read reads an object: corrected if only one meaning is possible, and checked. What does
// not fit is an *ArgumentError.
func (s *Shape[A]) Read(raw json.RawMessage) (A, error) {
	a, err := s.tool.arguments(raw)
	if err != nil {
		return a, s.tool.named(err)
	}
	return a, nil
}
