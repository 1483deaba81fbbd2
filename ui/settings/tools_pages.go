package settings

import (
	"context"
	"maps"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/app/mcp/client"
	"bowerbird/app/mcp/setup"
	"bowerbird/app/models"
	"bowerbird/ndb/clean"
	"bowerbird/tools/offer"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// mono is a text of a server or for one, as it is.
func mono(id, text string) *prose.Text {
	t := prose.New(prose.Span{Text: text, Mono: true, Size: theme.Small})
	t.ID, t.Selectable = id, true
	return t
}

// log shows what a server wrote last.
func (p *toolsPage) log(st client.Status) {
	text := strings.Join(st.Log, "\n")
	if text == "" {
		text = lang.L("The log is empty.")
	}
	p.sub(lang.L("Log of {{.Server}}", with("Server", st.Server)), section("", mono("settings.log", text)))
}

// instructions shows what a server would like a model to read.
func (p *toolsPage) instructions(st client.Status) {
	p.sub(lang.L("Instructions of {{.Server}}", with("Server", st.Server)),
		section("", note(lang.L("The server would like a model to read this. No model does.")), mono("settings.instructions", st.Instructions)))
}

// changed shows how a tool differs from what the user saw, and accepts it.
func (p *toolsPage) changed(server string, t client.ToolStatus) {
	var parts []fyne.CanvasObject
	for _, c := range setup.Changes(p.s.env.App.MCPMemory().Of(server)[t.Name], t) {
		before, after := c.Old, c.New
		if c.Aspect == setup.Effect {
			before, after = readsWords(before), readsWords(after)
		}
		parts = append(parts, layout.Column(6,
			prose.New(prose.Span{Text: aspectWords(c.Aspect), Bold: true}),
			note(lang.L("Before")), mono("settings.changed.old", before),
			note(lang.L("Now")), mono("settings.changed.new", after)))
	}
	if len(parts) == 0 {
		parts = append(parts, note(lang.L("The difference cannot be shown: it is in characters without a shape, or how the tool looked before was not kept.")), mono("settings.changed.new", t.Description))
	}
	problem := prose.Plain("", theme.Small, theme.Bad)
	accept := widgets.Named("settings.changed.accept", widgets.NewButton(lang.L("Turn it on, ask each time"), widgets.Outline, func() {
		p.s.work(func(context.Context) func() {
			err := p.s.env.App.AcceptTool(server, t)
			return func() {
				if err != nil {
					problem.SetSpans(prose.Span{Text: lang.L("This could not be saved: {{.Reason}}", with("Reason", err.Error())), Size: theme.Small, Color: theme.Bad})
					p.s.frame.place()
					return
				}
				p.back()
			}
		})
	}))
	keep := widgets.Named("settings.changed.keep", widgets.NewButton(lang.L("Leave it off"), widgets.Outline, p.back))
	p.sub(lang.L("What changed of {{.Tool}}", with("Tool", t.Name)), section("", parts...), problem, layout.WrapEnd(8, keep, accept))
}

func aspectWords(a setup.Aspect) string {
	switch a {
	case setup.Title:
		return lang.L("Title")
	case setup.Description:
		return lang.L("Its description")
	case setup.Arguments:
		return lang.L("What is sent")
	}
	return lang.L("Effect")
}

func readsWords(reads string) string {
	if reads == "true" {
		return lang.L("says that it only reads")
	}
	return lang.L("may change or delete something")
}

// why shows which tools the model in the settings is sent, and why it is not sent the others.
func (p *toolsPage) why() {
	plan := layout.Column(0, note(lang.L("The servers are asked for their tools…")))
	p.sub(lang.L("What the model is sent"), plan)
	p.s.work(func(ctx context.Context) func() {
		strategy, decisions, err := p.s.env.App.ToolPlan(ctx, models.Choice{})
		return func() {
			plan.Objects = []fyne.CanvasObject{note(strategyWords(strategy))}
			if err != nil {
				plan.Objects = []fyne.CanvasObject{prose.Plain(lang.L("This could not be found out: {{.Reason}}", with("Reason", err.Error())), theme.Small, theme.Bad)}
			}
			names := make(map[offer.Reason][]string)
			for _, d := range decisions {
				if d.Reason == offer.Unneeded {
					continue // it is only there to find others
				}
				name := present.Isolate(d.Tool.Name)
				if d.Detail != "" {
					name += " (" + present.Isolate(clean.Line(d.Detail, 300)) + ")"
				}
				names[d.Reason] = append(names[d.Reason], name)
			}
			for _, reason := range slices.Sorted(maps.Keys(names)) {
				plan.Add(layout.Gap(14))
				plan.Add(section(reasonWords(reason), mono("settings.tools.reason", strings.Join(names[reason], ", "))))
			}
			p.s.frame.place()
		}
	})
}

func strategyWords(s offer.Strategy) string {
	switch s {
	case offer.Deferred:
		return lang.L("The built-in tools are sent with every question. Of the others, those that fit the question are described, and the model can search for more.")
	case offer.Discovery:
		return lang.L("The tools do not all fit into what the model reads at once, so it looks for them by group or by words.")
	case offer.Routed:
		return lang.L("The model opens one group of tools at a time.")
	}
	return lang.L("All tools that are on are sent with every question.")
}

func reasonWords(r offer.Reason) string {
	switch r {
	case offer.Listed:
		return lang.L("Sent with every question")
	case offer.Finder:
		return lang.L("Sent with every question, to find and call the others")
	case offer.Found:
		return lang.L("Described in a chat, since they fit its question")
	case offer.Hidden:
		return lang.L("Found when a question needs them")
	case offer.Closed:
		return lang.L("Can be called once the model has opened their group")
	case offer.TurnedOff:
		return lang.L("Turned off")
	case offer.Barred:
		return lang.L("Not allowed for this assistant")
	case offer.Unusable:
		return lang.L("Cannot be used: how they are to be called is described in a way that is not supported")
	case offer.Changed:
		return lang.L("Off, since they changed and you have not looked yet")
	case offer.Refused:
		return lang.L("Refused by the model's provider")
	case offer.SmallWindow:
		return lang.L("Not sent, since the model reads little at once")
	case offer.PlainText:
		return lang.L("Not sent, since answers are to be plain text")
	}
	return lang.L("Not for this model")
}

// askRemove confirms that a server is to be removed.
func (p *toolsPage) askRemove(name string) {
	s := p.s
	s.closeDialog()
	keep := widgets.Named("settings.keep", widgets.NewButton(lang.L("Keep it"), widgets.Outline, s.closeDialog))
	remove := widgets.Named("settings.remove", widgets.NewButton(lang.L("Remove"), widgets.Danger, func() {
		s.closeDialog()
		s.work(func(ctx context.Context) func() {
			err := app.RemoveServer(ctx, s.env.App, s.env.App.Models(), s.env.App.MCPMemory(), name)
			return func() {
				if err != nil {
					s.env.Go.Toast(lang.L("This could not be saved: {{.Reason}}", with("Reason", err.Error())), "", nil)
				}
				p.load()
			}
		})
	}))
	s.close = widgets.ShowDialog(s.env.Go.Window(), layout.Column(14,
		prose.New(prose.Span{Text: lang.L("Remove {{.Server}}?", with("Server", name)), Size: theme.Title, Bold: true}),
		prose.Plain(lang.L("Its tools, what you allowed them and its secrets are removed. The program itself stays."), theme.Body, theme.Muted),
		layout.WrapEnd(8, keep, remove),
	))
	s.env.Go.Window().Canvas().Focus(keep)
}
