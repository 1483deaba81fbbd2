package llm

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var nameRule = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// randomNames makes names up that are close to each other once they are written in
// plain characters.
func randomNames(r *rand.Rand) []string {
	pieces := []string{"a", "nostr", "list", "Notes", "7", "_", "__", ".", ".", "..", "-", " ", "é", "東", "/", "\x00", strings.Repeat("long", 20)}
	var names []string
	for range 1 + r.IntN(12) {
		name := ""
		for range r.IntN(6) {
			name += pieces[r.IntN(len(pieces))]
		}
		names = append(names, name)
		switch r.IntN(4) {
		case 0:
			names = append(names, strings.ReplaceAll(name, ".", "__"))
		case 1:
			names = append(names, strings.ReplaceAll(name, "__", "."))
		case 2:
			names = append(names, plainName(name))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Row 003-19: "." goes out as "__" and comes back, what is too long ends in a hash,
// no two tools share a name, and a tool with a real "__" keeps its own.
func TestAnyToolsNameGoesOutPlainAndComesBack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 19))
	for range 20_000 {
		names := randomNames(r)
		req := &Request{}
		for _, name := range names {
			req.Tools = append(req.Tools, Tool{Name: name})
		}
		// A model calls them, and one that it made up.
		made := Call{Name: randomNames(r)[0]}
		for _, name := range names {
			req.Messages = append(req.Messages,
				Message{Role: Assistant, Calls: []Call{{Name: name}, made}},
				Message{Role: ToolRole, CallName: name}, Message{Role: ToolRole, CallName: made.Name})
		}
		n := newToolNames(req)
		out := n.request(req)
		seen := map[string]string{}
		for i, tool := range out.Tools {
			own := names[i]
			if other, taken := seen[tool.Name]; taken || !nameRule.MatchString(tool.Name) {
				t.Fatalf("%q is sent as %q, as is %q", own, tool.Name, other)
			}
			seen[tool.Name] = own
			if back := n.ownName(tool.Name); back != own {
				t.Fatalf("%q is sent as %q and comes back as %q, among %q", own, tool.Name, back, names)
			}
			if nameRule.MatchString(own) && tool.Name != own {
				t.Fatalf("%q is plain, and is sent as %q", own, tool.Name)
			}
			if call := out.Messages[3*i].Calls[0].Name; call != tool.Name {
				t.Fatalf("the tool is sent as %q, its call as %q", tool.Name, call)
			}
			if own != "" && out.Messages[3*i+1].CallName != tool.Name {
				t.Fatalf("the tool is sent as %q, its result as %q", tool.Name, out.Messages[3*i+1].CallName)
			}
			if call := out.Messages[3*i].Calls[1].Name; !nameRule.MatchString(call) || seen[call] != "" && seen[call] != made.Name {
				t.Fatalf("the made-up %q is sent as %q", made.Name, call)
			}
		}
		if req.Tools[0].Name != names[0] || req.Messages[0].Calls[0].Name != names[0] {
			t.Fatal("the request itself was changed")
		}
	}
}

// Row 003-19: the forms that its words name.
func TestAToolsNameIsSentAs(t *testing.T) {
	long := strings.Repeat("x", 70)
	for _, tt := range []struct {
		own, want string
		beside    string // another tool
	}{
		{"query", "query", ""},
		{"nostr.list_notes", "nostr__list_notes", ""},
		{"nostr__list_notes", "nostr__list_notes", ""},
		{"nostr__list_notes", "nostr__list_notes", "nostr.list_notes"},
		{"nostr.list_notes", "nostr__list_notes_" + hashed("nostr.list_notes", 8), "nostr__list_notes"},
		{long, long[:55] + "_" + hashed(long, 8), ""},
		{"é", "__" + hashed("é", 8), ""},
		{"", "unnamed", ""},
	} {
		req := &Request{Tools: []Tool{{Name: tt.own}}}
		if tt.beside != "" {
			req.Tools = append(req.Tools, Tool{Name: tt.beside})
		}
		if got := newToolNames(req).request(req).Tools[0].Name; got != tt.want {
			t.Errorf("%q beside %q is sent as %q, want %q", tt.own, tt.beside, got, tt.want)
		}
	}
}

func TestTheCallersRequestIsNotChanged(t *testing.T) {
	made := func() *Request {
		return &Request{
			Tools: []Tool{{Name: "a.query"}},
			Messages: []Message{
				{Role: Assistant, By: "gemini:x", Reasoning: "r", Calls: []Call{{Name: "a.query", Extra: json.RawMessage(`1`)}}},
				{Role: ToolRole, CallName: "a.query"},
			},
		}
	}
	req, row := made(), Provider{Name: "openai"}
	sent := newToolNames(req).request(req)
	row.dropForeign(sent, "gpt-5")
	if m := sent.Messages[0]; m.Reasoning != "" || m.Calls[0].Extra != nil || m.Calls[0].Name != "a__query" || sent.Tools[0].Name != "a__query" {
		t.Errorf("sent: %+v", sent)
	}
	if !reflect.DeepEqual(req, made()) {
		t.Errorf("the caller's: %+v", req)
	}
}
