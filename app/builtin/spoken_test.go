package builtin

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
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
			p, z := newParser(), zone(t, cases.Meta.Zone)
			right, other, all, misread := 0, 0, 0, 0
			for _, ask := range cases.Questions {
				c := calendar{now: cases.Meta.Now.In(z), lastVisit: cases.Meta.LastVisit}
				if visit, ok := ask.Context["last_visit"]; ok {
					c.lastVisit = time.Time{}
					if visit != nil {
						c.lastVisit = *visit
					}
				}
				q := p.asked(ask, c, cases.Meta.People)
				wrong := ask.judge(t, q, c)
				switch {
				case wrong == "" && answeredIn(ask.Lang):
					right++
				case wrong == "":
					other++
				case q.intent == unknown || q.intent == help:
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

func answeredIn(lang string) bool { return allWords()[lang] != nil }

// judge returns what is wrong with a reading; "" where it is one of those expected.
func (ask askedQuestion) judge(t *testing.T, q question, c calendar) (wrong string) {
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
func (want expected) differs(q question, c calendar) string {
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
	persons := slices.DeleteFunc([]string{q.person}, func(s string) bool { return s == "" || q.self })
	persons = append(persons, q.others()...)
	if !sameNames(persons, want.Persons) {
		return "persons are not " + strings.Join(want.Persons, ", ")
	}
	topics := want.TopicAlso
	if want.Topic != nil {
		topics = append(topics, *want.Topic)
	} else {
		topics = append(topics, "")
	}
	if q.note == "" && !slices.ContainsFunc(topics, func(s string) bool { return strings.EqualFold(s, q.topic) }) {
		return "topic is not " + strings.Join(topics, " or ")
	}
	if w := q.window; want.Window == nil {
		if w.asked && !(w.byVisit && c.lastVisit.IsZero()) {
			return "no time was asked about"
		}
	} else if !w.asked || !within(w.since, append(want.Window.SinceAlso, want.Window.Since)) || !within(w.until, append(want.Window.UntilAlso, want.Window.Until)) {
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

// asked reads a case as the plan does, with people stored as the case says.
func (p *parser) asked(ask askedQuestion, c calendar, people []string) question {
	known := func(name string) bool {
		return slices.ContainsFunc(people, func(p string) bool { return strings.EqualFold(p, name) })
	}
	q := p.read(ask.Question, c, &talk{before: ask.Chat, lang: ask.WindowLang, known: known})
	for _, name := range []*string{&q.person, &q.other} {
		if near := nearestName(*name, people); near != "" && !known(*name) {
			*name = near
		}
	}
	if near := nearestName(q.topic, people); q.either && near != "" {
		q.person, q.topic = near, ""
	}
	return q
}

func (q question) others() []string {
	if q.other == "" {
		return nil
	}
	return []string{q.other}
}

func (want expected) differsInDetail(q question) string {
	if want.By != "" && q.by != want.By {
		return "it is by " + want.By
	}
	if want.AnswerLang != nil && answeredIn(*want.AnswerLang) && q.lang != *want.AnswerLang {
		return "the answer is in " + *want.AnswerLang
	}
	if want.Unit == "people" && !q.people {
		return "people are counted"
	}
	if want.Ref.Item > 0 && q.nth != want.Ref.Item {
		return "it is not about that story"
	}
	if got := measureNames(q.kinds); q.intent == popular && !slices.Equal(got, want.Measures) {
		return "it is measured by " + strings.Join(want.Measures, ", ")
	}
	if names := kindNames(q.kinds); len(want.Kinds) > 0 && q.intent == forMe && !slices.Equal(names, want.Kinds) && !covers(names, want.Kinds) {
		return "what came is not " + strings.Join(want.Kinds, ", ")
	}
	return ""
}

func kindNames(k concept) (names []string) {
	for i, name := range []string{"reply", "mention", "quote", "zap"} {
		if k&[]concept{cReplied, cMentioned, cQuoted, cZapped}[i] != 0 {
			names = append(names, name)
		}
	}
	return names
}

func measureNames(k concept) (names []string) {
	for i, name := range []string{"reply", "like", "repost", "zap"} {
		if k&[]concept{cReplied, cLiked, cReposted, cZapped}[i] != 0 {
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

func kindOf(q question) string {
	switch q.intent {
	case laterStory:
		return "thread"
	case digest, thread:
		if q.person != "" {
			return "person"
		}
		if q.topic != "" {
			return "topic"
		}
		return "digest"
	case unknown, cannot, fragment:
		return "not_understood"
	case topHashtags:
		return "top_hashtags"
	case topPosters:
		return "top_posters"
	case whoIs:
		return "who_is"
	case forMe:
		return "to_me"
	case series:
		return "series_chart"
	case conversed:
		return "talk_between"
	case findThread:
		return "thread"
	case articles:
		return "articles"
	}
	return q.intent.String()
}

func ofWhom(q question) string {
	switch {
	case q.self:
		return "me"
	case q.intent == forMe:
		return "everyone"
	case q.person != "":
		return "person"
	}
	return "follows"
}

func formOf(q question) string { return []string{"", "chart", "table"}[q.form] }

func described(q question, c calendar) string {
	return fmt.Sprintf("%s (%v) %q %q about %q %s %v by %q nth %d in %s", kindOf(q), q.intent, q.person, q.other, q.topic, show(q.window, c), formOf(q), q.by, q.nth, q.lang)
}
