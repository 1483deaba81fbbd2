package app

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/builtin"
	"bowerbird/app/config"
	"bowerbird/app/live"
	"bowerbird/app/models"
	"bowerbird/app/toolset"
	"bowerbird/assets"
	"bowerbird/llm"
	"bowerbird/ndb/nostr"
	"bowerbird/netsafe"
	"bowerbird/tools"
)

// model returns the chosen model for a question of a scope: that of a server (see
// [models.Registry.Client]), or the built-in one. It makes no connection yet.
func (a *App) model(ctx context.Context, choice models.Choice, scope Scope) (llm.Model, error) {
	choice = a.models.Settled(choice)
	if choice.ID == config.DefaultModel {
		return a.digest(ctx, scope)
	}
	return a.models.Client(ctx, choice)
}

// digest returns the built-in model, which needs no language model.
func (a *App) digest(ctx context.Context, scope Scope) (llm.Model, error) {
	last, err := a.LastVisit(ctx)
	if err != nil {
		return nil, err
	}
	seen, err := a.seen(ctx)
	if err != nil {
		return nil, err
	}
	shown := make(map[string]bool, len(seen))
	for _, id := range seen {
		shown[id] = true
	}
	return builtin.New(builtin.Options{
		Seen:      func(id string) bool { return len(id) > seenDigits && shown[id[:seenDigits]] },
		Now:       a.opt.Now,
		Zone:      func() *time.Location { return a.opt.Zone },
		LastVisit: func() time.Time { return last },
		Me:        a.myHex,
		Syncing:   a.syncing.Load,
		Fetching:  func() builtin.Fetching { return fetching(a.live.Status()) },
		Language:  a.language,
		Scope:     scope.builtin(),
		Sample:    a.opt.Sample,
	}), nil
}

// language is the window's: the chosen one, else the system's. English is also what a
// system reports that was never given a language, so it counts only if it was chosen.
func (a *App) language() string {
	if chosen := a.Settings().Appearance.Language; chosen != "" {
		return chosen
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := a.opt.Getenv(name); v != "" {
			tag, _, _ := strings.Cut(v, ".")
			tag, _, _ = strings.Cut(tag, "_")
			if tag == "en" {
				return ""
			}
			return tag // "C" and "POSIX" are not languages that anybody speaks
		}
	}
	return ""
}

func (a *App) myHex() string {
	if a.Me() == (nostr.PubKey{}) {
		return ""
	}
	return a.Me().String()
}

// fetching describes the state of fetching for an answer that has nothing to report. A
// Live that was not started belongs to a terminal.
func fetching(st live.Status) builtin.Fetching {
	switch {
	case st.Stage == live.StageStopped:
		return builtin.FetchByHand
	case st.Trouble == live.TroubleEmpty:
		return builtin.FetchNobody
	case st.Trouble == live.TroubleList || st.Trouble == live.TroubleRelay:
		return builtin.FetchNoList
	case st.Offline:
		return builtin.FetchOffline
	}
	return builtin.FetchUnderWay
}

// agent returns the agent that runs a turn with a model; plain as in [Question].
func (a *App) agent(model llm.Model, facts models.Facts, plain bool, approver agent.Approver) (*agent.Agent, error) {
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
		toolless, err := fs.ReadFile(assets.Prompts, "prompts/plain.md")
		if err != nil {
			return nil, fmt.Errorf("prompt: %w", err)
		}
		opt.Tools, opt.Prompts = nil, agent.Prompts{System: strings.TrimSpace(string(toolless))}
	}
	if info := model.Info(); opt.Tools != nil && !info.Typed && len(a.Settings().MCP) > 0 {
		opt.Toolset = toolset.New(toolset.Options{
			Tools: a.offeredTools, Others: len(opt.Tools), Window: info.Context, Model: info.Name, Local: info.Host == "" || netsafe.OnThisComputer(info.Host),
		})
		opt.Permission = a.permission
	}
	if err := a.wishes(&opt, facts.ID, plain); err != nil {
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
func (a *App) wishes(opt *agent.Options, model string, plain bool) error {
	settings := a.Settings()
	opt.MaxSteps = settings.Assistant.Steps
	if plain || settings.Assistant.PlainText {
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
