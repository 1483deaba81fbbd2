package agent_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/llm"
	"bowerbird/tools"
)

// Keys of nobody: made for these tests.
const (
	testNsec      = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
	testNcryptsec = "ncryptsec1qgg9947rlpvqu76pj5ecreduf9jxhselq2nae2kghhvd5g7dgjtcxfqtd67p9m0w57lspw8gsq6yphnm8623nsl8xn9j4jdzz84zm3frztj3z7s35vpzmqf6ksu8r89qk5z2zxfmu5gv8th8wclt0h4p"
)

func TestSecretsAreCutOutOfTexts(t *testing.T) {
	r := agent.NewRedactor()
	for _, tt := range []struct{ name, in, want string }{
		{"nsec", "my key is " + testNsec + ", keep it", "my key is [secret key removed], keep it"},
		{"nsec in capitals", strings.ToUpper(testNsec), "[secret key removed]"},
		{"nsec in a link", "nostr:" + testNsec + "?x", "nostr:[secret key removed]?x"},
		{"ncryptsec", "(" + testNcryptsec + ")", "([secret key removed])"},
		{"bunker", "use bunker://abcd?relay=wss://r.example&secret=s now", "use [signer link removed] now"},
		{"nostrconnect", `"nostrconnect://ab?secret=1"`, `"[signer link removed]"`},
		{"wallet", "nostr+walletconnect://ab?secret=cd", "[wallet link removed]"},
		{"wallet in JSON that is a text", `{"a":"nostr+walletconnect://ab?relay=wss:\/\/r.example\u0026secret=cd\n"}`, `{"a":"[wallet link removed]\n"}`},
		{"bunker in JSON in JSON", `"{\"a\":\"bunker://ab?x=1\\u0026secret=cd\"}"`, `"{\"a\":\"[signer link removed]\"}"`},
		{"openai", "key sk-proj-Ab12_cdEf34ghIJ56klmn", "key [API key removed]"},
		{"anthropic", "sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaaaa", "[API key removed]"},
		{"google", "AIzaSyA1234567890abcdefghijklmnopqrstuv", "[API key removed]"},
		{"groq", "gsk_abcdefghijklmnopqrstuvwx", "[API key removed]"},
		{"github", "ghp_abcdefghijklmnopqrstuvwxyz0123456789", "[access token removed]"},
		{"bearer", "Authorization: Bearer abcdefghij0123456789xyz", "Authorization: [access token removed]"},
		{"stripe", "rk_live_abcdefghijklmnop", "[API key removed]"},
		{"slack", "xoxb-1234567890-abcdef", "[access token removed]"},
		{"pem", "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----.", "[private key removed]."},
		{"twice", testNsec + " " + testNsec, "[secret key removed] [secret key removed]"},
		{"a key as hex stays", strings.Repeat("ab", 32), strings.Repeat("ab", 32)},
		{"letters that change their length stay in their place", "İİİ " + testNsec + " ẞ", "İİİ [secret key removed] ẞ"},
		{"words stay", "a standard bearer of 20 long words and of_sk-things, sk-learn-and-other-long-hyphenated-words, nsec1 and bunker", "a standard bearer of 20 long words and of_sk-things, sk-learn-and-other-long-hyphenated-words, nsec1 and bunker"},
		{"npub stays", "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg", "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := r.Text(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestSecretsAreCutOutOfJSONHoweverTheyAreEscaped(t *testing.T) {
	r := agent.NewRedactor()
	escaped := strings.ReplaceAll(testNsec, "nsec1", `\u006e\u0073ec1`)
	for _, tt := range []struct{ name, in, want string }{
		{"plain", `{"a":"` + testNsec + `"}`, `{"a":"[secret key removed]"}`},
		{"escaped", `{"a":["` + escaped + `"],"n":1e400}`, `{"a":["[secret key removed]"],"n":1e400}`},
		{"as a key", `{"` + escaped + `":1}`, `{"[secret key removed]":1}`},
		{"escaped, behind much else", `{"q":"\"\\","a":"\u003cb\u003e","l":["x",{"b":"\\\""},"` + escaped + `"]}`, `{"a":"<b>","l":["x",{"b":"\\\""},"[secret key removed]"],"q":"\"\\"}`},
		{"after a line break", `{"a":"\nsk-abcdefghijklmnopqrstu1"}`, `{"a":"\n[API key removed]"}`},
		{"untouched", `{"b": "a\u0062", "a":1}`, `{"b": "a\u0062", "a":1}`},
		{"no JSON", `"` + testNsec, `"[secret key removed]`},
		{"nothing", ``, ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(r.JSON(json.RawMessage(tt.in))); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestNoSecretLeavesInARequest plants a secret in every field of a conversation
// and looks for it in what the model is given.
func TestNoSecretLeavesInARequest(t *testing.T) {
	tool := answering("leaky", "the note says "+testNsec)
	m := &scripted{script: []reply{
		func(*llm.Request) ([]llm.Event, error) {
			return []llm.Event{
				{Type: llm.EventText, Delta: testNsec},
				{Type: llm.EventReasoning, Delta: testNsec},
				{Type: llm.EventToolCall, Call: &llm.Call{ID: testNsec, Name: "leaky", Arguments: json.RawMessage(`{"a":"` + testNsec + `"}`), Extra: json.RawMessage(`"` + testNsec + `"`)}},
				{Type: llm.EventToolCall, Call: &llm.Call{ID: "b", Name: testNsec, Invalid: testNsec, Arguments: json.RawMessage(`"` + testNsec + `"`)}},
				{Type: llm.EventEcho, Echo: map[string]json.RawMessage{"details": json.RawMessage(`["` + testNsec + `"]`)}},
			}, nil
		},
		says("done"),
	}}
	a := newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{tool}, Prompts: agent.Prompts{System: "key " + testNsec}})
	c := agent.Conversation{Session: testNsec}
	ask(t, a, &c, "what is "+testNsec+"?")
	for i, req := range m.requests {
		raw, err := json.Marshal(req)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(raw, []byte(testNsec[5:])) {
			t.Errorf("request %d holds the secret: %s", i+1, raw)
		}
	}
	wantSettled(t, &agent.Conversation{Messages: m.requests[1].Messages})
}

func TestNoSecretReachesALog(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(agent.NewRedactor().Handler(slog.NewJSONHandler(&out, nil)))
	log = log.With("with", testNsec).WithGroup("g")
	log.Error("message "+testNsec, "text", testNsec, "any", []string{testNsec}, slog.Group("inner", "deep", testNsec), "error", &llm.Error{Message: testNsec})
	if strings.Contains(out.String(), testNsec) {
		t.Errorf("logged: %s", out.String())
	}
	if n := strings.Count(out.String(), "[secret key removed]"); n != 6 {
		t.Errorf("%d places were cut, want 6: %s", n, out.String())
	}
}

func TestAnErrorFromAServerIsShownWithoutTheKey(t *testing.T) {
	m := &scripted{script: []reply{func(*llm.Request) ([]llm.Event, error) {
		return nil, &llm.Error{Kind: llm.KindAuth, Message: "wrong key sk-abcdefghij0123456789xyz", Status: 401}
	}}}
	events := ask(t, newAgent(t, agent.Options{Model: m}), &agent.Conversation{}, "q")
	if got := events[0].Err.Message; got != "wrong key [API key removed]" {
		t.Errorf("the message is %q", got)
	}
}

func FuzzRedactedJSONStaysJSON(f *testing.F) {
	f.Add(`{"a":"` + testNsec + `","b":["\u006esec1"]}`)
	f.Add(`{"a":"-----BEGIN PRIVATE KEY-----\nabc","b":"x"}`)
	f.Add(`["Bearer aaaaaaaaaaaaaaaaaaaaaaaaa1\"","bunker://a\\b"]`)
	r := agent.NewRedactor()
	f.Fuzz(func(t *testing.T, s string) {
		clean := r.JSON(json.RawMessage(s))
		if json.Valid([]byte(s)) && !json.Valid(clean) {
			t.Errorf("%s became %s", s, clean)
		}
		if again := r.Text(r.Text(s)); again != r.Text(s) {
			t.Errorf("%q is not clean after one pass", s)
		}
	})
}
