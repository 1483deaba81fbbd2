package app

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/assets"
	"bowerbird/llm"
	"bowerbird/tools"
)

// agent returns the agent that runs a turn with a model.
func (a *App) agent(model llm.Model, facts models.Facts, approver agent.Approver) (*agent.Agent, error) {
	texts, err := prompts()
	if err != nil {
		return nil, err
	}
	opt := agent.Options{
		Model: model, Tools: a.tools.All(), Prompts: texts, Approver: approver, Logger: a.opt.Logger,
		Redactor: a.redactor, Gauge: a.models.Gauge(model), Price: facts.Cost,
	}
	if facts.PriceFrom == llm.FromUser {
		opt.PriceFrom = string(llm.FromUser)
	}
	if facts.Format == config.FormatNone {
		plain, err := fs.ReadFile(assets.Prompts, "prompts/plain.md")
		if err != nil {
			return nil, fmt.Errorf("prompt: %w", err)
		}
		opt.Tools, opt.Prompts = nil, agent.Prompts{System: strings.TrimSpace(string(plain))}
	}
	if err := a.wishes(&opt, facts.ID); err != nil {
		return nil, err
	}
	return agent.New(opt)
}

// prompts reads the texts that are sent to models.
func prompts() (agent.Prompts, error) {
	var p agent.Prompts
	for file, into := range map[string]*string{
		"system.md": &p.System, "system_small.md": &p.Small, "closing.md": &p.Closing, "references.md": &p.References, "claims.md": &p.Claims,
	} {
		raw, err := fs.ReadFile(assets.Prompts, "prompts/"+file)
		if err != nil {
			return agent.Prompts{}, fmt.Errorf("prompt: %w", err)
		}
		*into = strings.TrimSpace(string(raw))
	}
	return p, nil
}

// showSection is the heading of the section of the system prompt on tables and charts.
// See assets/prompts/system.md.
const showSection = "## Show"

// wishes adds to an agent's options what the user has set for all turns, or for those of
// this model, "provider:name".
func (a *App) wishes(opt *agent.Options, model string) error {
	settings := a.Settings()
	opt.MaxSteps = settings.Assistant.Steps
	if settings.Assistant.PlainText {
		opt.Tools = slices.DeleteFunc(slices.Clone(opt.Tools), func(t tools.Tool) bool { return t.Spec().Rich })
		opt.Prompts.System = withoutSection(opt.Prompts.System, showSection)
	}
	if model == config.DefaultModel {
		return nil // the built-in model reads no prompts
	}
	own := strings.TrimSpace(settings.OptionsOf(model).Prompt)
	if own == "" {
		return nil
	}
	raw, err := fs.ReadFile(assets.Prompts, "prompts/own.md")
	if err != nil {
		return fmt.Errorf("prompt: %w", err)
	}
	// After the system prompt, never instead of it: the prompt also protects the user.
	wish := "\n\n" + strings.Replace(strings.TrimSpace(string(raw)), "{wish}", own, 1)
	opt.Prompts.System += wish
	if opt.Prompts.Small != "" {
		opt.Prompts.Small += wish
	}
	return nil
}

// withoutSection returns a Markdown text without what is under a heading of the second
// level.
func withoutSection(text, heading string) string {
	const next = "\n## "
	at := strings.Index("\n"+text, "\n"+heading+"\n")
	if at < 0 {
		return text
	}
	rest := text[at+len(heading):]
	if end := strings.Index(rest, next); end >= 0 {
		return text[:at] + rest[end+1:]
	}
	return strings.TrimSpace(text[:at])
}
