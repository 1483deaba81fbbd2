package llm

import (
	"bytes"
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Learned remembers what each model has refused. Share one between all clients. The zero
// value is ready to use; all methods are safe for concurrent use.
type Learned struct {
	mu      sync.Mutex
	lessons map[lessonKey]settings
	changed func()
}

// lessonKey is what a lesson applies to. A model may refuse one effort and accept another.
type lessonKey struct{ address, model, effort string }

func (l *Learned) get(who lessonKey, first settings) settings {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s, ok := l.lessons[who]; ok {
		return s.clone()
	}
	return first
}

func (l *Learned) put(who lessonKey, s settings) {
	l.mu.Lock()
	if l.lessons == nil {
		l.lessons = map[lessonKey]settings{}
	}
	l.lessons[who] = s.clone()
	changed := l.changed
	l.mu.Unlock()
	if changed != nil {
		changed()
	}
}

// Refused returns what the server at an address has refused for a model: the names of
// members of a request, sorted, and whether it refused tools.
func (l *Learned) Refused(address, model string) (members []string, tools bool) {
	address = CleanAddress(address)
	l.mu.Lock()
	defer l.mu.Unlock()
	for who, s := range l.lessons {
		if who.address == address && who.model == model {
			members = slices.AppendSeq(members, maps.Keys(s.drop))
			tools = tools || s.format != ""
		}
	}
	slices.Sort(members)
	return slices.Compact(members), tools
}

// Forget forgets what was learned about a model at an address.
func (l *Learned) Forget(address, model string) {
	address = CleanAddress(address)
	l.mu.Lock()
	defer l.mu.Unlock()
	maps.DeleteFunc(l.lessons, func(who lessonKey, _ settings) bool {
		return who.address == address && who.model == model
	})
}

func (e *Error) refusesRequest() bool {
	return e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity
}

// dropNamed drops the first of these members that was sent and that the error names.
func (s *settings) dropNamed(names []string, said string, sent []byte) bool {
	for _, name := range names {
		if strings.Contains(said, name) && !s.drop[name] && bytes.Contains(sent, []byte(`"`+name+`":`)) {
			s.dropMember(name)
			return true
		}
	}
	return false
}

func (s *settings) dropOnce(name string) bool {
	if s.drop[name] {
		return false
	}
	s.dropMember(name)
	return true
}

func (s *settings) dropMember(name string) {
	if s.drop == nil {
		s.drop = map[string]bool{}
	}
	s.drop[name] = true
}

// settings are what a request depends on besides the [Request], and what refusals change.
type settings struct {
	drop      map[string]bool   // members not to send
	refused   map[string]string // tools not to send, by refusedKey: the server's words
	maxTokens string            // the member that limits the answer; "" for the provider's own
	effort    string            // the reasoning effort; "" is not sent
	reasoning bool              // messages without a reasoning_content get an empty one
	format    string            // the text format for tools; "" for native calls

	maxAnswer int  // the most tokens of an answer; 0 if unknown
	budget    bool // thinking needs a budget in tokens
	onOff     bool // thinking can only be turned on or off

	second       bool // use the provider's second family
	secondFailed bool // the server does not support the second family
}

func (s settings) clone() settings {
	s.drop, s.refused = maps.Clone(s.drop), maps.Clone(s.refused)
	return s
}

// Lesson is what one model has refused, as it is saved. Members without a comment are those
// of settings.
type Lesson struct {
	Server    string            `json:"server"` // as returned by CleanAddress
	Model     string            `json:"model"`
	Effort    string            `json:"effort,omitempty"` // that was asked for
	Drop      []string          `json:"drop,omitempty"`   // members not to send, sorted
	Refused   map[string]string `json:"refused,omitempty"`
	MaxTokens string            `json:"max_tokens,omitempty"` // the member that limits an answer
	Instead   string            `json:"instead,omitempty"`    // the effort to ask for instead of Effort
	Reasoning bool              `json:"reasoning,omitempty"`
	Format    string            `json:"format,omitempty"` // the text format: native tools were refused
	MaxAnswer int               `json:"max_answer,omitempty"`
	Budget    bool              `json:"budget,omitempty"`
	OnOff     bool              `json:"on_off,omitempty"`
	Second    bool              `json:"second,omitempty"`
	NoSecond  bool              `json:"no_second,omitempty"`
}

// Lessons returns what was learned and is worth saving, sorted. That excludes what concerns
// one conversation only, such as thinking with an invalid signature, and what is true only
// of the server that currently runs on this computer.
func (l *Learned) Lessons() []Lesson {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []Lesson
	for who, s := range l.lessons {
		lesson := Lesson{
			Server: who.address, Model: who.model, Effort: who.effort, MaxTokens: s.maxTokens, Reasoning: s.reasoning,
			Format: s.format, MaxAnswer: s.maxAnswer, Budget: s.budget, OnOff: s.onOff,
			Refused: maps.Clone(s.refused),
		}
		if s.effort != who.effort {
			lesson.Instead = s.effort
		}
		if !OnThisComputer(who.address) {
			lesson.Second, lesson.NoSecond = s.second, s.secondFailed
		}
		for name := range s.drop {
			if name != echoAnthropic && name != echoResponses {
				lesson.Drop = append(lesson.Drop, name)
			}
		}
		slices.Sort(lesson.Drop)
		out = append(out, lesson)
	}
	slices.SortFunc(out, func(a, b Lesson) int {
		return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Model, b.Model), cmp.Compare(a.Effort, b.Effort))
	})
	return out
}

// Keep adds saved lessons, and has changed called after each new one, from any goroutine;
// changed must not call methods of l. Invalid lessons are ignored: messages, for instance,
// cannot be left out of a request.
func (l *Learned) Keep(earlier []Lesson, changed func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.changed = changed
	for _, lesson := range earlier {
		if CleanAddress(lesson.Server) != lesson.Server || lesson.Model == "" || lesson.Format != "" && writerOf(lesson.Format) == nil {
			continue
		}
		s := settings{
			maxTokens: lesson.MaxTokens, effort: cmp.Or(lesson.Instead, lesson.Effort), reasoning: lesson.Reasoning,
			format: lesson.Format, maxAnswer: max(lesson.MaxAnswer, 0), budget: lesson.Budget, onOff: lesson.OnOff,
			second: lesson.Second, secondFailed: lesson.NoSecond, refused: maps.Clone(lesson.Refused),
		}
		if s.maxTokens != "" && !strings.HasPrefix(s.maxTokens, "max_") {
			continue
		}
		for _, name := range lesson.Drop {
			if name != "messages" && name != "tools" {
				s.dropMember(name)
			}
		}
		if l.lessons == nil {
			l.lessons = map[lessonKey]settings{}
		}
		l.lessons[lessonKey{lesson.Server, lesson.Model, lesson.Effort}] = s
	}
}
