package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"bowerbird/internal/testkit"
	"bowerbird/internal/testworld"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// result is what a command left behind.
type result struct {
	code     int
	out, err string
}

// bowerbird runs one command line in this process.
func bowerbird(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	keyring.MockInit() // never the machine's own keyring
	return withItsKeyring(t, stdin, args...)
}

// withItsKeyring is bowerbird with the keyring that the test has set up.
func withItsKeyring(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var out, errOut bytes.Buffer
	code := run(t.Context(), args, streams{in: strings.NewReader(stdin), out: &out, err: &errOut})
	return result{code, out.String(), errOut.String()}
}

// world writes a made-up world as JSON Lines and returns it with the file.
func world(t *testing.T) (*testworld.World, string) {
	t.Helper()
	w, err := testworld.Make(testworld.Options{Now: time.Now(), Seed: 7, People: 40, Followed: 14, Events: 400, Days: 3})
	if err != nil {
		t.Fatal(err)
	}
	var lines []byte
	for _, e := range w.Events {
		lines = append(e.AppendJSON(lines), '\n')
	}
	file := filepath.Join(t.TempDir(), "world.jsonl")
	if err := os.WriteFile(file, lines, 0o600); err != nil {
		t.Fatal(err)
	}
	return w, file
}

func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return v
}

func TestAnImportAccountsForEveryLineAndASecondStoresNothing(t *testing.T) {
	w, file := world(t)
	data := t.TempDir()
	broken := "not json\n{\"id\":1}\n\x00\x01\x02\n" + string(w.Events[0].AppendJSON(nil))
	first := bowerbird(t, broken, "--data", data, "--json", "import", file, "-")
	if first.code != exitDone {
		t.Fatalf("exit %d: %s", first.code, first.err)
	}
	r := decode[ndb.ImportReport](t, first.out)
	invalid := 0
	for _, n := range r.Invalid {
		invalid += n
	}
	if sum := r.Stored + r.Duplicate + r.Replaced + r.Deleted + r.Expired + r.Ephemeral + invalid; r.Read != sum || r.Read != len(w.Events)+4 || invalid != 3 {
		t.Errorf("read %d, sum %d, invalid %d of %d lines: %+v", r.Read, sum, invalid, len(w.Events)+4, r)
	}
	if !strings.Contains(first.err, "-:1: skipped") || !strings.Contains(first.err, "-:3: skipped") {
		t.Errorf("broken lines are not named: %s", first.err)
	}
	second := decode[ndb.ImportReport](t, bowerbird(t, "", "--data", data, "--json", "import", file).out)
	if second.Stored != 0 || second.Read != len(w.Events) {
		t.Errorf("second import: %+v", second)
	}
}

func TestReqAndExportAnswerFromTheStore(t *testing.T) {
	w, file := world(t)
	data := t.TempDir()
	bowerbird(t, "", "--data", data, "import", file)
	got := bowerbird(t, "", "--data", data, "req", `{"kinds":[1],"limit":5}`)
	lines := strings.Split(strings.TrimSpace(got.out), "\n")
	if got.code != exitDone || len(lines) != 5 {
		t.Fatalf("exit %d, %d lines: %s", got.code, len(lines), got.err)
	}
	last := int64(1) << 53
	for _, line := range lines {
		e, err := nostr.ParseEvent([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind != 1 || e.CreatedAt > last || e.Verify() != nil {
			t.Errorf("kind %d at %d after %d, %v", e.Kind, e.CreatedAt, last, e.Verify())
		}
		last = e.CreatedAt
	}
	all := bowerbird(t, "", "--data", data, "export")
	again := t.TempDir()
	back := decode[ndb.ImportReport](t, bowerbird(t, all.out, "--data", again, "--json", "import", "-").out)
	if back.Stored != strings.Count(all.out, "\n") {
		t.Errorf("%d of %d exported events came back", back.Stored, strings.Count(all.out, "\n"))
	}
	if len(w.Events) == 0 {
		t.Error("an empty world")
	}
}

func TestWrongUsageIsExit2AndSaysWhatIsWrong(t *testing.T) {
	data := t.TempDir()
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"an unknown command", []string{"frobnicate"}, "frobnicate"},
		{"an unknown flag", []string{"stats", "--frob"}, "--frob"},
		{"an argument of a command that takes none", []string{"check", "--repair", "/somewhere"}, `takes no arguments, but "/somewhere" was given`},
		{"a missing argument", []string{"import"}, "import needs FILE..."},
		{"a broken filter", []string{"req", `{"kinds":"one"}`}, "kinds"},
		{"an unknown field of a filter", []string{"req", `{"kind":1}`}, "kind"},
		{"an unknown tool", []string{"tool", "nothing"}, "query"},
		{"a wrong argument of a tool", []string{"query", `{"limit":"many","context":"any"}`}, "limit"},
		{"a wrong log level", []string{"--log-level", "loud", "stats"}, "loud"},
		{"a wrong approval", []string{"ask", "hello", "--approve", "always"}, "never or ask"},
		{"nothing to take up", []string{"ask", "--resume"}, "--resume needs --chat"},
		{"a question beside what is taken up", []string{"ask", "--resume", "--chat", "x", "hello"}, "takes no question"},
		{"a resumed answer without tables", []string{"ask", "--resume", "--plain", "--chat", "x"}, "goes on as it was asked for"},
		{"nobody to sync", []string{"sync", "--once"}, "--as"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := bowerbird(t, "", append([]string{"--data", data}, tt.args...)...)
			if r.code != exitUsage || !strings.Contains(r.err, tt.want) || r.out != "" {
				t.Errorf("exit %d, out %q, err %q; want exit 2 and %q", r.code, r.out, r.err, tt.want)
			}
		})
	}
}

