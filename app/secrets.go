package app

import (
	"log/slog"

	"bowerbird/app/agent"
	"bowerbird/app/llm"
)

// newRedactor returns what cuts secrets out of all that leaves the program or is
// kept: one for the models, the chats and the log. It knows the API keys that stand
// in the environment; the others it is told of when they are looked up or entered.
func newRedactor(getenv func(string) string) *agent.Redactor {
	r := agent.NewRedactor()
	r.Know(getenv(EnvKeysPassword))
	for _, p := range llm.Providers() {
		for _, name := range p.KeyEnv {
			r.Know(getenv(name))
		}
	}
	return r
}

// redactedLog returns a log that no secret reaches.
func redactedLog(r *agent.Redactor, log *slog.Logger) *slog.Logger {
	return slog.New(r.Handler(log.Handler()))
}
