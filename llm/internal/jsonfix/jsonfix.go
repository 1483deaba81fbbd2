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
	if s == "" || s == "null" || s == `""` {
		return Result{Object: json.RawMessage("{}")}
	}
	if json.Valid([]byte(s)) {
		if inner, ok := stringOf(s); ok { // JSON inside a JSON string: opened once
			return readOpened(strings.TrimSpace(inner), ended)
		}
		return validArguments(s)
	}
	return repairArguments(s, ended)
}

func readOpened(s string, ended bool) Result {
	if s == "" || s == "null" {
		return Result{Object: json.RawMessage("{}")}
	}
	if json.Valid([]byte(s)) {
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
	if !hasDoubleKey(object) {
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

func hasDoubleKey(object json.RawMessage) bool {
	if bytes.Count(object, []byte(":")) < 2 { // most are small
		return false
	}
	d := json.NewDecoder(bytes.NewReader(object))
	d.UseNumber()
	var open []map[string]bool // keys of each open object; nil for a list
	key := false               // the next string is a key
	for {
		token, err := d.Token()
		if err != nil {
			return false
		}
		switch v := token.(type) {
		case json.Delim:
			switch v {
			case '{':
				open = append(open, map[string]bool{})
			case '[':
				open = append(open, nil)
			default:
				open = open[:len(open)-1]
			}
			key = len(open) > 0 && open[len(open)-1] != nil
			continue
		case string:
			if key {
				keys := open[len(open)-1]
				if keys[v] {
					return true
				}
				keys[v] = true
				key = false
				continue
			}
		}
		key = len(open) > 0 && open[len(open)-1] != nil
	}
}

// stringOf opens a JSON string.
func stringOf(raw string) (string, bool) {
	var s string
	if raw[0] != '"' || json.Unmarshal([]byte(raw), &s) != nil {
		return "", false
	}
	return s, true
}
