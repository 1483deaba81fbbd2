package llm

import (
	"cmp"
	"slices"
	"strings"
)

// Lesson is what one model was found to refuse, in the form in which it is kept until
// the program runs again.
type Lesson struct {
	Server    string   `json:"server"` // as CleanAddress writes it
	Model     string   `json:"model"`
	Effort    string   `json:"effort,omitempty"`     // the one that was asked for
	Drop      []string `json:"drop,omitempty"`       // members not to send, sorted
	MaxTokens string   `json:"max_tokens,omitempty"` // the member that limits an answer
	Instead   string   `json:"instead,omitempty"`    // the effort to ask for in place of Effort
	Reasoning bool     `json:"reasoning,omitempty"`
	Format    string   `json:"format,omitempty"` // the text format: tools of its own were refused
	MaxAnswer int      `json:"max_answer,omitempty"`
	Budget    bool     `json:"budget,omitempty"`
	OnOff     bool     `json:"on_off,omitempty"`
	Second    bool     `json:"second,omitempty"`
	NoSecond  bool     `json:"no_second,omitempty"`
}

// Lessons returns what was learned and is worth being kept, in a certain order. What
// concerns one conversation (thinking whose signature did not fit) is not, nor what is
// true only of the program that happens to listen on this computer.
func (l *Learned) Lessons() []Lesson {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []Lesson
	for who, s := range l.lessons {
		lesson := Lesson{
			Server: who.address, Model: who.model, Effort: who.effort, MaxTokens: s.maxTokens, Reasoning: s.reasoning,
			Format: s.format, MaxAnswer: s.maxAnswer, Budget: s.budget, OnOff: s.onOff,
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

// Keep takes lessons of an earlier run, and calls changed after each new one; it may
// be called from any goroutine, and must not call back. What makes no sense is left
// out: a request without its messages would be none.
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
			second: lesson.Second, secondFailed: lesson.NoSecond,
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
			l.lessons = map[learner]settings{}
		}
		l.lessons[learner{lesson.Server, lesson.Model, lesson.Effort}] = s
	}
}
