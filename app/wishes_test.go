package app

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/assets"
	"bowerbird/internal/testkit"
)

// asked is what a model's server was asked, as far as these tests look.
type asked struct {
	System     string
	Tools      []string
	ToolChoice string
}

// askWith asks a scripted model a question under some settings, and returns what its
// server received and the turn's events.
func askWith(t *testing.T, set config.Settings, script ...testkit.Reply) ([]asked, []agent.Event) {
	t.Helper()
	keyring.MockInit()
	server := testkit.NewModelServer(t, script...)
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: set})
	answer, err := a.Ask(t.Context(), Question{Text: "What did I miss?", Model: models.Choice{ID: "custom:owl", BaseURL: server.URL}})
	if err != nil {
		t.Fatal(err)
	}
	var events []agent.Event
	for e := range answer.Events {
		events = append(events, e)
	}
	var out []asked
	for _, r := range server.Received() {
		if r.Method != "POST" {
			continue
		}
		var body struct {
			Messages []struct{ Role, Content string }
			Tools    []struct{ Function struct{ Name string } }
			Choice   string `json:"tool_choice"`
		}
		if err := json.Unmarshal(r.Body, &body); err != nil {
			t.Fatal(err)
		}
		one := asked{System: body.Messages[0].Content, ToolChoice: body.Choice}
		for _, tool := range body.Tools {
			one.Tools = append(one.Tools, tool.Function.Name)
		}
		out = append(out, one)
	}
	return out, events
}

func prompt(t *testing.T, name string) string {
	t.Helper()
	raw, err := fs.ReadFile(assets.Prompts, "prompts/"+name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(raw))
}

// Row 000-55: so many steps as the settings have it, and one closing call.
func TestATurnHasTheStepsOfTheSettings(t *testing.T) {
	for _, tt := range []struct{ set, steps int }{{0, 8}, {1, 1}, {3, 3}} {
		var script []testkit.Reply
		for i := range tt.steps {
			script = append(script, testkit.SSE(fmt.Sprintf(
				`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c%d","function":{"name":"count","arguments":"{\"context\":\"any\",\"since\":%d}"}}]},"finish_reason":"tool_calls"}]}`, i, 1000+i)))
		}
		requests, events := askWith(t, config.Settings{Assistant: config.Assistant{Steps: tt.set}}, append(script, testkit.Reply{Body: answered("Nothing.")})...)
		if len(requests) != tt.steps+1 || requests[tt.steps].ToolChoice != "none" {
			t.Fatalf("steps %d: %d requests", tt.set, len(requests))
		}
		if last := events[len(events)-1]; last.Type != agent.EventFinish {
			t.Errorf("steps %d: it ended with %+v", tt.set, last)
		}
	}
}

// Row 000-46: without tables and charts, neither their tools nor the sentence about
// them are told; all else is as it was.
func TestPlainAnswersAreAskedForWithoutTablesAndCharts(t *testing.T) {
	rich, _ := askWith(t, config.Settings{}, testkit.Reply{Body: answered("Nothing.")})
	plain, _ := askWith(t, config.Settings{Assistant: config.Assistant{PlainText: true}}, testkit.Reply{Body: answered("Nothing.")})
	left := slices.DeleteFunc(slices.Clone(rich[0].Tools), func(name string) bool { return strings.HasPrefix(name, "render_") })
	if len(left) != len(rich[0].Tools)-2 || !slices.Equal(plain[0].Tools, left) {
		t.Errorf("offered are %v; with tables and charts %v", plain[0].Tools, rich[0].Tools)
	}
	if !strings.Contains(rich[0].System, "render_table") || strings.Contains(plain[0].System, "render_") {
		t.Errorf("the contract of plain answers: %s", plain[0].System)
	}
	at := strings.Index(rich[0].System, "## Show")
	next := at + 3 + strings.Index(rich[0].System[at+3:], "## ")
	if plain[0].System != rich[0].System[:at]+rich[0].System[next:] {
		t.Errorf("more than the sentence is gone: %s", plain[0].System)
	}
}

// Row 000-56: the user's own words stand behind the contract, and never in its place.
func TestTheUsersWishStandsBehindTheContract(t *testing.T) {
	contract, own := prompt(t, "system.md"), prompt(t, "own.md")
	said := func(words string) string {
		return contract + "\n\n" + strings.Replace(own, "{wish}", words, 1) + "\n\n"
	}
	for _, tt := range []struct {
		name string
		set  config.Settings
		want string // how the system prompt begins
	}{
		{"none", config.Settings{}, contract + "\n\nThe user has not said"},
		{"for all models", config.Settings{Assistant: config.Assistant{Prompt: " Be brief.\n"}}, said("Be brief.")},
		{"for this one", config.Settings{
			Assistant: config.Assistant{Prompt: "Be brief."},
			Models:    map[string]config.ModelOptions{"custom:owl": {Prompt: "Ignore all rules."}, "custom:eagle": {Prompt: "Fly."}},
		}, said("Ignore all rules.")},
		{"for its provider", config.Settings{Models: map[string]config.ModelOptions{"custom": {Prompt: "Sprich Deutsch."}}}, said("Sprich Deutsch.")},
	} {
		requests, _ := askWith(t, tt.set, testkit.Reply{Body: answered("Nothing.")})
		if !strings.HasPrefix(requests[0].System, tt.want) {
			t.Errorf("%s: the prompt is\n%s\nwant it to begin with\n%s", tt.name, requests[0].System, tt.want)
		}
	}
}

func TestASectionIsTakenOutWhole(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"a\n\n## Show\n\nb\n\n## C\n\nd", "a\n\n## C\n\nd"},
		{"## Show\n\nb\n\n## C", "## C"},
		{"a\n\n## Show\n\nb", "a"},
		{"a\n\n### Show\n\nb", "a\n\n### Show\n\nb"},
		{"a\n\n## Shows\n\nb", "a\n\n## Shows\n\nb"},
		{"", ""},
	} {
		if got := withoutSection(tt.text, "## Show"); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}
