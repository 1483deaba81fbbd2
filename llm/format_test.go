package llm_test

import (
	"testing"

	"bowerbird/llm"
)

// Rows 003-15 and 004-11: the user's wish, what is available, and what is fallen back to.
func TestTheFormatIsChosenByWhoKnowsBest(t *testing.T) {
	type facts = llm.FormatFacts
	for _, tt := range []struct {
		name   string
		facts  facts
		format string
		from   llm.Source
	}{
		{"nothing is known", facts{Model: "owl"}, "native", llm.FromDefault},
		{"the user wants native calls, whatever else is known", facts{Wanted: "native", Says: llm.SaysNo, Model: "gemma"}, "native", llm.FromUser},
		{"the user wants native calls, and the server refuses them", facts{Wanted: "native", Refused: true, Model: "owl"}, "hermes", llm.FromRefusal},
		{"the user wants a text format", facts{Wanted: "json", Says: llm.SaysYes, Always: true, Model: "owl"}, "json", llm.FromUser},
		{"the user wants no tools", facts{Wanted: "none", Says: llm.SaysYes, Always: true, Model: "owl"}, "none", llm.FromUser},
		{"a format that is only read cannot be wanted", facts{Wanted: "harmony", Model: "owl"}, "native", llm.FromDefault},
		{"a format that is none is no wish", facts{Wanted: "nonsense", Says: llm.SaysNo, SaysFrom: llm.FromList, Model: "owl"}, "hermes", llm.FromList},
		{"a refusal counts more than what was said", facts{Refused: true, Says: llm.SaysYes, SaysFrom: llm.FromList, Always: true, Model: "owl"}, "hermes", llm.FromRefusal},
		{"the server says yes", facts{Says: llm.SaysYes, SaysFrom: llm.FromServer, Model: "gemma3:4b"}, "native", llm.FromServer},
		{"the server says no", facts{Says: llm.SaysNo, SaysFrom: llm.FromServer, Always: true, Model: "llama3.2:1b"}, "pythonic", llm.FromServer},
		{"the list says no", facts{Says: llm.SaysNo, SaysFrom: llm.FromList, Model: "mistralai/Mistral-7B-Instruct-v0.1"}, "mistral", llm.FromList},
		{"all of the provider's models have them", facts{Always: true, Model: "gemma"}, "native", llm.FromDefault},
		{"a family that was never taught", facts{Model: "gemma3:4b"}, "json", llm.FromName},
		{"one that came later", facts{Model: "gemma4:4b"}, "native", llm.FromDefault},
		{"one of another name", facts{Model: "google/functiongemma-270m"}, "native", llm.FromDefault},
		{"a base model", facts{Model: "Qwen/Qwen3-8B-Base"}, "hermes", llm.FromName},
		{"an old Llama", facts{Model: "TheBloke/Llama-2-7B-Chat-GGUF"}, "hermes", llm.FromName},
		{"a newer Llama", facts{Model: "llama3.1:8b"}, "native", llm.FromDefault},
		{"an older Phi", facts{Model: "phi3:mini"}, "json", llm.FromName},
		{"a newer Phi", facts{Model: "phi4-mini"}, "native", llm.FromDefault},
		{"a database is no base model", facts{Model: "database-expert"}, "native", llm.FromDefault},
	} {
		if format, from := llm.ChooseFormat(tt.facts); format != tt.format || from != tt.from {
			t.Errorf("%s: got %s by %s, want %s by %s", tt.name, format, from, tt.format, tt.from)
		}
	}
}

func TestATextFormatIsThatOfTheModelsFamily(t *testing.T) {
	for model, want := range map[string]string{
		"qwen2.5:7b": "hermes", "NousResearch/Hermes-3-Llama-3.1-8B": "hermes", "granite4:micro": "hermes", "": "hermes",
		"mistral:7b": "mistral", "mistralai/Magistral-Small-2506": "mistral", "devstral": "mistral",
		"llama3.2:3b": "pythonic", "meta-llama/Llama-4-Scout-17B-16E": "pythonic",
		"llama3.1:8b": "json", "gemma3:1b": "json", "phi3": "json",
	} {
		if format, _ := llm.ChooseFormat(llm.FormatFacts{Refused: true, Model: model}); format != want {
			t.Errorf("%s: got %s, want %s", model, format, want)
		}
	}
}
