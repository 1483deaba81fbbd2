package chat

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/models"
	"bowerbird/ui/answers"
	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// problem draws why a turn failed and what can be done. While a countdown runs its buttons
// stay the same objects, so that a press that began on one also ends there.
type problem struct {
	screen *Screen
	of     problemLook
	again  *widgets.Button
	box    *fyne.Container
	column *fyne.Container
}

// problemLook is what the objects of a problem were made for.
type problemLook struct {
	block    *answers.Problem
	turn     int
	row      string
	counting bool
	open     bool // the details are shown
	look     theme.Look
}

func newProblem(s *Screen) drawer {
	p := &problem{screen: s, column: layout.Column(7)}
	p.box = card(theme.Bad, cardInsets, p.column)
	return drawer{p.box, p.draw}
}

func (p *problem) draw(r row) {
	of := problemLook{r.block.(*answers.Problem), r.turn, r.id, r.left > 0, r.open, theme.Shown()}
	if p.of != of {
		p.of = of
		p.build()
	}
	if r.left > 0 {
		p.again.SetText(lang.N("Ask again in {{.Count}} s", r.left, in("Count", inWords().Number(r.left))))
	}
	p.box.Refresh()
}

// build makes the words and the buttons.
func (p *problem) build() {
	b, s := p.of.block, p.screen
	now := s.now()
	words := prose.New(
		prose.Span{Text: say(b.Title, now) + "\n", Bold: true},
		prose.Span{Text: sayAll(b.Words, now), Size: theme.Small, Color: theme.Muted},
	)
	words.Selectable = true
	words.ID = "chat.problem"
	buttons := layout.Wrap(8)
	turn := p.of.turn
	for i, a := range b.Actions {
		style := widgets.Outline
		if i == 0 {
			style = widgets.Primary
		}
		button := widgets.Named("chat.do."+string(a), widgets.NewButton(actionLabel(a), style, func() { s.act(turn, a) }))
		buttons.Add(button)
		if a == answers.AskAgain && p.of.counting {
			p.again = button
			buttons.Add(widgets.Named("chat.do.wait-no-more", widgets.NewButton(lang.L("Don't ask again"), widgets.Quiet, s.cancelCountdown)))
		}
	}
	p.column.Objects = []fyne.CanvasObject{words, layout.Pad(layout.Insets{Top: 4}, buttons)}
	if b.Details != "" {
		p.column.Objects = append(p.column.Objects, p.details()...)
	}
}

// details draws the technical details, folded.
func (p *problem) details() []fyne.CanvasObject {
	label := lang.L("Show the details")
	if p.of.open {
		label = lang.L("Hide the details")
	}
	row := p.of.row
	link := widgets.Named("chat.problem.details", widgets.NewQuietLink(label, func() { p.screen.toggle(row) }))
	out := []fyne.CanvasObject{layout.Row(0, -1, link)}
	if p.of.open {
		text := prose.New(prose.Span{Text: p.of.block.Details, Mono: true, Size: theme.Tiny, Color: theme.Muted})
		text.Selectable = true
		out = append(out, text)
	}
	return out
}

// actionLabel labels the button of an action.
func actionLabel(a answers.Action) string {
	switch a {
	case answers.GoOn:
		return lang.L("Continue")
	case answers.Reply:
		return lang.L("Show what it wants to do")
	case answers.AddKey:
		return lang.L("Add a key")
	case answers.EnterKey:
		return lang.L("Enter another key")
	case answers.UnlockKeys:
		return lang.L("Unlock the keys")
	case answers.AskBuiltin:
		return lang.L("Ask the built-in instead")
	case answers.AskHere:
		return lang.L("Answer on this computer")
	case answers.ChooseModel:
		return lang.L("Choose another model")
	case answers.CheckAddress:
		return lang.L("Check the address")
	case answers.StartServer:
		return lang.L("How to start it")
	case answers.GetModel:
		return lang.L("How to get it")
	case answers.EditQuestion:
		return lang.L("Shorten the question")
	case answers.NewChat:
		return lang.L("Ask in a new chat")
	}
	return lang.L("Try again")
}

// count runs the countdown to asking the last question again. It stops while another chat
// is shown.
func (s *Screen) count() {
	if s.counting || !s.open.countdown.Runs() {
		return
	}
	s.counting = true
	s.later(time.Second, func() {
		s.counting = false
		c := s.open
		switch {
		case s.ctx.Err() != nil || !c.countdown.Runs():
		case c.countdown.Left(c.engine.Now()) == 0:
			s.again(len(c.turns)-1, models.Choice{})
		default:
			s.refresh()
		}
	})
}

// cancelCountdown cancels the countdown.
func (s *Screen) cancelCountdown() {
	s.open.countdown = answers.Countdown{}
	s.refresh()
}

// left returns the seconds left in the countdown of a turn; 0 if it has none.
func (c *conversation) left(turn int) int {
	if turn != len(c.turns)-1 || c.running != nil || !c.countdown.Runs() {
		return 0
	}
	return max(1, c.countdown.Left(c.engine.Now()))
}
