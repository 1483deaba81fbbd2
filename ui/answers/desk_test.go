package answers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"text/template"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/app/sample"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/ui/answers"
)

var now = time.Date(2026, 3, 12, 14, 0, 0, 0, time.UTC)

func clock() time.Time { return now }

// desk is a store with the sample in it, and the saved chats beside it.
type desk struct {
	notes *ndb.Store
	me    nostr.PubKey
	chats *chats.Store
	n     int
}

func newDesk(t testing.TB, withSample bool) *desk {
	t.Helper()
	s, err := ndb.Open(t.TempDir(), ndb.Options{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	d := &desk{notes: s}
	if withSample {
		world, err := sample.Make(sample.Options{Seed: 1, Now: now})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Put(t.Context(), ndb.Batch{Events: world.Events}); err != nil {
			t.Fatal(err)
		}
		d.me = world.Me
	}
	d.chats, err = chats.NewStore(s.Bucket("chats"), chats.Options{Now: clock, NewID: func() string {
		d.n++
		return fmt.Sprintf("chat-%d", d.n)
	}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *desk) env() *tools.Env {
	return &tools.Env{
		Store: d.notes, Me: d.me, Now: clock, Zone: time.UTC,
		LastVisit: now.Add(-20 * time.Hour), Presented: &tools.Presented{},
	}
}

func (d *desk) find() answers.NoteFinder { return answers.StoreNotes{Store: d.notes} }

// play asks a model and returns the turn as it looked at the end, and as it looks
// when it is read back.
func (d *desk) play(t *testing.T, m llm.Model, question string) (live, saved answers.Turn) {
	t.Helper()
	return d.playUntil(t, t.Context(), m, question, nil)
}

func (d *desk) playUntil(t *testing.T, ctx context.Context, m llm.Model, question string, each func(answers.Turn)) (live, saved answers.Turn) {
	t.Helper()
	a, err := agent.New(agent.Options{Model: m, Tools: tools.BuiltinTools()})
	if err != nil {
		t.Fatal(err)
	}
	chat, err := d.chats.New("session")
	if err != nil {
		t.Fatal(err)
	}
	name := m.Info().Provider + ":" + m.Info().Name
	turn := agent.Turn{ID: "t", Question: question, Env: d.env()}
	asm := answers.NewAssembler(answers.Turn{Number: 1, Question: question, Asked: now, Model: name, Host: "model.example"}, d.find())
	for e := range chat.Record(ctx, turn, name, a.Run(ctx, chat.Conversation(), turn)) {
		asm.Add(t.Context(), e)
		if each != nil {
			each(asm.Turn())
		}
	}
	back, err := d.chats.Load(t.Context(), chat.Info().ID)
	if err != nil {
		t.Fatal(err)
	}
	return asm.Turn(), answers.SavedTurn(t.Context(), back.Turns[0], "model.example", d.find())
}

func wantEqual(t *testing.T, live, saved answers.Turn) {
	t.Helper()
	if live.State != saved.State {
		t.Errorf("live is %s, saved %s", live.State, saved.State)
	}
	if !reflect.DeepEqual(live.Blocks, saved.Blocks) {
		t.Errorf("live:\n%s\nsaved:\n%s", outline(live), outline(saved))
	}
}

func (d *desk) overHTTP(t testing.TB, replies ...testkit.Reply) *llm.Client {
	t.Helper()
	s := testkit.NewModelServer(t, replies...)
	row, ok := llm.FindProvider("custom")
	if !ok {
		t.Fatal("no custom provider")
	}
	c, err := llm.New(llm.Options{Provider: row, Model: "m", BaseURL: s.URL, HTTP: s.Client(), Tries: -1})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// reply reads a recorded answer of a model's server, and the text of it.
func reply(t testing.TB, path string) (testkit.Reply, string) {
	t.Helper()
	raw, err := os.ReadFile(strings.TrimSuffix(path, ".sse") + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var made struct{ Text string }
	if err := json.Unmarshal(raw, &made); err != nil {
		t.Fatal(err)
	}
	r := testkit.RecordedReply(t, path)
	r.Chunks = []int{40}
	return r, made.Text
}

func find[B answers.Block](t answers.Turn) (b B) {
	for _, block := range t.Blocks {
		if found, ok := block.(B); ok {
			return found
		}
	}
	return b
}

func keysDiffer(t *testing.T, turn answers.Turn) {
	t.Helper()
	seen := map[string]bool{}
	for _, b := range turn.Blocks {
		if seen[b.Key()] {
			t.Errorf("two blocks are called %s", b.Key())
		}
		seen[b.Key()] = true
	}
}

func texts(t answers.Turn) string {
	var all []string
	for _, b := range t.Blocks {
		switch b := b.(type) {
		case *answers.Said:
			all = append(all, b.Markdown)
		case *answers.Digest:
			all = append(all, b.Markdown)
		case *answers.Refusal:
			all = append(all, b.Text)
		}
	}
	return strings.Join(all, "\n\n")
}

func english(all []answers.Phrase) string {
	var s []string
	for _, p := range all {
		s = append(s, inEnglish(p))
	}
	return strings.Join(s, " | ")
}

// outline writes a turn's blocks, a line or more each.
func outline(t answers.Turn) string {
	var b strings.Builder
	for _, block := range t.Blocks {
		fmt.Fprintf(&b, "%s: ", block.Key())
		switch block := block.(type) {
		case *answers.Said:
			fmt.Fprintf(&b, "%q (final %v, %d sources)", block.Markdown, block.Final, block.Sources)
		case *answers.Work:
			fmt.Fprintf(&b, "%s [%s] %d", inEnglish(block.Words), english(block.Facts), block.State)
			for _, l := range block.Lines {
				fmt.Fprintf(&b, "\n    %s [%s] %d %s (%d calls)", inEnglish(l.Words), english(l.Facts), l.State, l.Problem, len(l.Details))
			}
		case *answers.Sources:
			for _, s := range block.List {
				fmt.Fprintf(&b, "\n    %d %s: %s", s.Index, s.Author, s.Quote)
			}
		case *answers.Coverage:
			fmt.Fprint(&b, english(block.Words))
		case *answers.Notice:
			fmt.Fprint(&b, inEnglish(block.Words), " ", inEnglish(block.Then), " ", block.Actions)
		case *answers.Problem:
			fmt.Fprint(&b, inEnglish(block.Title), ": ", english(block.Words), " ", block.Actions)
		case *answers.Foot:
			fmt.Fprint(&b, block.Model)
		case *answers.Table:
			fmt.Fprintf(&b, "%s, %d rows", block.Title, len(block.Rows))
		default:
			fmt.Fprintf(&b, "%+v", block)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// inEnglish writes words without a translation and with bare numbers and times.
func inEnglish(w answers.Phrase) string {
	t, err := template.New("").Parse(w.Text)
	if err != nil {
		return w.Text
	}
	var b strings.Builder
	data := map[string]any{}
	for name, value := range w.Data {
		if at, ok := value.(time.Time); ok {
			value = at.Format("Mon 15:04")
		}
		data[name] = value
	}
	if t.Execute(&b, data) != nil {
		return w.Text
	}
	return b.String()
}
