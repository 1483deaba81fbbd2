package answers

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bowerbird/app/chats"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/llm"
	"bowerbird/ui/present"
)

// constants returns the values of all constants of a type in a folder, so that a new
// one is not forgotten.
func constants(t *testing.T, folder, typeName string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if name, ok := spec.Type.(*ast.Ident); !ok || name.Name != typeName {
				return true
			}
			for _, v := range spec.Values {
				if lit, ok := v.(*ast.BasicLit); ok {
					s, err := strconv.Unquote(lit.Value)
					if err != nil {
						t.Fatal(err)
					}
					values = append(values, s)
				}
			}
			return true
		})
	}
	return values
}

// problemIn returns the block that says what went wrong.
func problemIn(t *testing.T, turn Turn) *Problem {
	t.Helper()
	for _, b := range turn.Blocks {
		if p, ok := b.(*Problem); ok {
			return p
		}
	}
	t.Fatal("nothing says what went wrong")
	return nil
}

func TestEveryKindOfErrorHasItsOwnWordsAndSomethingToDo(t *testing.T) {
	kinds := constants(t, "llm", "ErrorKind")
	if len(kinds) < 20 {
		t.Fatalf("only %d kinds were found: %v", len(kinds), kinds)
	}
	for _, kind := range kinds {
		for name, turn := range map[string]Turn{
			"elsewhere": {Model: "openrouter:some/model", Host: "openrouter.ai", Number: 1},
			"here":      {Model: "ollama:qwen3:8b", Number: 2},
			"builtin":   {Model: config.DefaultModel, Number: 1},
		} {
			if _, known := problems[kind]; !known {
				t.Fatalf("nothing is said about %q", kind)
			}
			p := problemOf(failure{kind: kind, message: "some words", status: 418}, turn)
			if p.Title.Text == "" || len(p.Actions) == 0 || len(p.Words) == 0 {
				t.Errorf("%s, %s: %+v", kind, name, p)
			}
			if strings.Contains(p.Title.Text, kind) && strings.Contains(kind, "_") {
				t.Errorf("%s is said as %q", kind, p.Title.Text)
			}
			if turn.Host != "" && (slices.Contains(p.Actions, StartServer) || slices.Contains(p.Actions, GetModel)) {
				t.Errorf("%s: a server elsewhere cannot be started from here", kind)
			}
		}
	}
}

func TestEveryCauseOfAnErrorHasItsOwnWordsAndSomethingToDo(t *testing.T) {
	causes := constants(t, "llm", "Cause")
	if len(causes) < 15 {
		t.Fatalf("only %d causes were found: %v", len(causes), causes)
	}
	said := map[string]string{}
	for _, c := range causes {
		if c == string(llm.CauseUnknown) {
			continue
		}
		p := problemOf(failure{kind: string(llm.KindTransport), cause: llm.Cause(c), message: "some words"}, Turn{Model: "custom:m", Host: "models.example"})
		all := english(p.Title)
		for _, w := range p.Words {
			all += " " + english(w)
		}
		if other, twice := said[all]; twice || len(p.Actions) == 0 || len(p.Words) < 2 || strings.Contains(all, "{{") || p.Title.Text == problems["transport"].title {
			t.Errorf("%s: %q, as %q", c, all, other)
		}
		said[all] = c
		if _, remedy := present.CauseWords(llm.Cause(c)); remedy == "" {
			t.Errorf("the settings say nothing of %q", c)
		}
	}
}

