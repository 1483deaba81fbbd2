package llm

import (
	"encoding/json"
	"strings"
)

// foreignAPI returns an error that names the API that an event without choices is
// of, where a server speaks another one at the address that was set; nil for what is
// only unknown.
func foreignAPI(data []byte) *Error {
	var list []json.RawMessage
	if json.Unmarshal(data, &list) == nil && len(list) > 0 {
		data = list[0]
	}
	if !isObject(data) {
		return nil
	}
	w := readMembers[struct {
		Type       json.RawMessage `json:"type"`
		EventType  json.RawMessage `json:"event_type"`
		Object     json.RawMessage `json:"object"`
		Data       json.RawMessage `json:"data"`
		Candidates json.RawMessage `json:"candidates"`
		Feedback   json.RawMessage `json:"promptFeedback"`
		Response   json.RawMessage `json:"response"`
		Done       json.RawMessage `json:"done"`
		Token      json.RawMessage `json:"token"`
		Generated  json.RawMessage `json:"generated_text"`
		Models     json.RawMessage `json:"models"`
		Content    json.RawMessage `json:"content"`
		Stop       json.RawMessage `json:"stop"`
	}](data)
	kind := scalar(w.Type)
	_, ollama := text(w.Response)
	_, words := text(w.Content)
	switch {
	case len(w.Candidates) > 0 && w.Candidates[0] == '[', isObject(w.Feedback):
		return wrongAPI("Gemini's own API; its address here ends in /openai")
	case scalar(w.EventType) == "stream-start", kind == "message-start", kind == "content-delta":
		return wrongAPI("Cohere's own API; its address here ends in /compatibility/v1")
	case kind == "message_start", kind == "content_block_start", kind == "content_block_delta":
		return wrongAPI("Anthropic's API; choose Anthropic as the provider")
	case strings.HasPrefix(kind, "response."):
		return wrongAPI("the Responses API")
	case ollama && present(w.Done):
		return wrongAPI("Ollama's own API; its address here ends in /v1")
	case ollama, isObject(w.Token), present(w.Generated):
		return wrongAPI("an older API for texts; its address may end in /v1")
	case words && (string(w.Stop) == "false" || string(w.Stop) == "true"):
		return wrongAPI("llama.cpp's own API; its address here ends in /v1")
	case scalar(w.Object) == "list" && present(w.Data), len(w.Models) > 0 && w.Models[0] == '[':
		return wrongAPI("a list of models")
	}
	return nil
}

func wrongAPI(what string) *Error {
	e := notSSE(what, 0)
	e.Message = "the server answered in the form of " + what + "; is the base URL right?"
	return e
}
