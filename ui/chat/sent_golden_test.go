package chat

import (
	"net/http"
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/app/models"
	"bowerbird/llm"
	"bowerbird/ui/answers"
	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// TestTheRowsOfWhatWasSentLookAsTheyDid holds the panel's rows, light and dark.
func TestTheRowsOfWhatWasSentLookAsTheyDid(t *testing.T) {
	request := models.SentRequest{
		SentRequest: llm.SentRequest{
			Time: noon, URL: "https://api.example/v1/chat/completions", Try: 2, Header: http.Header{"Authorization": {"Bearer …"}},
			Body: []byte(`{"model":"m","messages":[{"role":"user","content":"How many?"}]}`),
		},
		Outcome: llm.Outcome{Status: 200}, Size: 64,
	}
	dropped := request
	dropped.Body, dropped.Dropped, dropped.Outcome = nil, true, llm.Outcome{Status: 429}
	for mode, opt := range map[string]theme.Options{"": plain, "-dark": {Mode: theme.Dark}} {
		st := setStage(t, openApp(t), opt, window)
		st.sent.show(answers.ReadSent([]models.SentRequest{dropped, request}))
		st.sent.toggle(st.sent.rowID(sentPart, 1, 0, 0))
		for name, id := range map[string]string{
			"note": st.sent.rowID(sentNote, 0, 0, 0), "request-dropped": st.sent.rowID(sentRequest, 0, 0, 0),
			"request": st.sent.rowID(sentRequest, 1, 0, 0), "part": st.sent.rowID(sentPart, 1, 0, 0),
			"part-folded": st.sent.rowID(sentPart, 1, 1, 0), "text": st.sent.rowID(sentText, 1, 0, 0),
		} {
			slot := newSlot(st.sent.drawer(kindOf(id)))
			slot.bind(row{id: id})
			assertDrawn(t, "sent-"+name+mode, slot, 796)
		}
	}
}

// assertDrawn holds what an object looks like at a width.
func assertDrawn(t *testing.T, name string, o fyne.CanvasObject, width float32) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		w := fyne.CurrentApp().NewWindow("")
		defer w.Close()
		w.SetPadded(false)
		w.SetContent(o)
		w.Resize(fyne.NewSize(width, layout.HeightFor(o, width)))
		assertShown(t, name+".xml", w.Canvas())
	})
}

func TestTheFactsOfAnAnswerLookAsTheyDid(t *testing.T) {
	cost := 0.0041
	turn := answers.Turn{
		Number: 2, Model: "openrouter:some/model", Host: "openrouter.ai",
		Spent: answers.Spent{Spent: agent.Spent{Calls: 2, Usage: llm.Usage{Input: 5120, Output: 340, Cached: 4096}}, All: &cost},
	}
	for mode, opt := range map[string]theme.Options{"": plain, "-dark": {Mode: theme.Dark}} {
		st := setStage(t, openApp(t), opt, window)
		column := layout.Column(10)
		for _, f := range turn.Facts(chats.Usage{Input: 9800, Output: 410, Cost: 0.0123}, answers.Phrase{}) {
			column.Add(st.factLine(f))
		}
		assertDrawn(t, "facts"+mode, column, 460)
	}
}
