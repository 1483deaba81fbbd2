package llm

import "strings"

// What the finish reasons of all providers come to. They are compared in small
// letters; Gemini's have the kind in front ("content_filter: SAFETY").

// Filtered reports whether a finish reason says that the server or the model held
// the answer back by a rule of content. Asking the same again brings the same.
func Filtered(finish string) bool {
	kind, _, _ := strings.Cut(strings.ToLower(finish), ":")
	switch strings.TrimSpace(kind) {
	case "content_filter", "content_filtered", "refusal", "safety", "image_safety", "prohibited_content",
		"blocklist", "spii", "recitation", "sensitive", "guardrail_intervened":
		return true
	}
	return false
}

// CutShort reports whether a finish reason says that the answer ran out of tokens.
func CutShort(finish string) bool {
	switch strings.ToLower(finish) {
	case "length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded":
		return true
	}
	return false
}

// brokenOff returns the error that a finish reason stands for; nil where the model ended
// the answer, or a limit or rule did.
func brokenOff(finish string) *Error {
	switch strings.ToLower(finish) {
	case "error":
		return &Error{Kind: KindAPI, Message: "the server ended the answer with an error"}
	case "insufficient_system_resource": // DeepSeek
		return &Error{Kind: KindOverloaded, Message: "the server had no room to finish the answer"}
	case "network_error": // Z.AI
		return &Error{Kind: KindServer, Message: "the server lost its model before the end of the answer"}
	case "abort", "aborted": // SGLang, vLLM
		return &Error{Kind: KindIncomplete, Message: "the server broke the answer off"}
	}
	return nil
}

// endsWithCalls reports whether a finish reason says that the answer ends with calls.
func endsWithCalls(finish string) bool {
	switch strings.ToLower(finish) {
	case "tool_calls", "tool_call", "tool_use", "function_call":
		return true
	}
	return false
}
