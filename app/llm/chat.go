package llm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/sashabaranov/go-openai"
)

// chatFamily is OpenAI's chat completions, which nearly all servers speak in some
// dialect. go-openai writes its requests and reads its lines; what its types do
// not allow is added on the way out (rewrite) and cleaned on the way in
// (cleanBody).
type chatFamily struct{}

func (chatFamily) open(ctx context.Context, x *exchange, req *Request, set settings) (stream, error) {
	c := x.client
	config := openai.DefaultConfig("")
	config.BaseURL = c.base.String()
	config.HTTPClient = &chatTransport{exchange: x, req: req, set: set}
	s, err := openai.NewClientWithConfig(config).CreateChatCompletionStream(ctx, chatRequest(c.model, req, c.row))
	if err != nil {
		return nil, err
	}
	return chatStream{s}, nil
}

func (chatFamily) tagged() bool { return true }

func (chatFamily) decoder() decoder {
	return func(e sseEvent) (chunk, error) { return parseChunk(e.data) }
}

func (chatFamily) wrote(first string) bool { return first == "" }

// chatDroppable are the members that a request can do without.
func chatDroppable() []string {
	return []string{
		"stream_options", "parallel_tool_calls", "reasoning_effort", "temperature", "response_format", "cache_control",
		echoReasoning, echoDetails, echoExtra,
	}
}

func (chatFamily) learn(s *settings, e *Error, row Provider, sent []byte) bool {
	said := strings.ToLower(e.param + " " + e.Message)
	if row.second != nil && !s.secondFailed && e.Status >= 400 && e.Status < 500 && strings.Contains(said, "v1/responses") {
		s.second = true
		return true
	}
	if !e.refusesRequest() {
		return false
	}
	// Both the word for "use this one" and that for "not this one" hold the newer name.
	if strings.Contains(said, "max_completion_tokens") && s.maxTokens == "" {
		s.maxTokens = "max_completion_tokens"
		if row.maxTokens == s.maxTokens {
			s.maxTokens = "max_tokens"
		}
		return true
	}
	if strings.Contains(said, "reasoning_effort") && strings.Contains(said, "tools") && s.effort != "none" && !s.drop["reasoning_effort"] {
		s.effort = "none"
		return true
	}
	if demandsReasoning(said) {
		taught := s.reasoning
		s.reasoning = true
		return !taught
	}
	return s.dropNamed(chatDroppable(), said, sent)
}

// chatTransport stands between go-openai and the network, for one request. On the
// way out it adds what go-openai left out; on the way in it turns every body into
// SSE with one line of data an event.
type chatTransport struct {
	*exchange
	req *Request
	set settings
}

// Do sends the request.
func (t *chatTransport) Do(r *http.Request) (*http.Response, error) {
	written, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	body, err := rewrite(written, t.req, t.client.model, t.client.row, t.set)
	if err != nil {
		return nil, &Error{Kind: KindBadRequest, Message: err.Error(), Err: err}
	}
	resp, err := t.send(r, body)
	if err != nil {
		return nil, err
	}
	resp.Body = &cleanBody{eventBody: newEventBody(resp.Body)}
	return resp, nil
}

// cleanBody is the body that go-openai reads: of each event one line of data,
// which never looks like an error to it, and [DONE]. Its Read ends with io.EOF
// after [DONE], and else as the eventBody's next.
type cleanBody struct {
	*eventBody
	out []byte
	err error
}

func (b *cleanBody) Read(p []byte) (int, error) {
	for len(b.out) == 0 {
		if b.err != nil {
			return 0, b.err
		}
		b.err = b.fill()
	}
	n := copy(p, b.out)
	b.out = b.out[n:]
	return n, nil
}

func (b *cleanBody) fill() error {
	e, err := b.next()
	if err != nil {
		if errors.Is(err, io.EOF) {
			b.out = append(b.out, "data: [DONE]\n\n"...)
		}
		return err
	}
	data := e.data
	b.out = append(b.out[:0], "data: "...)
	if data[0] == '{' {
		// With the space go-openai takes it for a chunk, also when it is an error.
		b.out = append(b.out, '{', ' ')
		data = data[1:]
	}
	b.out = append(b.out, data...)
	b.out = append(b.out, "\n\n"...)
	return nil
}

// chatStream is what go-openai makes of the cleaned body.
type chatStream struct{ *openai.ChatCompletionStream }

func (s chatStream) next() (sseEvent, error) {
	data, err := s.RecvRaw()
	return sseEvent{data: data}, err
}
