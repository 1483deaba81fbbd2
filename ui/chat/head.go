package chat

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/answers"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// head is the title of the chat, with the way to other chats.
type head struct {
	screen  *Screen
	title   *widgets.Label
	beside  *widgets.Label
	history *widgets.Button
	fresh   *widgets.Button
	icons   [2]*widgets.IconButton // fresh and history, where their words would not leave enough for the title
	said    [3]string
	box     fyne.CanvasObject
}

func newHead(s *Screen) *head {
	h := &head{
		screen: s,
		title:  widgets.NewLabel("", theme.Heading, theme.Text),
		beside: widgets.NewLabel("", theme.Small, theme.Muted),
	}
	h.title.ID, h.title.Bold = "chat.title", true
	h.history = widgets.Named("chat.history", widgets.NewButton(lang.L("History"), widgets.Quiet, s.back))
	h.fresh = widgets.Named("chat.new", widgets.NewButton(lang.L("New chat"), widgets.Outline, s.NewChat))
	h.icons[0] = widgets.Named(h.fresh.ID, widgets.NewIconButton("plus", lang.L("New chat"), s.NewChat))
	h.icons[1] = widgets.Named(h.history.ID, widgets.NewIconButton("history", lang.L("History"), s.back))
	rule := widgets.NewRule()
	back := newPanel(theme.Surface, "", 0, 0)
	h.box = layout.NewArranged(240, func(width float32, put layout.Put) float32 {
		high := max(theme.HeadHeight, h.fresh.MinSize().Height+13)
		if put != nil {
			put(back, 0, 0, width, high)
			put(rule, 0, high-1, width, 1)
			h.arrange(width, high-1, put)
		}
		return high
	}, back, rule, h.title, h.beside, h.history, h.fresh, h.icons[0], h.icons[1])
	return h
}

// arrange places the buttons at the right and the title in what is left; the words beside
// it are hidden if they do not fit.
func (h *head) arrange(width, height float32, put layout.Put) {
	const gap = 10
	x := width - theme.ColumnPadding
	for _, b := range h.buttons(width) {
		size := b.MinSize()
		x -= size.Width
		put(b, x, (height-size.Height)/2, size.Width, size.Height)
		x -= gap
	}
	left := theme.ColumnPadding
	free := max(0, x-left)
	title := h.title.MinSize().Width
	high := h.title.MinSize().Height
	wide := min(title, free)
	put(h.title, left, (height-high)/2, wide, high)
	beside := h.beside.MinSize().Width
	h.beside.Hidden = beside == 0 || wide+gap+beside > free
	if !h.beside.Hidden {
		b := h.beside.MinSize().Height
		put(h.beside, left+wide+gap, (height-b)/2+1, beside, b)
	}
}

// leastTitle is the share of the width that the buttons leave to the title, at least.
const leastTitle = 0.4

// buttons returns the buttons to show: with words if they fit, else as icons.
func (h *head) buttons(width float32) []fyne.CanvasObject {
	words := h.fresh.MinSize().Width + h.history.MinSize().Width + 2*theme.ColumnPadding + 20
	short := words > width*(1-leastTitle) && words+h.title.MinSize().Width > width
	h.fresh.Hidden, h.history.Hidden = short, short
	h.icons[0].Hidden, h.icons[1].Hidden = !short, !short
	if short {
		return []fyne.CanvasObject{h.icons[0], h.icons[1]}
	}
	return []fyne.CanvasObject{h.fresh, h.history}
}

// draw shows which chat is open.
func (h *head) draw() {
	s := h.screen
	title, beside, back := lang.L("New chat"), "", lang.L("History")
	switch c := s.open; {
	case s.history.shown:
		title = lang.L("History")
		back = lang.L("Back to the chat")
	case s.sent.shown:
		title = lang.L("What was sent")
		back = lang.L("Back to the chat")
	case c.asked(digestQuestion()):
		title = lang.L("Since you were last here")
		beside = s.sinceWords(c.turns[0])
	case c.asked(firstQuestion()):
		title = lang.L("Since yesterday")
		beside = s.sinceWords(c.turns[0])
	case c.title != "":
		title = present.Isolate(c.title)
	case len(c.turns) > 0:
		title = present.Isolate(c.turns[0].Question)
	case s.opening.shown && !s.opening.since.IsZero():
		title = lang.L("Since you were last here")
		beside = lang.L("{{.Time}} to now", in("Time", inWords().Moment(s.opening.since, s.now())))
	}
	if said := [3]string{title, beside, back}; said != h.said {
		h.said = said
		h.history.SetText(back)
		h.title.SetText(title)
		h.beside.SetText(beside)
		h.box.Refresh()
	}
}

// asked reports whether the chat begins with a question, and was not renamed.
func (c *conversation) asked(question string) bool {
	return len(c.turns) > 0 && c.turns[0].Question == question && (c.title == "" || c.title == question)
}

// nowTime is how old a digest may be and still be called one "to now".
const nowTime = 2 * time.Hour

// sinceWords words the window of time of a digest.
func (s *Screen) sinceWords(t answers.Turn) string {
	for _, b := range t.Blocks {
		if w, ok := b.(*answers.Work); ok && !w.Since.IsZero() {
			if s.now().Sub(t.Asked) < nowTime {
				return lang.L("{{.Time}} to now", in("Time", inWords().Moment(w.Since, s.now())))
			}
			return lang.L("{{.Time}} to {{.Until}}", in("Time", inWords().Moment(w.Since, s.now()), "Until", inWords().Moment(t.Asked, s.now())))
		}
	}
	return ""
}
