package llm

import (
	"bytes"
	"maps"
	"net/http"
	"strings"
	"sync"
)

// Learned remembers, while the program runs, what each model was found to refuse.
// Share one between all clients. The zero value is ready.
type Learned struct {
	mu       sync.Mutex
	settings map[string]settings
}

func (l *Learned) get(model string, first settings) settings {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s, ok := l.settings[model]; ok {
		return s.clone()
	}
	return first
}

func (l *Learned) put(model string, s settings) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.settings == nil {
		l.settings = map[string]settings{}
	}
	l.settings[model] = s.clone()
}

// droppable are the members that a request can do without.
func droppable() []string {
	return []string{
		"stream_options", "parallel_tool_calls", "reasoning_effort", "temperature",
		echoReasoning, echoDetails, echoExtra,
	}
}

// learn changes the settings by what a server said it does not take of the body
// that was sent. It reports false where there is nothing to learn, or nothing new.
func (s *settings) learn(e *Error, row Provider, sent []byte) bool {
	if e.Status != http.StatusBadRequest && e.Status != http.StatusUnprocessableEntity {
		return false
	}
	said := strings.ToLower(e.param + " " + e.Message)
	// Both the word for "use this one" and that for "not this one" hold the newer name.
	if strings.Contains(said, "max_completion_tokens") && s.maxTokens == "" {
		s.maxTokens = "max_completion_tokens"
		if row.maxTokens == s.maxTokens {
			s.maxTokens = "max_tokens"
		}
		return true
	}
	if strings.Contains(said, "reasoning_effort") && strings.Contains(said, "tools") && s.effort != "none" && !s.drop["reasoning_effort"] {
		s.effort = "none"
		return true
	}
	for _, name := range droppable() {
		if strings.Contains(said, name) && !s.drop[name] && bytes.Contains(sent, []byte(`"`+name+`":`)) {
			if s.drop == nil {
				s.drop = map[string]bool{}
			}
			s.drop[name] = true
			return true
		}
	}
	return false
}

// settings are the parts of a request that depend on what a model was found to
// refuse.
type settings struct {
	drop      map[string]bool // members not to send
	maxTokens string          // the member that limits the answer; "" for the provider's own
	effort    string          // reasoning_effort; "" is not sent
}

func (s settings) clone() settings {
	s.drop = maps.Clone(s.drop)
	return s
}

func (s settings) limitMember(row Provider) string {
	switch {
	case s.maxTokens != "":
		return s.maxTokens
	case row.maxTokens != "":
		return row.maxTokens
	}
	return "max_tokens"
}
