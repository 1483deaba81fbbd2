package feed

import (
	"context"
	"reflect"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/app/live"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// Profile shows a person: their profile, and what they wrote.
type Profile struct {
	base
	pk        nostr.PubKey
	lists     [3]*list // notes, with replies, articles; each made when it is first chosen
	chosen    int
	title     *widgets.Label
	ask       *widgets.Button
	stopClock func() // ends the clock
	shown     bool

	person   present.Profile
	coverage string
	loaded   bool
	cards    []*profileCard // the header of each list
}

// mostTitle is the greatest width of a name in the head, in points at the usual text size.
const mostTitle float32 = 320

// NewProfile makes the screen.
func NewProfile(env screen.Env, pk nostr.PubKey) *Profile {
	p := &Profile{base: newBase(env), pk: pk, title: newTitle(lang.L("Profile"))}
	p.title.Most = mostTitle
	p.ask = widgets.Named("profile.ask", widgets.NewButton(lang.L("Ask about this person"), widgets.Outline, p.askAbout))
	p.ask.Tip = lang.L("Ask the assistant what this person writes about")
	p.content = widgets.NewPage(newHeadBack(env, "profile", p.title, widgets.NewLabel("", theme.Small, theme.Muted), p.ask), p.body)
	p.choose(0)
	p.load()
	p.stopClock = every(renewPause, env.Do, p.tick)
	p.fetch()
	return p
}

// load reads what is stored of the person.
func (p *Profile) load() {
	p.work(func() func() {
		person, err := newReader(p.env).Profile(p.ctx, p.pk)
		coverage := ""
		if err == nil {
			coverage, err = coverageLine(p.ctx, p.env, p.pk)
		}
		return func() {
			switch {
			case err != nil && !p.loaded:
				p.put(unreadable(err, p.retry))
			case err == nil && (!p.loaded || coverage != p.coverage || !reflect.DeepEqual(person, p.person)):
				p.person, p.coverage, p.loaded = person, coverage, true
				p.draw()
			}
		}
	})
}

func (p *Profile) draw() {
	p.title.SetText(present.Isolate(p.person.Name))
	name := clean.Line(p.person.Name, 24)
	p.ask.SetText(lang.L("Ask about {{.Name}}", map[string]any{"Name": present.Isolate(name)}))
	p.content.Refresh()
	for _, c := range p.cards {
		c.set(p.person, p.coverage)
	}
	for _, l := range p.lists {
		if l != nil {
			l.rows.RefreshRow(profileHead)
		}
	}
}

// fetch asks relays for a person whose profile is not stored.
func (p *Profile) fetch() {
	if !fetches(p.env.App) {
		return
	}
	p.work(func() func() {
		stored, err := p.env.App.Notes().Profile(p.ctx, p.pk)
		if err != nil || stored.UpdatedAt > 0 {
			return nil
		}
		if _, err := p.env.App.LookUp(p.ctx, p.pk.Npub()); err != nil {
			return nil // what is stored is shown
		}
		return p.load
	})
}

// profileHead names the row of the header.
const profileHead = "profile"

// choose shows their notes, their notes with replies, or their articles.
func (p *Profile) choose(i int) {
	p.chosen = i
	if p.lists[i] == nil {
		var l *list
		l = newList(p.env, listOptions{
			ID: []string{"profile.notes", "profile.replies", "profile.articles"}[i], Of: p.pk,
			Source: func(ctx context.Context) (timeline, error) {
				if i == 2 {
					return articlesTimeline(ctx, p.env.App, p.pk)
				}
				return personTimeline(ctx, p.env.App, p.pk, i == 1)
			},
			Heads:   func() []string { return p.heads(l) },
			Head:    func(name string) fyne.CanvasObject { return p.head(i, name) },
			Changed: func(err error) { p.changed(l, err) },
			News: func(n int) {
				if n > 0 && l.rows.AtTop() {
					l.begin() // only the header is in sight, which stays
				}
			},
		})
		p.lists[i] = l
		l.rows.SetIDs([]string{profileHead})
		l.begin()
	}
	onWords := false
	for _, c := range p.cards {
		onWords = onWords || c.which.HasKeyboard()
		c.which.SetSelected(i)
	}
	p.put(p.lists[i].rows)
	p.moveKeyboard(onWords)
}

// moveKeyboard moves the keyboard from the list that disappeared to the one that is shown:
// to the same control if it was on the choice of the list.
func (p *Profile) moveKeyboard(onWords bool) {
	c := fyne.CurrentApp().Driver().CanvasForObject(p.body)
	if c == nil || c.Focused() == nil || !widgets.KeyboardLost(c) {
		return
	}
	c.Unfocus()
	if !onWords {
		focusTop(p.lists[p.chosen].rows)
		return
	}
	for _, card := range p.cards {
		card.which.TakeKeyboard() // only the visible one can
	}
}

// heads are the header and, in an empty list, a line that says so.
func (p *Profile) heads(l *list) []string {
	if l.last == nil {
		return []string{profileHead, "none"}
	}
	return []string{profileHead}
}

func (p *Profile) head(i int, name string) fyne.CanvasObject {
	if name == "none" {
		text := lang.L("No notes of this person are stored here.")
		if i == 2 {
			text = lang.L("No articles of this person are stored here.")
		}
		line := prose.Plain(text, theme.Body, theme.Muted)
		line.Align = fyne.TextAlignCenter
		return layout.Pad(layout.Sides(40, theme.ColumnPadding), line)
	}
	c := newProfileCard(p.env, i, p.choose)
	c.set(p.person, p.coverage)
	p.cards = append(p.cards, c)
	return c
}

// changed shows an error of a list.
func (p *Profile) changed(l *list, err error) {
	if err != nil && !isDamaged(err) && l == p.lists[p.chosen] && l.count() == 0 {
		p.put(unreadable(err, p.retry))
	}
}

// retry reads again what could not be read.
func (p *Profile) retry() {
	l := p.lists[p.chosen]
	p.put(l.rows)
	l.begin()
	p.load()
}

// askAbout asks the assistant about the person. The name is not part of the question: it
// is a stranger's text, and the question counts as the user's own words.
func (p *Profile) askAbout() {
	name := present.Name(nostr.Profile{PubKey: p.pk})
	if p.loaded {
		name = p.person.Name
	}
	p.env.Go.AskAbout(p.pk, name, lang.L("What does this person write about?"))
}

func (p *Profile) tick() {
	if p.shown {
		p.load()
		p.lists[p.chosen].renew()
	}
}

// coverageLine words how complete the person's notes are.
func coverageLine(ctx context.Context, env screen.Env, pk nostr.PubKey) (string, error) {
	if env.App.Sample() {
		return "", nil
	}
	c, err := env.App.Live().Coverage(ctx)
	if err != nil {
		return "", err
	}
	for _, person := range c.People {
		if person.PubKey == pk {
			return coverageWords(env.Words, c, person, env.App), nil
		}
	}
	return lang.L("You do not follow this person: only notes that others refer to are fetched."), nil
}

func coverageWords(w present.Words, c live.Coverage, person live.PersonCoverage, a *app.App) string {
	since := map[string]any{"Since": w.Day(c.Since, a.Now())}
	switch person.State {
	case coverage.Complete:
		return lang.L("Up to date since {{.Since}}, according to the relays asked.", since)
	case coverage.Partly:
		if person.OwnLeftOut {
			return lang.L("None of the relays that this person writes to was asked for all of it; others gave what they have.")
		}
		return lang.L("Not all of the notes since {{.Since}} are here; last reached {{.Last}}.",
			map[string]any{"Since": since["Since"], "Last": w.Since(person.Last, a.Now())})
	}
	return lang.L("None of this person's relays could be reached for notes since {{.Since}}.", since)
}

// Shown implements screen.Screen.
func (p *Profile) Shown() { p.shown = true }

// Hidden implements screen.Screen.
func (p *Profile) Hidden() { p.shown = false }

// Focus implements screen.Screen.
func (p *Profile) Focus(fyne.Canvas) { focusTop(p.lists[p.chosen].rows) }

// TypedKey walks through the notes with the keys that no widget handled.
func (p *Profile) TypedKey(e *fyne.KeyEvent) { _ = walkInto(p.lists[p.chosen].rows, e) }

// Close implements screen.Screen.
func (p *Profile) Close() {
	p.stopClock()
	p.end()
	for _, l := range p.lists {
		if l != nil {
			l.close()
		}
	}
}
