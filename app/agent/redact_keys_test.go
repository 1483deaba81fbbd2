package agent_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/llm"
)

// Keys without a sign to know them by, as Mistral, Together and own servers give out.
const (
	plainKey  = "Zq8rT2mVx0bLk7NcWd4Hs9Ye"
	longerKey = plainKey + "Aa11"
	oddKey    = `pa"ss\wo/rd<&>123`
)

func TestAKnownKeyIsCutOutWhateverItLooksLike(t *testing.T) {
	r := agent.NewRedactor()
	if got := r.Text(plainKey); got != plainKey {
		t.Fatalf("nobody told of the key, and %q came of it", got)
	}
	for _, key := range []string{plainKey, longerKey, " " + oddKey + "\n", "ollama", "ollama"} {
		r.Know(key)
	}
	for _, tt := range []struct{ in, want string }{
		{plainKey, "[API key removed]"},
		{"my key is " + plainKey + ", keep it", "my key is [API key removed], keep it"},
		{"x" + plainKey + plainKey + "y", "x[API key removed][API key removed]y"},
		{"the longer one first: " + longerKey, "the longer one first: [API key removed]"},
		{"é" + oddKey + "é", "é[API key removed]é"},
		{plainKey[1:], plainKey[1:]},
		{strings.ToLower(plainKey), strings.ToLower(plainKey)},
		{"ollama is a word", "ollama is a word"},
		{"", ""},
	} {
		if got := r.Text(tt.in); got != tt.want {
			t.Errorf("%q became %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestAKnownKeyIsCutOutOfJSONHoweverItIsWritten(t *testing.T) {
	r := agent.NewRedactor()
	r.Know(plainKey)
	r.Know(oddKey)
	for _, key := range []string{plainKey, oddKey} {
		raw, err := json.Marshal(map[string]any{"a": []string{"b " + key}, key: 1})
		if err != nil {
			t.Fatal(err)
		}
		slashed := bytes.ReplaceAll(raw, []byte("/"), []byte(`\/`))
		for _, doc := range [][]byte{raw, slashed} {
			if got := string(r.JSON(doc)); got != `{"[API key removed]":1,"a":["b [API key removed]"]}` && got != `{"a":["b [API key removed]"],"[API key removed]":1}` {
				t.Errorf("%s became %s", doc, got)
			}
		}
	}
	untouched := `{"b":"a\"b","n":1.0}`
	if got := string(r.JSON(json.RawMessage(untouched))); got != untouched {
		t.Errorf("got %s", got)
	}
}

func TestNoKnownKeyLeavesInARequestOrReachesALog(t *testing.T) {
	r := agent.NewRedactor()
	r.Know(plainKey)
	var out bytes.Buffer
	m := &scripted{script: []reply{func(*llm.Request) ([]llm.Event, error) {
		return nil, &llm.Error{Kind: llm.KindAuth, Message: "wrong key " + plainKey}
	}}}
	a := newAgent(t, agent.Options{
		Model: m, Redactor: r, Logger: slog.New(slog.NewJSONHandler(&out, nil)),
		Prompts: agent.Prompts{System: "key " + plainKey},
	})
	events := ask(t, a, &agent.Conversation{Session: plainKey}, "is "+plainKey+" mine?")
	raw, err := json.Marshal(m.requests)
	if err != nil {
		t.Fatal(err)
	}
	for what, said := range map[string]string{"request": string(raw), "log": out.String(), "error": fmt.Sprint(events[0].Err)} {
		if strings.Contains(said, plainKey) {
			t.Errorf("the key stands in the %s: %s", what, said)
		}
	}
}

func TestKeysBecomeKnownWhileOthersAreCutOut(t *testing.T) {
	r := agent.NewRedactor()
	var all sync.WaitGroup
	for i := range 8 {
		key := fmt.Sprintf("%s-%d", plainKey, i)
		all.Go(func() {
			r.Know(key)
			if got := r.Text(key); got != "[API key removed]" {
				t.Errorf("%s became %s", key, got)
			}
		})
	}
	all.Wait()
	for i := range 8 {
		if got := r.Text(fmt.Sprintf("%s-%d", plainKey, i)); got != "[API key removed]" {
			t.Errorf("key %d was forgotten", i)
		}
	}
}

func BenchmarkRedactorWithKnownKeys(b *testing.B) {
	r := agent.NewRedactor()
	for i := range 4 {
		r.Know(fmt.Sprintf("%s%0*d", plainKey, i+1, i))
	}
	text := strings.Repeat("What people said of relays, and who answered. ", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r.Text(text)
	}
}
