package chat

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/app/live"
	"bowerbird/ui/answers"
)

// TestEachKindOfRowLooksAsItDid holds the rows that this package draws itself; what
// is drawn by others (texts, tables, charts, notes) has its goldens there.
func TestEachKindOfRowLooksAsItDid(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	refused := answered(t, st, 5, "Why?", "ollama:qwen3:8b",
		agent.Event{Step: 1, Type: agent.EventRefusal, Delta: "I cannot help with that."}, finish("stop"))
	st.open.turns = []answers.Turn{
		wholeAnswer(t, st, 1), failedAnswer(t, st, 2), interruptedAnswer(t, st, 3), retryingAnswer(t, st, 4), refused, runningAnswer(t, st, 6),
	}
	st.sync.status = live.Status{First: true, People: 103, PeopleDone: 41, Share: 0.4, Left: 18 * time.Second, Days: 3}
	st.opening.since = noon.Add(-20 * time.Hour)
	st.refresh()
	cutOff := func(s chats.State, events ...agent.Event) answers.Block {
		turn := answers.SavedTurn(t.Context(), chats.Turn{ID: "t", Number: 1, Model: "ollama:m", State: s, Events: events}, "", st.find)
		return turn.Blocks[len(turn.Blocks)-2]
	}
	published := call("c", "publish_note", `{"content":"good morning"}`)
	asked := agent.Event{Step: 1, Type: agent.EventApproval, ID: "c", Name: "publish_note"}
	started := agent.Event{Step: 1, Type: agent.EventToolStarted, ID: "c", Name: "publish_note"}
	saved := answers.SavedTurn(t.Context(), chats.Turn{ID: "t", Number: 1, Model: "ollama:m", State: chats.Interrupted, Events: []agent.Event{published, asked, started}}, "", st.find)
	drawn := func(name string, r row) {
		t.Run(name, func(t *testing.T) {
			slot := newSlot(st.drawer(r.kind))
			slot.bind(r)
			w := fyne.CurrentApp().NewWindow("")
			w.SetPadded(false)
			w.SetContent(slot)
			w.Resize(fyne.NewSize(796, slot.HeightFor(796)))
			defer w.Close()
			assertShown(t, name+".xml", w.Canvas())
		})
	}
	drawn("notice-asked", row{kind: rowNotice, id: "a", block: cutOff(chats.Waiting, published, asked), resumable: true})
	drawn("work-unknown-open", row{kind: rowWork, id: "b", block: saved.Blocks[0], open: true})
	drawn("problem-counting", row{kind: rowProblem, id: "c", turn: 1, block: st.open.turns[1].Blocks[0], left: 20})
	done := map[string]bool{}
	for _, r := range append(st.rows, row{kind: rowSync, id: rowSync}, row{kind: rowOpening, id: rowOpening}) {
		name := r.kind
		if n, ok := r.block.(*answers.Notice); ok {
			name += "-" + n.Name
		}
		if w, ok := r.block.(*answers.Work); ok && w.State == answers.WorkRunning {
			name += "-running"
		}
		switch r.kind {
		case rowSaid, rowTable, rowChart, rowNote, rowEnd:
			continue
		}
		if done[name] {
			continue
		}
		done[name] = true
		drawn(name, r)
		switch r.kind {
		case rowWork, rowThinking:
			r.open = true
			drawn(name+"-open", r)
		}
	}
	if len(done) < 14 {
		t.Errorf("only %d kinds were drawn: %v", len(done), done)
	}
}
