package chat

import (
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/app/agent"
	"bowerbird/tools"
	"bowerbird/ui/answers"
	"bowerbird/ui/theme"
)

func TestLook(t *testing.T) {
	if testing.Short() {
		t.Skip("draws the screen in each look: not beside the race detector")
	}
	for name, look := range map[string]struct {
		opt  theme.Options
		size fyne.Size
	}{
		"light":  {theme.Options{Mode: theme.Light}, fyne.NewSize(796, 804)},
		"dark":   {theme.Options{Mode: theme.Dark}, fyne.NewSize(796, 804)},
		"narrow": {theme.Options{Mode: theme.Light}, fyne.NewSize(480, 600)},
		"large":  {theme.Options{Mode: theme.Light, Scale: 2}, fyne.NewSize(796, 804)},
	} {
		t.Run(name, func(t *testing.T) { lookAt(t, name, look.opt, look.size) })
	}
}

func lookAt(t *testing.T, name string, opt theme.Options, size fyne.Size) {
	st := setStage(t, openApp(t), opt, size)
	st.Picture("empty-" + name)
	st.askIt("What did I miss since yesterday evening?")
	st.Picture("digest-end-" + name)
	st.list.ScrollToTop()
	st.Picture("digest-" + name)
	for _, r := range st.rows {
		if r.kind == rowWork {
			st.toggle(r.id)
			st.toggle(r.id + ":details")
		}
	}
	st.Picture("digest-open-" + name)
	st.list.ScrollToTop()
	for _, r := range st.rows {
		if r.kind == rowWork || r.kind == rowDigest {
			st.toggle(r.id)
		}
	}
	st.Picture("digest-rest-" + name)
	st.NewChat()
	st.askIt("What did the people I follow talk about last week?")
	st.Picture("week-" + name)
	st.showHistory(true)
	st.Settle()
	st.Picture("history-" + name)
	st.NewChat()
	st.Settle()
	for file, turns := range map[string][]answers.Turn{
		"whole":  {wholeAnswer(t, st, 1)},
		"states": {tableAnswer(t, st, 1), failedAnswer(t, st, 2), interruptedAnswer(t, st, 3), retryingAnswer(t, st, 4)},
	} {
		st.open.turns = turns
		st.refresh()
		st.list.ScrollToTop()
		st.Picture(file + "-" + name)
		st.list.ScrollToEnd()
		st.Picture(file + "-end-" + name)
	}
	go func() {
		_, _ = (&approver{st.Screen}).Approve(t.Context(), agent.Preview{
			Tool: "publish_note", Effect: tools.Publishes, Tainted: true,
			Arguments: `{"content":"The winter farmers market opens on Saturday at 9, who wants to share a lift? #localfood","relays":["relay.one"]}`,
		})
	}()
	st.Until("it asks", func() bool { return st.named("approve.yes") != nil })
	st.Picture("approve-" + name)
}
