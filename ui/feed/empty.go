package feed

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/live"
	"bowerbird/ui/screen"
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
	other := widgets.NewButton(lang.L("Use another account"), widgets.Outline, func() { env.Go.OpenSettings("account") })
	other.ID = "home.other"
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
