package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The settings that the documentation shows can be used as they stand there, and it
// shows all that there is of the assistant.
func TestTheSettingsOfTheDocumentationAreRead(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "command-line.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(page), "```toml\n")
	text, _, ended := strings.Cut(after, "```")
	if !found || !ended {
		t.Fatal("the page shows no settings")
	}
	file := filepath.Join(t.TempDir(), "settings.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if o := s.OptionsOf("ollama:qwen3:8b"); o.Context != 16384 || o.Prompt == "" || o.BaseURL == "" || *o.Temperature != 0.2 {
		t.Errorf("read as %+v", o)
	}
	for _, entry := range []string{"local_only", "steps", "plain_text", "no_prompt_caching", "forget_chats", "idle_minutes", "prompt", "format", "effort", "max_tokens"} {
		if !strings.Contains(text, "\n"+entry+" = ") {
			t.Errorf("%s is not shown", entry)
		}
	}
}
