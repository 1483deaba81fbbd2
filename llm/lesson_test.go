package llm_test

import (
	"strings"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

// Row 003-15: what was learned of a model by refusals is known in the next run.
func TestALessonIsNotLearnedTwice(t *testing.T) {
	effort := func(o *llm.Options) { o.Effort = "low" }
	for _, tt := range []struct {
		name, provider string
		refusals       []testkit.Reply
		answer         testkit.Reply
		change         func(*llm.Options)
		again          bool // it has to be refused anew
	}{
		{"a member", "custom", []testkit.Reply{refusal(400, "unknown field stream_options", "", "")}, ok(), nil, false},
		{"another name for a limit", "custom", []testkit.Reply{refusal(400, "use max_completion_tokens", "", "")}, ok(), nil, false},
		{"an effort with tools", "custom", []testkit.Reply{toolsRefused()}, ok(), nil, false},
		{"tools", "custom", []testkit.Reply{refusal(400, "does not support tools", "", "")}, ok(), nil, false},
		{"how much to think", "ollama", []testkit.Reply{refusal(400, `think value "low" is not supported for this model`, "", "")}, nextOf("ollama"), effort, false},
		// Another program may listen here tomorrow.
		{"another way of speaking, here", "ollama", []testkit.Reply{{Status: 404, Body: "404 page not found"}}, ok(), nil, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			change := func(o *llm.Options) {
				if row(t, tt.provider)(o); tt.change != nil {
					tt.change(o)
				}
			}
			s := testkit.NewModelServer(t, append(tt.refusals, tt.answer)...)
			req := conversation()
			req.Temperature = nil
			told, learned := 0, &llm.Learned{}
			learned.Keep(nil, func() { told++ })
			if got := ask(t, newClient(t, s, change, func(o *llm.Options) { o.Learned = learned }), req); got.Error != nil {
				t.Fatalf("got %+v", got.Error)
			}
			if told != len(tt.refusals) || len(learned.Lessons()) != 1 {
				t.Errorf("told of %d lessons; learned %+v", told, learned.Lessons())
			}
			next := &llm.Learned{}
			next.Keep(learned.Lessons(), nil)
			if tt.again {
				s.Queue(tt.refusals...)
			}
			s.Queue(tt.answer)
			if got := ask(t, newClient(t, s, change, func(o *llm.Options) { o.Learned = next }), req); got.Error != nil {
				t.Fatalf("in the next run: %+v", got.Error)
			}
			if shown(next.Lessons()) != shown(learned.Lessons()) {
				t.Errorf("kept %s, and then %s", shown(learned.Lessons()), shown(next.Lessons()))
			}
		})
	}
}

// What the user chose is no lesson.
func TestWhatWasChosenIsNotLearned(t *testing.T) {
	s := testkit.NewModelServer(t, refusal(400, "unknown field stream_options", "", ""), ok())
	learned := &llm.Learned{}
	c := newClient(t, s, func(o *llm.Options) { o.Learned, o.Format, o.NoCaching = learned, "json", true })
	ask(t, c, conversation())
	members, tools := learned.Refused(s.URL, "m")
	if strings.Join(members, " ") != "stream_options" || tools {
		t.Errorf("learned that it refuses %v, tools %v", members, tools)
	}
	learned.Forget(s.URL+"/v1/", "m")
	if members, _ := learned.Refused(s.URL, "m"); len(members) > 0 {
		t.Errorf("after it was forgotten: %v", members)
	}
}

// A file of lessons may have been edited: nothing in it may spoil a request.
func TestLessonsThatMakeNoSenseAreLeftOut(t *testing.T) {
	s := testkit.NewModelServer(t, ok())
	learned := &llm.Learned{}
	base := llm.CleanAddress(s.URL)
	learned.Keep([]llm.Lesson{
		{Server: base, Model: "m", Drop: []string{"messages", "tools"}},
		{Server: base, Model: "m", Effort: "x", Format: "nonsense"},
		{Server: base, Model: "m", Effort: "y", MaxTokens: "messages"},
		{Server: "nonsense", Model: "m"},
		{Server: base},
	}, nil)
	if got := ask(t, newClient(t, s, func(o *llm.Options) { o.Learned = learned }), conversation()); got.Text != "ok" {
		t.Fatalf("got %+v", got.Error)
	}
	if body := string(s.Received()[0].Body); !strings.Contains(body, `"messages":`) || !strings.Contains(body, `"tools":`) {
		t.Errorf("sent %s", body)
	}
	if got := learned.Lessons(); len(got) != 1 {
		t.Errorf("kept %+v", got)
	}
}
