package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Kinds reads one number or a list from JSON.
type Kinds []uint16

// maxKinds bounds a list of kinds.
const maxKinds = 50

// UnmarshalJSON reads 1, "1", [1,6] and "1,6".
func (k *Kinds) UnmarshalJSON(raw []byte) error {
	v, err := parseJSON(raw)
	if err != nil {
		return err
	}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	if len(list) > maxKinds {
		return wrongValue("kind", fmt.Sprintf("at most %d kinds", maxKinds), v)
	}
	out := make(Kinds, 0, len(list))
	for _, item := range list {
		n, err := strconv.ParseUint(strings.TrimSpace(fmt.Sprint(item)), 10, 16)
		if err != nil {
			return wrongValue("kind", "a kind from 0 to 65535, or a list of them", item)
		}
		out = append(out, uint16(n))
	}
	*k = out
	return nil
}

// StringList reads a list of strings, or one string with commas, from JSON.
type StringList []string

// UnmarshalJSON splits a string at commas and white space, and at the punctuation of a
// list inside a text; empty parts are dropped.
func (l *StringList) UnmarshalJSON(raw []byte) error {
	var list []string
	if err := json.Unmarshal(raw, &list); err != nil {
		var one string
		if err := json.Unmarshal(raw, &one); err != nil {
			return wrongValue("", "a list of texts, or one text with commas", string(raw))
		}
		list = []string{one}
	}
	*l = (*l)[:0]
	for _, s := range list {
		*l = append(*l, strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(",; \n\t\r[]\"'", r) })...)
	}
	return nil
}

// When is a time as the model or the user writes it: unix seconds (a number or a text),
// RFC 3339, a date, or relative ("24h", "7d" ago). Empty: absent.
type When string

// UnmarshalJSON reads a text or a number.
func (w *When) UnmarshalJSON(raw []byte) error {
	raw = bytes.TrimSpace(raw)
	if len(raw) > 0 && raw[0] == '"' {
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return err
		}
		*w = When(strings.TrimSpace(s))
		return nil
	}
	n, ok := wholeNumber(json.Number(raw))
	if !ok {
		return wrongValue("", "unix seconds or a text", string(raw))
	}
	*w = When(n)
	return nil
}
