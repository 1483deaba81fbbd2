package chat

import (
	"encoding/json"
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/app/agent"
	"bowerbird/ui/answers"
	"bowerbird/ui/theme"
)

func TestLookAtProblems(t *testing.T) {
	if testing.Short() {
		t.Skip("draws the screen in each look: not beside the race detector")
	}
	for name, look := range map[string]struct {
		opt  theme.Options
		size fyne.Size
	}{
		"light":  {theme.Options{Mode: theme.Light}, fyne.NewSize(796, 804)},
		"dark":   {theme.Options{Mode: theme.Dark}, fyne.NewSize(796, 804)},
		"narrow": {theme.Options{Mode: theme.Light}, fyne.NewSize(416, 700)},
	} {
		t.Run(name, func(t *testing.T) {
			st := setStage(t, openApp(t), look.opt, look.size)
			failed := func(number int, model, event string) answers.Turn {
				var e agent.Event
				if err := json.Unmarshal([]byte(event), &e); err != nil {
					t.Fatal(err)
				}
				host := ""
				if model == "groq:m" {
					host = "api.groq.com"
				}
				asm := answers.NewAssembler(answers.Turn{Number: number, Question: "How many?", Asked: noon, Model: model, Host: host}, st.find)
				asm.Add(t.Context(), e)
				asm.Add(t.Context(), agent.Event{Step: 1, Type: agent.EventFinish, Finish: agent.FinishError})
				return asm.Turn()
			}
			st.open.turns = []answers.Turn{
				failed(1, "ollama:qwen3:8b", `{"type":"error","turn":"t","step":1,"kind":"not_found","message":"model 'qwen3:8b' not found","status":404}`),
				failed(2, "ollama:qwen3:8b", `{"type":"error","turn":"t","step":1,"kind":"offline","message":"connection refused"}`),
				failed(3, "groq:m", `{"type":"error","turn":"t","step":1,"kind":"rate_limit","message":"slow down","status":429,"retry_after_s":20}`),
			}
			st.open.countdown = answers.CountdownOf(st.open.turns[2], noon)
			st.refresh()
			st.Settle()
			st.Picture("problems-" + name)
			st.act(1, answers.StartServer)
			st.Settle()
			st.Picture("start-" + name)
		})
	}
}
