package llm

import (
	"cmp"
	"crypto/sha256"
	"math/big"
	"slices"
	"strings"
)

// longestName is the longest name of a tool that most providers accept, in bytes.
const longestName = 64

// toolNames maps the names of one request's tools to names that providers accept,
// [a-zA-Z0-9_-]{1,64}, and back. A dot becomes "__", as in nostr__list_notes. If that is not
// enough, or is the name of another tool, a hash of the original name is appended.
//
// Names of calls in the history, which a model may have invented, are mapped too: a provider
// that refuses one would refuse every further request of the conversation.
type toolNames struct {
	sent map[string]string // by own name
	own  map[string]string // by sent name
}

func newToolNames(req *Request) toolNames {
	n := toolNames{sent: map[string]string{}, own: map[string]string{}}
	for _, t := range req.Tools { // first, so that valid names remain unchanged
		if plainName(t.Name) == t.Name {
			n.give(t.Name, t.Name)
		}
	}
	for _, t := range req.Tools {
		n.add(t.Name)
	}
	for _, m := range req.Messages {
		for _, c := range m.Calls {
			n.add(c.Name)
		}
		if m.Role == ToolRole && m.CallName != "" {
			n.add(m.CallName)
		}
	}
	return n
}

func (n toolNames) give(own, sent string) { n.sent[own], n.own[sent] = sent, own }

func (n toolNames) add(own string) {
	if _, has := n.sent[own]; has {
		return
	}
	sent := plainName(own)
	for by := own; ; by += "'" {
		if _, taken := n.own[sent]; !taken {
			n.give(own, sent)
			return
		}
		sent = hashedName(plainName(own), by)
	}
}

// request returns a copy of a request with the names that are sent, of which tools,
// messages and calls may be changed.
func (n toolNames) request(req *Request) *Request {
	out := *req
	out.Tools, out.Messages = slices.Clone(req.Tools), slices.Clone(req.Messages)
	for i := range out.Tools {
		out.Tools[i].Name = n.sent[out.Tools[i].Name]
	}
	for i := range out.Messages {
		m := &out.Messages[i]
		if m.Role == ToolRole && m.CallName != "" {
			m.CallName = n.sent[m.CallName]
		}
		m.Calls = slices.Clone(m.Calls)
		for j := range m.Calls {
			m.Calls[j].Name = n.sent[m.Calls[j].Name]
		}
	}
	return &out
}

func (n toolNames) ownName(sent string) string {
	if own, ok := n.own[sent]; ok {
		return own
	}
	return sent
}

// plainName returns a name in characters that every provider accepts. Two names become the
// same only if they differ in "." and "__".
func plainName(name string) string {
	if name == "" {
		return "unnamed"
	}
	lost := false
	plain := strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		lost = true
		return '_'
	}, strings.ReplaceAll(name, ".", "__"))
	if lost || len(plain) > longestName {
		return hashedName(plain, name)
	}
	return plain
}

// hashedName appends a hash to a name.
func hashedName(plain, of string) string {
	suffix := "_" + hashed(of, 8)
	return plain[:min(len(plain), longestName-len(suffix))] + suffix
}

// plainArguments returns a call's arguments as JSON that is certainly valid: servers parse it
// for the model's template.
func plainArguments(c Call) string {
	if c.Invalid != "" || !isObject(c.Arguments) {
		return "{}"
	}
	return string(c.Arguments)
}

// apply returns the id of a call in a form that the provider accepts. ids holds those of
// this request, so that a call and its result have the same one.
func (rule idRule) apply(id string, ids map[string]string) string {
	if known, ok := ids[id]; ok {
		return known
	}
	out := id
	switch most := map[idRule]int{idsForty: 40}[rule]; {
	case rule == idsNine:
		if len(id) != 9 || strings.Trim(id, letters) != "" {
			out = hashed(id, 9)
		}
	case id == "", len(id) > cmp.Or(most, 64), rule == idsPlain && strings.Trim(id, letters+"_-") != "":
		out = "call_" + hashed(id, 24)
	}
	ids[id] = out
	return out
}

const letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// hashed returns n letters and digits derived from s.
func hashed(s string, n int) string {
	sum := sha256.Sum256([]byte(s))
	digits := new(big.Int).SetBytes(sum[:]).Text(62)
	return (digits + letters)[:n]
}
