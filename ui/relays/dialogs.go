package relays

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/live"
	"bowerbird/app/notesync"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// actOn runs the action of a row.
func (s *Screen) actOn(r present.RelayRow) {
	switch r.Action {
	case present.TryRelay:
		s.tryRelay(r.URL)
	case present.RemoveRelay:
		s.removeRelay(r.URL)
	}
}

func (s *Screen) tryRelay(url string) {
	s.source.RetryRelay(url)
	s.env.Go.Toast(lang.L("Asking again"), "", nil)
}

// removeRelay stops asking a relay; a toast offers to undo that.
func (s *Screen) removeRelay(url string) {
	s.closeDialog()
	s.act(func() error { return s.source.RemoveRelay(url) })
	s.env.Go.Toast(lang.L("Relay is no longer asked. Its notes stay."), lang.L("Undo"), func() { s.restoreRelay(url) })
}

func (s *Screen) restoreRelay(url string) {
	s.act(func() error { return s.source.RestoreRelay(url) })
}

// open shows a dialog in place of the one that is open or about to open. closed is called
// when it closes.
func (s *Screen) open(content fyne.CanvasObject, closed ...func()) {
	s.stopLooking()
	s.closeDialog()
	s.dialog = widgets.ShowDialog(s.env.Go.Window(), content, closed...)
}

// dialogHead is a title with a button that closes the dialog.
func (s *Screen) dialogHead(title string) fyne.CanvasObject {
	out := widgets.Named("relays.close", widgets.NewIconButton("close", lang.L("Close"), s.closeDialog))
	text := prose.New(prose.Span{Text: title, Size: theme.Title, Bold: true})
	text.MaxLines = 2
	return layout.Row(8, 0, text, out)
}

// showRelay shows all that is known of a relay, unless the screen is hidden or another
// dialog opened while that was read.
func (s *Screen) showRelay(url string) {
	s.stopLooking()
	ctx, stop := context.WithCancel(s.sight)
	s.stopLooking = stop
	s.env.Do.Go(func() func() {
		d, err := s.source.Details(ctx, url)
		p := s.env.Words.Relay(d, s.source.Now(), func(pk nostr.PubKey) string { return s.source.Name(ctx, pk) })
		return func() {
			switch {
			case ctx.Err() != nil:
			case err != nil:
				s.env.Go.Toast(plainly(err), "", nil)
			default:
				s.open(s.relayPage(p))
			}
		}
	})
}

// showRemoved lists the relays that are no longer asked, each with a button that undoes
// that.
func (s *Screen) showRemoved() {
	list := layout.Column(8)
	for _, url := range s.at.Removed {
		name := widgets.NewLabel(live.RelayState{URL: url}.Name(), theme.Body, theme.Text)
		name.Most = 200 // it takes what is left, so that the dialog is no wider than the window
		again := widgets.Named("relays.restore:"+url, widgets.NewButton(lang.L("Ask it again"), widgets.Outline, func() {
			s.closeDialog()
			s.restoreRelay(url)
			s.env.Go.Toast(lang.L("Relay is asked again."), "", nil)
		}))
		list.Add(layout.Row(8, 0, name, again))
	}
	s.open(layout.Column(12,
		s.dialogHead(lang.L("Relays that are no longer asked")),
		prose.Plain(lang.L("They are never asked, whoever lists them. What came from them stays."), theme.Body, theme.Muted),
		list,
	))
}

// mostLines is how many people and events a relay's page draws.
const mostLines = 50

func (s *Screen) relayPage(p present.RelayPage) fyne.CanvasObject {
	words := widgets.NewLabel(p.State, theme.Body, theme.Text)
	words.Most = 200 // it takes what is left, so that the dialog is no wider than the window
	state := layout.Row(dotGap, 1, widgets.NewDot(screen.ToneColor(p.Tone, theme.Faint)), words)
	parts := []fyne.CanvasObject{s.dialogHead(p.Name), state}
	if p.Said != "" {
		parts = append(parts, prose.Plain(lang.L("It says: “{{.Text}}”", map[string]any{"Text": p.Said}), theme.Small, theme.Muted))
	}
	var buttons []fyne.CanvasObject
	if p.Can.Try {
		buttons = append(buttons, widgets.NewButton(lang.L("Try now"), widgets.Outline, func() { s.closeDialog(); s.tryRelay(p.URL) }))
	}
	if p.Can.Remove {
		buttons = append(buttons, widgets.NewButton(lang.L("Stop asking it"), widgets.Danger, func() { s.removeRelay(p.URL) }))
	}
	if len(buttons) > 0 {
		parts = append(parts, layout.Wrap(8, buttons...))
	}
	parts = append(parts, section(lang.L("Why it is used")))
	for _, why := range p.Why {
		parts = append(parts, prose.Plain(why, theme.Body, theme.Text))
	}
	parts = append(parts, prose.Plain(s.relayFigures(p), theme.Small, theme.Muted))
	if len(p.People) > 0 {
		parts = append(parts, section(lang.L("For whom")), s.peopleLines(p.People))
	}
	if len(p.Last) > 0 {
		parts = append(parts, section(lang.L("Last events from it")), s.eventLines(p.Last))
	}
	if len(p.Heard) > 0 {
		parts = append(parts, section(lang.L("What it said")), s.eventLines(p.Heard))
	}
	return layout.Column(10, parts...)
}

