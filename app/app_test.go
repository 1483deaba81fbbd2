package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"bowerbird/app/agent/agenttest"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/app/sample"
	"bowerbird/app/upkeep"
	"bowerbird/internal/testworld"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// clock is a time that a test moves.
type clock struct{ now time.Time }

func (c *clock) time() time.Time { return c.now }

// samples are the folders of the samples that were made, by the hour that they are of.
var samples = map[time.Time]string{}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, dir := range samples {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// laySample puts a sample in its place that is as old as the program would make it, unless
// something lies there: a copy, since making one takes as long as many tests.
func laySample(t *testing.T, places config.Places, now time.Time) {
	t.Helper()
	if _, err := os.Stat(places.ForSample().Notes); err == nil {
		return
	}
	hour := now.UTC().Truncate(time.Hour)
	if samples[hour] == "" {
		dir, err := os.MkdirTemp("", "bowerbird-sample")
		if err != nil {
			t.Fatal(err)
		}
		samples[hour] = dir
		made := config.Locate(dir, "")
		s, err := openSample(t.Context(), made, ndb.Options{Now: func() time.Time { return now }}, now)
		if err == nil {
			err = s.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(places.ForSample().Notes, os.DirFS(config.Locate(samples[hour], "").Notes)); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, o Options) *App {
	t.Helper()
	if o.Sample {
		now := time.Now
		if o.Now != nil {
			now = o.Now
		}
		laySample(t, o.Places, now())
	}
	a, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

func TestWhoeverHasClosedTheAppCanOpenItAgain(t *testing.T) {
	o := Options{Places: config.Locate(t.TempDir(), "")}
	a := open(t, o)
	closed := make(chan error, 2)
	for range cap(closed) {
		go func() { closed <- a.Close() }()
	}
	if err := <-closed; err != nil { // the first to come back, whichever it is
		t.Fatal(err)
	}
	open(t, o)
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

func TestAVisitEndsWhenNothingWasAskedForHalfAnHour(t *testing.T) {
	c := &clock{time.Date(2026, 5, 4, 8, 0, 0, 0, time.UTC)}
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Now: c.time})
	steps := []struct {
		name string
		wait time.Duration
		want time.Time // when the user was last here
	}{
		{"the first visit", 0, time.Time{}},
		{"a question later in it", 10 * time.Minute, time.Time{}},
		{"the next day", 24 * time.Hour, time.Date(2026, 5, 4, 8, 10, 0, 0, time.UTC)},
		{"still that visit", 29 * time.Minute, time.Date(2026, 5, 4, 8, 10, 0, 0, time.UTC)},
		{"after lunch", 2 * time.Hour, time.Date(2026, 5, 5, 8, 39, 0, 0, time.UTC)},
	}
	for _, s := range steps {
		c.now = c.now.Add(s.wait)
		before, err := a.LastVisit(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.Visit(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !got.Equal(s.want) || !before.Equal(s.want) {
			t.Errorf("%s: last here %v (looked up before: %v), want %v", s.name, got, before, s.want)
		}
	}
}

func TestTheSampleIsMadeAnewWhenItsNewestNoteIsOld(t *testing.T) {
	if testing.Short() {
		t.Skip("makes two samples: not beside the race detector")
	}
	c := &clock{time.Date(2026, 5, 4, 20, 0, 0, 0, time.UTC)}
	places := config.Locate(t.TempDir(), "")
	newest := func() (nostr.ID, int64) {
		a := open(t, Options{Places: places, Sample: true, Now: c.time})
		defer func() { _ = a.Close() }()
		one := 1
		for e, err := range a.Notes().Query(t.Context(), ndb.QueryOptions{}, nostr.Filter{Kinds: []uint16{1}, Limit: &one}) {
			if err != nil {
				t.Fatal(err)
			}
			return e.ID, e.CreatedAt
		}
		t.Fatal("an empty sample")
		return nostr.ID{}, 0
	}
	first, _ := newest()
	c.now = c.now.Add(4 * time.Hour)
	if again, _ := newest(); again != first {
		t.Error("a fresh sample was made anew")
	}
	c.now = c.now.Add(24 * time.Hour)
	later, at := newest()
	if age := c.now.Sub(time.Unix(at, 0)); later == first || age > sampleAge {
		t.Errorf("an old sample was kept: its newest note is %v old", age)
	}
}

func TestAHalfMadeSampleIsMadeAgain(t *testing.T) {
	now := time.Date(2026, 5, 4, 20, 0, 0, 0, time.UTC)
	places := config.Locate(t.TempDir(), "")
	w, err := sample.Make(sample.Options{Now: now, Seed: sampleSeed})
	if err != nil {
		t.Fatal(err)
	}
	s, err := ndb.Open(places.ForSample().Notes, ndb.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(t.Context(), ndb.Batch{Events: w.Events[:50]}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	a := open(t, Options{Places: places, Sample: true, Now: func() time.Time { return now }})
	if stats, err := a.Notes().Stats(t.Context()); err != nil || stats.Events < 1500 {
		t.Errorf("%d events, %v", stats.Events, err)
	}
	if a.Me() != w.Me {
		t.Error("the sample is read by somebody else")
	}
}

func TestTheReadersOwnEventsAreKeptInTheOwnStore(t *testing.T) {
	now := time.Date(2026, 5, 4, 20, 0, 0, 0, time.UTC)
	w, err := testworld.Make(testworld.Options{Now: now, Seed: 3, People: 40, Followed: 14, Events: 500})
	if err != nil {
		t.Fatal(err)
	}
	var in strings.Builder
	mine := 0
	for _, e := range w.Events {
		in.Write(append(e.AppendJSON(nil), '\n'))
		if e.PubKey == w.Me && (e.Kind < 20000 || e.Kind >= 30000) {
			mine++
		}
	}
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), As: w.Me.Npub(), Now: func() time.Time { return now }})
	if _, err := a.Import(t.Context(), strings.NewReader(in.String()), ndb.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	kept, err := a.own.Count(t.Context(), ndb.QueryOptions{Hidden: true}, nostr.Filter{})
	if err != nil || kept == 0 || kept > mine {
		t.Errorf("%d of my %d events in the own store, %v", kept, mine, err)
	}
	for e, err := range a.own.Query(t.Context(), ndb.QueryOptions{}, nostr.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.PubKey != w.Me {
			t.Error("somebody else's event is in the own store")
		}
	}
}

func TestAKeyOfTheEnvironmentGoesToItsProviderAlone(t *testing.T) {
	keyring.MockInit()
	env := func(name string) string {
		if name == "OPENAI_API_KEY" {
			return "sk-from-the-environment"
		}
		return ""
	}
	tests := []struct {
		name, id, base, want string // want: part of the error; "" for none
	}{
		{"its own host", "openai:gpt", "", ""},
		{"another host", "openai:gpt", "https://evil.example/v1", "model key openai --base-url https://evil.example\""},
		{"another provider", "groq:llama", "", "needs an API key"},
		{"a server at home needs none", "ollama:qwen3", "", ""},
		{"an unknown provider", "acme:x", "", "no provider is called"},
		{"no model", "openai", "", "PROVIDER:MODEL"},
		{"a server without an address", "custom:x", "", "--base-url"},
		{"plain http to a public host is not set up", "custom:x", "ftp://example.com", "http"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := models.New(models.Options{Places: config.Locate(t.TempDir(), ""), Settings: func() config.Settings { return config.Settings{} }, Getenv: env})
			_, err := r.Client(t.Context(), models.Choice{ID: tt.id, BaseURL: tt.base})
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%v; want %q", err, tt.want)
			}
		})
	}
}

func TestDataAreNotRemovedFromUnderAnOpenStore(t *testing.T) {
	places := config.Locate(filepath.Join(t.TempDir(), "all"), "")
	a := open(t, Options{Places: places})
	var inUse *ndb.InUseError
	if err := upkeep.RemoveData(places); !errors.As(err, &inUse) {
		t.Errorf("%v; want that it is in use", err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	strange := filepath.Join(places.Data, "a letter of mine")
	if err := os.WriteFile(strange, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	// What repairs, restorations and kills leave beside the stores holds the same.
	for _, left := range []string{
		"own.repaired", "own-damaged-20260102-030405", "own-damaged-20260102-030405-2", "own-before-20260102-030405",
		"notes.repaired", "notes-damaged-20260102-030405", ".verifying-1234", ".settings-1234",
	} {
		if err := os.MkdirAll(filepath.Join(places.Data, left), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := upkeep.RemoveData(places); err != nil {
		t.Error(err)
	}
	left, err := os.ReadDir(places.Data)
	if err != nil || len(left) != 1 {
		t.Errorf("left: %v, %v; want the letter alone", left, err)
	}
}

func TestAnAnswerIsKeptAsAChat(t *testing.T) {
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Sample: true, Now: time.Now})
	answer, err := a.Ask(t.Context(), Question{Text: "What did I miss since yesterday?"})
	if err != nil {
		t.Fatal(err)
	}
	result := agenttest.Collect(answer.Events)
	if err := answer.Chat.Err(); err != nil {
		t.Fatal(err)
	}
	store, err := a.Chats()
	if err != nil {
		t.Fatal(err)
	}
	chat, err := store.Load(context.Background(), answer.Chat.Info().ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(chat.Turns) != 1 || chat.Turns[0].Answer() != result.Text || result.Text == "" {
		t.Errorf("%d turns; kept %q, said %q", len(chat.Turns), chat.Turns[0].Answer(), result.Text)
	}
	if _, err := a.Ask(t.Context(), Question{Text: "And?", Chat: "nosuchchat"}); err == nil {
		t.Error("an unknown chat was opened")
	}
	if _, err := a.Ask(t.Context(), Question{Text: "  "}); err == nil {
		t.Error("an empty question was asked")
	}
}

func TestToolsAndNamesComeInFromOutside(t *testing.T) {
	told := tools.New("tell_time", "Tells the time.", tools.None, func(context.Context, *tools.Env, struct{}) (tools.CountResult, error) {
		return tools.CountResult{Count: 7}, nil
	})
	ids := 0
	opt := Options{Places: config.Locate(t.TempDir(), ""), Sample: true, Tools: []tools.Tool{told}, NewID: func() string {
		ids++
		return fmt.Sprintf("id-%d", ids)
	}}
	a := open(t, opt)
	if _, there := a.Tools().Get("tell_time"); !there {
		t.Error("the tool is not offered")
	}
	answer, err := a.Ask(t.Context(), Question{Text: "What did I miss since yesterday?"})
	if err != nil {
		t.Fatal(err)
	}
	agenttest.Collect(answer.Events)
	if id := answer.Chat.Info().ID; id != "id-1" {
		t.Errorf("the chat is called %s", id)
	}
	opt.Places, opt.Tools = config.Locate(t.TempDir(), ""), a.Tools().All()
	if _, err := Open(t.Context(), opt); err == nil {
		t.Error("two tools of one name are taken")
	}
}

func TestAQuestionWithWordsByOthersTaintsItsChatBeforeItIsAnswered(t *testing.T) {
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Sample: true, Now: time.Now})
	for _, foreign := range []bool{true, false} {
		answer, err := a.Ask(t.Context(), Question{Text: "What's new about #choir this week?", Foreign: foreign})
		if err != nil {
			t.Fatal(err)
		}
		if got := answer.Chat.Info().Tainted; got != foreign {
			t.Errorf("words by others: %v, tainted: %v", foreign, got)
		}
		agenttest.Collect(answer.Events)
	}
}

func TestAnAnswerMadeWhileNotesArriveSaysSo(t *testing.T) {
	now := time.Date(2026, 5, 4, 20, 0, 0, 0, time.UTC)
	w, err := testworld.Make(testworld.Options{Now: now.Add(-30 * 24 * time.Hour), Seed: 3, People: 40, Followed: 14, Events: 300})
	if err != nil {
		t.Fatal(err)
	}
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), As: w.Me.Npub(), Now: func() time.Time { return now }, Zone: time.UTC})
	if _, err := a.Notes().Put(t.Context(), ndb.Batch{Events: w.Events}); err != nil {
		t.Fatal(err)
	}
	text := func() string {
		answer, err := a.Ask(t.Context(), Question{Text: "What did I miss since yesterday?"})
		if err != nil {
			t.Fatal(err)
		}
		return agenttest.Collect(answer.Events).Text
	}
	quiet := text()
	a.syncing.Store(true)
	if busy := text(); busy == quiet {
		t.Errorf("the answer is the same while a sync runs: %s", busy)
	} else {
		t.Log(busy)
	}
}
