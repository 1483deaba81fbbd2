package app

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/llm/textcall"
)

// obeyer is the worst model there is, behind a real server: whatever task it finds in
// what it is sent, it carries out with every tool that there is, and it repeats what
// held it. Tasks are marked "t0123:". How it calls is in its name: "native", "net" (in
// the text, where nobody asked for that), or a text format.
type obeyer struct {
	*httptest.Server
	// does says by which calls a task is carried out, a step after the other. Seen is the
	// id of a note that it was sent; else the task.
	does []func(task, seen string) []modelCall
	last func(sent string) string // what it says when all is done

	mu     sync.Mutex
	reads  []modelCall // what it does first in the turn that comes
	quote  string      // what it says then instead of obeying; "" for nothing
	steps  int         // that it has obeyed in this turn
	long   bool        // it obeys all that it is sent, not only what is new
	news   []string    // that it obeys
	tasks  map[string]bool
	got    []testkit.Received
	models []string // that it lists
}

type modelCall struct {
	Name      string
	Arguments map[string]any
}

func startObeyer(t *testing.T, does ...func(task, seen string) []modelCall) *obeyer {
	t.Helper()
	o := &obeyer{does: does, tasks: map[string]bool{}, last: func(string) string { return "It is done." }}
	o.Server = httptest.NewServer(o)
	t.Cleanup(o.Close)
	return o
}

// begin says what to read first in the turn that comes; nothing: it obeys the
// question.
func (o *obeyer) begin(reads []modelCall) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.reads, o.steps, o.news = reads, 0, nil
}

// found returns how many tasks reached it since it was last asked.
func (o *obeyer) found() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(o.tasks)
	o.tasks = map[string]bool{}
	return n
}

// received returns all that it was sent.
func (o *obeyer) received() []testkit.Received {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.got)
}

func (o *obeyer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.got = append(o.got, testkit.Received{Method: r.Method, URL: r.URL, Host: r.Host, Header: r.Header, Body: body})
	if strings.HasSuffix(r.URL.Path, "/models") {
		list := []map[string]string{}
		for _, m := range o.models {
			list = append(list, map[string]string{"id": m})
		}
		_, _ = w.Write(marshalled(map[string]any{"data": list}))
		return
	}
	if !strings.HasSuffix(r.URL.Path, "/chat/completions") { // it speaks no other family
		http.Error(w, `{"error":{"message":"no"}}`, http.StatusBadRequest)
		return
	}
	var asked chatAsked
	if err := json.Unmarshal(body, &asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	calls, said := o.decide(asked)
	for _, delta := range written(asked.Model, calls, said) {
		_, _ = fmt.Fprintf(w, "data: %s\n\n", marshalled(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta}}}))
	}
	_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
}

type chatAsked struct {
	Model    string
	Messages []struct {
		Role, Content string
	}
}

// decide returns what to call, and what to say.
func (o *obeyer) decide(asked chatAsked) (calls []modelCall, say string) {
	var news []string // what came since it last said something
	for _, m := range slices.Backward(asked.Messages) {
		if m.Role != "user" && m.Role != "tool" && !o.long {
			break
		}
		news = append(news, m.Content)
	}
	switch {
	case len(o.reads) > 0:
		calls, o.reads = o.reads, nil
		return calls, "I look."
	case o.steps == 0 && o.quote != "":
		o.steps = len(o.does)
		return nil, o.quote
	case o.steps == len(o.does):
		return nil, o.last(strings.Join(news, "\n"))
	case o.steps == 0:
		o.news = news
	}
	o.steps++
	all := strings.Join(o.news, "\n")
	for i, task := range tasksIn(o.news) {
		o.tasks[task[:5]] = true
		seen := task
		if ids := idMark.FindAllStringSubmatch(all, -1); len(ids) > 0 {
			seen = ids[i%len(ids)][1]
		}
		for j, c := range o.does[o.steps-1](task, seen) {
			if asked.Model == "native" || asked.Model == "hermes" { // elsewhere, what is not a tool's name makes no call
				c.Name = disguised(c.Name, i+j)
			}
			calls = append(calls, c)
		}
	}
	return calls, "I do it: " + all
}

var (
	taskMark = regexp.MustCompile(`t[0-9]{4}:`)
	idMark   = regexp.MustCompile(`"note_id":"([0-9a-f]{16})`)
)

// tasksIn finds the tasks in texts, each once, as long as it stands anywhere.
func tasksIn(texts []string) []string {
	longest := map[string]string{}
	for _, text := range texts {
		at := taskMark.FindAllStringIndex(text, -1)
		for i, m := range at {
			end := len(text)
			if i+1 < len(at) {
				end = at[i+1][0]
			}
			if task := text[m[0]:end]; len(task) > len(longest[task[:5]]) {
				longest[task[:5]] = task
			}
		}
	}
	var out []string
	for _, task := range longest {
		out = append(out, task)
	}
	slices.Sort(out)
	return out
}

// disguised writes a tool's name as models do.
func disguised(name string, n int) string {
	return []string{name, "functions." + name, strings.ToUpper(name), name, "default_api:" + name}[n%5]
}

// written are the pieces of the answer in a model's manner.
func written(model string, calls []modelCall, say string) []map[string]any {
	if len(calls) == 0 {
		return []map[string]any{{"content": say[:len(say)/2]}, {"content": say[len(say)/2:]}}
	}
	if model == "native" {
		var list []any
		for i, c := range calls {
			list = append(list, map[string]any{
				"index": i, "id": fmt.Sprint("call_", i), "type": "function",
				"function": map[string]any{"name": c.Name, "arguments": string(marshalled(c.Arguments))},
			})
		}
		return []map[string]any{{"content": say}, {"tool_calls": list}}
	}
	format, known := textcall.Find(model)
	if !known || format.Write == nil {
		format, _ = textcall.Find("hermes")
	}
	var list []textcall.Call
	for _, c := range calls {
		list = append(list, textcall.Call{Name: c.Name, Arguments: marshalled(c.Arguments)})
	}
	return []map[string]any{{"content": "I do it.\n"}, {"content": format.Write.Calls(list)}}
}

func marshalled(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // what is made up here can be written
	}
	return raw
}
