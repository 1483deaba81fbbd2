package textcall

import (
	"bytes"
	"encoding/json"
	"strings"
)

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
	var list []string
	for d.More() {
		key, err := d.Token()
		if err != nil {
			break
		}
		name, _ := key.(string)
		value := pythonValue(d)
		if isIdentifier(name) {
			list = append(list, name+"="+value)
		} else {
			list = append(list, "**{"+asJSON(name)+": "+value+"}")
		}
	}
	return strings.Join(list, ", ")
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
		return pythonMembers(d, v)
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

func pythonMembers(d *json.Decoder, open json.Delim) string {
	var list []string
	for d.More() {
		key := ""
		if open == '{' {
			token, err := d.Token()
			if err != nil {
				break
			}
			name, _ := token.(string)
			key = asJSON(name) + ": "
		}
		list = append(list, key+pythonValue(d))
	}
	if _, err := d.Token(); err != nil { // the closing bracket
		return "None"
	}
	if open == '{' {
		return "{" + strings.Join(list, ", ") + "}"
	}
	return "[" + strings.Join(list, ", ") + "]"
}
