package relays

import (
	"cmp"
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/config"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// Spaces of the page, in points.
const (
	pageTop    float32 = 26
	pageSide   float32 = 40
	pageNarrow float32 = 16 // at the sides of a small window
	narrow     float32 = 640
	pageWidest float32 = 1136
)

// page is what is drawn.
type page struct {
	screen  *Screen
	content *widgets.Scroll

	title     *prose.Text
	retry     *widgets.Button
	text      *prose.Text
	notice    *prose.Text
	noticeBox *fyne.Container
	people    *prose.Text
	head      *layout.Arranged // of the table
	add       *widgets.Button
	table     *table
	foot      *prose.Text
	empty     *fyne.Container
}

func newPage(s *Screen) *page {
	p := &page{screen: s}
	p.title = prose.Plain("", theme.Title, theme.Text)
	p.retry = widgets.Named("relays.retry", widgets.NewButton(lang.L("Try the others again"), widgets.Primary, func() {
		s.source.Retry()
		s.env.Go.Toast(lang.L("Asking again"), "", nil)
	}))
	p.text = prose.Plain("", theme.Body, theme.Muted)
	p.notice = prose.Plain("", theme.Body, theme.Warn)
	p.noticeBox = layout.Pad(layout.Insets{Top: 6}, p.notice)
	p.people = prose.New()
	p.add = widgets.Named("relays.add", widgets.NewButton(lang.L("Add relay"), widgets.Outline, s.askForRelay))
	p.head = newHeadline(prose.New(
		prose.Span{Text: lang.L("Relays"), Size: theme.Heading, Bold: true},
		prose.Span{Text: "  " + lang.L("the servers that notes are kept on"), Color: theme.Muted},
	), p.add)
	p.table = newTable(s)
	p.foot = prose.Plain("", theme.Small, theme.Muted)
	p.empty = layout.Column(0)

	body := layout.Column(0,
		newHeadline(p.title, p.retry),
		layout.Gap(14), p.text,
		p.noticeBox,
		layout.Pad(layout.Insets{Top: 14}, p.people),
		layout.Gap(28), p.head,
		layout.Gap(13), p.table.content,
		p.empty,
		layout.Gap(12), p.foot,
	)
	p.content = widgets.NewScroll(layout.NewArranged(100, func(width float32, put layout.Put) float32 {
		side, inner := margins(width)
		height := layout.HeightFor(body, inner)
		if put != nil {
			put(body, side, pageTop, inner, height)
		}
		return height + 2*pageTop
	}, body))
	for _, o := range []fyne.CanvasObject{p.retry, p.noticeBox, p.people, p.head, p.foot, p.table.content} {
		o.Hide()
	}
	return p
}

// margins returns the left side and the width of the page in a width: centred, and no
// wider than can be read well.
func margins(width float32) (side, inner float32) {
	side = pageSide
	if width < narrow {
		side = pageNarrow
	}
	inner = min(width-2*side, pageWidest)
	return max(side, (width-inner)/2), inner
}

// show draws a board. Objects that do not change stay, and with them the keyboard.
func (p *page) show(b present.RelayBoard) {
	p.title.SetSpans(prose.Span{Text: b.Title, Size: theme.Title, Bold: true})
	p.text.SetSpans(prose.Span{Text: b.Text, Color: theme.Muted})
	p.notice.SetSpans(prose.Span{Text: b.Notice, Color: screen.ToneColor(b.Tone, theme.Faint)})
	widgets.SetVisible(p.noticeBox, b.Notice != "")
	if b.Retry != "" {
		p.retry.SetText(b.Retry)
	}
	widgets.SetVisible(p.retry, b.Retry != "")
	p.showPeople(b)
	widgets.SetVisible(p.head, b.Fetches && !b.Nobody)
	widgets.SetVisible(p.table.content, len(b.Rows) > 0)
	p.table.show(b.Rows)
	p.showFoot(b)
	p.showEmpty(b)
	p.content.Refresh()
}

// showPeople names those who were not reached, in a sentence, with a link to all people.
func (p *page) showPeople(b present.RelayBoard) {
	widgets.SetVisible(p.people, b.All != "")
	var spans []prose.Span
	say := func(text string) {
		spans = append(spans, prose.Span{Text: text, Size: theme.Small, Color: theme.Muted})
	}
	if len(b.People) > 0 {
		say(lang.L("Something may be missing from:") + " ")
	}
	for i, r := range b.People {
		if i > 0 {
			say(", ")
		}
		spans = append(spans, prose.Span{
			Text: present.Isolate(r.Name), Size: theme.Small, ID: "relays.person:" + r.PubKey.String()[:8],
			Tap: func() { p.screen.env.Go.OpenProfile(r.PubKey) },
		})
		say(" (" + r.Text + ")")
	}
	label := cmp.Or(b.More, b.All)
	if len(b.People) > 0 {
		say("  ")
	}
	p.people.SetSpans(append(spans, prose.Span{Text: label, Size: theme.Small, ID: "relays.everybody", Tap: p.screen.showEverybody})...)
}

func (p *page) showFoot(b present.RelayBoard) {
	widgets.SetVisible(p.foot, b.Own != "" && !b.Nobody)
	if b.Own == "" {
		return
	}
	var spans []prose.Span
	if len(b.Rows) > 0 {
		spans = append(spans, prose.Span{Text: lang.L("Click a relay to see why it is used, for whom, and its last 50 events.") + " ", Size: theme.Small, Color: theme.Muted})
	}
	only := b.OnlyOwn
	spans = append(spans,
		prose.Span{Text: b.Own, Size: theme.Small, ID: "relays.own", Tap: func() {
			p.screen.act(func() error { return p.screen.source.SetOnlyOwn(!only) })
		}},
		prose.Span{Text: " " + b.OwnText, Size: theme.Small, Color: theme.Muted},
	)
	if b.Removed != "" {
		spans = append(spans, prose.Span{Text: " "}, prose.Span{Text: b.Removed, Size: theme.Small, ID: "relays.removed", Tap: p.screen.showRemoved})
	}
	p.foot.SetSpans(spans...)
}

// showEmpty shows what can be done where no relay is shown.
func (p *page) showEmpty(b present.RelayBoard) {
	p.empty.Objects = nil
	switch {
	case !b.Fetches:
		p.empty.Add(layout.Pad(layout.Sides(40, 0), widgets.NewEmpty("relays", lang.L("The sample needs no relays"),
			lang.L("With your own notes, the relays they come from are listed here, each with its state."))))
	case b.Nobody:
		choose := widgets.Named("relays.choose", widgets.NewButton(lang.L("Choose a person"), widgets.Primary, func() { p.screen.env.Go.OpenSettings("account") }))
		p.empty.Add(layout.Pad(layout.Sides(40, 0), widgets.NewEmpty("user", lang.L("No relay yet"),
			lang.L("The relays of the people you follow are found by themselves."), choose)))
	case len(b.Rows) == 0:
		p.empty.Add(layout.Pad(layout.Sides(40, 0), widgets.NewEmpty("relays", lang.L("No relay yet"),
			lang.L("The relays of the people you follow are found by themselves. You can also add one that you know."))))
	}
	p.empty.Refresh()
}

// fail shows that the store could not be read.
func (p *page) fail(err error) {
	p.notice.SetSpans(prose.Span{Text: lang.L("This could not be read: {{.Reason}}", map[string]any{"Reason": err.Error()}), Color: theme.Bad})
	p.noticeBox.Show()
	p.content.Refresh()
}

// focus focuses the first button.
func (p *page) focus(c fyne.Canvas) {
	switch {
	case p.retry.Visible():
		c.Focus(p.retry)
	case p.head.Visible():
		c.Focus(p.add)
	}
}

// plainly words an error without the name of a setting.
func plainly(err error) string {
	var wrong *config.ArgumentError
	if errors.As(err, &wrong) {
		return wrong.Err.Error()
	}
	return err.Error()
}

// headGap is between title and button, in points.
const headGap float32 = 12

// newHeadline is a title with a button at its right, or below it if both do not fit on one
// line.
func newHeadline(title *prose.Text, button *widgets.Button) *layout.Arranged {
	return layout.NewArranged(100, func(width float32, put layout.Put) float32 {
		size, wide := button.MinSize(), width
		beside := button.Visible() && title.NaturalWidth(width)+headGap+size.Width <= width
		if beside {
			wide -= headGap + size.Width
		}
		high := layout.HeightFor(title, wide)
		height, x, y := high, float32(0), high+headGap
		switch {
		case beside:
			height = max(size.Height, high)
			x, y = width-size.Width, (height-size.Height)/2
		case button.Visible():
			height += headGap + size.Height
		}
		if put != nil {
			put(button, x, y, size.Width, size.Height)
			top := float32(0)
			if beside {
				top = (height - high) / 2
			}
			put(title, 0, top, wide, high)
		}
		return height
	}, title, button)
}