func TestAnErrorIsSaidByWhatIsBehindIt(t *testing.T) {
	here := Turn{Model: "ollama:qwen3:8b", Number: 1}
	hosted := Turn{Model: "openrouter:m", Host: "openrouter.ai", Number: 1}
	own := Turn{Model: "custom:m", Host: "models.example:8443", Number: 1}
	for name, tt := range map[string]struct {
		f     failure
		turn  Turn
		title string
		first Action
		kept  bool
	}{
		"a certificate that is over":             {failure{kind: "transport", cause: llm.CauseExpired}, own, "The certificate of models.example:8443 is not valid today", AskAgain, false},
		"a name that nobody has":                 {failure{kind: "offline", cause: llm.CauseName}, own, "No server is called models.example:8443", CheckAddress, false},
		"a provider's own name":                  {failure{kind: "offline", cause: llm.CauseName}, hosted, "The model's server cannot be reached", AskAgain, false},
		"nobody on this computer":                {failure{kind: "offline", cause: llm.CauseNobody}, here, "Ollama is not running on this computer", StartServer, false},
		"nobody elsewhere":                       {failure{kind: "offline", cause: llm.CauseNobody}, own, "No model server is running at models.example:8443", AskAgain, false},
		"a server here that ended":               {failure{kind: "transport", cause: llm.CauseCut}, here, "Ollama ended the connection", AskAgain, false},
		"an answer that was cut off":             {failure{kind: "transport", cause: llm.CauseCut, said: true}, own, "models.example:8443 ended the connection", AskAgain, true},
		"a connection that broke for no reason":  {failure{kind: "transport"}, own, "The connection to the model was lost", AskAgain, false},
		"the same in the middle of an answer":    {failure{kind: "transport", said: true}, own, "The connection to the model was lost", AskAgain, true},
		"a cause that a newer program has found": {failure{kind: "transport", cause: "moon"}, own, "The connection to the model was lost", AskAgain, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := problemOf(tt.f, tt.turn)
			kept := slices.ContainsFunc(p.Words, func(w Phrase) bool { return w.Text == "The answer so far is kept." })
			if got := english(p.Title); got != tt.title || p.Actions[0] != tt.first || kept != tt.kept {
				t.Errorf("%q, first %q, kept %v", got, p.Actions[0], kept)
			}
		})
	}
}

func TestWhyAModelIsAskedAgainIsSaidWithoutTheServersWords(t *testing.T) {
	for reason, want := range map[string]string{
		"overloaded": "The model is busy.",
		"transport: the connection to 127.0.0.1:11434 broke: EOF": "The connection was lost.",
		"^3 names no note":         "The model named a source that does not exist.",
		"the turn was interrupted": "Asking again",
	} {
		if got := english(retryNotice(reason, 2).Words); got != want {
			t.Errorf("%q: %q, want %q", reason, got, want)
		}
	}
}

func TestEveryObstacleHasItsOwnWordsAndSomethingToDo(t *testing.T) {
	all := constants(t, "app/models", "Obstacle")
	if len(all) < 5 {
		t.Fatalf("only %v were found", all)
	}
	for _, o := range all {
		if o == string(models.NoObstacle) {
			continue
		}
		row, known := obstacles[models.Obstacle(o)]
		if !known || row.title == "" || row.text == "" || len(row.actions) == 0 {
			t.Errorf("%q: %+v", o, row)
		}
		p := problemIn(t, UnaskedTurn(Turn{Model: "openrouter:m"}, models.Obstacle(o), errors.New("no")))
		if p.Title.Text != row.title || len(p.Words) < 2 {
			t.Errorf("%q is said as %+v", o, p)
		}
	}
}

func TestWhatCanBeDoneDependsOnWhereTheServerIs(t *testing.T) {
	here, there := Turn{Model: "ollama:qwen3:8b", Number: 1}, Turn{Model: "openrouter:m", Host: "openrouter.ai", Number: 1}
	strange := Turn{Model: "ollama:x; rm -rf ~", Number: 1}
	own := Turn{Model: "custom:m", Number: 1}
	long := Turn{Model: "ollama:qwen3:8b", Number: 3}
	for name, tt := range map[string]struct {
		kind  llm.ErrorKind
		turn  Turn
		title string
		first Action
	}{
		"a stopped server here":        {llm.KindOffline, here, "Ollama is not running on this computer", StartServer},
		"no network":                   {llm.KindOffline, there, "The model's server cannot be reached", AskAgain},
		"a server of one's own":        {llm.KindOffline, own, "m is not running on this computer", StartServer},
		"a model that is not here":     {llm.KindNotFound, here, "Ollama does not have this model", GetModel},
		"a name that is no plain one":  {llm.KindNotFound, strange, "Ollama does not have this model", ChooseModel},
		"a model that is not there":    {llm.KindNotFound, there, "The server does not know this model", ChooseModel},
		"too much in a first question": {llm.KindContext, here, "This is too much for the model to read at once", EditQuestion},
		"too much in a long chat":      {llm.KindContext, long, "This is too much for the model to read at once", NewChat},
		"a key that was refused":       {llm.KindAuth, there, "The model did not accept the key", EnterKey},
		"a kind of a newer version":    {"new_kind", there, "The model's server reports an error", AskAgain},
	} {
		t.Run(name, func(t *testing.T) {
			p := problemOf(failure{kind: string(tt.kind)}, tt.turn)
			if got := english(p.Title); got != tt.title || p.Actions[0] != tt.first {
				t.Errorf("%q, first %q", got, p.Actions[0])
			}
		})
	}
	if p := problemOf(failure{kind: string(llm.KindOffline)}, there); !slices.Contains(p.Actions, AskHere) {
		t.Errorf("without a network only %v can be done", p.Actions)
	}
}

