package textcall

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Writer tells a model that has no tools of its own about ours, and writes calls
// and results into its history in the same way.
//
// Texts of strangers stand in calls and results. They are written as JSON in which
// no mark can stand, neither of the format nor of a model's template, so that a
// note cannot end the result that it is in.
type Writer struct {
	// System is what the system message says of the tools.
	System func(tools []Tool) string
	// Calls are calls as the model writes them.
	Calls func(calls []Call) string
	// Result answers a call, as the text of a user's message.
	Result func(r Result) string
}

// Result is the answer to a call.
type Result struct {
	Name   string
	Text   string
	Failed bool
}

// Find returns the format of a name.
func Find(name string) (Format, bool) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// instructions is what all formats say of the tools. example is a call.
func instructions(list, example, several, results string) string {
	return "You can call tools to look things up. These are the tools, each with the JSON Schema of its arguments:\n" +
		list + "\n\nTo call a tool, write exactly this, with the name of the tool and its arguments:\n" + example +
		"\n\n" + several + " After a call, stop: " + results +
		" Call a tool only when you need it, and only one that is listed. Otherwise answer in plain text."
}

func described(t Tool) string {
	type function struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters"`
	}
	return asJSON(struct {
		Type     string   `json:"type"`
		Function function `json:"function"`
	}{"function", function{t.Name, t.Description, t.Parameters()}})
}

func describedAll(tools []Tool) string {
	lines := make([]string, len(tools))
	for i, t := range tools {
		lines[i] = described(t)
	}
	return strings.Join(lines, "\n")
}

func object(c Call) string {
	return asJSON(struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}{c.Name, argumentsObject(c)})
}

// argumentsObject are a call's arguments; those of an invalid call were none.
func argumentsObject(c Call) json.RawMessage {
	if c.Invalid != "" || len(c.Arguments) == 0 || c.Arguments[0] != '{' {
		return json.RawMessage("{}")
	}
	return c.Arguments
}

func objects(calls []Call) string {
	list := make([]string, len(calls))
	for i, c := range calls {
		list[i] = object(c)
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// resultObject writes a result as {"name": …, "content": …}, or with "error". A
// text that is JSON is not put into quotes.
func resultObject(r Result) string {
	content := json.RawMessage(r.Text)
	if !json.Valid(content) {
		content = json.RawMessage(asJSON(r.Text))
	}
	if r.Failed {
		return asJSON(struct {
			Name  string          `json:"name"`
			Error json.RawMessage `json:"error"`
		}{r.Name, content})
	}
	return asJSON(struct {
		Name    string          `json:"name"`
		Content json.RawMessage `json:"content"`
	}{r.Name, content})
}

// asJSON writes a value on one line without marks.
func asJSON(v any) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return "{}" // a schema or arguments that are no JSON
	}
	return withoutMarks(strings.TrimSuffix(out.String(), "\n"))
}

// withoutMarks escapes, in JSON, the characters that marks of formats and templates
// begin with. They stand in strings only: outside of one there is no "<", and no
// "[" before a capital letter or a stroke.
func withoutMarks(text string) string {
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '<':
			b.WriteString(`\u003c`)
		case c == '[' && i+1 < len(text) && (text[i+1] == '/' || text[i+1] >= 'A' && text[i+1] <= 'Z'):
			b.WriteString(`\u005b`)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
