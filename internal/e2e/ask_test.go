package e2e

import (
	"strings"
	"testing"

	"bowerbird/internal/testkit"
)

// chunk is one piece of a streamed answer, as OpenAI-compatible servers send it.
func chunk(delta, finish string) string {
	if finish == "" {
		finish = "null"
	} else {
		finish = `"` + finish + `"`
	}
	return `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}]}`
}

func TestAModelServerAnswersThroughTheTools(t *testing.T) {
	server := testkit.NewModelServer(t,
		testkit.SSE(
			chunk(`{"role":"assistant","tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"query","arguments":"{\"context\":\"home\",\"limit\":5}"}}]}`, ""),
			chunk(`{}`, "tool_calls")),
		testkit.SSE(chunk(`{"content":"I found "}`, ""), chunk(`{"content":"nothing new."}`, ""), chunk(`{}`, "stop")),
	)
	p := installed(t)
	p.env = []string{"BOWERBIRD_API_KEY=sk-planted-canary-0123456789abcdef", "BOWERBIRD_API_HOST=" + strings.TrimPrefix(server.URL, "http://")}
	r := p.must(t, "--sample", "ask", "What is new?", "--model", "custom:m", "--base-url", server.URL+"/v1")
	if !strings.Contains(r.out, "I found nothing new.") {
		t.Errorf("out: %s", r.out)
	}
	got := server.Received()
	if len(got) != 2 {
		t.Fatalf("%d requests", len(got))
	}
	if got[0].Header.Get("Authorization") != "Bearer sk-planted-canary-0123456789abcdef" {
		t.Error("the key was not sent to its server")
	}
	if !strings.Contains(string(got[1].Body), "note_id") {
		t.Error("the notes did not reach the model")
	}
	for _, req := range got {
		if strings.Contains(string(req.Body), "canary") {
			t.Error("the key stands in a request's body")
		}
	}
}

func TestWhatGoesWrongWithAModelIsSaidInPlainWords(t *testing.T) {
	tests := []struct {
		name  string
		reply testkit.Reply
		want  string
	}{
		{"the key is refused", testkit.Reply{Status: 401, Body: `{"error":{"message":"bad key sk-planted-canary-0123456789abcdef"}}`}, "does not accept the API key"},
		{"the answer breaks off", testkit.Reply{Body: "data: " + chunk(`{"content":"I was about to"}`, "") + "\n\n", Abort: true}, "ended the connection; ask again"},
		{"it is no model's server", testkit.Reply{Body: "<html><body>It works!</body></html>"}, "did not answer like a model's server"},
		{"the model is unknown", testkit.Reply{Status: 404, Body: `{"error":{"message":"model \"m\" not found"}}`}, "does not know this model"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			// Whatever is tried again goes the same way.
			server := testkit.NewModelServer(t, tt.reply, tt.reply, tt.reply, tt.reply)
			p := installed(t)
			p.env = []string{"BOWERBIRD_API_KEY=sk-planted-canary-0123456789abcdef", "BOWERBIRD_API_HOST=" + strings.TrimPrefix(server.URL, "http://")}
			r := p.run(t, "", "--sample", "ask", "What is new?", "--model", "custom:m", "--base-url", server.URL+"/v1")
			if r.code != 1 || !strings.Contains(r.err, tt.want) {
				t.Errorf("exit %d, %s; want exit 1 and %q", r.code, r.err, tt.want)
			}
			if strings.Contains(r.out+r.err, "canary") {
				t.Errorf("the key is shown: %s %s", r.out, r.err)
			}
		})
	}
	t.Run("nobody is there", func(t *testing.T) {
		r := installed(t).run(t, "", "--sample", "ask", "What is new?", "--model", "custom:m", "--base-url", "http://127.0.0.1:9/v1")
		if r.code != 1 || !strings.Contains(r.err, "no model server is running there") {
			t.Errorf("exit %d, %s", r.code, r.err)
		}
	})
}

func TestAChatGoesOnInTheNextRun(t *testing.T) {
	hello := testkit.SSE(chunk(`{"content":"Hello."}`, ""), chunk(`{}`, "stop"))
	server := testkit.NewModelServer(t, hello, hello)
	p := installed(t)
	model := []string{"--model", "custom:m", "--base-url", server.URL + "/v1"}
	p.must(t, append([]string{"--sample", "ask", "My first question"}, model...)...)
	chats := p.must(t, "--sample", "chats", "--json")
	list := decode[struct{ Chats []struct{ ID, Title string } }](t, chats.out).Chats
	if len(list) != 1 || list[0].Title != "My first question" {
		t.Fatalf("chats: %s", chats.out)
	}
	p.must(t, append([]string{"--sample", "ask", "And my second", "--chat", list[0].ID}, model...)...)
	if last := server.Received()[1]; !strings.Contains(string(last.Body), "My first question") || !strings.Contains(string(last.Body), "Hello.") {
		t.Error("the second request does not hold the first turn")
	}
}
