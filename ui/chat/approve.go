package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

// approver asks the user in a dialog that is drawn from the frozen preview alone:
// what it shows is what runs.
type approver struct{ screen *Screen }

var _ agent.Approver = (*approver)(nil)

// thinkTime is how long "yes" does nothing after the dialog has come: a click or an
// Enter that was meant for what stood there before is no approval.
const thinkTime = 800 * time.Millisecond

// Approve implements agent.Approver. It is called on a goroutine of the agent's.
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

// approval draws what would happen: the question, who asks, each argument whole
// with what cannot be seen made visible, and the two answers. It returns "yes" apart,
// which does nothing yet.
func approval(p agent.Preview, reply func(granted bool)) (content fyne.CanvasObject, yes *widgets.Button) {
	title, words := approvalWords(p.Effect)
	column := layout.Column(12, prose.New(prose.Span{Text: title, Size: theme.Title, Bold: true}))
	if p.Tainted {
		warn := prose.Plain(lang.L("The assistant asks for this after reading notes by other people."), theme.Small, theme.Muted)
		column.Add(layout.TopRow(8, 1, layout.Pad(layout.Insets{Top: 5}, widgets.NewDot(theme.Warn)), warn))
	}
	for _, a := range argumentsOf(p.Arguments) {
		value := prose.Plain(a.value, "", "")
		value.Selectable = true
		if a.name == "content" || a.name == "" {
			column.Add(card(theme.Line, layout.All(12), value))
			continue
		}
		column.Add(layout.TopRow(10, 1, fixed(prose.Plain(a.name, theme.Small, theme.Muted), 110), value))
	}
	column.Add(layout.TopRow(10, 1, fixed(prose.Plain(lang.L("With"), theme.Small, theme.Muted), 110),
		prose.Plain(fmt.Sprintf("%s · %s", p.Tool, agent.ShortHash(p)), theme.Small, theme.Muted)))
	no := widgets.NewButton(lang.L("Don't allow"), widgets.Outline, func() { reply(false) })
	no.ID = "approve.no"
	yes = widgets.NewButton(words, widgets.Outline, func() { reply(true) })
	yes.ID = "approve.yes"
	yes.Disable()
	column.Add(layout.WrapEnd(8, no, yes))
	return column, yes
}

// approvalWords ask for what would happen.
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

// argument is one member of a call's arguments.
type argument struct{ name, value string }

// argumentsOf lists the arguments in the order in which they stand, each as the JSON
// that it is: different ones look different. Only the text of "content", which is
// what would be read by others, is shown as it would be read. What is no object, or
// has something behind it, is shown whole.
func argumentsOf(raw string) []argument {
	whole := []argument{{"", agent.Visible(raw)}}
	decoder := json.NewDecoder(strings.NewReader(raw))
	if t, err := decoder.Token(); err != nil || t != json.Delim('{') {
		return whole
	}
	var all []argument
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return whole
		}
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			return whole
		}
		text := string(value)
		if name == "content" && strings.HasPrefix(text, `"`) {
			if json.Unmarshal(value, &text) != nil {
				return whole
			}
		}
		all = append(all, argument{agent.Visible(fmt.Sprint(name)), agent.Visible(text)})
	}
	if _, err := decoder.Token(); err != nil { // the brace that ends it
		return whole
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return whole
	}
	return all
}
