package llm

import (
	"crypto/sha256"
	"math/big"
	"strings"
)

// What all families need to write a request.

// plainArguments are a call's arguments as a text that is JSON for sure: servers
// read it when they build the prompt.
func plainArguments(c Call) string {
	if c.Invalid != "" || !isObject(c.Arguments) {
		return "{}"
	}
	return string(c.Arguments)
}

// apply returns the id of a call as a provider takes it. ids holds what was given
// out in this request, so that call and result keep the same.
func (rule idRule) apply(id string, ids map[string]string) string {
	if known, ok := ids[id]; ok {
		return known
	}
	out := id
	switch rule {
	case idsNine:
		if len(id) != 9 || strings.Trim(id, letters) != "" {
			out = hashed(id, 9)
		}
	case idsPlain:
		if len(id) > 64 || id == "" || strings.Trim(id, letters+"_-") != "" {
			out = "call_" + hashed(id, 24)
		}
	case idsForty:
		if len(id) > 40 || id == "" {
			out = "call_" + hashed(id, 24)
		}
	default:
		if len(id) > 64 || id == "" {
			out = "call_" + hashed(id, 24)
		}
	}
	ids[id] = out
	return out
}

const letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// hashed returns n letters and digits that depend on s alone.
func hashed(s string, n int) string {
	sum := sha256.Sum256([]byte(s))
	digits := new(big.Int).SetBytes(sum[:]).Text(62)
	return (digits + letters)[:n]
}
