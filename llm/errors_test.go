package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestAStatusAndItsBodyDecideTheKindOfError(t *testing.T) {
	for _, test := range []struct {
		name    string
		status  int
		body    string
		kind    ErrorKind
		message string
		code    string
	}{
		{"OpenAI: wrong key", 401, `{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}`, KindAuth, "Incorrect API key provided", "invalid_api_key"},
		{"Gemini: wrong key, in a list", 400, `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]`, KindAuth, "API key not valid. Please pass a valid API key.", "400"},
		{"no right to the model", 403, `{"error":{"message":"no access"}}`, KindAuth, "no access", ""},
		{"OpenRouter: no credits", 402, `{"error":{"message":"Insufficient credits","code":402}}`, KindBilling, "Insufficient credits", "402"},
		{"OpenAI: quota used up", 429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}`, KindBilling, "You exceeded your current quota", "insufficient_quota"},
		{"too many requests", 429, `{"error":{"message":"slow down","type":"requests"}}`, KindRateLimit, "slow down", "requests"},
		{"Groq: too large for the limit", 413, `{"error":{"message":"Request too large for model, please reduce your message size and try again."}}`, KindContext, "", ""},
		{"OpenAI: too long", 400, `{"error":{"message":"too long","code":"context_length_exceeded"}}`, KindContext, "too long", "context_length_exceeded"},
		{"llama.cpp: too long, as a server error", 500, `{"error":{"code":500,"message":"the request exceeds the available context size","type":"server_error"}}`, KindContext, "", ""},
		{"Ollama: no tools", 400, `{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools"}}`, KindNoTools, "", ""},
		{"OpenRouter: no tools", 404, `{"error":{"message":"No endpoints found that support tool use.","code":404}}`, KindNoTools, "", ""},
		{"no such model", 404, `{"error":{"message":"model 'x' not found"}}`, KindNotFound, "model 'x' not found", ""},
		{"wrong path", 404, `404 page not found`, KindNotFound, "404 page not found", ""},
		{"Mistral: a list of details", 422, `{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}`, KindBadRequest, "stream_options: Extra inputs are not permitted", ""},
		{"FastAPI: a detail", 400, `{"detail":"nope"}`, KindBadRequest, "nope", ""},
		{"Mistral: a bare message", 400, `{"object":"error","message":"bad","type":"invalid_request","code":"3051"}`, KindBadRequest, "bad", "3051"},
		{"a bare text", 500, `boom`, KindServer, "boom", ""},
		{"a proxy's page", 502, "<html>…", KindServer, "the server answered 502 Bad Gateway", ""},
		{"no body", 503, "", KindOverloaded, "the server answered 503 Service Unavailable", ""},
		{"Anthropic: overloaded", 529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, KindOverloaded, "Overloaded", "overloaded_error"},
		{"an error member that is empty", 500, `{"error":""}`, KindServer, `{"error":""}`, ""},
		{"xAI: wrong key", 400, `{"code":"invalid argument","error":"Incorrect API key provided: xa***"}`, KindAuth, "", ""},
		{"SiliconFlow: no credits", 403, `{"code":30001,"message":"Sorry, your account balance is insufficient"}`, KindBilling, "", ""},
		{"Bedrock: too many tokens in a minute", 429, `{"message":"Too many tokens, please wait before trying again."}`, KindRateLimit, "", ""},
		{"Moonshot: too long", 400, `{"error":{"message":"Your request exceeded model token limit: 8192"}}`, KindContext, "", ""},
		{"DashScope: too long", 400, `{"error":{"message":"Range of input length should be [1, 30720]"}}`, KindContext, "", ""},
		{"Copilot: too long", 400, `{"error":{"message":"prompt token count of 130000 exceeds the limit of 128000"}}`, KindContext, "", ""},
		{"TGI: too long", 422, "{\"error\":\"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000\"}", KindContext, "", ""},
		{"Fastify: the status as the error", 400, `{"statusCode":400,"error":"Bad Request","message":"body/messages must be array"}`, KindBadRequest, "Bad Request: body/messages must be array", ""},
		{"a number as the error", 500, `{"error":500,"message":"boom"}`, KindServer, "boom", ""},
		{"a list of messages", 400, `{"error":{"message":["a","b"]}}`, KindBadRequest, "a; b", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			resp := &http.Response{StatusCode: test.status, Status: fmt.Sprintf("%d %s", test.status, http.StatusText(test.status))}
			got := statusError(resp, []byte(test.body), time.Unix(0, 0))
			if got.Kind != test.kind || got.Status != test.status || got.Code != test.code && test.code != "" {
				t.Errorf("got %s, status %d, code %q", got.Kind, got.Status, got.Code)
			}
			if test.message != "" && got.Message != test.message {
				t.Errorf("got message %q, want %q", got.Message, test.message)
			}
		})
	}
}

func TestRetryAfterIsReadInAllItsForms(t *testing.T) {
	now := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"":                              0,
		"7":                             7 * time.Second,
		"1.5":                           1500 * time.Millisecond,
		"-1":                            0,
		"soon":                          0,
		"NaN":                           0,
		"1e300":                         24 * time.Hour,
		"Tue, 01 Sep 2026 12:00:30 GMT": 30 * time.Second,
		"Tue, 01 Sep 2026 11:00:00 GMT": 0,
	} {
		if got := retryAfter(http.Header{"Retry-After": {value}}, now); got != want {
			t.Errorf("Retry-After %q: got %v, want %v", value, got, want)
		}
	}
	if got := retryAfter(http.Header{"Retry-After-Ms": {"250"}, "Retry-After": {"9"}}, now); got != 250*time.Millisecond {
		t.Errorf("got %v", got)
	}
}

func TestALongMessageIsCutBetweenCharacters(t *testing.T) {
	got := clip(strings.Repeat("é", maxMessage))
	if len(got) > maxMessage+len("…") || !strings.HasSuffix(got, "é…") {
		t.Errorf("got %d bytes, ending in %q", len(got), got[len(got)-8:])
	}
}

func TestAKeyIsTakenOutOfErrors(t *testing.T) {
	c := &Client{opt: Options{Key: NewKey(" sk-secret ", "h")}}
	got := c.clean(&Error{Message: "no sk-secret here", Code: "sk-secret", Err: fmt.Errorf("saw sk-secret: %w", context.Canceled)})
	if all := fmt.Sprint(got.Message, got.Code, got.Err, got); strings.Contains(all, "sk-secret") {
		t.Error(all)
	}
	plain := c.clean(&Error{Err: context.Canceled})
	if !errors.Is(plain, context.Canceled) {
		t.Error("a cause without the key was lost")
	}
}