func TestAStoreInUseIsExit3AndNamesTheProcess(t *testing.T) {
	data := t.TempDir()
	bowerbird(t, "", "--data", data, "stats")
	s, err := ndb.Open(filepath.Join(data, "notes"), ndb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := bowerbird(t, "", "--data", data, "stats")
	if r.code != exitUnusable || !strings.Contains(r.err, "process") || !strings.Contains(r.err, "close it") {
		t.Errorf("exit %d: %s", r.code, r.err)
	}
}

// aKey is NIP-19's example of a public key.
const aKey = "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6"

func TestASecretKeyIsRefusedAndNotRepeated(t *testing.T) {
	const nsec = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5" // NIP-19's example
	for _, args := range [][]string{
		{"sync", "--once", "--as", nsec},
		{"ask", "hello", "--as", nsec},
		{"sync", "--author", nsec},
		{"sync", "--as", aKey, "--relay", nsec},
		{"sync", nsec},
		{nsec},
		{"ask", "--chat", nsec, "hello"},
		{"ask", "--model", nsec, "hello"},
		{"model", "test", "--model", nsec},
		{"req", nsec},
		{"import", nsec},
	} {
		r := bowerbird(t, "", append([]string{"--data", t.TempDir()}, args...)...)
		if r.code == exitDone || strings.Contains(r.out+r.err, nsec[5:25]) {
			t.Errorf("%v: exit %d, %s", args[0], r.code, r.err)
		}
	}
}

// event is an agent event as ask --json prints it, as far as the test looks.
type event struct {
	Type    string
	Turn    string
	Step    int
	Delta   string
	Notes   []struct{ Index int }
	Missing []string
	Reason  string
}

func TestTheSampleIsDigestedOffline(t *testing.T) {
	data := t.TempDir()
	r := bowerbird(t, "", "--data", data, "--sample", "--json", "ask", "What did I miss since yesterday?")
	if r.code != exitDone {
		t.Fatalf("exit %d: %s", r.code, r.err)
	}
	text, presented, finish := "", 0, ""
	for line := range strings.Lines(r.out) {
		e := decode[event](t, line)
		if e.Turn == "" {
			t.Errorf("no turn in %s", line)
		}
		switch e.Type {
		case "text":
			text += e.Delta
		case "present_notes":
			presented += len(e.Notes)
			if len(e.Missing) > 0 {
				t.Errorf("missing: %v", e.Missing)
			}
		case "error":
			t.Errorf("error: %s", line)
		case "finish":
			finish = e.Reason
		}
	}
	if presented < 5 || finish != "stop" || !strings.Contains(text, "^1") || !strings.Contains(text, "No language model was used") {
		t.Errorf("%d notes presented, finish %q, text %s", presented, finish, text)
	}
	if _, err := os.Stat(filepath.Join(data, "notes")); err == nil {
		t.Error("the sample touched the user's own notes")
	}
}

func TestTheTerminalShowsTheSourcesOfADigest(t *testing.T) {
	r := bowerbird(t, "", "--data", t.TempDir(), "--sample", "ask", "What did I miss since yesterday?")
	if r.code != exitDone || !strings.Contains(r.out, "\nSources\n^1 ") || !strings.Contains(r.out, "nostr:note1") {
		t.Errorf("exit %d: %s %s", r.code, r.out, r.err)
	}
	if strings.ContainsAny(r.out, "\x1b\x07\r") {
		t.Error("a pipe got control characters")
	}
}

func TestDataAreRemovedAfterAskingOnly(t *testing.T) {
	data := filepath.Join(t.TempDir(), "all")
	bowerbird(t, "", "--data", data, "stats")
	if r := bowerbird(t, "no\n", "--data", data, "data", "remove"); r.code != exitFailed {
		t.Errorf("exit %d", r.code)
	}
	if _, err := os.Stat(filepath.Join(data, "notes")); err != nil {
		t.Error("removed without a yes")
	}
	if r := bowerbird(t, "remove\n", "--data", data, "data", "remove"); r.code != exitDone {
		t.Errorf("exit %d: %s", r.code, r.err)
	}
	if _, err := os.Stat(data); !os.IsNotExist(err) {
		t.Error("something was left")
	}
}

func TestAStoppedCommandEndsCleanly(t *testing.T) {
	_, file := world(t)
	data := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errOut bytes.Buffer
	if code := run(ctx, []string{"--data", data, "import", file}, streams{strings.NewReader(""), &out, &errOut}); code == exitDone {
		t.Errorf("a cancelled import says that it is done: %s", out.String())
	}
	if r := bowerbird(t, "", "--data", data, "--json", "check"); r.code != exitDone {
		t.Errorf("check after a stop: exit %d, %s", r.code, r.out)
	}
}

func TestHelpNamesEveryCommandOfTheContract(t *testing.T) {
	help := bowerbird(t, "", "--help").out
	for _, name := range []string{"import", "export", "req", "query", "tool", "mcp", "sync", "coverage", "ask", "model", "stats", "check", "doctor", "data", "backup", "restore", "prune", "compact"} {
		if !strings.Contains(help, "\n  "+name+" ") {
			t.Errorf("--help does not name %s", name)
		}
	}
}

func TestAFileWithoutAnyEventIsAFailureThatSaysWhatIsWanted(t *testing.T) {
	r := bowerbird(t, "\x1f\x8b\x08\x00 not even text", "--data", t.TempDir(), "--json", "import", "-")
	if r.code != exitFailed || !strings.Contains(r.err, "JSON Lines") || !strings.Contains(r.out, `"stored":0`) {
		t.Errorf("exit %d: %s %s", r.code, r.out, r.err)
	}
}

// Row 000-46.
func TestAPlainAnswerHasNoTableAndNoChart(t *testing.T) {
	data := t.TempDir()
	for _, question := range []string{"Top hashtags this week", "Top hashtags this week, as a chart"} {
		rich := bowerbird(t, "", "--data", data, "--sample", "--json", "ask", question)
		plain := bowerbird(t, "", "--data", data, "--sample", "--json", "ask", "--plain", question)
		shown := func(r result) bool {
			return strings.Contains(r.out, `"type":"table"`) || strings.Contains(r.out, `"type":"chart"`)
		}
		if rich.code != exitDone || plain.code != exitDone || !shown(rich) || shown(plain) || strings.Contains(plain.out, `"type":"error"`) {
			t.Errorf("%s: exit %d, %d; shown %v, %v: %s", question, rich.code, plain.code, shown(rich), shown(plain), plain.out)
		}
	}
}

// full is a writer that takes nothing, as a full disk does.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestAResultThatCannotBePrintedIsAFailure(t *testing.T) {
	data := t.TempDir()
	for _, args := range [][]string{{"stats"}, {"--json", "stats"}, {"--sample", "ask", "help"}} {
		var errOut bytes.Buffer
		code := run(t.Context(), append([]string{"--data", data}, args...), streams{strings.NewReader(""), full{}, &errOut})
		if code != exitFailed || !strings.Contains(errOut.String(), "no space left") {
			t.Errorf("%v: exit %d, %s", args, code, errOut.String())
		}
	}
}

