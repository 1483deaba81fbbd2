package textcall

import "encoding/json"

// toolbox holds the arguments of each tool.
type toolbox map[string]map[string]property

// property is the set of types that the schema allows for an argument: "string", "integer",
// …; empty if it does not say.
type property map[string]bool

func newToolbox(tools []Tool) toolbox {
	box := toolbox{}
	for _, t := range tools {
		var schema struct {
			Properties map[string]json.RawMessage `json:"properties"`
		}
		// An invalid schema says nothing about types.
		_ = json.Unmarshal(t.Schema, &schema)
		box[t.Name] = map[string]property{}
		for name, raw := range schema.Properties {
			p := property{}
			p.read(raw, 4)
			box[t.Name][name] = p
		}
	}
	return box
}

func (p property) read(raw json.RawMessage, levels int) {
	var schema struct {
		Type  json.RawMessage   `json:"type"`
		AnyOf []json.RawMessage `json:"anyOf"`
		OneOf []json.RawMessage `json:"oneOf"`
		Enum  []json.RawMessage `json:"enum"`
	}
	if levels == 0 || json.Unmarshal(raw, &schema) != nil {
		return
	}
	var one string
	var several []string
	switch {
	case json.Unmarshal(schema.Type, &one) == nil:
		p[one] = true
	case json.Unmarshal(schema.Type, &several) == nil:
		for _, t := range several {
			p[t] = true
		}
	case len(schema.Enum) > 0 && schema.Enum[0][0] == '"':
		p["string"] = true
	}
	for _, inner := range append(schema.AnyOf, schema.OneOf...) {
		p.read(inner, levels-1)
	}
}

func (b toolbox) has(name string) bool {
	_, ok := b[name]
	return ok
}

// may reports whether a name may be that of a tool: if none is known, any may.
func (b toolbox) may(name string) bool { return len(b) == 0 || b.has(name) }

func (b toolbox) takes(tool, argument string) bool {
	_, ok := b[tool][argument]
	return ok
}

// value converts an argument written as plain text to JSON: to the type in the schema, if
// it gives one, else to the type that the text looks like.
func (b toolbox) value(tool, argument, text string) json.RawMessage {
	types := b[tool][argument]
	if types["string"] && len(types) == 1 {
		return quote(text)
	}
	switch text {
	case "True", "False":
		if !types["string"] {
			text = map[string]string{"True": "true", "False": "false"}[text]
		}
	case "None":
		if len(types) == 0 || types["null"] {
			text = "null"
		}
	}
	if (types["object"] || types["array"]) && !types["string"] {
		text = pythonAsJSON(text)
	}
	if !json.Valid([]byte(text)) || types["string"] && !fits(text, types) {
		return quote(text)
	}
	if len(types) == 0 && text[0] == '"' {
		return quote(text)
	}
	return json.RawMessage(text)
}

// fits reports whether a JSON value has one of the types; strings never do.
func fits(text string, types property) bool {
	switch text[0] {
	case '{':
		return types["object"]
	case '[':
		return types["array"]
	case 't', 'f':
		return types["boolean"]
	case 'n':
		return types["null"]
	case '"':
		return false
	}
	return types["number"] || types["integer"]
}
