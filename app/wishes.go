package app

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/assets"
	"bowerbird/tools"
)

// showSection is the heading of the part of the contract that is about tables and
// charts. See assets/prompts/system.md.
const showSection = "## Show"

// wishes puts into the options of an agent what the user has set for all turns, or
// for those of this model, "provider:name".
func (a *App) wishes(opt *agent.Options, model string) error {
	settings := a.Settings()
	opt.MaxSteps = settings.Assistant.Steps
	if settings.Assistant.PlainText {
		opt.Tools = slices.DeleteFunc(slices.Clone(opt.Tools), func(t tools.Tool) bool {
			return slices.Contains(t.Spec().Tags, tools.TagRich)
		})
		opt.Prompts.System = withoutSection(opt.Prompts.System, showSection)
	}
	if model == config.DefaultModel {
		return nil // it reads no prompts
	}
	own := strings.TrimSpace(settings.OptionsOf(model).Prompt)
	if own == "" {
		return nil
	}
	raw, err := fs.ReadFile(assets.Prompts, "prompts/own.md")
	if err != nil {
		return fmt.Errorf("prompt: %w", err)
	}
	// Behind the contract, never in its place: that is for the user's safety too.
	wish := "\n\n" + strings.Replace(strings.TrimSpace(string(raw)), "{wish}", own, 1)
	opt.Prompts.System += wish
	if opt.Prompts.Small != "" {
		opt.Prompts.Small += wish
	}
	return nil
}

// withoutSection returns a Markdown text without what stands under a heading of the
// second level.
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
