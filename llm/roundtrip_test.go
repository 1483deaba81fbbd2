package llm_test

import (
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

// inPieces reads a text in random pieces.
type inPieces struct {
	saying
	rest string
}

func (p *inPieces) Read(into []byte) (int, error) {
	if p.rest == "" {
		return 0, io.EOF
	}
	n := copy(into, p.rest[:1+p.IntN(min(len(p.rest), 40))])
	p.rest = p.rest[n:]
	return n, nil
}

func seeds() uint64 {
	if testing.Short() {
		return 50
	}
	return 500
}

func TestAnyAnswerWrittenInAnyMannerIsReadBackEqual(t *testing.T) {
	for _, m := range manners() {
		t.Run(m.name, func(t *testing.T) {
			for seed := range seeds() {
				r := newSaying(seed)
				parts := r.answer(m.ordered)
				want := whole(parts)
				if m.name == "responses" { // whose parts of thinking are paragraphs
					want.Reasoning = paragraphs(parts)
				}
				stream := body(m.write(r, parts))
				got, err := llm.ReadRecorded(t.Context(), &inPieces{r, stream})
				if err != nil {
					t.Fatal(err)
				}
				if diff := differs(got, want); diff != "" {
					t.Fatalf("seed %d: %s, from\n%s", seed, diff, stream)
				}
			}
		})
	}
}

func paragraphs(parts []said) string {
	var list []string
	for _, p := range parts {
		if p.kind == "thinking" {
			list = append(list, p.text)
		}
	}
	return strings.Join(list, "\n\n")
}

// sentBack reads the parts of the answer out of a request that holds it behind the
// question, and its results or another question behind it.
func sentBack(t *testing.T, provider string, request []byte) []said {
	t.Helper()
	var sent struct {
		Messages []struct {
			Content []struct {
				Type, Text, Thinking, Signature, ID, Name string
				Input                                     json.RawMessage
			}
		}
		Input []struct {
			Type, Role, Content, Name, Arguments string
			CallID                               string `json:"call_id"`
			Encrypted                            string `json:"encrypted_content"`
			Summary                              []struct{ Text string }
		}
	}
	if err := json.Unmarshal(request, &sent); err != nil {
		t.Fatalf("%s: %v", request, err)
	}
	var parts []said
	if provider == "anthropic" {
		for _, b := range sent.Messages[1].Content {
			switch b.Type {
			case "thinking":
				parts = append(parts, said{kind: "thinking", text: b.Thinking, id: b.Signature})
			case "text":
				parts = append(parts, said{kind: "text", text: b.Text})
			case "tool_use":
				parts = append(parts, said{kind: "call", text: string(b.Input), id: b.ID, name: b.Name})
			}
		}
		return parts
	}
	for _, it := range sent.Input[1:] {
		switch {
		case it.Type == "reasoning":
			parts = append(parts, said{kind: "thinking", text: it.Summary[0].Text, id: it.Encrypted})
		case it.Type == "function_call":
			parts = append(parts, said{kind: "call", text: it.Arguments, id: it.CallID, name: it.Name})
		case it.Role == "assistant":
			parts = append(parts, said{kind: "text", text: it.Content})
		}
	}
	return parts
}

func TestAnyAnswerIsSentBackPartByPart(t *testing.T) {
	for provider, write := range map[string]func(saying, []said) []any{"anthropic": anthropicManner, "responses": responsesManner} {
		t.Run(provider, func(t *testing.T) {
			s := testkit.NewModelServer(t)
			c := newClient(t, s, row(t, provider))
			for seed := range seeds() / 5 {
				r := newSaying(seed)
				parts := r.answer(false)
				s.Queue(testkit.Reply{Body: body(write(r, parts))}, nextOf(provider))
				m := heard(t, c.Stream(t.Context(), question()))
				ask(t, c, after(m))
				all := s.Received()
				got, want := sentBack(t, provider, all[len(all)-1].Body), parts
				if m.Echo == nil {
					want = unmarked(parts)
				}
				for want[len(want)-1].kind == "thinking" { // it leads to nothing
					want = want[:len(want)-1]
				}
				if !reflect.DeepEqual(joined(got), joined(want)) {
					t.Fatalf("seed %d: sent back\n%+v\nof\n%+v", seed, got, want)
				}
			}
		})
	}
}

// unmarked is an answer without thinking as a Message keeps it: text, then calls.
func unmarked(parts []said) []said {
	var text, calls []said
	for _, p := range parts {
		if p.kind == "text" {
			text = append(text, p)
		} else {
			calls = append(calls, p)
		}
	}
	return append(text, calls...)
}

// joined puts text that stands side by side together, and compacts arguments.
func joined(parts []said) []said {
	var out []said
	for _, p := range parts {
		if n := len(out); n > 0 && p.kind == "text" && out[n-1].kind == "text" {
			out[n-1].text += p.text
			continue
		}
		if p.kind == "call" {
			var v any
			if json.Unmarshal([]byte(p.text), &v) == nil {
				p.text = encoded(v)
			}
		}
		out = append(out, p)
	}
	return out
}
