package chats_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

func fine() testkit.Reply {
	return testkit.SSE(`{"choices":[{"index":0,"delta":{"content":"fine"}}]}`, `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`)
}

// overHTTP returns a model behind a scripted server on loopback.
func overHTTP(t testing.TB, s *testkit.ModelServer) *llm.Client {
	t.Helper()
	row, ok := llm.FindProvider("custom") // gets back all that any provider wants back
	if !ok {
		t.Fatal("no custom provider")
	}
	c, err := llm.New(llm.Options{Provider: row, Model: "m", BaseURL: s.URL, HTTP: s.Client(), Tries: -1})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// playSaved plays a turn over HTTP that begins with a reply, and saves it.
func playSaved(t *testing.T, k *kit, first testkit.Reply) *chats.Chat {
	t.Helper()
	s := testkit.NewModelServer(t, first, fine(), fine(), fine(), fine())
	c := k.new(t)
	turn := k.turn("What is new?")
	for range c.Record(t.Context(), turn, "custom:m", newAgent(t, overHTTP(t, s)).Run(t.Context(), c.Conversation(), turn)) {
	}
	if err := c.Err(); err != nil {
		t.Fatal(err)
	}
	return c
}

// next asks a further question in a conversation and returns what the server got.
func next(t *testing.T, k *kit, c *agent.Conversation) []byte {
	t.Helper()
	s := testkit.NewModelServer(t, fine())
	for range newAgent(t, overHTTP(t, s)).Run(t.Context(), c, k.turn("And since?")) {
	}
	return s.Received()[0].Body
}

// Issue 5, "history replayed byte for byte", also after the program was started anew:
// a chat that was saved and loaded makes the same request as before, whatever a model
// said and called in it.
func TestALoadedChatMakesTheSameRequestAsBefore(t *testing.T) {
	for name, dir := range map[string]string{
		"made":     filepath.Join("..", "..", "llm", "testdata", "streams"),
		"recorded": "",
	} {
		t.Run(name, func(t *testing.T) {
			if dir == "" {
				dir = testkit.Shared(t, "fixtures", "streams-recorded")
			}
			k := newKit(t)
			all := testkit.RecordedReplies(t, dir)
			n := 0
			for fixture, first := range all {
				if n++; testing.Short() && name == "recorded" && n > 20 {
					break
				}
				c := playSaved(t, k, first)
				loaded := k.load(t, c.Info().ID)
				before, after := next(t, k, c.Conversation()), next(t, k, loaded.Conversation())
				if !bytes.Equal(before, after) {
					t.Errorf("%s: before\n%s\nafter\n%s", fixture, before, after)
				}
			}
		})
	}
}

// The same for what models write in forms of their own: spaces, the order of members,
// members twice, escapes, more than a screen of arguments, and secrets among all that.
func TestALoadedChatKeepsTheModelsOwnWriting(t *testing.T) {
	long := `{ "title" : "` + strings.Repeat("long ", 3000) + `", "columns":["b", "a"] }`
	for name, args := range map[string]string{
		"spaces and order":     `{ "b" : 1,  "a" : [1, 2] }`,
		"members twice":        `{"a":1,"a":2}`,
		"escapes":              `{"b":"\u00e9 \/ <b> \u2028","a":1.0}`,
		"long":                 long,
		"a secret":             `{ "b" : "` + testNsec + `", "a" : "x" }`,
		"a secret and escapes": `{ "b" : "\n` + testNsec + `", "a" : "x" }`,
		"an escaped secret":    `{ "b" : "\u006e` + testNsec[1:] + `", "a" : "x" }`,
	} {
		t.Run(name, func(t *testing.T) {
			quoted, err := json.Marshal(args)
			if err != nil {
				t.Fatal(err)
			}
			k := newKit(t)
			c := playSaved(t, k, testkit.SSE(
				`{"choices":[{"index":0,"delta":{"reasoning_details":[ {"type":"x", "data":"d", "a" : 1} ],"tool_calls":[{"index":0,"id":"a","extra_content":{ "z" : 1, "a" : {"thought_signature" : "s"} },"function":{"name":"render_table","arguments":`+string(quoted)+`}}]}}]}`,
				`{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`))
			loaded := k.load(t, c.Info().ID)
			before, after := next(t, k, c.Conversation()), next(t, k, loaded.Conversation())
			if !bytes.Equal(before, after) {
				t.Errorf("before\n%s\nafter\n%s", before, after)
			}
			if strings.Contains(name, "secret") {
				for record, err := range k.Records(t.Context()) {
					if err != nil || bytes.Contains(record, []byte(testNsec[10:])) {
						t.Errorf("%v: the record holds the secret: %s", err, record)
					}
				}
			}
		})
	}
}

// What stands beside the messages of a record may not change what they say.
func TestExactTextsOfARecordThatSaySomethingElseAreNotHeeded(t *testing.T) {
	k := newKit(t)
	c := playSaved(t, k, testkit.SSE(
		`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"show","arguments":"{ \"a\" : 1 }"}}]},"finish_reason":"tool_calls"}]}`))
	var record []byte
	for raw, err := range k.Records(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		record = slices.Clone(raw)
	}
	if !bytes.Contains(record, []byte(`"text":"{ \"a\" : 1 }"`)) {
		t.Fatalf("the record is %s", record)
	}
	tampered := bytes.Replace(record, []byte(`{ \"a\" : 1 }`), []byte(`{ \"a\" : 9 }`), 1)
	if got := chats.DecodedArguments(t, c.Info().ID, tampered); got != `{"a":1}` {
		t.Errorf("tampered with, it is %s", got)
	}
	if got := chats.DecodedArguments(t, c.Info().ID, record); got != `{ "a" : 1 }` {
		t.Errorf("as it was, it is %s", got)
	}
}
