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

// endsWithCalls reports whether a finish reason says that the answer ends with calls.
func endsWithCalls(finish string) bool {
	switch strings.ToLower(finish) {
	case "tool_calls", "tool_call", "tool_use", "function_call":
		return true
	}
	return false
}