func TestRemovingTheSampleLeavesTheUsersOwn(t *testing.T) {
	data := t.TempDir()
	bowerbird(t, "", "--data", data, "stats")
	bowerbird(t, "", "--data", data, "--sample", "stats")
	if r := bowerbird(t, "", "--data", data, "--sample", "data", "remove", "--yes"); r.code != exitDone {
		t.Fatalf("exit %d: %s", r.code, r.err)
	}
	if _, err := os.Stat(filepath.Join(data, "sample")); !os.IsNotExist(err) {
		t.Error("the sample is still there")
	}
	if _, err := os.Stat(filepath.Join(data, "notes")); err != nil {
		t.Error("the user's own notes are gone")
	}
}

func TestAFolderThatCannotBeOneIsExit3(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a file")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := bowerbird(t, "", "--data", file, "stats"); r.code != exitUnusable || !strings.Contains(r.err, "this is a file; name a folder") {
		t.Errorf("exit %d: %s", r.code, r.err)
	}
}

func TestEveryResultIsOneJSONObject(t *testing.T) {
	data := t.TempDir()
	for _, args := range [][]string{
		{"stats"},
		{"check"},
		{"doctor"},
		{"data"},
		{"chats"},
		{"tool", "--list"},
		{"coverage"},
		{"model", "list"},
		{"model", "test"},
		{"query", `{"context":"any"}`},
		{"data", "remove", "--yes"},
	} {
		r := bowerbird(t, "", append([]string{"--data", data, "--sample", "--json"}, args...)...)
		if r.code != exitDone || strings.Count(r.out, "\n") != 1 {
			t.Errorf("%v: exit %d, %q %s", args, r.code, r.out, r.err)
			continue
		}
		decode[map[string]any](t, r.out)
	}
}

