package llm

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// ollamaShow is Ollama's word about a model. Of the windows that it names, the one
// that the model was set up with counts (somebody chose it for this computer), else
// as much as is taken as a matter of course; see ollamaWindow.
func ollamaShow() factSource {
	return factSource{
		path: func(string) string { return "api/show" },
		ask: func(model string) []byte {
			body, err := json.Marshal(map[string]string{"model": model})
			if err != nil {
				return []byte("{}") // not reached: a string can always be marshalled
			}
			return body
		},
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

// llamaProps is what llama.cpp's server was started with. The window is that of one of
// its slots.
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

// lmStudioModels is LM Studio's own list. A model that is not loaded yet will get a
// window that nobody tells before. That it was not trained for tools is no reason to
// give it none: LM Studio then teaches it some by itself.
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

// lmStudioModel is an entry of LM Studio's list. It is no map: an entry may be large.
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

// geminiModel is Gemini's own word about a model; its list in the form of OpenAI holds
// nothing but names.
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
