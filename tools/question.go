package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"bowerbird/ndb/clean"
)

// Caller is what a tool can do while it runs, besides returning. Its functions may be nil:
// nobody can be asked then, or nobody sees how far the call is.
type Caller struct {
	// Ask passes on what an MCP server asks the user. An error counts as no answer.
	Ask func(ctx context.Context, q Question) (Reply, error)
	// Progress shows how far the call is. It does not wait.
	Progress func(Progress)
}

// Progress is how far a call is, as a server reports it; its words are safe to show.
type Progress struct {
	Done, Total float64 // Total is 0 if it is unknown
	Words       string
}

type callerKey struct{}

// WithCaller returns a context for a call of a tool.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns who calls the tool that runs with ctx.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// Question is a form that an MCP server asks the user to fill in while it carries out a call.
// Its words are by the server, and safe to show.
type Question struct {
	Server  string // as the user calls it
	Message string
	Fields  []Field // none: only a yes or no is wanted
}

// Field is a line of the form.
type Field struct {
	Name     string // the key of its value
	Label    string
	Help     string
	Limits   string // of a text's length or a number, in signs that need no language
	Kind     FieldKind
	Options  []FieldOption // of OneOfField and SomeOfField
	Required bool
	Default  []string // what is filled in already: for SomeOfField any number, else at most one

	check *jsonschema.Resolved
}

// FieldOption is a value that can be chosen.
type FieldOption struct{ Value, Label string }

// FieldKind is what a field takes.
type FieldKind uint8

// The kinds of fields.
const (
	TextField FieldKind = iota
	NumberField
	YesNoField // "true" or "false"
	OneOfField
	SomeOfField
)

// Reply is what the user does with a Question.
type Reply struct {
	Accepted bool
	Values   map[string]any // that fit the schema, if Accepted
	// Dismissed: the user looked away without saying no.
	Dismissed bool
}

// The limits of a form.
const (
	maxFields   = 20
	maxOptions  = 50
	maxQuestion = 2000 // characters of the message
)

// NewQuestion reads the schema of a form: an object of texts, numbers, yes-or-no and choices.
// The errors say what a server asks for that is not supported.
func NewQuestion(server, message string, schema json.RawMessage) (Question, error) {
	q := Question{Server: server, Message: clean.Text(clean.Cut(message, maxQuestion))}
	if len(schema) == 0 || string(schema) == "null" {
		return q, nil
	}
	var form jsonschema.Schema
	if err := json.Unmarshal(schema, &form); err != nil {
		return q, fmt.Errorf("schema: %w", err)
	}
	if len(form.Properties) > maxFields {
		return q, fmt.Errorf("a form of %d fields; at most %d are shown", len(form.Properties), maxFields)
	}
	for _, name := range slices.Sorted(maps.Keys(form.Properties)) { // their order is lost on the way here
		f, err := newField(name, form.Properties[name])
		if err != nil {
			return q, fmt.Errorf("field %q: %w", clip(name, 80), err)
		}
		f.Required = slices.Contains(form.Required, name)
		q.Fields = append(q.Fields, f)
	}
	return q, nil
}

func newField(name string, s *jsonschema.Schema) (Field, error) {
	f := Field{Name: name, Label: clean.Line(cmp.Or(s.Title, name), 80), Help: clean.Line(s.Description, 300)}
	choices := s
	switch s.Type {
	case "string":
		f.Limits = limits(float(s.MinLength), float(s.MaxLength))
	case "number", "integer":
		f.Kind, f.Limits = NumberField, limits(s.Minimum, s.Maximum)
	case "boolean":
		f.Kind = YesNoField
	case "array":
		if f.Kind, choices = SomeOfField, s.Items; choices == nil {
			return f, errors.New("a list of anything")
		}
	default:
		return f, fmt.Errorf("type %q is not supported", clip(s.Type, 40))
	}
	f.Options = options(choices, s.Extra)
	if len(f.Options) > maxOptions {
		return f, fmt.Errorf("%d choices; at most %d are shown", len(f.Options), maxOptions)
	}
	switch {
	case f.Kind == TextField && f.Options != nil:
		f.Kind, f.Limits = OneOfField, ""
	case f.Kind == SomeOfField && f.Options == nil:
		return f, errors.New("a list of anything")
	}
	f.Default = defaults(s.Default)
	var err error
	f.check, err = s.Resolve(nil)
	return f, err
}

