package chat

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/driver/software"

	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/ui/answers"
	"bowerbird/ui/theme"
)

// BenchmarkAnswerWith200Notes measures the window's thread from a finished turn
// with 200 presented notes to its first screen.
func BenchmarkAnswerWith200Notes(b *testing.B) {
	st := setStage(b, openApp(b), plain, window)
	ids := noteIDs(b, st, 200)
	var text strings.Builder
	for i := range ids {
		text.WriteString("- **Something.** “They said that it was so, and that it will be so again.” ^")
		text.WriteString(inWords().Number(i + 1))
		text.WriteString("\n")
	}
	turn := answered(b, st, 1, "What did I miss?", config.DefaultModel, presented(ids),
		agent.Event{Step: 2, Type: agent.EventText, Delta: text.String()}, finish("stop"))
	for b.Loop() {
		b.StopTimer()
		st.show(st.newConversation())
		st.open.turns = []answers.Turn{turn}
		b.StartTimer()
		st.refresh()
	}
}

// BenchmarkExpanding200Sources measures "Show all 200 sources".
func BenchmarkExpanding200Sources(b *testing.B) {
	st := setStage(b, openApp(b), plain, window)
	turn := answered(b, st, 1, "What did I miss?", config.DefaultModel, presented(noteIDs(b, st, 200)),
		agent.Event{Step: 2, Type: agent.EventText, Delta: "All."}, finish("stop"))
	st.open.turns = []answers.Turn{turn}
	st.refresh()
	id := st.rows[len(st.rows)-3].id
	for b.Loop() {
		st.toggle(id)
	}
}

// BenchmarkStreamedUpdate measures what one update of an answer costs the window's
// thread at 10,000 characters: the rows, the layout and the drawing of the screen.
func BenchmarkStreamedUpdate(b *testing.B) {
	st := setStage(b, openApp(b), plain, window)
	asm := answers.NewAssembler(answers.Turn{Number: 1, Question: "How?", Asked: noon, Model: "ollama:qwen3:8b"}, st.find)
	say := func(s string) {
		asm.Add(b.Context(), agent.Event{Turn: "t", Step: 1, Type: agent.EventText, Delta: s})
	}
	say(strings.Repeat("- **Relay maintenance.** Ada moved her relay; start-up fell from 40 s to under one.\n\nAnd more of it in a paragraph.\n\n", 85))
	st.open.turns = []answers.Turn{asm.Turn()}
	st.refresh()
	var took []time.Duration
	for b.Loop() {
		say("word ")
		turn := asm.Turn()
		start := time.Now()
		st.open.turns = []answers.Turn{turn}
		st.refresh()
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}

// BenchmarkPaint measures one frame of the screen by the software painter, which
// the window's is not: for comparison only.
func BenchmarkPaint(b *testing.B) {
	st := setStage(b, openApp(b), plain, window)
	st.open.turns = []answers.Turn{wholeAnswer(b, st, 1), runningAnswer(b, st, 2)}
	st.refresh()
	th, err := theme.New(plain)
	if err != nil {
		b.Fatal(err)
	}
	c := st.Window.Canvas()
	for b.Loop() {
		software.RenderCanvas(c, th)
	}
}
