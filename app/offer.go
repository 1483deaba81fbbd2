package app

import (
	"cmp"
	"context"
	"slices"

	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/app/mcp/client"
	"bowerbird/app/models"
	"bowerbird/app/toolset"
	"bowerbird/llm"
	"bowerbird/netsafe"
	"bowerbird/tools"
	"bowerbird/tools/offer"
)

// planTools gives the agent of a turn the tools that its model gets to know, if they are not
// simply all of ours.
func (a *App) planTools(opt *agent.Options, model, chat string) error {
	settings := a.Settings()
	opt.Tools = slices.DeleteFunc(slices.Clone(opt.Tools), func(t tools.Tool) bool { return slices.Contains(settings.Tools.Off, t.Spec().Name) })
	info, wish := opt.Model.Info(), wishOf(settings, model)
	simple := len(settings.MCP) == 0 && (wish.Strategy == offer.Auto || wish.Strategy == offer.Direct) && wish.Limit > 0
	if len(opt.Tools) == 0 || info.Typed || simple {
		return nil
	}
	brief, err := agent.Listed(info.Context, opt.Prompts, opt.Tools)
	if err != nil {
		return err
	}
	kept := chat + " " + model
	if before, ok := a.strategies.Load(kept); ok {
		wish.Before, _ = before.(offer.Strategy)
	}
	set := toolset.New(toolset.Options{
		Tools: a.servers.Tools, Own: opt.Tools, Brief: brief, Model: info.Name, Local: info.Host == "" || netsafe.OnThisComputer(info.Host),
		Facts: offer.Model{Window: info.Context}, Wish: wish,
		Off:     func(name string) bool { return slices.Contains(settings.Tools.Off, name) },
		Refused: refusedBy(opt.Model),
		Decided: func(s offer.Strategy) { a.strategies.Store(kept, s) },
	})
	opt.Tools, opt.Toolset, opt.Permission = set.Own(), set, a.permission
	return nil
}

// refusedBy returns the function that returns why a model's server refuses a tool, "" if it
// does not.
func refusedBy(model llm.Model) func(tools.Spec) string {
	client, remote := model.(*llm.Client)
	return func(s tools.Spec) string {
		if !remote || s.Source == "" {
			return ""
		}
		return client.Refuses(llm.Tool{Name: s.Name, Description: s.Description, Schema: s.Schema})
	}
}

// wishOf returns how the user wants a model to get to know tools.
func wishOf(settings config.Settings, model string) offer.Wish {
	wish := offer.Wish{Strategy: offer.Strategy(cmp.Or(settings.OptionsOf(model).Tools, string(offer.Auto))), Limit: offer.DefaultLimit}
	if n := settings.Tools.Limit; n != nil {
		wish.Limit = *n
	}
	return wish
}

// ToolPlan returns, for each tool, whether a model gets to know it, and why or why not. It
// starts the servers and waits for them as a question does.
func (a *App) ToolPlan(ctx context.Context, choice models.Choice) (offer.Strategy, []offer.Decision, error) {
	model, err := a.model(ctx, choice, Scope{})
	if err != nil {
		return "", nil, err
	}
	texts, err := prompts()
	if err != nil {
		return "", nil, err
	}
	info, settings, facts := model.Info(), a.Settings(), a.Models().Facts(choice)
	own := a.tools.All()
	brief, err := agent.Listed(info.Context, texts, own)
	if err != nil {
		return "", nil, err
	}
	var all []offer.Tool
	for _, t := range toolset.New(toolset.Options{Own: own, Brief: brief}).Known() {
		t.Off = slices.Contains(settings.Tools.Off, t.Spec.Name)
		all = append(all, t)
	}
	for _, t := range ServerTools(ctx, a.servers, settings) {
		t.Off, t.Refused = t.Off || slices.Contains(settings.Tools.Off, t.Spec.Name), refusedBy(model)(t.Spec)
		all = append(all, t)
	}
	m := offer.Model{
		Window: info.Context, Plain: settings.Assistant.PlainText,
		NoTools: facts.Format == config.FormatNone,
	}
	wish := wishOf(settings, facts.ID)
	if info.Typed { // it knows our own tools, and no others
		wish.Strategy = offer.Direct
	}
	strategy, decisions := offer.Plan(all, m, wish)
	for i, d := range decisions {
		if info.Typed && d.Offered && d.Tool.Source != "" {
			decisions[i].Offered, decisions[i].Reason = false, offer.NoTools
		}
	}
	return strategy, decisions, nil
}

// ServerTools returns the tools of the MCP servers, those that cannot be used too. It starts
// the servers and waits until each is ready or has failed.
func ServerTools(ctx context.Context, pool *client.Pool, settings config.Settings) []offer.Tool {
	var all []offer.Tool
	for _, t := range pool.Tools(ctx) {
		all = append(all, offer.Tool{Spec: t.Spec()})
	}
	for _, server := range pool.Status(ctx) {
		for _, t := range server.Tools {
			if t.Changed || t.Refused != "" {
				all = append(all, offer.Tool{
					Spec:    tools.Spec{Name: t.As, Title: t.Title, Description: t.Description, Source: "mcp:" + server.Server},
					Changed: t.Changed, Unusable: t.Refused != "",
				})
			}
		}
	}
	for name, server := range settings.MCP {
		for tool := range server.Tools {
			if server.Off {
				all = append(all, offer.Tool{Spec: tools.Spec{Name: client.ModelName(name, tool), Source: "mcp:" + name}, Off: true})
			}
		}
	}
	return all
}
