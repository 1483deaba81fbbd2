package chat

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/agent"
	"bowerbird/tools"
	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

var _ agent.Asker = (*approver)(nil)

// Ask implements [agent.Asker].
func (a *approver) Ask(ctx context.Context, q tools.Question) (tools.Reply, error) {
	answer := make(chan tools.Reply, 1)
	s := a.screen
	var closeDialog func()
	s.env.Do.Do(func() {
		if ctx.Err() != nil {
			return
		}
		given := tools.Reply{Dismissed: true} // by Escape
		content, send := form(q, func(r tools.Reply) {
			given = r
			closeDialog()
		})
		time.AfterFunc(thinkTime, func() { s.env.Do.Do(send.Enable) })
		closeDialog = widgets.ShowDialog(s.env.Go.Window(), content, func() { answer <- given })
	})
	select {
	case given := <-answer:
		return given, nil
	case <-ctx.Done():
		s.env.Do.Do(func() {
			if closeDialog != nil {
				closeDialog()
			}
		})
		return tools.Reply{}, context.Cause(ctx)
	}
}

// form draws what a server asks: whom the answer goes to, the question, a field for each
// value, and two buttons. It returns the one that sends, which is still disabled.
func form(q tools.Question, reply func(tools.Reply)) (content fyne.CanvasObject, send *widgets.Button) {
	column := layout.Column(12,
		prose.New(prose.Span{Text: lang.L("{{.Server}} asks you something", in("Server", q.Server)), Size: theme.Title, Bold: true}),
		layout.TopRow(8, 1, layout.Pad(layout.Insets{Top: 5}, widgets.NewDot(theme.Warn)),
			prose.Plain(lang.L("This tool server is not part of Bowerbird, and what you write goes to it. Never enter a password or a secret key."), theme.Small, theme.Muted)),
		card(theme.Line, layout.All(12), prose.Plain(agent.Visible(q.Message), "", "")))
	filled := make(map[string][]string)
	for _, f := range q.Fields {
		filled[f.Name] = f.Default
		label := f.Label
		if f.Limits != "" {
			label += " (" + f.Limits + ")"
		}
		column.Add(layout.Column(4,
			prose.Plain(agent.Visible(label), theme.Small, theme.Muted),
			field(f, func(texts ...string) { filled[f.Name] = texts })))
		if f.Help != "" {
			column.Add(prose.Plain(agent.Visible(f.Help), theme.Tiny, theme.Muted))
		}
	}
	problem := layout.Stack()
	column.Add(problem)
	no := widgets.Named("ask.no", widgets.NewButton(lang.L("Don't answer"), widgets.Outline, func() { reply(tools.Reply{}) }))
	send = widgets.Named("ask.send", widgets.NewButton(lang.L("Send"), widgets.Outline, func() {
		r, err := q.Accept(filled)
		if wrong, ok := errors.AsType[*tools.FieldError](err); ok {
			problem.Objects = []fyne.CanvasObject{prose.Plain(fieldProblem(wrong), theme.Small, theme.Bad)}
			problem.Refresh()
			return
		}
		reply(r)
	}))
	send.Disable()
	column.Add(layout.WrapEnd(8, no, send))
	return column, send
}

func fieldProblem(wrong *tools.FieldError) string {
	name := in("Field", agent.Visible(wrong.Field.Label))
	if wrong.Missing {
		return lang.L("{{.Field}} is missing.", name)
	}
	return lang.L("{{.Field}} does not fit what is asked for.", name)
}

// field draws the control for one value. set is called with what the user fills in.
func field(f tools.Field, set func(texts ...string)) fyne.CanvasObject {
	id := "ask.field." + f.Name
	switch f.Kind {
	case tools.YesNoField:
		on := slices.Equal(f.Default, []string{"true"})
		set(yesNo(on))
		return layout.Row(8, -1, widgets.Named(id, widgets.NewSwitch(on, func(on bool) { set(yesNo(on)) })))
	case tools.OneOfField:
		labels, chosen := make([]string, len(f.Options)), -1
		for i, o := range f.Options {
			labels[i] = agent.Visible(o.Label)
			if slices.Equal(f.Default, []string{o.Value}) {
				chosen = i
			}
		}
		return widgets.NewSegmented(labels, chosen, func(i int) { set(f.Options[i].Value) })
	case tools.SomeOfField:
		column := layout.Column(6)
		chosen := slices.Clone(f.Default)
		for _, o := range f.Options {
			column.Add(layout.Row(8, 1, widgets.NewSwitch(slices.Contains(chosen, o.Value), func(on bool) {
				if chosen = slices.DeleteFunc(chosen, func(v string) bool { return v == o.Value }); on {
					chosen = append(chosen, o.Value)
				}
				set(chosen...)
			}), prose.Plain(agent.Visible(o.Label), "", "")))
		}
		return column
	}
	entry := widgets.Named(id, widgets.NewEntry(""))
	entry.SetText(strings.Join(f.Default, ""))
	entry.OnChanged = func(text string) { set(text) }
	return entry
}

func yesNo(on bool) string {
	if on {
		return "true"
	}
	return "false"
}
