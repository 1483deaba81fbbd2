package app

import "bowerbird/llm"

// ModelName is what a model's id says.
type ModelName struct {
	Provider string // the part before the colon: "ollama"
	Title    string // its provider as people know it: "Ollama"; "" where that is not known, or the server is the user's own
	Name     string // as the provider names it: "qwen3:8b"
	Host     string // where the provider's own server is; "" where Title is
}

// NameOf takes a model's id, "provider:name", apart; one that is none is all Name.
func NameOf(id string) ModelName {
	provider, name, err := llm.ParseModelID(id)
	if err != nil {
		return ModelName{Name: id}
	}
	n := ModelName{Provider: provider, Name: name}
	if row, known := llm.FindProvider(provider); known && row.BaseURL != "" {
		n.Title = row.Title
		n.Host, _ = hostOf(row.BaseURL)
	}
	return n
}
