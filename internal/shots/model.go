package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"sync/atomic"

	"bowerbird/tools"
)

// answers is what a model's server says, request by request.
type answers func(w http.ResponseWriter, r *http.Request, request int)

// server returns the handler of a server.
func (a answers) server() http.Handler {
	var requests atomic.Int32
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet || r.URL.Path == "/api/show" { // about the model: it tells nothing
			http.NotFound(w, r)
			return
		}
		a(w, r, int(requests.Add(1)))
	})
}

// refuses is a server that does not accept the key.
func refuses(w http.ResponseWriter, _ *http.Request, _ int) {
	w.WriteHeader(http.StatusUnauthorized)
	_, _ = io.WriteString(w, `{"error":{"message":"Invalid API key"}}`) // the client's matter
}

// breaksOff says the beginning of an answer and no more of it.
func breaksOff(text string) answers {
	return func(w http.ResponseWriter, r *http.Request, _ int) {
		stream(w, map[string]any{"content": text})
		<-r.Context().Done()
	}
}

// publishes reads notes and then asks for one to be published.
func publishes(w http.ResponseWriter, r *http.Request, request int) {
	switch request {
	case 1:
		stream(w, call("query", map[string]any{"search": "sourdough", "limit": 3}))
		finish(w, "tool_calls")
	case 2:
		stream(w, map[string]any{"content": "The sourdough contest has a date. Here is a note that asks who brings a loaf."})
		stream(w, call("publish_note", map[string]any{
			"content": "The contest in Lower Brindle begins on Sunday at 9. Who brings a loaf, and who only an appetite? #sourdough",
			"relays":  []string{"relay.brindle.example", "hub.bower.example"},
		}))
		finish(w, "tool_calls")
	default:
		stream(w, map[string]any{"content": "It is not published."})
		finish(w, "stop")
	}
}

// noteID is one in the answer of a tool, as it appears in a request.
var noteID = regexp.MustCompile(`note_id[^0-9a-f]{1,6}([0-9a-f]{16,64})`)

// errs is a server that says more than the notes which it read.
func errs(w http.ResponseWriter, r *http.Request, request int) {
	switch request {
	case 1:
		stream(w, call("query", map[string]any{"search": "relay", "since": "9d", "limit": 3}))
		finish(w, "tool_calls")
	case 2:
		stream(w, call("query", map[string]any{"author": "Ada Lindqvist", "since": "9d", "limit": 40}))
		finish(w, "tool_calls")
	case 3:
		body, _ := io.ReadAll(r.Body) // what is missing of it is seen in the picture
		var ids []string
		for _, words := range []string{"The disk filled up", "a second cupboard, in a different house", "nine hundred"} {
			before, _, _ := bytes.Cut(body, []byte(words))
			if found := noteID.FindAllSubmatch(before, -1); len(found) > 0 { // an id precedes its text
				ids = append(ids, string(found[len(found)-1][1]))
			}
		}
		stream(w, call("present_notes", map[string]any{"note_ids": ids}))
		finish(w, "tool_calls")
	default:
		stream(w, map[string]any{"content": "Ada’s relay stopped keeping notes because its disk was full ^1. She now plans a second cupboard in another house ^2. " +
			"Tomasz has promised her a server in Wrocław.\n\nShe sleeps well again: “Nine days of free space became ninety” ^3 ^7."})
		finish(w, "stop")
	}
}

// call is a piece of an answer that calls a tool.
func call(name string, arguments any) map[string]any {
	text, _ := json.Marshal(arguments) // made of strings and numbers
	return map[string]any{"role": "assistant", "tool_calls": []any{map[string]any{
		"index": 0, "id": "call_" + name, "type": "function",
		"function": map[string]any{"name": name, "arguments": string(text)},
	}}}
}

// stream sends one piece of an answer, as servers like OpenAI's do.
func stream(w http.ResponseWriter, delta map[string]any) { send(w, delta, nil) }

func finish(w http.ResponseWriter, why string) {
	send(w, map[string]any{}, &why)
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

func send(w http.ResponseWriter, delta map[string]any, why *string) {
	chunk, _ := json.Marshal(map[string]any{ // made of strings and numbers
		"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m",
		"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": why}},
	})
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = fmt.Fprintf(w, "data: %s\n\n", chunk) // the client's matter
	_ = http.NewResponseController(w).Flush()
}

// publishTool is a tool of a kind that Bowerbird does not have yet: one that asks the
// user first. It publishes nothing.
func publishTool() tools.Tool {
	type arguments struct {
		Content string   `json:"content" jsonschema:"the note"`
		Relays  []string `json:"relays" jsonschema:"where to"`
	}
	return tools.New("publish_note", "Publishes a note.", tools.Publishes, func(context.Context, *tools.Env, arguments) (tools.CountResult, error) {
		return tools.CountResult{}, nil
	})
}
