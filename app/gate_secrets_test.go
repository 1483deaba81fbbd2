package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"bowerbird/app/agent/agenttest"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/ndb"
	"bowerbird/tools"
)

// canary is a secret that must be nowhere.
type canary struct {
	kind  string
	text  string // as it is written
	heart string // the part of it that must be nowhere, in small letters
}

// planted makes secrets of every kind up: the same ones every time.
type planted struct {
	*rand.Rand
	all []canary
}

const (
	base62 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	bech32 = "023456789acdefghjklmnpqrstuvwxyz"
	hexed  = "0123456789abcdef"
)

func (c *planted) random(of string, n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte(of[c.IntN(len(of))])
	}
	return b.String()
}

// add makes a secret of a kind: before and behind its heart stands what tells it.
func (c *planted) add(kind, before, of string, n int, behind string) string {
	heart := c.random(of, n-1) + "7" // some forms have to have a digit
	text := before + heart + behind
	c.all = append(c.all, canary{kind, text, strings.ToLower(heart)})
	return text
}

// shaped makes n secrets of each form that is known by its looks.
func (c *planted) shaped(n int) {
	for range n {
		for _, start := range []string{
			"sk-", "sk-proj-", "sk-ant-api03-", "sk-or-v1-", "gsk_", "AIzaSy", "xai-", "pplx-", "hf_", "r8_", "tgp_v1_",
			"ghp_", "github_pat_", "glpat-", "xoxb-", "sk_live_",
		} {
			c.add("key of a provider's shape", start, base62, 32, "")
		}
		c.add("access key", "AKIA", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", 16, "")
		c.add("bearer", "Bearer ", base62, 32, "")
		c.add("nsec", "nsec1", bech32, 58, "")
		c.add("nsec in capitals", "NSEC1", strings.ToUpper(bech32), 58, "")
		c.add("nsec in a link", "nostr:nsec1", bech32, 58, "?x=1")
		c.add("ncryptsec", "ncryptsec1", bech32, 120, "")
		c.add("bunker", "bunker://", hexed, 64, "?relay=wss://relay.example&secret=abc")
		c.add("nostrconnect", "nostrconnect://", hexed, 64, "?relay=wss://relay.example&secret=abc")
		c.add("wallet", "nostr+walletconnect://"+strings.Repeat("ab", 32)+"?relay=wss://relay.example&secret=", hexed, 64, "")
		c.add("private key", "-----BEGIN PRIVATE KEY-----\n", base62, 64, "\n-----END PRIVATE KEY-----.")
	}
}

// secretsWorld is an App in which secrets stand everywhere: in the environment, in the
// keyring, in notes and profiles, in what tools answer, in the question and in what the
// model says.
type secretsWorld struct {
	*App
	planted
	t      *testing.T
	model  *obeyer
	log    bytes.Buffer
	places config.Places
	key    string // of the model's server
	// Where was looked, and how many secrets were found.
	looked, found int
}

func newSecretsWorld(t *testing.T) *secretsWorld {
	t.Helper()
	keyring.MockInit()
	w := &secretsWorld{t: t, planted: planted{Rand: rand.New(rand.NewPCG(2, 200))}, model: startObeyer(t, remembers), places: config.Locate(t.TempDir(), "")}
	w.model.last = func(sent string) string { return "You said: " + sent }
	env := map[string]string{models.EnvKeysPassword: w.add("password", "", base62, 20, "")}
	for _, p := range llm.Providers() {
		for _, name := range p.KeyEnv {
			env[name] = w.add("key in the environment", "", base62, 32, "")
		}
	}
	for _, p := range llm.Providers() {
		if host, err := models.ServerHost(p.Name, "", config.Settings{}); err == nil { // entered in an earlier run
			secret := config.NewSecret(w.add("key in the keyring", "", base62, 32, ""))
			if err := (config.Keyring{}).SetModelKey(t.Context(), host, secret); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.shaped(6)
	leaky := func(context.Context, *tools.Env, actArgs) (said, error) {
		return said{w.everything(), "t0001: remember"}, nil
	}
	w.App = open(t, Options{
		Places: w.places, Getenv: func(name string) string { return env[name] },
		Logger: slog.New(slog.NewJSONHandler(&w.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Tools: []tools.Tool{
			tools.New("leaky", "Tells all.", tools.None, leaky),
			tools.New("failing", "Fails.", tools.None, func(context.Context, *tools.Env, actArgs) (said, error) { return nil, errors.New(w.everything()) }),
			tools.New("breaking", "Breaks.", tools.None, func(context.Context, *tools.Env, actArgs) (said, error) { panic(w.everything()) }),
			tools.New("remember", "Remembers.", tools.Local, leaky),
		},
		Settings: config.Settings{Models: map[string]config.ModelOptions{"custom": {Context: 1 << 20}, "custom:json": {Format: "json"}}},
	})
	w.key = w.add("key of the model's server", "", base62, 40, "")
	if _, err := w.Models().SetKey(t.Context(), "custom", w.model.URL+"/v1", w.key); err != nil {
		t.Fatal(err)
	}
	return w
}

// remembers carries each task out twice.
func remembers(task, _ string) []modelCall {
	c := modelCall{"remember", map[string]any{"content": task}}
	return []modelCall{c, c}
}

// everything is a text that holds all secrets.
func (w *secretsWorld) everything() string {
	var b strings.Builder
	for i, c := range w.all {
		fmt.Fprintf(&b, "%s: %s\n", c.kind, c.text)
		if i%3 == 0 {
			fmt.Fprintf(&b, "(%q) ", c.text)
		}
	}
	return b.String()
}

// leaks returns the secrets that stand in what was kept or sent.
func (w *secretsWorld) leaks(data []byte) (kinds []string) {
	low := bytes.ToLower(data)
	for _, c := range w.all {
		if bytes.Contains(low, []byte(c.heart)) {
			kinds = append(kinds, c.kind)
		}
	}
	return kinds
}

// none fails where a secret stands in data.
func (w *secretsWorld) none(where string, data []byte) {
	w.t.Helper()
	w.looked++
	if kinds := w.leaks(data); len(kinds) > 0 {
		w.found += len(kinds)
		slices.Sort(kinds)
		w.t.Errorf("%s holds %d secrets: %s", where, len(kinds), slices.Compact(kinds))
	}
}

// notes stores notes and profiles that hold all secrets.
func (w *secretsWorld) notes() {
	w.t.Helper()
	key := testkit.NewKey("leaky")
	profile := string(marshalled(map[string]string{"name": "leaky " + w.all[0].text, "about": w.everything()}))
	for _, raw := range [][]byte{key.Event(w.t, 0, gateNow.Unix(), profile), key.Event(w.t, 1, gateNow.Unix(), w.everything())} {
		report, err := w.Import(w.t.Context(), bytes.NewReader(raw), ndb.ImportOptions{})
		if err != nil || report.Stored != 1 {
			w.t.Fatalf("%+v, %v", report, err)
		}
	}
}

// The gate (security.md, T6 and T7), rows 002-1: 200 secrets of every kind, said in the
// question, by the model, by notes, profiles, tools, their errors and their panics, are
// in no byte that goes to any provider, is kept or is logged. A key is in the header of
// the request to its own host, and nowhere else.
func TestNoSecretIsInAnyByteThatLeavesOrIsKept(t *testing.T) {
	w := newSecretsWorld(t)
	w.notes()
	base := w.model.URL + "/v1"
	var chat string
	for _, model := range []string{"custom:native", "custom:net", "custom:json"} {
		for _, read := range [][]modelCall{
			{{"leaky", map[string]any{"content": w.everything()}}, {"failing", map[string]any{"content": "x"}}},
			{{"breaking", map[string]any{"content": w.all[0].text}}, {w.all[1].text, map[string]any{w.all[2].text: "x"}}},
			{{"query", map[string]any{"context": "any"}}, {"get_profile", map[string]any{"person": testkit.NewKey("leaky").PubKey}}},
		} {
			w.model.begin(read)
			answer, err := w.Ask(t.Context(), Question{
				Text: "Which of these are mine? " + w.everything(), Chat: chat, Looking: w.all[0].text,
				Model: models.Choice{ID: model, BaseURL: base},
			})
			if err != nil {
				t.Fatal(err)
			}
			if r := agenttest.Collect(answer.Events); r.Err != nil {
				t.Fatal(r.Err)
			}
			chat = answer.Chat.Info().ID
		}
	}
	// The chat that holds it all goes on with every other provider, in its own family.
	for _, p := range llm.Providers() {
		answer, err := w.Ask(t.Context(), Question{Text: "And " + w.all[3].text + "?", Chat: chat, Model: models.Choice{ID: p.Name + ":m", BaseURL: base}})
		if err != nil {
			t.Fatal(err)
		}
		agenttest.Collect(answer.Events)
	}
	w.opt.Logger.Error(w.everything(), "error", errors.New(w.everything()))

	w.wire(base)
	w.kept(chat)
	if !strings.Contains(w.log.String(), "a tool panicked") {
		t.Error("nothing was logged of the tool that broke")
	}
	w.none("the log", w.log.Bytes())
	if len(w.all) < 184 {
		t.Errorf("%d secrets, want 184", len(w.all))
	}
	t.Logf("%d leaks of %d secrets in %d requests, %d bytes of log and all that is kept, in %d places looked at", w.found, len(w.all), len(w.model.received()), w.log.Len(), w.looked)
}

// wire looks at all that went out.
func (w *secretsWorld) wire(base string) {
	w.t.Helper()
	paths := map[string]bool{}
	for _, r := range w.model.received() {
		paths[strings.TrimPrefix(r.URL.Path, "/v1")] = true
		w.none("a request's body to "+r.URL.Path, r.Body)
		w.none("an address", []byte(r.URL.String()))
		for name, values := range r.Header {
			for _, value := range values {
				if kept := strings.TrimPrefix(value, "Bearer "); kept == w.key && (name == "Authorization" || name == "X-Api-Key") {
					continue // its own host's
				}
				w.none("the header "+name, []byte(value))
			}
		}
	}
	for _, path := range []string{"/chat/completions", "/messages"} {
		if !paths[path] {
			w.t.Errorf("nothing went to %s%s, only to %v", base, path, paths)
		}
	}
}

// kept looks at all that is kept, but for the notes, which are others' own words.
func (w *secretsWorld) kept(chat string) {
	w.t.Helper()
	store, err := w.Chats()
	if err != nil {
		w.t.Fatal(err)
	}
	records := 0
	for record, err := range store.Records(w.t.Context()) {
		if err != nil {
			w.t.Fatal(err)
		}
		records++
		w.none("a turn that is kept", record)
	}
	if records == 0 {
		w.t.Error("no turn is kept")
	}
	for _, s := range w.Models().Sent(chat, "") {
		w.none("what is shown as sent", s.Body)
	}
	if err := w.SaveSettings(func(s *config.Settings) { s.Assistant.IdleMinutes = 7 }); err != nil {
		w.t.Error(err)
	}
	if _, err := w.Upkeep().BackUp(w.t.Context(), filepath.Join(w.places.Data, "backup")); err != nil {
		w.t.Error(err)
	}
	if err := w.Close(); err != nil {
		w.t.Error(err)
	}
	root := w.places.Data
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if path == w.places.Notes {
				return fs.SkipDir
			}
			return err
		}
		raw, err := os.ReadFile(path)
		w.none("the file "+strings.TrimPrefix(path, root), raw)
		return err
	})
	if err != nil {
		w.t.Error(err)
	}
}
