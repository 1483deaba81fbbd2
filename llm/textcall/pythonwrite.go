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