// english writes words without a translation.
func english(p Phrase) string {
	text := p.Text
	for name, v := range p.Data {
		text = strings.ReplaceAll(text, "{{."+name+"}}", fmt.Sprint(v))
	}
	return text
}

func TestAKnownWaitIsCountedDownWhereItIsShort(t *testing.T) {
	now := time.Date(2026, 3, 12, 14, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		asked float64
		words string
		left  int
	}{
		{20, "It asks to wait 20 s.", 20},
		{0.2, "", 0},
		{1.5, "It asks to wait 2 s.", 2},
		{300, "It asks to wait about 5 minutes.", 300},
		{301, "It asks to wait about 5 minutes.", 0},
		{3 * 3600, "It asks to wait about 3 hours.", 0},
		{1e9, "", 0},
		{-5, "", 0},
		{math.NaN(), "", 0},
		{math.Inf(1), "", 0},
	} {
		turn := Turn{Model: "groq:m", Host: "api.groq.com"}
		p := problemOf(failure{kind: string(llm.KindRateLimit), wait: tt.asked}, turn)
		turn.Blocks = []Block{p}
		said := ""
		for _, w := range p.Words {
			if strings.HasPrefix(w.Text, "It asks") {
				said = english(w)
			}
		}
		c := CountdownOf(turn, now)
		if said != tt.words || c.Left(now) != tt.left || c.Runs() != (tt.left > 0) {
			t.Errorf("%v s: %q, %d left", tt.asked, said, c.Left(now))
		}
		if c.Runs() && (c.Left(now.Add(time.Second)) != tt.left-1 || c.Left(now.Add(time.Hour)) != 0) {
			t.Errorf("%v s: it does not count down", tt.asked)
		}
	}
	if (Countdown{}).Runs() || CountdownOf(Turn{}, now).Runs() {
		t.Error("nothing is counted, and runs")
	}
}

func TestHowAServerIsStartedIsSaidForEverySystem(t *testing.T) {
	for _, goos := range []string{"linux", "darwin", "windows", "freebsd"} {
		for _, p := range append(llm.Providers(), llm.Provider{Name: "nobody"}) {
			for _, step := range StartSteps(p.Name+":m", goos) {
				if step.Words.Text == "" {
					t.Errorf("%s on %s: a step without words", p.Name, goos)
				}
			}
			if len(StartSteps(p.Name+":m", goos)) == 0 {
				t.Errorf("%s on %s: nothing is said", p.Name, goos)
			}
		}
	}
	if got := StartSteps("ollama:m", "linux")[0].Command; got != "ollama serve" {
		t.Errorf("the first command is %q", got)
	}
	for _, bad := range []string{"ollama:", "ollama:$(x)", "ollama:a b", "ollama:-rf", "openai:gpt", "ollama:" + strings.Repeat("a", 200)} {
		if GetSteps(bad) != nil {
			t.Errorf("%q would be put into a command", bad)
		}
	}
	if got := GetSteps("ollama:qwen3:8b")[0].Command; got != "ollama pull qwen3:8b" {
		t.Errorf("the command is %q", got)
	}
}

func TestAQuestionThatWasStoppedBeforeItWasAskedSaysThatAndNothingElse(t *testing.T) {
	turn := StoppedTurn(Turn{Model: "openrouter:m", Question: "What is new?"})
	if len(turn.Blocks) != 1 || turn.State != chats.Cancelled || turn.Question == "" {
		t.Fatalf("%+v", turn)
	}
	if n, ok := turn.Blocks[0].(*Notice); !ok || n.Words.Text != "Stopped." || !slices.Contains(n.Actions, AskAgain) {
		t.Errorf("%+v", turn.Blocks[0])
	}
}
