package llm

import (
	"crypto/sha256"
	"math/big"
	"slices"
	"strings"
)

// longestName is how long a tool's name may be at most providers, in bytes.
const longestName = 64

// toolNames are the names of one request's tools, as providers take them:
// [a-zA-Z0-9_-]{1,64}. A dot is written as "__", as in nostr__list_notes; where that
// is not enough, or is another tool's name, the name ends in a hash of what it stands
// for. Each name stands for one tool, so that a call comes back under the tool's own
// name, whichever family or text format carried it.
//
// A name that is refused would end the conversation for good, so those of calls in
// the history, which a model may have made up, are written in the same way.
type toolNames struct {
	sent map[string]string // by own name
	own  map[string]string // by sent name
}

func newToolNames(req *Request) toolNames {
	n := toolNames{sent: map[string]string{}, own: map[string]string{}}
	for _, t := range req.Tools { // first, so that none of them loses its name to another
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

func (n toolNames) request(req *Request) *Request {
	if !slices.ContainsFunc(req.Tools, func(t Tool) bool { return n.differs(t.Name) }) &&
		!slices.ContainsFunc(req.Messages, n.differsIn) {
		return req
	}
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

func (n toolNames) differs(own string) bool { return n.sent[own] != own }

func (n toolNames) differsIn(m Message) bool {
	return m.Role == ToolRole && m.CallName != "" && n.differs(m.CallName) || slices.ContainsFunc(m.Calls, func(c Call) bool { return n.differs(c.Name) })
}

func (n toolNames) ownName(sent string) string {
	if own, ok := n.own[sent]; ok {
		return own
	}
	return sent
}

// plainName writes a name in characters that every provider takes. Two names come
// out the same only if they differ in "." and "__".
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

// hashedName returns a name that ends in a hash of what it stands for.
func hashedName(plain, of string) string {
	suffix := "_" + hashed(of, 8)
	return plain[:min(len(plain), longestName-len(suffix))] + suffix
}

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
