// Package welcome is the first screen of a new user: look around in the sample, or use an
// account, which is looked up and shown before anything else happens.
package welcome

import (
	"context"
	"errors"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/dispatch"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// Options say what the welcome leads to. All but Back and Wait are required.
type Options struct {
	Do dispatch.Dispatcher
	// LookUp finds out whom a text names. It is called off the window's thread.
	LookUp     func(ctx context.Context, text string) (app.Person, error)
	OpenSample func()
	ReadAs     func(app.Person)
	// Back returns to what was open, if the user is only changing the account; nil at the
	// first start.
	Back func()
	// Wait runs f after a time unless the returned function is called before;
	// default time.AfterFunc.
	Wait func(d time.Duration, f func()) (stop func())
}

// typingPause is how long the user must stop typing before the text is looked up.
const typingPause = 400 * time.Millisecond

// width of the cards, in points.
const width float32 = 480

// Welcome is the screen. Its methods are called on the window's thread.
type Welcome struct {
	opt     Options
	content fyne.CanvasObject
	sample  *widgets.Button
	entry   *widgets.Entry
	next    *widgets.Button
	found   *fyne.Container // who it is, or what is wrong

	stopWait func()
	cancel   context.CancelFunc // of the look-up that runs
	asked    string             // what it looks up
	person   *app.Person        // whom the text names, once that is known
	closed   bool
}

// New makes the screen.
func New(opt Options) *Welcome {
	if opt.Wait == nil {
		opt.Wait = func(d time.Duration, f func()) func() {
			t := time.AfterFunc(d, func() { opt.Do.Do(f) })
			return func() { t.Stop() }
		}
	}
	w := &Welcome{opt: opt, stopWait: func() {}, cancel: func() {}}
	w.build()
	return w
}

func (w *Welcome) build() {
	w.sample = widgets.Named("welcome.sample", widgets.NewButton(lang.L("Open the sample"), widgets.Primary, w.opt.OpenSample))
	w.entry = widgets.Named("welcome.entry", widgets.NewEntry(lang.L("name@domain or npub1…")))
	w.entry.OnChanged = w.typed
	w.entry.OnSubmitted = func(string) { w.carryOn() }
	w.next = widgets.Named("welcome.continue", widgets.NewButton(lang.L("Continue"), widgets.Outline, w.carryOn))
	w.found = layout.Column(0)
	w.found.Hide()

	heading := prose.New(prose.Span{Text: lang.L("Read what matters"), Size: theme.Welcome, Bold: true})
	intro := prose.Plain(lang.L("Bowerbird keeps your notes on this computer and tells you what happened while you were away, with the note behind every claim."), theme.Body, theme.Muted)
	heading.Align, intro.Align = fyne.TextAlignCenter, fyne.TextAlignCenter
	body := layout.Column(0,
		container.NewCenter(widgets.NewLogo(60)),
		layout.Pad(layout.Insets{Top: 16}, heading),
		layout.Pad(layout.Insets{Top: 14, Left: 16, Right: 16, Bottom: 16}, intro),
		w.lookAround(),
		layout.Pad(layout.Insets{Top: 12}, w.readAs()),
		layout.Pad(layout.Insets{Top: 12, Bottom: 16}, w.promise()),
		layout.NewArranged(0, w.reserve),
	)
	w.content = widgets.NewScroll(Middle(width, 16, body))
}

// cardGap is between the parts of a card, in points.
const cardGap = 10

// card is a titled box with a sentence, and controls below it.
func card(title, text string, below ...fyne.CanvasObject) fyne.CanvasObject {
	inside := layout.Column(cardGap, append([]fyne.CanvasObject{
		layout.Column(2,
			prose.New(prose.Span{Text: title, Bold: true}),
			prose.Plain(text, theme.Small, theme.Muted)),
	}, below...)...)
	return widgets.NewCard(layout.Pad(layout.All(4), inside))
}

func (w *Welcome) lookAround() fyne.CanvasObject {
	return card(lang.L("Look around first"),
		lang.L("A month with a made-up circle of friends. Nothing to sign up for; works offline."),
		layout.Row(0, -1, w.sample))
}

func (w *Welcome) readAs() fyne.CanvasObject {
	return card(lang.L("Read without signing in"),
		lang.L("Your own name or anyone’s, like name@domain or npub1… Read-only, no password."),
		layout.Row(8, 0, w.entry, w.next), w.found)
}

func (w *Welcome) promise() fyne.CanvasObject {
	t := prose.Plain(lang.L("Nothing leaves this computer except requests to relays, and to the domain of a name you type."), theme.Small, theme.Faint)
	t.Align = fyne.TextAlignCenter
	if w.opt.Back == nil {
		return t
	}
	back := widgets.Named("welcome.back", widgets.NewButton(lang.L("Back"), widgets.Quiet, w.opt.Back))
	return layout.Column(8, t, container.NewCenter(back))
}

// Content returns what is drawn.
func (w *Welcome) Content() fyne.CanvasObject { return w.content }

// Focus focuses the button that needs no input.
func (w *Welcome) Focus(c fyne.Canvas) {
	if w.opt.Back != nil { // a user who comes from the settings wants to type a name
		c.Focus(w.entry)
		return
	}
	c.Focus(w.sample)
}

// Close ends what runs for the screen.
func (w *Welcome) Close() {
	w.closed = true
	w.stopWait()
	w.cancel()
}

// typed looks the text up once the user stops typing.
func (w *Welcome) typed(text string) {
	w.forget()
	if strings.TrimSpace(text) == "" {
		w.showFound(nil)
		return
	}
	w.stopWait = w.opt.Wait(typingPause, w.lookUp)
}

// forget drops the person that was found and cancels a look-up.
func (w *Welcome) forget() {
	w.stopWait()
	w.cancel()
	w.person, w.asked = nil, ""
}

// carryOn is Continue and Enter: it uses the account that is shown, or looks the text up
// first. No account is used that the user has not seen.
func (w *Welcome) carryOn() {
	if w.person != nil {
		w.opt.ReadAs(*w.person)
		return
	}
	if strings.TrimSpace(w.entry.Text) == "" {
		w.say(&app.LookUpError{Trouble: app.LookUpEmpty})
		if c := fyne.CurrentApp().Driver().CanvasForObject(w.entry); c != nil {
			c.Focus(w.entry)
		}
		return
	}
	w.lookUp()
}

func (w *Welcome) lookUp() {
	text := strings.TrimSpace(w.entry.Text)
	if text == "" || text == w.asked || w.closed {
		return // a stopped timer may already have posted this call
	}
	w.forget()
	w.asked = text
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel = cancel
	w.showFound(prose.Plain(lang.L("Looking…"), theme.Small, theme.Muted))
	w.opt.Do.Go(func() func() {
		person, err := w.opt.LookUp(ctx, text)
		return func() {
			if ctx.Err() != nil {
				return // something else was typed
			}
			cancel()
			w.answer(person, err)
		}
	})
}

func (w *Welcome) answer(person app.Person, err error) {
	if err != nil {
		w.asked = "" // the same text may be tried again
		if e, ok := errors.AsType[*app.LookUpError](err); ok && e.Trouble == app.LookUpSecret {
			w.entry.SetText("") // it must not stay readable on the screen
		}
		w.say(err)
		return
	}
	w.person = &person
	w.showFound(personLine(person))
}

// say shows why a text names no account.
func (w *Welcome) say(err error) {
	text := lang.L("This person could not be looked up. Try again.")
	if e, ok := errors.AsType[*app.LookUpError](err); ok {
		text = lang.L(e.Error())
		if e.Domain != "" { // the translations have its place
			text = lang.L(strings.Replace(e.Error(), e.Domain, "{{.Domain}}", 1), map[string]any{"Domain": e.Domain})
		}
	}
	t := prose.Plain(text, theme.Small, theme.Bad)
	t.ID = "welcome.trouble"
	w.showFound(t)
}

// personLine shows whom the text names: "Ada Lindqvist · follows 103 people".
func personLine(p app.Person) fyne.CanvasObject {
	called := p.Name
	if called == "" {
		called = present.Name(nostr.Profile{PubKey: p.PubKey})
	}
	spans := []prose.Span{{Text: present.Isolate(called), Size: theme.Small, Bold: true}}
	follows := lang.L("follows nobody")
	if p.Follows > 0 {
		follows = lang.N("follows {{.Count}} people", p.Follows, map[string]any{"Count": p.Follows})
	}
	if p.Follows >= 0 { // else it is not known
		spans = append(spans, prose.Span{Text: " · " + follows, Size: theme.Small, Color: theme.Muted})
	}
	name := prose.New(spans...)
	name.MaxLines = 2
	name.ID = "welcome.person"
	color, state := theme.OK, lang.L("found")
	if !p.Found {
		color, state = theme.Warn, lang.L("not found so far")
	}
	line := layout.Row(8, 1, widgets.NewAvatar(p.PubKey, 26), name,
		layout.Row(5, -1, widgets.NewDot(color), widgets.NewLabel(state, theme.Small, color)))
	if p.Found {
		return line
	}
	return layout.Column(4, line, prose.Plain(lang.L("No relay that knows this person could be reached; this computer may be offline. You can continue anyway: Bowerbird keeps looking."), theme.Small, theme.Muted))
}

func (w *Welcome) showFound(o fyne.CanvasObject) {
	w.found.Objects, w.found.Hidden = nil, o == nil
	if o != nil {
		w.found.Objects = []fyne.CanvasObject{o}
	}
	w.content.Refresh()
}

// leastAnswer is the height that is reserved for the result of a look-up, in points.
const leastAnswer float32 = 80

// reserve returns what the result of a look-up leaves of its height, which is free at the end:
// so the field and its button stay where they are when it appears.
func (w *Welcome) reserve(width float32, _ layout.Put) float32 {
	left := theme.Eased(leastAnswer)
	if !w.found.Hidden {
		left -= cardGap + layout.HeightFor(w.found, width-2*theme.ColumnPadding)
	}
	return max(0, left)
}

// Middle puts an object into the middle of its place, with a margin around it and at most
// so many points wide.
func Middle(most, margin float32, o fyne.CanvasObject) *layout.Arranged {
	var m *layout.Arranged
	m = layout.NewArranged(0, func(width float32, put layout.Put) float32 {
		wide := most
		if width > 0 { // else it is not laid out yet
			wide = min(most, width-2*margin)
		}
		high := layout.HeightFor(o, wide)
		if put != nil {
			put(o, (width-wide)/2, max(margin, (m.Size().Height-high)/2), wide, high)
		}
		return high + 2*margin
	}, o)
	return m
}
