package models

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"bowerbird/app/config"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/netsafe"
)

// sentBy returns what the client of a provider sends for a request.
func sentBy(t *testing.T, provider string, req llm.Request) *SentRequest {
	t.Helper()
	row, _ := llm.FindProvider(provider)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusForbidden) // what it answers is of no matter
	}))
	defer server.Close()
	web, err := netsafe.ForServer(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	var sent *SentRequest
	client, err := llm.New(llm.Options{
		Provider: row, Model: "owl", BaseURL: server.URL, HTTP: web, Tries: -1,
		Sent: func(_ context.Context, s llm.SentRequest) func(llm.Outcome) {
			sent = &SentRequest{SentRequest: s}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for range client.Stream(t.Context(), &req) {
	}
	if sent == nil {
		t.Fatal("nothing was sent")
	}
	return sent
}

// Row 000-51: each cause has its hint, whoever is asked.
func TestEachCauseOfAColdCacheIsTold(t *testing.T) {
	tool := func(name string) llm.Tool {
		return llm.Tool{Name: name, Description: "Does it.", Schema: json.RawMessage(`{"type":"object","properties":{}}`)}
	}
	say := func(role llm.Role, text string) llm.Message { return llm.Message{Role: role, Text: text} }
	first := llm.Request{
		Tools:    []llm.Tool{tool("count"), tool("query")},
		Messages: []llm.Message{say(llm.System, "Rules. You are npub1."), say(llm.User, "one?")},
	}
	with := func(change func(*llm.Request)) llm.Request {
		next := llm.Request{Tools: first.Tools, Messages: append([]llm.Message{}, first.Messages...)}
		next.Messages = append(next.Messages, say(llm.Assistant, "One."), say(llm.User, "two?"))
		change(&next)
		return next
	}
	long := with(func(r *llm.Request) {
		r.Messages = append(r.Messages, say(llm.Assistant, "Two."), say(llm.User, "three?"), say(llm.Assistant, "Three."), say(llm.User, "four?"))
	})
	same := with(func(*llm.Request) {})
	tools := with(func(r *llm.Request) { r.Tools = r.Tools[:1] })
	renewed := with(func(r *llm.Request) { r.Messages[0] = say(llm.System, "Rules. You are npub2.") })
	shortened := llm.Request{Tools: first.Tools, Messages: append([]llm.Message{first.Messages[0]}, long.Messages[3:]...)}
	closing := with(func(r *llm.Request) {
		r.Messages = append(append([]llm.Message{}, first.Messages...), say(llm.Assistant, "(The results are read.)"), say(llm.User, "Answer now."))
	})

	for _, provider := range []string{"openai", "anthropic", "deepseek"} {
		row, _ := llm.FindProvider(provider)
		request := func(r llm.Request) *SentRequest { return sentBy(t, provider, r) }
		one, two := request(first), request(same)
		aged, other := *two, *one
		aged.Time, other.Model = one.Time.Add(cacheKept+time.Second), "eagle"
		cold := &llm.Usage{Input: 5000}
		none := llm.Provider{Name: "together"}
		for _, tt := range []struct {
			name string
			f    cacheFacts
			want CacheMiss
		}{
			{"something was read", cacheFacts{usage: &llm.Usage{Input: 5000, Cached: 4000}, provider: row, now: two, before: one}, CacheRead},
			{"on this computer", cacheFacts{usage: cold, provider: row, local: true, now: two, before: one}, CacheLocal},
			{"nothing is counted", cacheFacts{provider: row, now: two, before: one}, CacheUntold},
			{"the provider keeps nothing", cacheFacts{usage: cold, provider: none, now: two, before: one}, CacheUntold},
			{"too short", cacheFacts{usage: &llm.Usage{Input: 60}, provider: row, now: two, before: one}, CacheShort},
			{"the first of its chat", cacheFacts{usage: cold, provider: row, now: one}, CacheFirst},
			{"another model", cacheFacts{usage: cold, provider: row, now: two, before: &other}, CacheModel},
			{"other tools", cacheFacts{usage: cold, provider: row, now: request(tools), before: one}, CacheTools},
			{"told anew who asks", cacheFacts{usage: cold, provider: row, now: request(renewed), before: one}, CacheRenewed},
			{"shortened", cacheFacts{usage: cold, provider: row, now: request(shortened), before: request(long)}, CacheShortened},
			{"long ago", cacheFacts{usage: cold, provider: row, now: &aged, before: one}, CacheAged},
			{"no cause is known", cacheFacts{usage: cold, provider: row, now: two, before: one}, CacheUnknown},
			{"after a closing call", cacheFacts{usage: cold, provider: row, now: two, before: request(closing)}, CacheUnknown},
			{"the bytes are gone", cacheFacts{usage: cold, provider: row, now: two, before: one, dropped: true}, CacheUnknown},
		} {
			if got := cacheMiss(tt.f); got != tt.want {
				t.Errorf("%s, %s: %q, want %q", provider, tt.name, got, tt.want)
			}
		}
		off := cacheMiss(cacheFacts{usage: cold, provider: row, off: true, now: two, before: one})
		if want := map[string]CacheMiss{"anthropic": CacheOff}[provider]; want != "" && off != want || want == "" && off != CacheUnknown {
			t.Errorf("%s, switched off: %q", provider, off)
		}
	}
}

func TestTheCauseIsToldFromWhatWasSent(t *testing.T) {
	keyring.MockInit()
	one := testkit.SSE(`{"choices":[{"delta":{"content":"One."},"finish_reason":"stop"}]}`)
	server := testkit.NewModelServer(t, one, one)
	r := New(Options{
		Places: config.Locate(t.TempDir(), ""), Getenv: func(string) string { return "" },
		Settings: func() config.Settings {
			return config.Settings{Models: map[string]config.ModelOptions{"deepseek": {BaseURL: server.URL, Context: 32000}}}
		},
	})
	defer r.Close()
	if _, err := r.SetKey(t.Context(), "deepseek", server.URL, "Kd83hs92Lq01mZxc7Vbn"); err != nil {
		t.Fatal(err)
	}
	client, err := r.Client(t.Context(), Choice{ID: "deepseek:owl"})
	if err != nil {
		t.Fatal(err)
	}
	cold := &llm.Usage{Input: 5000}
	if got := r.WhyNoCache("nothing", "was sent", cold); got != CacheUntold {
		t.Errorf("nothing was sent: %q", got)
	}
	req := llm.Request{Messages: []llm.Message{{Role: llm.System, Text: "Rules."}}}
	for _, turn := range []string{"one", "two"} {
		req.Messages = append(req.Messages, llm.Message{Role: llm.User, Text: turn + "?"})
		for _, err := range client.Stream(InTurn(t.Context(), "chat", turn), &req) {
			if err != nil {
				t.Fatal(err)
			}
		}
		req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Text: "One."})
		if got := r.WhyNoCache("chat", turn, cold); got != CacheLocal {
			t.Errorf("%s: %q", turn, got) // the test's server is on this computer
		}
	}
	for t := range r.inspector.turns { // as if it were elsewhere
		for s := range r.inspector.turns[t].sent {
			r.inspector.turns[t].sent[s].URL = "https://api.deepseek.com/v1/chat/completions"
		}
	}
	for turn, want := range map[string]CacheMiss{"one": CacheFirst, "two": CacheUnknown} {
		if got := r.WhyNoCache("chat", turn, cold); got != want {
			t.Errorf("turn %s: %q, want %q", turn, got, want)
		}
	}
}