func TestCoverageSpeaksOfThePeopleFollowed(t *testing.T) {
	r := bowerbird(t, "", "--data", t.TempDir(), "--sample", "coverage", "--since", "24h")
	if r.code != exitDone || !strings.Contains(r.out, "48 people complete. This is the sample: its notes are made up, and no relay is asked.") {
		t.Errorf("exit %d: %s %s", r.code, r.out, r.err)
	}
}

func TestWhatIsSentIsShownByteForByte(t *testing.T) {
	server := testkit.NewModelServer(t, testkit.SSE(`{"choices":[{"delta":{"content":"Ninety."},"finish_reason":"stop"}]}`))
	r := bowerbird(t, "", "--data", t.TempDir(), "ask", "How many?", "--model", "custom:owl", "--base-url", server.URL, "--show-request")
	sent := server.Received()
	if r.code != exitDone || len(sent) != 1 || !strings.Contains(r.err, "\n"+string(sent[0].Body)+"\n") || strings.Contains(r.out, "messages") {
		t.Errorf("exit %d: %s\n%s", r.code, r.out, r.err)
	}
	r = bowerbird(t, "", "--data", t.TempDir(), "--sample", "ask", "Top hashtags this week", "--show-request")
	if !strings.Contains(r.err, "Nothing was sent.") {
		t.Errorf("the built-in model: %s", r.err)
	}
}

// TestAChartThatCannotBeSavedIsNotLost: the answer stands, its charts as text, and the
// error names the folder.
func TestAChartThatCannotBeSavedIsNotLost(t *testing.T) {
	file := filepath.Join(t.TempDir(), "not-a-folder")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	data := t.TempDir()
	const question = "Top hashtags in the last 9 days, as a chart"
	whole := bowerbird(t, "", "--data", data, "--sample", "ask", question)
	r := bowerbird(t, "", "--data", data, "--sample", "ask", question, "--charts", filepath.Join(file, "charts"))
	if r.code != exitFailed || !strings.Contains(r.err, file) {
		t.Errorf("exit %d: %s", r.code, r.err)
	}
	bars := strings.Count(r.out, "█")
	if bars == 0 || bars != strings.Count(whole.out, "█") {
		t.Errorf("%d bars of %d:\n%s", bars, strings.Count(whole.out, "█"), r.out)
	}
}
