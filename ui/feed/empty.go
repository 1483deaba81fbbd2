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

// whyEmpty derives it from the state of the sync; listed says that a list of follows is
// stored.
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

// tryPause is how long a try is shown as under way. An answer of a relay comes sooner,
// and then there are notes in place of all this.
const tryPause = 2500 * time.Millisecond

// newEmptyHome says why there are no notes and what can be done. Below "Try again" it
// names the relays that do not answer, until ctx ends.
func newEmptyHome(ctx context.Context, env screen.Env, why emptiness) fyne.CanvasObject {
	var all fyne.CanvasObject
	tried := prose.New()
	tried.ID = "home.tried"
	nameTried := func() {
		env.Work(ctx, func() func() {
			relays, err := env.App.Live().Relays(ctx)
			if err != nil {
				return nil
			}
			return func() {
				tried.SetSpans(prose.Span{Text: triedWords(env.Words, relays), Size: theme.Small, Color: theme.Muted})
				all.Refresh()
			}
		})
	}
	var again *widgets.Button
	again = widgets.Named("home.again", widgets.NewButton(lang.L("Try again"), widgets.Primary, func() {
		again.Disable()
		again.SetText(lang.L("Trying …"))
		env.App.Live().Retry()
		time.AfterFunc(tryPause, func() {
			env.Do.Do(func() {
				if ctx.Err() == nil {
					again.SetText(lang.L("Try again"))
					again.Enable()
					nameTried()
				}
			})
		})
	}))
	switch why {
	case emptyOffline:
		all = widgets.NewEmpty("offline", lang.L("No connection"),
			lang.L("No relay could be reached, and no notes are stored yet. They will be fetched once there is a connection."), again, tried)
		nameTried()
	case emptyStore:
		all = widgets.NewEmpty("warning", lang.L("Nothing can be saved"),
			lang.L("Arriving notes cannot be written to the disk. Is it full? Syncing continues once there is space."), again, tried)
	case emptyNobody:
		other := widgets.Named("home.other", widgets.NewButton(lang.L("Use another account"), widgets.Outline, func() { env.Go.OpenSettings("account") }))
		all = widgets.NewEmpty("users", lang.L("Not following anybody yet"),
			lang.L("The notes of the people this account follows appear here. No list of them was found."), other, again, tried)
	case emptyQuiet:
		all = widgets.NewEmpty("home", lang.L("No notes yet"),
			lang.L("The relays asked have no notes by the people you follow in the requested time."), again, tried)
	default:
		all = widgets.NewEmpty("download", lang.L("Getting your notes"), lang.L("They appear here as they arrive."))
	}
	return all
}

// mostTried is how many relays are named.
const mostTried = 4

// triedWords names the relays that could not be reached; "" for none.
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
