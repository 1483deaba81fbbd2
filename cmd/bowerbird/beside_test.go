package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"bowerbird/app"
	"bowerbird/app/chats"
	"bowerbird/app/config"
	"bowerbird/app/instance"
	"bowerbird/internal/testkit"
	"bowerbird/tools"
	"bowerbird/ui/present"
)

// openBeside opens the stores of a data folder as the window does, and serves other starts.
func openBeside(t *testing.T, data string, more ...tools.Tool) (a *app.App, stop func()) {
	t.Helper()
	places := config.Locate(data, "")
	settings, err := config.Load(places.Settings)
	if err != nil {
		t.Fatal(err)
	}
	a, err = app.Open(t.Context(), app.Options{
		Places: places, Settings: settings, Window: true, Tools: more, Getenv: func(string) string { return "" },
	})
	if err != nil {
		t.Fatal(err)
	}
	stop, err = waitForStarts(a, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a, stop
}

// stored makes a data folder with a world in it, read as the world's person.
func stored(t *testing.T) (data, me string) {
	t.Helper()
	w, file := world(t)
	data, me = t.TempDir(), w.Me.Npub()
	if r := bowerbird(t, "", "--data", data, "import", file); r.code != exitDone {
		t.Fatal(r.err)
	}
	if err := config.Save(config.Locate(data, "").Settings, config.Settings{Person: config.Person{Key: me}}); err != nil {
		t.Fatal(err)
	}
	return data, me
}

// onlyNow are the parts of an output that differ from run to run: ids of turns and calls,
// moments, and how long something took.
var onlyNow = regexp.MustCompile(`"(turn|since|until|ms|as_of)":("[^"]*"|[0-9.]+)|"(id)":"[a-z_]+_[0-9a-f]{12}"`)

func steady(r result) result {
	r.out = onlyNow.ReplaceAllString(r.out, `"$1$3":-`)
	return r
}

func TestACommandBesideTheWindowPrintsTheSame(t *testing.T) {
	data, me := stored(t)
	commands := [][]string{
		{"search", "is:reply", "--limit", "5"},
		{"--json", "search", "is:reply", "--limit", "5"},
		{"search", "kind:nonsense"},
		{"ask", "Top hashtags this week"},
		{"--json", "ask", "Top hashtags this week"},
		{"ask", "Top hashtags this week, as a chart", "--plain"},
		{"ask", "Top hashtags this week", "--as", me},
		{"ask", "hello", "--chat", "nothing"},
		{"ask", "hello", "--model", "ollama:owl", "--base-url", "http://127.0.0.1:9/v1"},
		{"coverage"},
		{"chats", "export", "nothing"},
		{"tool", "count", `{"since":"2d"}`},
		{"query", `{"limt":3}`},
		{"req", `{"kinds":[1],"limit":3}`},
		{"export", "--filter", `{"kinds":[0]}`},
	}
	var before []result
	for _, args := range commands {
		before = append(before, steady(bowerbird(t, "", append([]string{"--data", data}, args...)...)))
	}
	if !strings.Contains(before[3].out, "#") || before[0].code != exitDone || before[8].code != exitFailed {
		t.Fatalf("alone: %+v", before)
	}
	saved := len(chatIDs(t, data))
	a, _ := openBeside(t, data)
	for i, args := range commands {
		if beside := steady(bowerbird(t, "", append([]string{"--data", data}, args...)...)); beside != before[i] {
			t.Errorf("%q:\nbeside %+v\nalone  %+v", args, beside, before[i])
		}
	}
	store, err := a.Chats()
	if err != nil {
		t.Fatal(err)
	}
	if list, _, err := store.List(t.Context()); err != nil || len(list) != 2*saved {
		t.Errorf("%d chats are stored, %v; before %d", len(list), err, saved)
	}
	if r := bowerbird(t, "", "--data", data, "chats"); r.code != exitDone || strings.Count(r.out, "\n") != 2*saved {
		t.Errorf("the chats beside the window: exit %d, %s%s", r.code, r.out, r.err)
	}
}

// chatIDs lists the ids of the saved chats.
func chatIDs(t *testing.T, data string) []string {
	t.Helper()
	r := bowerbird(t, "", "--data", data, "chats")
	if r.code != exitDone {
		t.Fatal(r.err)
	}
	var ids []string
	for line := range strings.Lines(r.out) {
		ids = append(ids, strings.Fields(line)[0])
	}
	return ids
}

func TestWhatNeedsTheStoresForItselfIsRefusedBesideTheWindow(t *testing.T) {
	data, _ := stored(t)
	openBeside(t, data)
	other := filepath.Join(t.TempDir(), "other.toml")
	if err := os.WriteFile(other, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	somebody := testkit.NewKey("somebody").PubKey
	for _, args := range [][]string{
		{"import", "-"},
		{"prune", "--days", "1"},
		{"compact"},
		{"chats", "delete", "x"},
		{"backup", filepath.Join(t.TempDir(), "b")},
		{"search", "hello", "--as", somebody}, // the window reads as one person
		{"--config", other, "search", "hello"},
	} {
		if r := bowerbird(t, "", append([]string{"--data", data}, args...)...); r.code != exitUnusable || r.out != "" || !strings.Contains(r.err, "has these notes open") {
			t.Errorf("%q: exit %d, %s%s", args, r.code, r.out, r.err)
		}
	}
}

// call is a model's call of a tool, as a server streams it.
func call(tool string) testkit.Reply {
	return testkit.SSE(
		`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"`+tool+`","arguments":"{}"}}]}}]}`,
		`{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}`)
}

func TestAnApprovalBesideTheWindowIsAskedForWhereTheQuestionWasAsked(t *testing.T) {
	for typed, want := range map[string]int32{"yes\n": 1, "no\n": 0, "": 0} {
		var done atomic.Int32
		act := tools.New("water_plants", "Waters the plants.", tools.Local, func(context.Context, *tools.Env, struct{}) (tools.CountResult, error) {
			done.Add(1)
			return tools.CountResult{}, nil
		})
		data, _ := stored(t)
		openBeside(t, data, act)
		model := testkit.NewModelServer(t, call("water_plants"), testkit.SSE(`{"choices":[{"delta":{"content":"So be it."},"finish_reason":"stop"}]}`))
		r := bowerbird(t, typed, "--data", data, "ask", "Water them", "--approve", "ask", "--model", "custom:m", "--base-url", model.URL+"/v1")
		if r.code != exitDone || !strings.Contains(r.err, "water_plants") || !strings.Contains(r.err, `Type "yes"`) || !strings.Contains(r.out, "So be it.") {
			t.Errorf("%q: exit %d, %s%s", typed, r.code, r.out, r.err)
		}
		if done.Load() != want {
			t.Errorf("%q: done %d times", typed, done.Load())
		}
	}
}

// until is a writer that calls then once a text was written.
type until struct {
	bytes.Buffer
	text string
	then func()
}

func (u *until) Write(p []byte) (int, error) {
	had := strings.Contains(u.String(), u.text)
	n, err := u.Buffer.Write(p)
	if !had && strings.Contains(u.String(), u.text) {
		u.then()
	}
	return n, err
}

func TestAnAnswerBesideTheWindowCanBeStoppedAndEndsWithTheWindow(t *testing.T) {
	for name, end := range map[string]func(stopAsking, closeWindow func()){
		"Ctrl+C":                func(stopAsking, _ func()) { stopAsking() },
		"the window was closed": func(_, closeWindow func()) { go closeWindow() },
	} {
		t.Run(name, func(t *testing.T) {
			data, _ := stored(t)
			a, stop := openBeside(t, data)
			hanging := testkit.SSE(`{"choices":[{"delta":{"content":"One moment."}}]}`)
			hanging.Body, hanging.Hang = strings.TrimSuffix(hanging.Body, "data: [DONE]\n\n"), true
			model := testkit.NewModelServer(t, hanging)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			out := &until{text: "One moment.", then: func() { end(cancel, stop) }}
			var errOut bytes.Buffer
			code := run(ctx, []string{"--data", data, "--json", "ask", "Well?", "--model", "custom:m", "--base-url", model.URL + "/v1"},
				streams{in: strings.NewReader(""), out: out, err: &errOut})
			if code != exitStopped || !strings.Contains(out.String(), `"reason":"cancelled"`) {
				t.Errorf("exit %d, %s%s", code, out, &errOut)
			}
			<-model.Left()
			store, err := a.Chats()
			if err != nil {
				t.Fatal(err)
			}
			if list, _, err := store.List(t.Context()); err != nil || len(list) != 1 || list[0].State != chats.Cancelled {
				t.Errorf("stored: %+v, %v", list, err)
			}
		})
	}
}

func TestPathsBesideTheWindowAreThoseOfTheOtherStart(t *testing.T) {
	data, _ := stored(t)
	a, _ := openBeside(t, data)
	dir := t.TempDir()
	c := instance.Command{Args: []string{"ask", "Top hashtags this week, as a chart", "--charts", "drawn"}, Dir: dir, Settings: a.Places().Settings}
	var out, errOut bytes.Buffer
	found, code, err := instance.Carry(t.Context(), data, c, instance.Streams{Out: &out, Err: &errOut})
	if !found || code != exitDone || err != nil || !strings.Contains(out.String(), "Chart: "+filepath.Join("drawn", "chart-1.svg")) {
		t.Errorf("%v, exit %d, %v: %s%s", found, code, err, &out, &errOut)
	}
	if _, err := os.Stat(filepath.Join(dir, "drawn", "chart-1.svg")); err != nil {
		t.Error(err)
	}
}

func TestATerminalBesideTheWindowKeepsItsWidth(t *testing.T) {
	data, _ := stored(t)
	a, _ := openBeside(t, data)
	for _, width := range []int{50, 100} {
		c := instance.Command{Args: []string{"search", "is:reply"}, Settings: a.Places().Settings, Out: instance.Size{Width: width, Height: 20}}
		var out bytes.Buffer
		if found, code, err := instance.Carry(t.Context(), data, c, instance.Streams{Out: &out, Err: io.Discard}); !found || code != exitDone || err != nil {
			t.Fatalf("%v, exit %d, %v", found, code, err)
		}
		widest := 0
		for line := range strings.Lines(out.String()) {
			widest = max(widest, present.Width(strings.TrimSpace(line)))
		}
		if widest > width || widest < width/2 {
			t.Errorf("in a terminal %d wide the widest line has %d", width, widest)
		}
	}
}

func TestWhatBreaksForAnotherStartDoesNotEndTheWindow(t *testing.T) {
	data, _ := stored(t)
	openBeside(t, data, tools.New("break_inside", "Breaks.", tools.None, func(context.Context, *tools.Env, struct{}) (tools.CountResult, error) {
		panic("boom")
	}))
	if _, _, err := instance.CallTool(t.Context(), data, instance.ToolCall{Name: "break_inside"}); err == nil || !strings.Contains(err.Error(), "broke inside") {
		t.Error(err)
	}
	command := func() (code int, why error) {
		defer broken("search", func(err error) { code, why = exitFailed, err })
		panic("boom")
	}
	if code, why := command(); code != exitFailed || !strings.Contains(why.Error(), "search broke inside") {
		t.Error(code, why)
	}
	if r := bowerbird(t, "", "--data", data, "search", "is:reply"); r.code != exitDone {
		t.Errorf("after that: exit %d, %s", r.code, r.err)
	}
}
