package relays

import (
	"errors"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
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
	content *fyne.Container
	scroll  *container.Scroll

	title     *prose.Text
	retry     *widgets.Button
	text      *prose.Text
	notice    *prose.Text
	noticeBox *fyne.Container
	people    *fyne.Container // chips
	head      *sized          // of the table
	add       *widgets.Button
	table     *table
	foot      *prose.Text
	empty     *fyne.Container

	shownPeople []present.PersonReach
	shownMore   string
}

func newPage(s *Screen) *page {
	p := &page{screen: s}
	p.title = prose.Plain("", theme.Title, theme.Text)
	p.retry = widgets.NewButton(lang.L("Try the others again"), widgets.Primary, func() {
		s.source.Retry()
		s.env.Go.Toast(lang.L("Asking again"), "", nil)
	})
	p.retry.ID = "relays.retry"
	p.text = prose.Plain("", theme.Body, theme.Muted)
	p.notice = prose.Plain("", theme.Body, theme.Warn)
	p.noticeBox = layout.Pad(layout.Insets{Top: 6}, p.notice)
	p.people = layout.Wrap(8)
	p.add = widgets.NewButton(lang.L("Add relay"), widgets.Outline, s.askForRelay)
	p.add.ID = "relays.add"
	p.head = newHeadline(prose.New(
		prose.Span{Text: lang.L("Relays"), Size: theme.Heading, Bold: true},
		prose.Span{Text: "  " + lang.L("the servers that notes are kept on"), Color: theme.Muted},
	), p.add)
	p.table = newTable(s)
	p.foot = prose.Plain("", theme.Small, theme.Muted)
	p.empty = layout.Column(0)

	body := layout.Column(0,
		newHeadline(p.title, p.retry),
		gap(14), p.text,
		p.noticeBox,
		layout.Pad(layout.Insets{Top: 14}, p.people),
		gap(28), p.head,
		gap(13), p.table.content,
		p.empty,
		gap(12), p.foot,
	)
	m := &margins{}
	p.scroll = container.NewVScroll(newSized(func(width float32) float32 { return m.height(body, width) }, m, body))
	p.content = container.New(&filling{p.scroll}, p.scroll)
	for _, o := range []fyne.CanvasObject{p.retry, p.noticeBox, p.people, p.head, p.foot, p.table.content} {
		o.Hide()
	}
	return p
}

// gap is an empty stretch.
func gap(height float32) fyne.CanvasObject {
	return newSized(func(float32) float32 { return height }, fixed{1})
}

// filling gives a scroll its whole place, after its content was told the width: a
// scroll asks how high that is before.
type filling struct{ scroll *container.Scroll }

func (f *filling) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	inner := f.scroll.Content
	inner.Resize(fyne.NewSize(size.Width, layout.HeightFor(inner, size.Width)))
	f.scroll.Resize(size)
	f.scroll.Refresh()
}

func (f *filling) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSquareSize(100) }

// margins puts its object into the middle, no wider than can be read well.
type margins struct{ width float32 }

func (m *margins) at(width float32) (side, inner float32) {
	side = pageSide
	if width < narrow {
		side = pageNarrow
	}
	inner = min(width-2*side, pageWidest)
	return max(side, (width-inner)/2), inner
}

func (m *margins) height(o fyne.CanvasObject, width float32) float32 {
	_, inner := m.at(width)
	return layout.HeightFor(o, inner) + 2*pageTop
}

func (m *margins) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	m.width = size.Width
	side, inner := m.at(size.Width)
	for _, o := range objects {
		o.Move(fyne.NewPos(side, pageTop))
		o.Resize(fyne.NewSize(inner, layout.HeightFor(o, inner)))
	}
}

func (m *margins) MinSize(objects []fyne.CanvasObject) fyne.Size {
	if m.width == 0 || len(objects) == 0 {
		return fyne.NewSize(100, 100)
	}
	return fyne.NewSize(100, m.height(objects[0], m.width))
}

// show draws a board. What did not change is left as it is, so that the keyboard
// stays where it was.
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
	p.relayout()
}

// relayout places everything anew, since heights may have changed.
func (p *page) relayout() {
	if size := p.content.Size(); size.Width > 0 {
		p.content.Layout.Layout(p.content.Objects, size)
	}
	p.content.Refresh()
}

