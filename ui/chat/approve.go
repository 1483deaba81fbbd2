package chat

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/agent"
	"bowerbird/tools"
	"bowerbird/ui/answers"
	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// approver asks the user in a dialog that is drawn from the frozen [agent.Preview] alone,
// so that what the user sees is what runs.
type approver struct{ screen *Screen }

var _ agent.Approver = (*approver)(nil)

// thinkTime is how long the button that approves stays disabled: a click or Enter aimed at
// what was there before the dialog must not approve anything.
const thinkTime = 800 * time.Millisecond

// Approve implements [agent.Approver]. The agent calls it on a goroutine of its own.
func (a *approver) Approve(ctx context.Context, p agent.Preview) (agent.Approval, error) {
	answer := make(chan agent.Approval, 1)
	s := a.screen
	var closeDialog func()
	s.env.Do.Do(func() {
		if ctx.Err() != nil {
			return
		}
		granted := false
		content, yes := approval(p, func(yes bool) {
			granted = yes
			closeDialog()
		})
		time.AfterFunc(thinkTime, func() { s.env.Do.Do(yes.Enable) })
		closeDialog = widgets.ShowDialog(s.env.Go.Window(), content, func() {
			answer <- agent.Approval{Granted: granted, Hash: p.Hash()} // Escape is a no
		})
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
		return agent.Approval{}, context.Cause(ctx)
	}
}

// approval draws what would happen: the question, who asks, every argument in full with
// invisible characters made visible, and two buttons. It returns the approving button,
// which is still disabled.
func approval(p agent.Preview, reply func(granted bool)) (content fyne.CanvasObject, yes *widgets.Button) {
	title, words := approvalWords(p.Effect)
	tool := ""
	column := layout.Column(12)
	if server, ok := strings.CutPrefix(p.Source, "mcp:"); ok {
		title, words = lang.L("Use a tool of the server {{.Server}}?", in("Server", server)), lang.L("Allow")
		tool = strings.TrimPrefix(p.Tool, "mcp__"+server+"__")
		about := lang.L("Everything below is sent to it. It may change or delete something.")
		if p.Effect == tools.Network {
			about = lang.L("Everything below is sent to it. It says that it only reads.")
		}
		column.Add(prose.Plain(about, theme.Small, theme.Muted))
	}
	column.Objects = append([]fyne.CanvasObject{prose.New(prose.Span{Text: title, Size: theme.Title, Bold: true})}, column.Objects...)
	if p.Tainted {
		warn := prose.Plain(lang.L("The assistant asks for this after reading notes by other people."), theme.Small, theme.Muted)
		column.Add(layout.TopRow(8, 1, layout.Pad(layout.Insets{Top: 5}, widgets.NewDot(theme.Warn)), warn))
	}
	all := argumentsOf(p.Arguments)
	if len(all) == 0 {
		column.Add(prose.Plain(lang.L("The call has no values."), "", theme.Muted))
	}
	row := func(name string, value fyne.CanvasObject) {
		column.Add(layout.TopRow(10, 1, layout.Fixed(110, prose.Plain(name, theme.Small, theme.Muted)), value))
	}
	if tool != "" {
		row(lang.L("Tool"), prose.New(prose.Span{Text: agent.Visible(tool), Bold: true}))
	}
	for _, a := range all {
		value := prose.New(prose.Span{Text: a.value, Mono: a.code})
		value.Selectable = true
		if a.name == "content" || a.name == "" {
			column.Add(card(theme.Line, layout.All(12), value))
			continue
		}
		row(a.name, value)
	}
	row(lang.L("With"), prose.Plain(fmt.Sprintf("%s · %s", p.Tool, agent.ShortHash(p)), theme.Small, theme.Muted))
	no := widgets.Named("approve.no", widgets.NewButton(lang.L("Don't allow"), widgets.Outline, func() { reply(false) }))
	yes = widgets.Named("approve.yes", widgets.NewButton(words, widgets.Outline, func() { reply(true) }))
	yes.Disable()
	column.Add(layout.WrapEnd(8, no, yes))
	return column, yes
}

// approvalWords returns the title of the dialog and the label of the button that approves.
func approvalWords(e tools.Effect) (title, yes string) {
	switch e {
	case tools.Local:
		return lang.L("Change something on this computer?"), lang.L("Change")
	case tools.Network:
		return lang.L("Use the network?"), lang.L("Allow")
	case tools.Publishes:
		return lang.L("Publish this? Everyone will see it, permanently."), lang.L("Publish")
	case tools.Spends:
		return lang.L("Spend money?"), lang.L("Spend")
	}
	return lang.L("Delete this permanently?"), lang.L("Delete")
}

type argument struct {
	name, value string
	code        bool // value is JSON of several lines
}

// argumentsOf lists the arguments in the order of the call. A text is shown as it is, and
// everything else as its JSON, with a line for each part. So that different values look
// different, a text that could be taken for JSON keeps its quotation marks; only "content",
// which others would read, is shown as they would read it. Anything but a single JSON object
// is returned whole, as one unnamed argument.
func argumentsOf(raw string) []argument {
	whole := []argument{{value: agent.Visible(raw)}}
	members, ok := answers.Members([]byte(raw))
	if !ok {
		return whole
	}
	var all []argument
	for _, m := range members {
		shown := string(m.Value)
		var text string
		switch isText := strings.HasPrefix(shown, `"`); {
		case isText && json.Unmarshal(m.Value, &text) != nil:
			return whole
		case isText && (m.Name == "content" || text == strings.TrimSpace(text) && text != "" && !json.Valid([]byte(text))):
			shown = text
		case !isText:
			var lines bytes.Buffer
			if json.Indent(&lines, m.Value, "", "  ") == nil {
				shown = lines.String()
			}
		}
		code := !strings.HasPrefix(string(m.Value), `"`) && strings.Contains(shown, "\n")
		all = append(all, argument{agent.Visible(m.Name), agent.Visible(shown), code})
	}
	return all
}