// relayFigures words the table's figures in a line.
func (s *Screen) relayFigures(p present.RelayPage) string {
	line := lang.L("Notes today: {{.Today}}. Answer time: {{.Answer}}. Last sync: {{.Sync}}.",
		map[string]any{"Today": p.Today, "Answer": p.Answer, "Sync": p.LastSync})
	if p.Sent != "" {
		line += " " + p.Sent
	}
	return line
}

func section(title string) fyne.CanvasObject {
	return layout.Pad(layout.Insets{Top: 8}, prose.New(prose.Span{Text: title, Bold: true}))
}

// peopleLines lists the first people of a relay; a click opens their profile.
func (s *Screen) peopleLines(people []present.PersonReach) fyne.CanvasObject {
	list := layout.Column(0)
	for _, person := range people[:min(len(people), mostLines)] {
		line := s.newPersonLine()
		line.show(person)
		list.Add(line.press)
	}
	if more := len(people) - mostLines; more > 0 {
		list.Add(prose.Plain(lang.L("and {{.N}} more", map[string]any{"N": s.env.Words.Number(more)}), theme.Small, theme.Muted))
	}
	return list
}

func (s *Screen) eventLines(events []present.RelayEvent) fyne.CanvasObject {
	list := layout.Column(0)
	for _, e := range events[:min(len(events), mostLines)] {
		who := e.Who
		if who != "" {
			who += "  "
		}
		text := prose.New(
			prose.Span{Text: who, Size: theme.Small, Bold: true},
			prose.Span{Text: e.Text, Size: theme.Small},
			prose.Span{Text: "  " + e.When, Size: theme.Small, Color: theme.Faint},
		)
		text.MaxLines = 2
		content := layout.Pad(layout.Sides(5, 6), text)
		if e.ID == (nostr.ID{}) {
			list.Add(content)
			continue
		}
		list.Add(widgets.Named("relays.note:"+e.ID.String()[:8], widgets.NewTappable(content, func() { s.closeDialog(); s.env.Go.OpenThread(e.ID) })))
	}
	return list
}

// personLine is a person with a bar that shows how much of the time is complete.
type personLine struct {
	screen *Screen
	press  *widgets.Tappable
	avatar *widgets.Avatar
	name   *widgets.Label
	bar    *widgets.Progress
	text   *widgets.Label
	person present.PersonReach
}

// barWidth is the length of a bar, in points, barText the largest text size with bars.
const (
	barWidth float32 = 84
	barText  float32 = 18
)

func (s *Screen) newPersonLine() *personLine {
	l := &personLine{
		screen: s, avatar: widgets.NewAvatar(nostr.PubKey{}, theme.AvatarSmall),
		name: widgets.NewLabel("", theme.Small, theme.Text), bar: widgets.NewProgress(), text: widgets.NewLabel("", theme.Small, theme.Muted),
	}
	l.name.Most = 100
	if s.env.Go.Window().Canvas().Size().Width < leastLine { // the name would be cut
		l.press = widgets.NewTappable(layout.Pad(layout.Sides(5, 6), layout.Row(10, 1, l.avatar, layout.Column(1, l.name, l.text))), l.tap)
		return l
	}
	bar := layout.Fixed(barWidth, l.bar)
	widgets.SetVisible(bar, theme.Size(theme.Small) <= barText)
	l.press = widgets.NewTappable(layout.Pad(layout.Sides(5, 6), layout.Row(10, 1,
		l.avatar, l.name,
		bar,
		layout.Fixed(min(16*theme.Size(theme.Small), 220), l.text), // one width, so that the bars are below one another
	)), l.tap)
	return l
}

// leastLine is the width of the window below which a person takes two lines, in points.
const leastLine float32 = 640

func (l *personLine) tap() {
	l.screen.closeDialog()
	l.screen.env.Go.OpenProfile(l.person.PubKey)
}

func (l *personLine) show(p present.PersonReach) {
	l.person = p
	l.press.ID = "relays.reach:" + p.PubKey.String()[:8]
	l.avatar.Set(p.PubKey)
	l.name.SetText(p.Name)
	l.bar.SetValue(p.Share)
	l.text.SetText(p.Text)
}

// everybodyHeight is how high the list of everybody is, in points.
const everybodyHeight float32 = 420

