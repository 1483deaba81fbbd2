// Package jsonfix reads the JSON that language models write as the arguments of a tool
// call. It repairs only what can be read in exactly one way, and reports that it did. If it
// refuses, the reason is one that the model can act on.
//
//	got := jsonfix.Read(`{"limit": 5,}`, true) // got.Repaired: without the last comma
package jsonfix

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Result is what [Read] returns.
type Result struct {
	Object   json.RawMessage // a JSON object; nil if Invalid
	Repaired bool
	Invalid  string // why there is no object; "" if there is one
}

// Read reads the text of a call's arguments. ended means that the model finished its
// answer; if not, nothing is repaired, since more than a bracket may be missing.
func Read(s string, ended bool) Result {
	s = strings.TrimSpace(s)
	var inner string
	if strings.HasPrefix(s, `"`) && json.Unmarshal([]byte(s), &inner) == nil { // JSON inside a JSON string
		s = strings.TrimSpace(inner)
	}
	switch {
	case s == "" || s == "null":
		return Result{Object: json.RawMessage("{}")}
	case json.Valid([]byte(s)):
		return validArguments(s)
	}
	return repairArguments(s, ended)
}

func validArguments(s string) Result {
	if s == "[]" { // an empty object, as PHP writes it
		return Result{Object: json.RawMessage("{}"), Repaired: true}
	}
	if s[0] != '{' {
		return Result{Invalid: "the arguments are not a JSON object"}
	}
	return Result{Object: lastOfEachKey(json.RawMessage(s))}
}

func repairArguments(s string, ended bool) Result {
	if !ended {
		return Result{Invalid: "the answer was cut off inside the arguments"}
	}
	if s == "None" {
		return Result{Object: json.RawMessage("{}"), Repaired: true}
	}
	object, err := repairObject(s)
	if err != nil {
		return Result{Invalid: "the arguments are not valid JSON: " + err.Error()}
	}
	return Result{Object: lastOfEachKey(object), Repaired: true}
}

// lastOfEachKey drops all but the last of members with the same key, so that every JSON
// parser reads the same arguments.
func lastOfEachKey(object json.RawMessage) json.RawMessage {
	one := bytes.Count(object, []byte(":")) < 2 // then a decoder would be wasted on it
	if one || !doubleKey(json.NewDecoder(bytes.NewReader(object))) {
		return object
	}
	d := json.NewDecoder(bytes.NewReader(object))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return object
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return object
	}
	return bytes.TrimSpace(out.Bytes())
}

// doubleKey reports whether an object in the next value has two members with the same key.
func doubleKey(d *json.Decoder) bool {
	token, _ := d.Token() // it is valid JSON
	open, isBracket := token.(json.Delim)
	if !isBracket {
		return false
	}
	keys := map[any]bool{}
	for d.More() {
		if open == '{' {
			key, _ := d.Token()
			if keys[key] {
				return true
			}
			keys[key] = true
		}
		if doubleKey(d) {
			return true
		}
	}
	_, _ = d.Token() // the closing bracket
	return false
}
