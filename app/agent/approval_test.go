package agent_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/llm"
	"bowerbird/tools"
	"bowerbird/tools/tooltest"
)

// strange are characters that look like others, like nothing, or turn what follows.
var strange = []string{
	"\u202e", "\u202d", "\u2066", "\u2069", "\u200b", "\u200d", "\u200f", "\ufeff", "\u00ad", "\u034f", "\u115f", "\u3164", "\u2800", "\ufe0f",
	"\U000e0041", "\U000e007f", "\U000e0100", "\x00", "\x1b[31m", "\r", "\u0085", "\u2028", "\u2029", "а", "е", "о", "Ｉ", "ⅼ", "é", "e\u0301",
	"İ", "ß", "👩‍👩‍👧", "🏳️‍🌈", "日本", "العربية", "עברית", "\\u202e", "\\", "\"", "<", "&", "'", "`", "\ufffd", "\ufffe", "\U0010ffff", "𝓪", "ﷺ", "\u0337",
	" ", "\t", "\n", "1", "１", "٠", ",", ";", "\u00a0", "\u2003", "\u180e", "\u061c", "\u206a", "\ue000", "\U000f0000", "K", "Å", "ﬁ", "Ǆ", "ſ",
	"nostr:", "npub1", "{}", "[]", "null", "-0", "1e400",
}

// randomArguments makes arguments up that are hard to show.
func randomArguments(r *rand.Rand, n int) string {
	var text strings.Builder
	text.WriteString(strange[n%len(strange)]) // each at least once
	for range r.IntN(12) {
		text.WriteString(strange[r.IntN(len(strange))])
	}
	raw, err := json.Marshal(map[string]any{"n": n, "content": text.String(), "tags": [][]string{{"p", text.String()}}})
	if err != nil {
		panic(err) // strings can be written
	}
	if n%3 == 0 { // as a model writes it, not as Go does
		return strings.ReplaceAll(string(raw), `,"`, " , \n \"")
	}
	return string(raw)
}

const previews = 500

// asked500 has a model call a publishing tool 500 times.
func asked500(t *testing.T, answer func(agent.Preview, *llm.Call) agent.Approval) (shown []agent.Preview, ran []string) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 3))
	var script []reply
	byID := map[string]*llm.Call{}
	for at := 0; at < previews; at += 50 {
		var step []llm.Call
		for n := at; n < at+50; n++ {
			step = append(step, callOf(fmt.Sprint("c", n), "publish_note", randomArguments(r, n)))
		}
		for i := range step {
			byID[step[i].ID] = &step[i]
		}
		script = append(script, calls(step...))
	}
	p := &publisher{effect: tools.Publishes}
	app := &approver{answer: func(p agent.Preview) (agent.Approval, error) { return answer(p, byID[p.Call]), nil }}
	a := newAgent(t, agent.Options{Model: &scripted{script: append(script, says("ok"))}, Tools: []tools.Tool{p.tool()}, Approver: app, MaxSteps: 20})
	var c agent.Conversation
	ask(t, a, &c, "publish all of it")
	wantSettled(t, &c)
	if len(app.asked) != previews {
		t.Fatalf("asked %d times", len(app.asked))
	}
	return app.asked, p.did
}

// The gate (security.md, T3): what is shown is what runs, byte for byte, also where
// somebody changes the call while the user reads.
func TestWhatWasShownIsWhatRuns(t *testing.T) {
	shown, ran := asked500(t, func(p agent.Preview, c *llm.Call) agent.Approval {
		for i := range c.Arguments {
			if c.Arguments[i] >= 'a' && c.Arguments[i] <= 'z' {
				c.Arguments[i] = 'x'
			}
		}
		return agent.Approval{Granted: true, Hash: p.Hash()}
	})
	same := 0
	for i, p := range shown {
		if i < len(ran) && sha256.Sum256([]byte(p.Arguments)) == sha256.Sum256([]byte(ran[i])) {
			same++
		}
	}
	if same != previews || len(ran) != previews {
		t.Errorf("%d of %d ran as they were shown, %d ran", same, previews, len(ran))
	}
	t.Logf("sha256(shown) = sha256(run): %d of %d", same, previews)
}

// The gate (security.md, T3): an approval of anything else than what would run is worth
// nothing: another text by one character, another call, another tool, another effect.
func TestWhatWasChangedAfterItsApprovalIsRefused(t *testing.T) {
	n := 0
	shown, ran := asked500(t, func(p agent.Preview, _ *llm.Call) agent.Approval {
		n++
		switch n % 5 {
		case 0:
			p.Arguments += " "
		case 1:
			at := 1 + n%(len(p.Arguments)-1)
			p.Arguments = p.Arguments[:at] + "\u200b" + p.Arguments[at:]
		case 2:
			p.Call += "0"
		case 3:
			p.Tool = "publish_note_"
		case 4:
			p.Effect = tools.Local
		}
		return agent.Approval{Granted: true, Hash: p.Hash()}
	})
	if len(ran) != 0 {
		t.Errorf("%d ran", len(ran))
	}
	t.Logf("refused: %d of %d", len(shown)-len(ran), previews)
}

