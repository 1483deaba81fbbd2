package llm

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// ollamaShow asks Ollama about a model. The window is the one in the Modelfile, which
// somebody chose for this computer, else [ollamaWindow], if the model supports it.
//
// https://docs.ollama.com/api
func ollamaShow() factSource {
	return factSource{
		path: func(string) string { return "api/show" },
		ask:  func(model string) []byte { return fmt.Appendf(nil, `{"model":%s}`, quoted(model)) },
		read: readOllamaShow,
	}
}

func readOllamaShow(answer []byte, _ string) Facts {
	w := membersOf(answer)
	var f Facts
	info := membersOf(w["model_info"])
	window, known := number(info[scalar(info["general.architecture"])+".context_length"])
	for _, name := range slices.Sorted(maps.Keys(info)) {
		if !known && strings.HasSuffix(name, ".context_length") {
			window, known = number(info[name])
		}
	}
	if f.Params = inBillions(info["general.parameter_count"]); f.Params == 0 {
		f.Params = inBillions(membersOf(w["details"])["parameter_size"])
	}
	var capabilities []string
	if json.Unmarshal(w["capabilities"], &capabilities) == nil && len(capabilities) > 0 {
		f.Tools = says(slices.Contains(capabilities, "tools"))
	}
	if f.Elsewhere = scalar(w["remote_host"]) != ""; f.Elsewhere {
		f.Context = window // its memory is not this computer's
		return f
	}
	if f.MostContext = window; known {
		f.Context = min(window, ollamaWindow)
	}
	if own := setWindow(scalar(w["parameters"])); own > 0 {
		if f.Context = own; known {
			f.Context = min(own, window) // as Ollama does
		}
	}
	return f
}

func setWindow(parameters string) int {
	for line := range strings.Lines(parameters) {
		if words := strings.Fields(line); len(words) == 2 && words[0] == "num_ctx" {
			n, _ := number(json.RawMessage(words[1]))
			return n
		}
	}
	return 0
}

// llamaProps asks llama.cpp's server how it was started. The window is that of one slot.
func llamaProps() factSource {
	return factSource{
		path: func(string) string { return "props" },
		read: func(answer []byte, _ string) Facts {
			w := membersOf(answer)
			window, ok := number(membersOf(w["default_generation_settings"])["n_ctx"])
			if !ok {
				window, _ = number(w["n_ctx"])
			}
			return Facts{Context: window}
		},
	}
}

// lmStudioModels reads LM Studio's own list. The window of a model that is not loaded is
// unknown. A model without tool_use gets tools nevertheless: LM Studio then explains them
// in the prompt.
func lmStudioModels() factSource {
	return factSource{
		path: func(string) string { return "api/v0/models" },
		read: func(answer []byte, model string) Facts {
			entries, _ := listEntries(membersOf(answer)["data"], maxModels)
			for _, raw := range entries {
				if raw[0] != '{' {
					continue
				}
				m := readMembers[lmStudioModel](raw)
				if id, _ := text(m.ID); id == model {
					return m.facts()
				}
			}
			return Facts{}
		},
	}
}

// lmStudioModel is an entry of LM Studio's list. It is not a map because entries may be
// large.
type lmStudioModel struct {
	ID           json.RawMessage `json:"id"`
	Type         json.RawMessage `json:"type"`
	Loaded       json.RawMessage `json:"loaded_context_length"`
	Most         json.RawMessage `json:"max_context_length"`
	Capabilities json.RawMessage `json:"capabilities"`
}

func (m lmStudioModel) facts() Facts {
	var f Facts
	f.Context, _ = number(m.Loaded)
	f.MostContext, _ = number(m.Most)
	var capabilities []string
	if json.Unmarshal(m.Capabilities, &capabilities) == nil && slices.Contains(capabilities, "tool_use") {
		f.Tools = SaysYes
	}
	if scalar(m.Type) == "embeddings" {
		f.Tools = SaysNo
	}
	return f
}

// geminiModel asks Gemini about a model: its list in OpenAI's form contains only names.
func geminiModel() factSource {
	return factSource{
		path:      func(model string) string { return "models/" + url.PathEscape(strings.TrimPrefix(model, "models/")) },
		keyHeader: "X-Goog-Api-Key",
		read: func(answer []byte, _ string) Facts {
			window, _ := number(membersOf(answer)["inputTokenLimit"])
			return Facts{Context: window}
		},
	}
}
