// Package jsonfix reads the JSON that language models write as the arguments of a
// tool call. It promises to repair only where one reading is possible, to say that
// it did, and to give a reason that the model can act on where it refuses. What
// the arguments mean is left to others.
package jsonfix

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Result is the outcome of reading what a model wrote.
type Result struct {
	Object   json.RawMessage // a JSON object; nil when Invalid is set
	Repaired bool
	Invalid  string // why there is no object
}

// Read reads the text of a call's arguments. ended says that the model
// came to its own end; without it nothing is repaired, since what is missing may
// be more than a bracket.
func Read(s string, ended bool) Result {
	s = strings.TrimSpace(s)
	var inner string
	if json.Unmarshal([]byte(s), &inner) == nil { // JSON inside a JSON string: opened once
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
	if s == "[]" { // PHP writes an empty object so
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

// lastOfEachKey writes an object that names a key twice anew, so that everyone who
// reads it afterwards sees the same: the last one.
func lastOfEachKey(object json.RawMessage) json.RawMessage {
	if !doubleKey(json.NewDecoder(bytes.NewReader(object))) {
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

// doubleKey reports whether an object in the next value names a key twice.
func doubleKey(d *json.Decoder) bool {
	token, _ := d.Token() // it was found valid
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
