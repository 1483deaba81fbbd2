package feed

import (
	"context"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/live"
	"bowerbird/app/notesync"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// retry is the button that has everything tried again, and what came of it: a person
// who presses it is to see that something happens, and with whom.
type retry struct {
	env    screen.Env
	ctx    context.Context
	button *widgets.Button
	said   *prose.Text
	all    fyne.CanvasObject // that both stand in
}

// tryPause is how long a try is shown as under way. An answer of a relay comes sooner,
// and then there are notes in place of all this.
const tryPause = 2500 * time.Millisecond

func newRetry(ctx context.Context, env screen.Env) *retry {
	r := &retry{env: env, ctx: ctx, said: prose.New()}
	r.said.ID = "home.tried"
	r.button = widgets.NewButton(lang.L("Try again"), widgets.Primary, r.tap)
	r.button.ID = "home.again"
	return r
}

func (r *retry) tap() {
	r.button.Disable()
	r.button.SetText(lang.L("Trying …"))
	r.env.App.Live().Retry()
	time.AfterFunc(tryPause, func() {
		r.env.Do.Do(func() {
			if r.ctx.Err() == nil {
				r.button.SetText(lang.L("Try again"))
				r.button.Enable()
				r.tell()
			}
		})
	})
}

// tell names the relays that do not answer.
func (r *retry) tell() {
	r.env.Do.Go(func() func() {
		relays, err := r.env.App.Live().Relays(r.ctx)
		return func() {
			if err == nil && r.ctx.Err() == nil {
				r.say(triedWords(r.env.Words, relays))
			}
		}
	})
}

func (r *retry) say(text string) {
	r.said.SetSpans(prose.Span{Text: text, Size: theme.Small, Color: theme.Muted})
	if r.all != nil {
		r.all.Refresh()
	}
}

// mostTried is how many relays are named.
const mostTried = 4

// triedWords names the relays that were tried in vain; "" for none.
func triedWords(w present.Words, relays []live.RelayState) string {
	var names []string
	for _, r := range relays {
		if r.Trouble != notesync.NoTrouble && r.Trouble != notesync.Stopped {
			names = append(names, r.Name())
		}
	}
	if len(names) == 0 {
		return ""
	}
	more := len(names) - mostTried
	data := map[string]any{"Relays": strings.Join(names[:min(len(names), mostTried)], ", "), "More": w.Number(more)}
	if more > 0 {
		return lang.L("Tried without success: {{.Relays}} and {{.More}} more.", data)
	}
	return lang.L("Tried without success: {{.Relays}}.", data)
}
