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

// emptiness is why a home without notes is empty.
type emptiness string

const (
	emptyGetting emptiness = "getting" // notes are on their way
	emptyOffline emptiness = "offline"
	emptyNobody  emptiness = "nobody" // nobody is followed, or no list of follows was found
	emptyStore   emptiness = "store"  // nothing can be kept
	emptyQuiet   emptiness = "quiet"  // people are followed, and nothing came of them
)

// whyEmpty decides it from the state of the sync; listed says that a list of people
// followed is stored.
func whyEmpty(st live.Status, listed bool) emptiness {
	switch {
	case st.Trouble == live.TroubleNet, st.Trouble == live.TroubleRelay, st.Offline:
		return emptyOffline
	case st.Trouble == live.TroubleStore:
		return emptyStore
	case st.Trouble == live.TroubleList, st.Trouble == live.TroubleEmpty, st.Stage == live.StageNobody:
		return emptyNobody
	case st.Stage == live.StageLive, st.Stage == live.StageStopped, st.Stage == live.StageSample:
		if listed {
			return emptyQuiet
		}
		return emptyNobody
	}
	return emptyGetting
}

// newEmptyHome says why, and what can be done, until ctx ends.
func newEmptyHome(ctx context.Context, env screen.Env, why emptiness) fyne.CanvasObject {
	try := newRetry(ctx, env)
	try.all = emptyHome(env, why, try.button, try.said)
	if why == emptyOffline {
		try.tell()
	}
	return try.all
}

func emptyHome(env screen.Env, why emptiness, again, tried fyne.CanvasObject) fyne.CanvasObject {
	other := widgets.Named("home.other", widgets.NewButton(lang.L("Use another account"), widgets.Outline, func() { env.Go.OpenSettings("account") }))
	switch why {
	case emptyOffline:
		return widgets.NewEmpty("offline", lang.L("No connection"),
			lang.L("No relay could be reached, and no notes are stored yet. They will be fetched once there is a connection."), again, tried)
	case emptyStore:
		return widgets.NewEmpty("warning", lang.L("Nothing can be saved"),
			lang.L("Arriving notes cannot be written to the disk. Is it full? Syncing continues once there is space."), again, tried)
	case emptyNobody:
		return widgets.NewEmpty("users", lang.L("Not following anybody yet"),
			lang.L("The notes of the people this account follows appear here. No list of them was found."), other, again, tried)
	case emptyQuiet:
		return widgets.NewEmpty("home", lang.L("No notes yet"),
			lang.L("The relays asked have no notes by the people you follow in the requested time."), again, tried)
	}
	return widgets.NewEmpty("download", lang.L("Getting your notes"), lang.L("They appear here as they arrive."))
}

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
	r.button = widgets.Named("home.again", widgets.NewButton(lang.L("Try again"), widgets.Primary, r.tap))
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