// options lists what can be chosen, in each of the ways that the protocol knows.
func options(s *jsonschema.Schema, extra map[string]any) []FieldOption {
	var all []FieldOption
	names, _ := extra["enumNames"].([]any)
	for i, v := range s.Enum {
		o := FieldOption{Value: fmt.Sprint(v), Label: fmt.Sprint(v)}
		if i < len(names) {
			o.Label = fmt.Sprint(names[i])
		}
		all = append(all, o)
	}
	for _, one := range slices.Concat(s.OneOf, s.AnyOf) {
		if one.Const != nil {
			v := fmt.Sprint(*one.Const)
			all = append(all, FieldOption{Value: v, Label: cmp.Or(one.Title, v)})
		}
	}
	for i := range all {
		all[i].Label = clean.Line(all[i].Label, 80)
	}
	return all
}

func defaults(raw json.RawMessage) []string {
	var list []any
	if json.Unmarshal(raw, &list) != nil {
		list = make([]any, 1)
		_ = json.Unmarshal(raw, &list[0]) // no default stays nil
	}
	var all []string
	for _, v := range list {
		switch v := v.(type) {
		case string:
			all = append(all, clean.Text(v))
		case float64:
			all = append(all, strconv.FormatFloat(v, 'f', -1, 64))
		case bool:
			all = append(all, strconv.FormatBool(v))
		}
	}
	return all
}

func float(n *int) *float64 {
	if n == nil {
		return nil
	}
	f := float64(*n)
	return &f
}

func limits(least, most *float64) string {
	switch {
	case least != nil && most != nil:
		return fmt.Sprintf("%v–%v", *least, *most)
	case least != nil:
		return fmt.Sprintf("≥ %v", *least)
	case most != nil:
		return fmt.Sprintf("≤ %v", *most)
	}
	return ""
}

// FieldError says which field of a form is not filled in as it should be.
type FieldError struct {
	Field   Field
	Missing bool // it is empty and must not be
}

// Error implements error.
func (e *FieldError) Error() string {
	if e.Missing {
		return e.Field.Label + " is missing"
	}
	return strings.TrimSpace(fmt.Sprintf("%s does not fit what is asked for %s", e.Field.Label, e.Field.Limits))
}

// Accept returns the reply of a user who filled in the form: the texts of each field, by
// name, for SomeOfField any number, else one. What is empty and may be is left out. The error
// is a [*FieldError].
func (q Question) Accept(filled map[string][]string) (Reply, error) {
	r := Reply{Accepted: true, Values: map[string]any{}}
	for _, f := range q.Fields {
		texts := filled[f.Name]
		if f.Kind != SomeOfField && len(texts) == 1 && texts[0] == "" {
			texts = nil
		}
		if len(texts) == 0 && (f.Kind != SomeOfField || !f.Required) {
			if f.Required {
				return Reply{}, &FieldError{Field: f, Missing: true}
			}
			continue
		}
		value, ok := f.value(texts)
		if !ok || f.check.Validate(value) != nil {
			return Reply{}, &FieldError{Field: f}
		}
		r.Values[f.Name] = value
	}
	return r, nil
}

// value returns what texts mean in the field.
func (f Field) value(texts []string) (value any, ok bool) {
	switch f.Kind {
	case NumberField:
		n, err := strconv.ParseFloat(strings.TrimSpace(texts[0]), 64)
		return n, err == nil && !math.IsInf(n, 0) && !math.IsNaN(n)
	case YesNoField:
		return texts[0] == "true", texts[0] == "true" || texts[0] == "false"
	case SomeOfField:
		list := make([]any, len(texts))
		for i, t := range texts {
			list[i] = t
		}
		return list, true
	}
	return texts[0], true
}
