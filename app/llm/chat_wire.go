package llm

import "encoding/json"

// wireChunk holds the members that are read; each is looked at as it comes, since
// the type of any of them may differ.
type wireChunk struct {
	Choices json.RawMessage `json:"choices"` // only where readWire could not read them at once
	Model   json.RawMessage `json:"model"`
	Usage   json.RawMessage `json:"usage"`
	Groq    json.RawMessage `json:"x_groq"`

	// Ollama's own API, which answers on other paths.
	Message    json.RawMessage `json:"message"`
	Done       json.RawMessage `json:"done"`
	DoneReason json.RawMessage `json:"done_reason"`
	PromptEval json.RawMessage `json:"prompt_eval_count"`
	Eval       json.RawMessage `json:"eval_count"`
}

type wireChoice struct {
	Index        json.RawMessage `json:"index"`
	Delta        json.RawMessage `json:"delta"` // as with wireChunk.Choices
	Message      json.RawMessage `json:"message"`
	Finish       json.RawMessage `json:"finish_reason"`
	NativeFinish json.RawMessage `json:"native_finish_reason"`
	Text         json.RawMessage `json:"text"`
	Error        json.RawMessage `json:"error"`
	Usage        json.RawMessage `json:"usage"` // Kimi's place for it
}

type wireDelta struct {
	Content          json.RawMessage `json:"content"`
	Refusal          json.RawMessage `json:"refusal"`
	ReasoningContent json.RawMessage `json:"reasoning_content"`
	Reasoning        json.RawMessage `json:"reasoning"`
	ReasoningText    json.RawMessage `json:"reasoning_text"` // Copilot
	Thinking         json.RawMessage `json:"thinking"`
	Details          json.RawMessage `json:"reasoning_details"`
	ToolCalls        json.RawMessage `json:"tool_calls"`
	ToolCall         json.RawMessage `json:"tool_call"`
	FunctionCall     json.RawMessage `json:"function_call"`
	Extra            wireExtra       `json:"extra_content"`
}

type wireExtra struct {
	Google struct {
		Thought bool `json:"thought"`
	} `json:"google"`
}

// wholeChunk is a chunk with all that nearly every one has of the same types, so that
// one pass reads it.
type wholeChunk struct {
	wireChunk
	Choices []wholeChoice `json:"choices"`
}

type wholeChoice struct {
	wireChoice
	Delta *wireDelta `json:"delta"`
}

// hasChoices reports whether choices are there, of whatever type.
func (w *wholeChunk) hasChoices() bool { return w.Choices != nil || present(w.wireChunk.Choices) }

// readWire reads a chunk: at once where it is as most are, else member by member. It
// reports false for what is no JSON object.
func readWire(data []byte) (wholeChunk, bool) {
	var w wholeChunk
	if len(data) == 0 || data[0] != '{' {
		return w, false
	}
	if json.Unmarshal(data, &w) == nil {
		return w, true
	}
	if !json.Valid(data) {
		return w, false
	}
	w = wholeChunk{wireChunk: readMembers[wireChunk](data)}
	for _, raw := range readList(w.wireChunk.Choices) {
		c := wholeChoice{wireChoice: readMembers[wireChoice](raw)}
		if delta := c.wireChoice.Delta; present(delta) {
			d := readMembers[wireDelta](delta)
			if _, ok := text(delta); ok {
				d.Content = delta // the text itself
			}
			c.Delta = &d
		}
		w.Choices = append(w.Choices, c)
	}
	return w, true
}