// showEverybody lists how complete the notes of each person are.
func (s *Screen) showEverybody() {
	people := s.env.Words.Everybody(s.at.Coverage, s.source.Now())
	ids := make([]string, len(people))
	for i := range people {
		ids[i] = strconv.Itoa(i)
	}
	lines := map[fyne.CanvasObject]*personLine{}
	list := widgets.NewVirtualList(widgets.VirtualOptions{
		Make: func(string) fyne.CanvasObject {
			line := s.newPersonLine()
			lines[line.press] = line
			return line.press
		},
		Bind: func(id string, o fyne.CanvasObject) {
			i, err := strconv.Atoi(id)
			if line := lines[o]; line != nil && err == nil {
				line.show(people[i])
			}
		},
		Estimate: 32,
	})
	list.ID = "relays.people"
	list.SetIDs(ids)
	s.open(layout.Column(10,
		s.dialogHead(s.board.Title),
		prose.Plain(s.board.Text, theme.Small, theme.Muted),
		layout.NewArranged(100, func(width float32, put layout.Put) float32 {
			height := min(everybodyHeight, float32(len(ids))*34)
			if put != nil {
				put(list, 0, 0, width, height)
			}
			return height
		}, list),
	))
}

// addForm is the dialog that asks for the address of a relay, tries it, and adds it.
type addForm struct {
	*Screen
	entry *widgets.Entry
	said  *prose.Text
	add   *widgets.Button
	body  *fyne.Container

	stop  context.CancelFunc // ends the try that is under way
	tried string             // the address that did not answer and may be added all the same
}

// askForRelay opens the form.
func (s *Screen) askForRelay() {
	f := &addForm{Screen: s, stop: func() {}}
	f.entry = widgets.Named("relays.address", widgets.NewEntry("relay.example.com"))
	f.entry.OnSubmitted = func(string) { f.submit() }
	f.entry.OnChanged = func(string) { f.change() }
	f.said = prose.Plain("", theme.Small, theme.Warn)
	f.said.Hide()
	cancel := widgets.Named("relays.address.cancel", widgets.NewButton(lang.L("Cancel"), widgets.Outline, s.closeDialog))
	f.add = widgets.Named("relays.address.add", widgets.NewButton(lang.L("Add"), widgets.Primary, f.submit))
	f.body = layout.Column(12,
		s.dialogHead(lang.L("Add a relay")),
		prose.Plain(lang.L("Type the address of a relay that you know. It is asked for the notes of everybody you follow."), theme.Body, theme.Muted),
		f.entry, f.said,
		layout.WrapEnd(8, cancel, f.add),
	)
	s.open(f.body, func() { f.stop() })
	s.env.Go.Window().Canvas().Focus(f.entry)
}

// say shows what is wrong, or in progress.
func (f *addForm) say(text string) {
	f.said.SetSpans(prose.Span{Text: text, Size: theme.Small, Color: theme.Warn})
	widgets.SetVisible(f.said, text != "")
	f.body.Refresh()
}

// change forgets the result of the previous address.
func (f *addForm) change() {
	f.stop()
	f.tried = ""
	f.add.Enable()
	f.add.SetText(lang.L("Add"))
	f.say("")
}

// submit tries the address. The result counts only while the form is open with that
// address.
func (f *addForm) submit() {
	text := strings.TrimSpace(f.entry.Text)
	switch text {
	case "":
		f.say(lang.L("Type an address such as relay.example.com."))
		return
	case f.tried:
		f.addRelay(text)
		return
	}
	f.stop()
	ctx, stop := context.WithCancel(context.Background())
	f.stop = stop
	f.add.Disable()
	f.say(lang.L("Trying to reach it …"))
	f.env.Do.Go(func() func() {
		_, trouble, err := f.source.CheckRelay(ctx, text)
		return func() {
			if ctx.Err() == nil {
				stop()
				f.answered(text, trouble, err)
			}
		}
	})
}

// answered adds the relay, or shows what is wrong with it.
func (f *addForm) answered(text string, trouble notesync.Trouble, err error) {
	f.add.Enable()
	switch {
	case err != nil:
		f.say(lang.L("This is not a usable relay address. It should look like relay.example.com; addresses on this computer or its network are not allowed."))
		return
	case slices.ContainsFunc(f.at.Relays, func(r live.RelayState) bool { return r.URL == text || r.Name() == text }):
		f.say(lang.L("This relay has already been added."))
	case trouble != notesync.NoTrouble:
		f.say(lang.L("{{.Trouble}}. You can add it anyway; it is then tried again automatically.", map[string]any{"Trouble": f.env.Words.RelayTrouble(trouble)}))
	default:
		f.addRelay(text)
		return
	}
	f.tried = text
	f.add.SetText(lang.L("Add anyway"))
}

func (s *Screen) addRelay(text string) {
	s.closeDialog()
	s.act(func() error {
		_, err := s.source.AddRelay(text)
		return err
	})
}