// showPeople draws the chips of those who were not reached, and the way to all.
func (p *page) showPeople(b present.RelayBoard) {
	widgets.SetVisible(p.people, b.All != "")
	if slices.Equal(b.People, p.shownPeople) && b.More == p.shownMore && len(p.people.Objects) > 0 {
		return
	}
	p.shownPeople, p.shownMore = b.People, b.More
	chips := make([]fyne.CanvasObject, 0, len(b.People)+1)
	for _, person := range b.People {
		chips = append(chips, p.chip(person))
	}
	label := b.All
	if b.More != "" {
		label = b.More
	}
	all := widgets.NewLink(label, p.screen.showEverybody)
	all.ID = "relays.everybody"
	beside := layout.Insets{Top: 7, Bottom: 7}
	if len(chips) > 0 {
		beside.Left = 4
	}
	p.people.Objects = append(chips, layout.Pad(beside, all))
	p.people.Refresh()
}

// chip is a person's name with when they were last reached; a click leads to them.
func (p *page) chip(r present.PersonReach) fyne.CanvasObject {
	name := widgets.NewLabel(r.Name, theme.Small, theme.Text)
	name.Most = 200
	content := widgets.NewFrame(theme.Chip, theme.Line, theme.RadiusChip, layout.Pad(layout.Sides(5, 11),
		layout.Row(8, 2, widgets.NewAvatar(r.Name, r.PubKey, theme.AvatarSmall), name, widgets.NewLabel(r.Text, theme.Small, theme.Muted))))
	chip := widgets.NewTappable(content, func() { p.screen.env.Go.OpenProfile(r.PubKey) })
	chip.ID = "relays.person:" + r.PubKey.String()[:8]
	return chip
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
		prose.Span{Text: b.Own, Size: theme.Small, ID: "relays.own", Tap: func() { p.screen.setOnlyOwn(!only) }},
		prose.Span{Text: " " + b.OwnText, Size: theme.Small, Color: theme.Muted},
	)
	if b.Removed != "" {
		spans = append(spans, prose.Span{Text: " "}, prose.Span{Text: b.Removed, Size: theme.Small, ID: "relays.removed", Tap: p.screen.showRemoved})
	}
	p.foot.SetSpans(spans...)
}

// showEmpty says what there is to do where no relay is shown.
func (p *page) showEmpty(b present.RelayBoard) {
	p.empty.Objects = nil
	switch {
	case !b.Fetches:
		p.empty.Add(layout.Pad(layout.Sides(40, 0), widgets.NewEmpty("relays", lang.L("The sample needs no relays"),
			lang.L("With your own notes, the relays they come from are listed here, each with its state."))))
	case b.Nobody:
		choose := widgets.NewButton(lang.L("Choose a person"), widgets.Primary, func() { p.screen.env.Go.OpenSettings("account") })
		choose.ID = "relays.choose"
		p.empty.Add(layout.Pad(layout.Sides(40, 0), widgets.NewEmpty("user", lang.L("No relay yet"),
			lang.L("The relays of the people you follow are found by themselves."), choose)))
	case len(b.Rows) == 0:
		p.empty.Add(layout.Pad(layout.Sides(40, 0), widgets.NewEmpty("relays", lang.L("No relay yet"),
			lang.L("The relays of the people you follow are found by themselves. You can also add one that you know."))))
	}
	p.empty.Refresh()
}

// fail says that the store could not be read.
func (p *page) fail(err error) {
	p.notice.SetSpans(prose.Span{Text: lang.L("This could not be read: {{.Reason}}", map[string]any{"Reason": err.Error()}), Color: theme.Bad})
	p.noticeBox.Show()
	p.relayout()
}

// focus puts the keyboard on the first thing to do.
func (p *page) focus(c fyne.Canvas) {
	switch {
	case p.retry.Visible():
		c.Focus(p.retry)
	case p.head.Visible():
		c.Focus(p.add)
	}
}

// plainly says an error to a person.
func plainly(err error) string {
	var wrong *config.ArgumentError
	if errors.As(err, &wrong) {
		return wrong.Err.Error()
	}
	return err.Error()
}
