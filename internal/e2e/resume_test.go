package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// plannedServer is a model's server that answers by how far the turn is: it counts the
// notes, then looks for some, then says how it is. At a place it stops and calls back.
type plannedServer struct {
	*httptest.Server
	mu   sync.Mutex
	at   string // "step/piece"
	halt func()
}

func newPlannedServer(t *testing.T) *plannedServer {
	t.Helper()
	s := &plannedServer{}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *plannedServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Messages []struct{ Role string } `json:"messages"`
	}
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	step := 0
	for _, m := range req.Messages {
		if m.Role == "assistant" {
			step++
		}
	}
	call := func(name, args string) string {
		return chunk(fmt.Sprintf(`{"tool_calls":[{"index":0,"id":"call_%d","type":"function","function":{"name":%q,"arguments":%q}}]}`, step, name, args), "")
	}
	pieces := [][]string{
		{chunk(`{"content":"Let me "}`, ""), chunk(`{"content":"count."}`, ""), call("count", `{"context":"any"}`), chunk(`{}`, "tool_calls")},
		{call("query", `{"context":"any","limit":3}`), chunk(`{}`, "tool_calls")},
		{chunk(`{"content":"All "}`, ""), chunk(`{"content":"is well."}`, ""), chunk(`{}`, "stop")},
	}[min(step, 2)]
	w.Header().Set("Content-Type", "text/event-stream")
	for i, piece := range append(pieces, "[DONE]") {
		s.mu.Lock()
		if s.halt != nil && s.at == fmt.Sprintf("%d/%d", step, i) {
			halt := s.halt
			s.halt = nil
			s.mu.Unlock()
			halt()
			return
		}
		s.mu.Unlock()
		_, _ = fmt.Fprintf(w, "data: %s\n\n", piece)
		_ = http.NewResponseController(w).Flush()
	}
}

// Row 002-49, and issue 5, "a turn killed and reopened resumes": the program is killed
// at several points of a turn, which continues when the program is started again.
func TestATurnGoesOnAfterTheProgramWasKilled(t *testing.T) {
	server := newPlannedServer(t)
	p := installed(t)
	model := []string{"--model", "custom:m", "--base-url", server.URL + "/v1"}
	seen := map[string]bool{}
	for _, at := range []string{"0/0", "0/1", "0/3", "1/0", "1/1", "2/1", "2/3"} {
		cmd, out, errOut := p.start(t.Context(), "", append([]string{"--sample", "--json", "ask", "How is it?"}, model...)...)
		server.mu.Lock()
		server.at, server.halt = at, func() { _ = cmd.Process.Kill() }
		server.mu.Unlock()
		if err := cmd.Run(); err == nil || cmd.ProcessState.Exited() {
			t.Fatalf("%s: it was not killed: %v\n%s\n%s", at, err, out, errOut)
		}
		id := ""
		list := decode[struct{ Chats []struct{ ID string } }](t, p.must(t, "--sample", "--json", "chats").out)
		for _, chat := range list.Chats {
			if !seen[chat.ID] {
				id = chat.ID
			}
			seen[chat.ID] = true
		}
		if id == "" {
			t.Fatalf("%s: no chat was kept", at)
		}
		if text := p.must(t, "--sample", "chats").out; !strings.Contains(text, "cut off: ask --chat "+id+" --resume") {
			t.Errorf("%s: the chats are\n%s", at, text)
		}
		rest := p.must(t, append([]string{"--sample", "--json", "ask", "--chat", id, "--resume"}, model...)...).out
		if !strings.Contains(rest, `"type":"finish"`) || !strings.Contains(rest, `"reason":"stop"`) {
			t.Errorf("%s: the rest is %s", at, rest)
		}
		text := p.must(t, "--sample", "chats", "export", id).out
		if strings.Count(text, "Let me count.") != 1 || strings.Count(text, "All is well.") != 1 || strings.Contains(text, "Cut off") {
			t.Errorf("%s: the chat is\n%s", at, text)
		}
		if r := p.run(t, "", append([]string{"--sample", "ask", "--chat", id, "--resume"}, model...)...); r.code != 1 {
			t.Errorf("%s: what ended was taken up again: exit %d %s", at, r.code, r.out)
		}
	}
}
