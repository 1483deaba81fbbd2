package question_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/app/builtin/language"
	"bowerbird/app/builtin/question"
)

// An asked question is a case of testdata: what somebody who had not seen the code
// would ask, and what it must be read as.
type askedQuestion struct {
	ID         string `json:"id"`
	Lang       string `json:"lang"`
	WindowLang string `json:"window_lang"`
	Chat       []string
	Context    map[string]*time.Time
	Question   string
	Expect     json.RawMessage
	Also       []json.RawMessage `json:"expect_also"`
}

type expected struct {
	Intent     string
	Persons    []string
	Topic      *string
	TopicAlso  []string `json:"topic_also"`
	Window     *expectedWindow
	Of, Form   *string
	By, Unit   string
	Kinds      []string
	Measures   []string
	AnswerLang *string `json:"answer_lang"`
	Ref        struct{ Item int }
}

type expectedWindow struct {
	Since, Until time.Time
	SinceAlso    []time.Time `json:"since_also"`
	UntilAlso    []time.Time `json:"until_also"`
}

// asks are the files of cases with the number of them that must be read rightly. It
// may only go up; none may ever be misread.
var asks = []struct {
	file         string
	right, other int // of the six languages that are answered in, and of others
}{
	{"questions.json", 120, 6},
	{"questions_own.json", 64, 0},
	{"questions_walk.json", 56, 0},
	{"questions_measures.json", 117, 8},
	{"questions_fresh.json", 115, 11},
	{"questions_newcomer.json", 118, 4},
}

func TestQuestionsAreReadAsTheyWereMeant(t *testing.T) {
	for _, set := range asks {
		t.Run(set.file, func(t *testing.T) {
			var cases struct {
				Meta struct {
					Now       time.Time
					Zone      string
					LastVisit time.Time `json:"last_visit"`
					People    []string  `json:"people_followed"`
				}
				Questions []askedQuestion
			}
			raw, err := os.ReadFile("testdata/" + set.file)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(raw, &cases); err != nil {
				t.Fatal(err)
			}
			p, z := question.New(language.Lexicons(language.All())), zone(t, cases.Meta.Zone)
			right, other, all, misread := 0, 0, 0, 0
			for _, ask := range cases.Questions {
				c := question.Calendar{Now: cases.Meta.Now.In(z), LastVisit: cases.Meta.LastVisit}
				if visit, ok := ask.Context["last_visit"]; ok {
					c.LastVisit = time.Time{}
					if visit != nil {
						c.LastVisit = *visit
					}
				}
				q := asRead(p, ask, c, cases.Meta.People)
				wrong := ask.judge(t, q, c)
				switch {
				case wrong == "" && answeredIn(ask.Lang):
					right++
				case wrong == "":
					other++
				case q.Intent == question.Unknown || q.Intent == question.Help:
					t.Logf("%s not understood: %s", ask.ID, ask.Question)
				default:
					misread++
					t.Errorf("%s misread: %s\n\t%s: %s", ask.ID, ask.Question, wrong, described(q, c))
				}
				if answeredIn(ask.Lang) {
					all++
				}
			}
			t.Logf("%d of %d read rightly, %d misread; %d in other languages", right, all, misread, other)
			if right < set.right || other < set.other {
				t.Errorf("%d and %d read rightly; it was %d and %d", right, other, set.right, set.other)
			}
		})
	}
}

func answeredIn(lang string) bool { return language.Answers(language.All())[lang] != nil }

// judge returns what is wrong with a reading; "" where it is one of those expected.
func (ask askedQuestion) judge(t *testing.T, q question.Question, c question.Calendar) (wrong string) {
	t.Helper()
	for i, also := range append([]json.RawMessage{nil}, ask.Also...) {
		var want expected
		for _, layer := range []json.RawMessage{ask.Expect, also} {
			if layer == nil {
				continue
			}
			if err := json.Unmarshal(layer, &want); err != nil {
				t.Fatal(err)
			}
		}
		got := want.differs(q, c)
		if got == "" {
			return ""
		}
		if i == 0 {
			wrong = got
		}
	}
	return wrong
}

// differs names the first part of a reading that is not as expected.
func (want expected) differs(q question.Question, c question.Calendar) string {
	intent := want.Intent
	if inner, ok := strings.CutPrefix(intent, "follow_up_as("); ok {
		intent = strings.TrimSuffix(inner, ")")
	}
	got := kindOf(q)
	outside := func(s string) bool { return s == "help" || s == "not_understood" }
	if got != intent && (!outside(got) || !outside(intent)) {
		return "intent is not " + intent
	}
	if outside(intent) {
		return ""
	}
	persons := slices.DeleteFunc([]string{q.Person}, func(s string) bool { return s == "" || q.Self })
	persons = append(persons, others(q)...)
	if !sameNames(persons, want.Persons) {
		return "persons are not " + strings.Join(want.Persons, ", ")
	}
	topics := want.TopicAlso
	if want.Topic != nil {
		topics = append(topics, *want.Topic)
	} else {
		topics = append(topics, "")
	}
	if q.Note == "" && !slices.ContainsFunc(topics, func(s string) bool { return strings.EqualFold(s, q.Topic) }) {
		return "topic is not " + strings.Join(topics, " or ")
	}
	if w := q.Window; want.Window == nil {
		if w.Asked && !(w.ByVisit && c.LastVisit.IsZero()) {
			return "no time was asked about"
		}
	} else if !w.Asked || !within(w.Since, append(want.Window.SinceAlso, want.Window.Since)) || !within(w.Until, append(want.Window.UntilAlso, want.Window.Until)) {
		return "window is not " + want.Window.Since.String() + " to " + want.Window.Until.String()
	}
	if want.Of != nil && ofWhom(q) != *want.Of {
		return "it is of " + *want.Of
	}
	form := ""
	if want.Form != nil {
		form = *want.Form
	}
	if formOf(q) != form {
		return "form is not " + form
	}
	return want.differsInDetail(q)
}

