package textcall

import "encoding/json"

type toolbox map[string]map[string]property

// property is the types that a schema gives one argument: "string", "integer", …; empty when
// it does not say.
type property map[string]bool

func newToolbox(tools []Tool) toolbox {
	box := toolbox{}
	for _, t := range tools {
		var schema struct {
			Properties map[string]json.RawMessage `json:"properties"`
		}
		// A schema that cannot be read says nothing of the types.
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

// may reports whether a name may be a tool's: with none known, any may.
func (b toolbox) may(name string) bool { return len(b) == 0 || b.has(name) }

func (b toolbox) takes(tool, argument string) bool {
	_, ok := b[tool][argument]
	return ok
}

// value makes JSON of an argument that was written without saying its type: by the
// schema where it tells one, else as what it looks like.
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

// fits reports whether a JSON value is of one of the types, strings aside.
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