// The gate (security.md, T3): what is shown can be read in one way, the tool's, however
// the model wrote it.
func TestWhatIsShownIsReadAsTheToolReadsIt(t *testing.T) {
	type inner struct {
		Name string `json:"name"`
	}
	type note struct {
		Content string  `json:"content"`
		Relays  []inner `json:"relays,omitempty"`
		Kind    int     `json:"kind,omitempty"`
	}
	for _, tt := range []struct{ wrote, shown string }{
		{`{"content":"hello"}`, `{"content":"hello"}`},
		{`{"content":"\u0068\u0065llo <b>"}`, `{"content":"hello <b>"}`},
		{`{"content":"nice","content":"evil"}`, `{"content":"evil"}`},
		{`{"content":"x","relays":[{"name":"mine","name":"theirs"}]}`, `{"content":"x","relays":[{"name":"theirs"}]}`},
		{`{"content":"x","kind":"7"}`, `{"content":"x","kind":7}`},
		{`"{\"content\":\"x\"}"`, `{"content":"x"}`},
		{"{\n\"content\" : \"x\" }\n", `{"content":"x"}`},
	} {
		var did []note
		tool := tools.New("publish_note", "Publishes.", tools.Publishes, func(_ context.Context, _ *tools.Env, n note) (answerText, error) {
			did = append(did, n)
			return "published", nil
		})
		app := &approver{answer: grants}
		m := &scripted{script: []reply{calls(callOf("a", "publish_note", tt.wrote)), says("ok")}}
		var c agent.Conversation
		ask(t, newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{tool}, Approver: app}), &c, "publish")
		if len(app.asked) != 1 || app.asked[0].Arguments != tt.shown {
			t.Errorf("%s is shown as %+v, want %s", tt.wrote, app.asked, tt.shown)
			continue
		}
		var want note
		if err := json.Unmarshal([]byte(tt.shown), &want); err != nil {
			t.Fatal(err)
		}
		if len(did) != 1 || !reflect.DeepEqual(did[0], want) {
			t.Errorf("%s was read as %+v", tt.wrote, did)
		}
	}
}

// The gate (security.md, T4): of twenty usual tasks the reading ones ask nothing, with
// the real tools, and publishing asks once.
func TestUsualTasksAskNothingButForPublishing(t *testing.T) {
	w := tooltest.NewWorld(t)
	me, ada := w.Person("me", "Me"), w.Person("ada", "Ada")
	w.Read(me, ada)
	root := ada.Note("relays are down again", 2*time.Hour)
	id := fmt.Sprintf("%q", root.ID)
	env := w.Env()
	tasks := []struct{ question, tool, args string }{
		{"What did I miss?", "query", `{"since":"24h","limit":200}`},
		{"What did I miss since yesterday?", "query", `{"since":"yesterday","until":"now","limit":100}`},
		{"What is Ada saying?", "query", `{"author":"ada"}`},
		{"Who talks about relays?", "query", `{"search":"relays"}`},
		{"Articles of this month?", "query", `{"kind":30023,"since":"4w"}`},
		{"Top hashtags this week?", "aggregate", `{"by":"hashtag","since":"7d"}`},
		{"Notes a day, please", "aggregate", `{"by":"day","since":"7d"}`},
		{"Who posted most?", "aggregate", `{"by":"author"}`},
		{"What do people talk about?", "aggregate", `{"by":"term"}`},
		{"How many notes today?", "count", `{"since":"today"}`},
		{"How complete is that?", "coverage", `{"since":"24h"}`},
		{"Summarise this thread", "get_thread", `{"note_id":` + id + `}`},
		{"Show me that note", "get_note", `{"note_id":` + id + `}`},
		{"Who is Ada?", "get_profile", `{"person":"ada"}`},
		{"Whom do I know called Ada?", "find_profile", `{"name":"ada"}`},
		{"Cite it", "present_notes", `{"note_ids":` + id + `}`},
		{"As a table", "render_table", `{"columns":["a"],"rows":[{"a":1}]}`},
		{"As a chart", "render_chart", `{"title":"t","spec":{"mark":"bar","data":{"values":[{"a":"x","b":1}]},"encoding":{"x":{"field":"a","type":"nominal"},"y":{"field":"b","type":"quantitative"}}}}`},
		{"What time is it?", "current_time", `{}`},
		{"A random id, please", "random_uuid", `{}`},
	}
	p := &publisher{effect: tools.Publishes}
	app := &approver{answer: grants}
	run := func(c *agent.Conversation, question, tool, args string) {
		t.Helper()
		m := &scripted{script: []reply{calls(callOf("a", tool, args)), says("ok")}}
		a := newAgent(t, agent.Options{Model: m, Tools: append(tools.BuiltinTools(), p.tool()), Approver: app})
		for e := range a.Run(context.Background(), c, agent.Turn{ID: "t", Question: question, Env: env}) {
			if e.Type == agent.EventToolResult && e.Failure != "" {
				t.Errorf("%s: %s %s: %s", question, tool, args, e.Failure)
			}
		}
	}
	var chat agent.Conversation // one for all: it is tainted from the first
	for _, task := range tasks {
		run(&chat, task.question, task.tool, task.args)
	}
	if len(tasks) != 20 || len(app.asked) != 0 {
		t.Errorf("%d questions for %d reading tasks", len(app.asked), len(tasks))
	}
	run(&chat, "Publish it", "publish_note", `{"content":"hello"}`)
	if len(app.asked) != 1 || len(p.did) != 1 || !app.asked[0].Tainted {
		t.Errorf("%d questions for publishing one note, %d published", len(app.asked), len(p.did))
	}
	t.Logf("0 questions for %d reading tasks, %d for publishing", len(tasks), len(app.asked))
}
