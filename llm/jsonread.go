package llm

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// present reports whether a member is there and not null.
func present(raw json.RawMessage) bool {
	return len(raw) > 0 && string(raw) != "null"
}

// members are the undecoded members of an object: servers disagree on their types.
type members = map[string]json.RawMessage

func membersOf(raw json.RawMessage) members {
	var m members
	if present(raw) && json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m
}

func firstPresent(m members, names ...string) json.RawMessage {
	for _, name := range names {
		if present(m[name]) {
			return m[name]
		}
	}
	return nil
}

// text returns a string, and whether raw is one.
func text(raw json.RawMessage) (string, bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

// scalar returns a string, or a number, true or false as it is written; "" for others.
func scalar(raw json.RawMessage) string {
	if s, ok := text(raw); ok {
		return s
	}
	if !present(raw) || raw[0] == '{' || raw[0] == '[' {
		return ""
	}
	return string(raw)
}

// number reads a count, which may be a float or a string.
func number(raw json.RawMessage) (int, bool) {
	s := strings.TrimSpace(scalar(raw))
	if s == "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) || math.Abs(f) > 1<<52 {
		return 0, false
	}
	return int(f), true
}

func isObject(raw []byte) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && raw[0] == '{' && json.Valid(raw)
}

func quoted(s string) json.RawMessage {
	raw, err := json.Marshal(s)
	if err != nil {
		return json.RawMessage(`""`) // unreachable: strings can be marshalled
	}
	return raw
}

// readMembers decodes an object, if necessary member by member, so that one member of an
// unexpected type does not spoil the others.
func readMembers[T any](data []byte) T {
	var all T
	if json.Unmarshal(data, &all) == nil {
		return all
	}
	for name, value := range membersOf(data) {
		one, err := json.Marshal(members{name: value})
		if err == nil {
			// A member that does not fit remains zero.
			_ = json.Unmarshal(one, &all)
		}
	}
	return all
}

// readList returns the elements of a list, or an object as a list of one.
func readList(raw json.RawMessage) []json.RawMessage {
	if !present(raw) {
		return nil
	}
	if raw[0] == '{' {
		return []json.RawMessage{raw}
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}