func within(at time.Time, any []time.Time) bool {
	return slices.ContainsFunc(any, func(t time.Time) bool { return at.Sub(t).Abs() <= time.Second })
}

func sameNames(got, want []string) bool {
	if len(got) != len(want) {
		return false
	}
	for _, w := range want {
		if !slices.ContainsFunc(got, func(g string) bool { return strings.EqualFold(g, w) }) {
			return false
		}
	}
	return true
}

// asRead reads a case as the plan does, with people stored as the case says.
func asRead(p *question.Reader, ask askedQuestion, c question.Calendar, people []string) question.Question {
	known := func(name string) bool {
		return slices.ContainsFunc(people, func(p string) bool { return strings.EqualFold(p, name) })
	}
	q := p.Read(ask.Question, c, &question.Talk{Before: ask.Chat, Lang: ask.WindowLang, Known: known})
	if q.Loose { // understood only where notes have its words
		return question.Question{Lang: q.Lang}
	}
	for _, name := range []*string{&q.Person, &q.Other} {
		if near := question.Nearest(*name, people); near != "" && !known(*name) {
			*name = near
		}
	}
	if near := question.Nearest(q.Topic, people); q.Either && near != "" {
		q.Person, q.Topic = near, ""
	}
	return q
}

func others(q question.Question) []string {
	if q.Other == "" {
		return nil
	}
	return []string{q.Other}
}

func (want expected) differsInDetail(q question.Question) string {
	if want.By != "" && q.By != want.By {
		return "it is by " + want.By
	}
	if want.AnswerLang != nil && answeredIn(*want.AnswerLang) && q.Lang != *want.AnswerLang {
		return "the answer is in " + *want.AnswerLang
	}
	if want.Unit == "people" && !q.People {
		return "people are counted"
	}
	if want.Ref.Item > 0 && q.Nth != want.Ref.Item {
		return "it is not about that story"
	}
	if got := measureNames(q.Kinds); q.Intent == question.Popular && !slices.Equal(got, want.Measures) {
		return "it is measured by " + strings.Join(want.Measures, ", ")
	}
	if names := kindNames(q.Kinds); len(want.Kinds) > 0 && q.Intent == question.ForMe && !slices.Equal(names, want.Kinds) && !covers(names, want.Kinds) {
		return "what came is not " + strings.Join(want.Kinds, ", ")
	}
	return ""
}

func kindNames(k question.Concept) (names []string) {
	for i, name := range []string{"reply", "mention", "quote", "zap"} {
		if k&[]question.Concept{question.Replied, question.Mentioned, question.Quoted, question.Zapped}[i] != 0 {
			names = append(names, name)
		}
	}
	return names
}

func measureNames(k question.Concept) (names []string) {
	for i, name := range []string{"reply", "like", "repost", "zap"} {
		if k&[]question.Concept{question.Replied, question.Liked, question.Reposted, question.Zapped}[i] != 0 {
			names = append(names, name)
		}
	}
	return names
}

// covers reports whether mention stands for all that mentions.
func covers(cGot, want []string) bool {
	if slices.Contains(cGot, "mention") {
		cGot = append(cGot, "reply", "quote")
	}
	for _, w := range want {
		if !slices.Contains(cGot, w) {
			return false
		}
	}
	return slices.Contains(cGot, "zap") == slices.Contains(want, "zap")
}

func kindOf(q question.Question) string {
	switch q.Intent {
	case question.LaterStory:
		return "thread"
	case question.Digest, question.Thread:
		if q.Person != "" {
			return "person"
		}
		if q.Topic != "" {
			return "topic"
		}
		return "digest"
	case question.Unknown, question.Cannot:
		return "not_understood"
	case question.TopHashtags:
		return "top_hashtags"
	case question.TopPosters:
		return "top_posters"
	case question.WhoIs:
		return "who_is"
	case question.ForMe:
		return "to_me"
	case question.Series:
		return "series_chart"
	case question.Conversed:
		return "talk_between"
	case question.FindThread:
		return "thread"
	case question.Articles:
		return "articles"
	}
	return q.Intent.String()
}

func ofWhom(q question.Question) string {
	switch {
	case q.Self:
		return "me"
	case q.Intent == question.ForMe:
		return "everyone"
	case q.Person != "":
		return "person"
	}
	return "follows"
}

func formOf(q question.Question) string { return []string{"", "chart", "table"}[q.Form] }

func described(q question.Question, c question.Calendar) string {
	return fmt.Sprintf("%s (%v) %q %q about %q %s %v by %q nth %d in %s", kindOf(q), q.Intent, q.Person, q.Other, q.Topic, show(q.Window, c), formOf(q), q.By, q.Nth, q.Lang)
}
