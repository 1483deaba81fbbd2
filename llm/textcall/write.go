package textcall

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Writer describes tools to a model that has no native calls, and writes calls and
// results into its history in the same format.
//
// Calls and results contain strangers' text. It is written as JSON that can contain no
// mark of the format or of a model's template, so that a note cannot end the result that
// it is in.
type Writer struct {
	tools   [2]string // what encloses the list of tools
	example string    // a call
	several string    // how to write several calls
	results string    // where to expect results, after "After a call, stop: "
	calls   func([]Call) string
	result  [2]string // what encloses a result
}

// System returns what the system message says about the tools.
func (w *Writer) System(tools []Tool) string {
	lines := make([]string, len(tools))
	for i, t := range tools {
		lines[i] = described(t)
	}
	return "You can call tools to look things up. These are the tools, each with the JSON Schema of its arguments:\n" +
		w.tools[0] + strings.Join(lines, "\n") + w.tools[1] +
		"\n\nTo call a tool, write exactly this, with the name of the tool and its arguments:\n" + w.example +
		"\n\n" + w.several + " After a call, stop: " + w.results +
		" Call a tool only when you need it, and only one that is listed. Otherwise answer in plain text."
}

// Calls returns calls as the model writes them.
func (w *Writer) Calls(calls []Call) string { return w.calls(calls) }

// Result returns the text of the user message that holds the result of a call: JSON of
// the form {"name": …, "content": …}, or with "error". Text that is JSON already is not
// quoted again.
func (w *Writer) Result(r Result) string {
	content := json.RawMessage(r.Text)
	if !json.Valid(content) {
		content = json.RawMessage(asJSON(r.Text))
	}
	out := struct {
		Name    string          `json:"name"`
		Error   json.RawMessage `json:"error,omitempty"`
		Content json.RawMessage `json:"content,omitempty"`
	}{Name: r.Name}
	if r.Failed {
		out.Error = content
	} else {
		out.Content = content
	}
	return w.result[0] + asJSON(out) + w.result[1]
}

// Result is the answer to a call.
type Result struct {
	Name   string
	Text   string
	Failed bool
}

// Find returns the format with a name.
func Find(name string) (Format, bool) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// described writes a tool in the form of OpenAI's API, which most models were trained on.
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

func object(c Call) string {
	return asJSON(struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}{c.Name, argumentsObject(c)})
}

// argumentsObject returns a call's arguments, {} for an invalid call: its Arguments hold
// text that is not JSON.
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

// asJSON writes a value as JSON on one line, without marks.
func asJSON(v any) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return "{}" // a schema or arguments that are not JSON
	}
	return withoutMarks(strings.TrimSuffix(out.String(), "\n"))
}

// withoutMarks escapes, in JSON, the characters that marks of formats and templates begin
// with. Only strings can contain them: elsewhere in JSON there is no "<", and no "[" before
// a capital letter or a slash.
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

func pythonText(calls []Call) string {
	list := make([]string, len(calls))
	for i, c := range calls {
		list[i] = c.Name + "(" + pythonArguments(argumentsObject(c)) + ")"
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// pythonArguments writes an object as key=value, and as **{…} for keys that are not
// identifiers.
func pythonArguments(object json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(object))
	d.UseNumber()
	if _, err := d.Token(); err != nil {
		return ""
	}
	return pythonMembers(d, true, func(name, value string) string {
		if isIdentifier(name) {
			return name + "=" + value
		}
		return "**{" + asJSON(name) + ": " + value + "}"
	})
}

func isIdentifier(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != "" && len(s) <= maxName
}

// pythonValue writes the next value of d. Strings remain as in JSON, which Python reads the
// same way.
func pythonValue(d *json.Decoder) string {
	token, err := d.Token()
	if err != nil {
		return "None"
	}
	switch v := token.(type) {
	case json.Delim:
		if v == '[' {
			return "[" + pythonMembers(d, false, func(_, value string) string { return value }) + "]"
		}
		return "{" + pythonMembers(d, true, func(key, value string) string { return asJSON(key) + ": " + value }) + "}"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case json.Number:
		return v.String()
	case string:
		return asJSON(v)
	}
	return "None"
}

// pythonMembers writes the members up to and including the closing bracket, each by write.
// The key is "" unless keyed.
func pythonMembers(d *json.Decoder, keyed bool, write func(key, value string) string) string {
	var list []string
	for d.More() {
		key := ""
		if keyed {
			token, err := d.Token()
			if err != nil {
				break
			}
			key, _ = token.(string)
		}
		list = append(list, write(key, pythonValue(d)))
	}
	_, _ = d.Token() // the bracket; d is valid JSON
	return strings.Join(list, ", ")
}
