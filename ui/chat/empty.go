package chat

import (
	"math"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/app/live"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// digestQuestion is what the opening card asks, firstQuestion what it asks a user who has
// not been here before. The built-in understands both.
func digestQuestion() string { return lang.L("What did I miss since I was last here?") }

func firstQuestion() string { return lang.L("What did I miss since yesterday?") }

// opening is the card of a new chat that offers the digest.
type opening struct {
	screen *Screen
	shown  bool
	since  time.Time // when the user was last here
	text   *prose.Text
	box    *fyne.Container

	caughtUp *widgets.Button
}

func newOpening(s *Screen) *opening {
	o := &opening{screen: s, text: prose.New()}
	ask := widgets.Named("chat.digest", widgets.NewButton(lang.L("What did I miss?"), widgets.Primary, func() {
		s.ask(app.Question{Text: o.question()})
	}))
	o.caughtUp = widgets.Named("chat.caughtup", widgets.NewButton(lang.L("I'm caught up"), widgets.Outline, s.caughtUp))
	o.box = card(theme.Line, cardInsets, layout.Column(10, o.text, layout.Wrap(8, ask, o.caughtUp)))
	return o
}

func (o *opening) question() string {
	if o.since.IsZero() {
		return firstQuestion()
	}
	return digestQuestion()
}

func (o *opening) draw(row) {
	title := lang.L("Since you were last here")
	text := lang.L("A short digest of what the people you follow wrote since {{.Time}}, each line with its note.",
		in("Time", inWords().Moment(o.since, o.screen.now())))
	if o.since.IsZero() {
		title = lang.L("Since yesterday")
		text = lang.L("A short digest of what the people you follow wrote since yesterday, each line with its note.")
	}
	o.text.SetSpans(
		prose.Span{Text: title + "\n", Bold: true},
		prose.Span{Text: text, Size: theme.Small, Color: theme.Muted},
	)
	o.caughtUp.Hidden = o.since.IsZero()
	o.box.Refresh()
}

// loadOpening reads when the user was last here, and what to suggest.
func (s *Screen) loadOpening() {
	s.try.find()
	s.away(func() func() {
		since, err := s.env.App.LastVisit(s.ctx)
		return func() {
			s.opening.since = since
			s.opening.shown = err == nil && s.env.App.Me() != (nostr.PubKey{})
			s.refresh()
		}
	})
}

// caughtUp sets "since you were last here" to now.
func (s *Screen) caughtUp() {
	s.opening.shown = false
	s.refresh()
	s.away(func() func() {
		err := s.env.App.CaughtUp(s.ctx)
		return func() {
			if err != nil {
				s.sayFailed(lang.L("This could not be saved."), err)
			}
		}
	})
}

// suggestions are questions to begin with, above the composer.
type suggestions struct {
	screen *Screen
	chips  *fyne.Container
	box    *fyne.Container
}

func newSuggestions(s *Screen) *suggestions {
	t := &suggestions{screen: s, chips: layout.Wrap(8)}
	t.box = layout.Column(8, widgets.NewLabel(lang.L("Try"), theme.Small, theme.Muted), t.chips)
	t.offer(nil)
	return t
}

// find makes suggestions from what is stored, off the window's thread.
func (t *suggestions) find() {
	s := t.screen
	s.away(func() func() {
		found, err := s.env.App.Suggestions(s.ctx)
		if err != nil || len(found) == 0 {
			return nil
		}
		return func() {
			t.offer(found)
			s.refresh()
			s.arrange()
		}
	})
}

// mostTried is how many questions are suggested.
const mostTried = 5

// offer shows what was found in the store after three questions that any store can answer;
// others fill the list up.
func (t *suggestions) offer(found []app.Suggestion) {
	usual := suggested()
	var ask []app.Question
	for _, text := range usual[:3] {
		ask = append(ask, app.Question{Text: text})
	}
	for _, one := range found {
		ask = append(ask, t.screen.env.Words.Suggested(one))
	}
	for _, text := range usual[3:] {
		ask = append(ask, app.Question{Text: text})
	}
	t.chips.Objects = nil
	for i, q := range ask[:min(len(ask), mostTried)] {
		t.chips.Add(widgets.Named("chat.try."+string(rune('1'+i)), widgets.NewChip(present.Isolate(q.Text), func() { t.screen.ask(q) })))
	}
	t.chips.Refresh()
}

// suggested are questions that every model and the built-in can answer.
func suggested() []string {
	return []string{
		digestQuestion(), lang.L("Who posted most this week?"), lang.L("Top hashtags, as a chart"),
		lang.L("What did the people I follow talk about last week?"),
	}
}

// fit hides suggestions from the end until the others fit.
func (t *suggestions) fit(free func() bool) {
	list := t.chips.Objects
	for _, o := range list {
		o.(*widgets.Chip).Hidden = false
	}
	for i := len(list) - 1; i > 0 && !free(); i-- {
		list[i].(*widgets.Chip).Hidden = true
	}
}

// draw shows the suggestions until something is answered.
func (t *suggestions) draw() {
	show := t.screen.open.running == nil
	for _, turn := range t.screen.open.turns {
		show = show && turn.ID == ""
	}
	if t.box.Visible() != show {
		t.box.Hidden = !show
		t.screen.body.Refresh()
	}
}

// syncing is the card that shows the progress of the first sync.
type syncing struct {
	screen *Screen
	shown  bool
	status live.Status
	title  *widgets.Label
	figure *widgets.Label
	bar    *widgets.Progress
	text   *prose.Text
	box    *fyne.Container
}

func newSyncing(s *Screen) *syncing {
	y := &syncing{
		screen: s, bar: widgets.NewProgress(), text: prose.Plain("", theme.Small, theme.Muted),
		title:  widgets.NewLabel(lang.L("Getting your notes"), theme.Small, theme.Text),
		figure: widgets.NewLabel("", theme.Small, theme.Muted),
	}
	y.title.Bold = true
	y.box = card(theme.Line, cardInsets, layout.Column(9, layout.Row(8, 0, y.title, y.figure), y.bar, y.text))
	return y
}

func (y *syncing) draw(row) {
	st := y.status
	y.bar.SetValue(float64(st.Share))
	figure := ""
	if st.People > 0 {
		figure = lang.N("{{.Done}} of {{.Count}} people", st.People, in("Done", inWords().Number(st.PeopleDone), "Count", inWords().Number(st.People)))
		if st.Left > 0 && !st.Offline {
			figure += " · " + aboutLeft(st.Left)
		}
	}
	y.figure.SetText(figure)
	text := lang.N("The last {{.Count}} days are fetched first. You can ask already; the answer will say what is still missing.", st.Days, in("Count", st.Days))
	color := theme.Muted
	if st.Offline {
		text, color = lang.L("No relay can be reached right now. Syncing continues by itself when one answers; answers will say what is still missing."), theme.Warn
	}
	y.text.SetSpans(prose.Span{Text: text, Size: theme.Small, Color: color})
	y.box.Refresh()
}

// aboutLeft words an estimate in steps large enough not to flicker.
func aboutLeft(left time.Duration) string {
	if left < time.Minute {
		n := int(math.Ceil(left.Seconds()/5)) * 5
		return lang.L("about {{.Count}} s left", in("Count", n))
	}
	n := int(math.Ceil(left.Minutes()))
	return lang.L("about {{.Count}} min left", in("Count", n))
}

// isFirst reports whether the first sync is running, or cannot run because no relay can be
// reached.
func isFirst(st live.Status) bool {
	return st.First && st.Stage != live.StageLive && (st.Trouble == live.NoTrouble || st.Offline)
}

// watchSync shows the card during the first sync.
func (s *Screen) watchSync() {
	live := s.env.App.Live()
	show := func() {
		st := live.Status()
		shown := isFirst(st)
		if !shown && !s.sync.shown {
			return
		}
		s.sync.shown, s.sync.status = shown, st
		s.refresh()
	}
	s.unwatch = live.OnChange(func() { s.env.Do.Post("chat.sync", show) })
	show()
}
