package present

import (
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/language"

	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/netsafe"
)

var (
	ollama     = models.Provider{ID: "ollama", Name: "Ollama", BaseURL: "http://127.0.0.1:11434/v1", Local: true}
	openrouter = models.Provider{ID: "openrouter", Name: "OpenRouter", Host: "openrouter.ai", BaseURL: "https://openrouter.ai/api/v1", NeedsKey: true}
	custom     = models.Provider{ID: "custom", Name: "Another server", NeedsAddress: true}

	here   = models.State{ID: "ollama:qwen3:8b", Provider: ollama, Name: "qwen3:8b"}
	hosted = models.State{ID: "openrouter:birds/owl", Provider: openrouter, Name: "birds/owl", Host: "openrouter.ai"}
	own    = models.State{ID: "custom:owl", Provider: custom, Name: "owl", Host: "models.example"}
)

func factIn(facts []Fact, id string) Fact {
	for _, f := range facts {
		if f.ID == id {
			return f
		}
	}
	return Fact{}
}

// Row 003-15, 004-11: what is known of a model is said in words, with its reason.
func TestWhatIsKnownOfAModelIsSaidWithItsReason(t *testing.T) {
	for name, tt := range map[string]struct {
		facts models.Facts
		at    models.State
		fact  string
		want  Fact
	}{
		"a window that the server told": {
			models.Facts{Context: 32768, ContextFrom: llm.FromServer},
			here, factWindow,
			Fact{Text: "32,768 tokens (about 25,000 words)", Why: "Reported by Ollama."},
		},
		"a window of the user's": {
			models.Facts{Context: 8192, ContextFrom: llm.FromUser},
			here, factWindow,
			Fact{Text: "8,192 tokens (about 6,100 words)", Why: "Your setting. That is little: it sees only part of many notes.", Tone: ToneWarn},
		},
		"a window that is less than the model takes": {
			models.Facts{Context: 16384, ContextFrom: llm.FromList, MostContext: 131072},
			here, factWindow,
			Fact{Text: "16,384 tokens (about 12,000 words)", Why: "From Ollama's list. The model could read 131,072 tokens (about 98,000 words), which takes more memory."},
		},
		"no window": {
			models.Facts{ContextFrom: llm.FromDefault},
			own, factWindow,
			Fact{Text: "Not known; assumed to be 32,768 tokens (about 25,000 words)", Why: "Its server does not report it. If you know it, enter it under “Advanced”."},
		},
		"native calls by default": {
			models.Facts{Format: config.FormatNative, FormatFrom: llm.FromDefault},
			hosted, factTools,
			Fact{Text: "Directly", Why: "As most models support. If its server does not, the first question will show it."},
		},
		"native calls in the server's words": {
			models.Facts{Format: config.FormatNative, FormatFrom: llm.FromServer},
			here, factTools,
			Fact{Text: "Directly", Why: "Reported by Ollama."},
		},
		"calls in the text after a refusal": {
			models.Facts{Format: "hermes", FormatFrom: llm.FromRefusal},
			here, factTools,
			Fact{Text: "In the text: the instructions explain how to ask for notes", Why: "Its server refused the standard way. In the format of Hermes."},
		},
		"calls in the text by the name": {
			models.Facts{Format: "pythonic", FormatFrom: llm.FromName},
			here, factTools,
			Fact{Text: "In the text: the instructions explain how to ask for notes", Why: "Models with this name have no other way. In the format of Python."},
		},
		"no calls, as the user wants it": {
			models.Facts{Format: config.FormatNone, FormatFrom: llm.FromUser},
			here, factTools,
			Fact{Text: "Not at all: it answers without your notes", Why: "Your choice.", Tone: ToneWarn},
		},
		"a small model": {
			models.Facts{Params: 8},
			here, factSize,
			Fact{Text: "8 billion parameters", Why: "Small: good for short summaries, less so for questions that take several steps."},
		},
		"a very small one": {
			models.Facts{Params: 0.27},
			here, factSize,
			Fact{Text: "270 million parameters", Why: "Very small: fast, but often wrong when a question takes several steps."},
		},
		"a mixture of experts at home": {
			models.Facts{Params: 30.5, ActiveParams: 3.3},
			here, factSize,
			Fact{Text: "31 billion parameters, of which 3.3 billion are active at a time", Why: "Medium: follows most questions well. It takes up about 18 GB of memory."},
		},
		"a price": {
			models.Facts{Price: &llm.Price{Input: 3, Output: 15}, PriceFrom: llm.FromList},
			hosted, factPrice,
			Fact{Text: "About $0.10 for a typical question", Why: "$3 per million tokens of input, $15 per million of output. From OpenRouter's list."},
		},
		"a small price": {
			models.Facts{Price: &llm.Price{Input: 0.02, Output: 0.04}, PriceFrom: llm.FromList},
			hosted, factPrice,
			Fact{Text: "Less than $0.001 for a typical question", Why: "$0.02 per million tokens of input, $0.04 per million of output. From OpenRouter's list."},
		},
		"nothing to pay elsewhere": {
			models.Facts{Price: &llm.Price{}, PriceFrom: llm.FromList},
			hosted, factPrice,
			Fact{Text: "Nothing", Why: "From OpenRouter's list."},
		},
		"nothing to pay here": {
			models.Facts{}, here, factPrice, Fact{Text: "Nothing: it runs on this computer"},
		},
		"no price": {
			models.Facts{}, hosted, factPrice, Fact{Text: "Not known", Why: "OpenRouter does not report it. See the price list there. You can enter a price under “Advanced”."},
		},
		"parts that a server refused": {
			models.Facts{Refuses: []string{"parallel_tool_calls", "stream_options"}},
			here, factRefused,
			Fact{Text: "2 parts of a question that its server refused", Why: Isolate("parallel_tool_calls, stream_options")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := factIn((Words{}).Facts(tt.facts, tt.at, Answered), tt.fact)
			got.ID, got.What = "", ""
			if got != tt.want {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
	if got := (Words{}).Facts(models.Facts{}, models.State{Provider: models.Provider{ID: models.Builtin}}, Answered); got != nil {
		t.Errorf("of the built-in: %+v", got)
	}
}

func TestAFigureIsReadAsPeopleWriteIt(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "32000": 32000, " 32 000 ": 32000, "32,000": 32000, "32.000": 32000, "32'000": 32000, "32k": 32000, "1.5k": 1500,
		"128 K": 128000, "1M": 1000000, "1,048,576": 1048576,
	} {
		got, problem := (Words{}).ReadCount(text, config.LeastContext, config.MostContext, 32_000)
		if got != want || problem != "" {
			t.Errorf("%q: got %d, %q, want %d", text, got, problem, want)
		}
	}
	for _, text := range []string{"much", "-32000", "12", "1e9", "32,00", "3,2000", "99999999999999999999", "1.2.3k", "0x800", "٣٢٠٠٠", "k", ","} {
		if got, problem := (Words{}).ReadCount(text, config.LeastContext, config.MostContext, 32_000); got != 0 || !strings.Contains(problem, "from 1,024 to 16,777,216, such as 32,000") {
			t.Errorf("%q: got %d, %q", text, got, problem)
		}
	}
	if steps, problem := (Words{}).ReadCount("51", 1, config.MostSteps, agent.DefaultSteps); steps != 0 || problem != "Type a number from 1 to 50, such as 8, or leave it empty." {
		t.Errorf("51 steps: %d, %q", steps, problem)
	}
}

func TestAFractionIsReadWithAPointOrAComma(t *testing.T) {
	de := Words{Tag: language.German}
	for text, want := range map[string]string{"0": "0", "0.7": "0.7", "0,7": "0.7", "2": "2", "": "", ".5": "0.5"} {
		got, problem := (Words{}).ReadTemperature(text)
		if (Words{}).Amount(got, 3) != want || problem != "" {
			t.Errorf("%q: got %v, %q, want %s", text, got, problem, want)
		}
	}
	for _, text := range []string{"2.1", "-1", "warm", "NaN", "Inf", "0,7,1", "1e0"} {
		if got, problem := de.ReadTemperature(text); got != nil || !strings.Contains(problem, "0,7") {
			t.Errorf("%q: got %v, %q", text, got, problem)
		}
	}
	warm := 0.7
	if got := de.Amount(&warm, 3); got != "0,7" {
		t.Errorf("in German %q", got)
	}
}

func TestAPriceIsReadAsPeopleTypeIt(t *testing.T) {
	for text, want := range map[string]string{"": "", " $3 ": "3", "0,25": "0.25", "0": "0", "0.075": "0.075", "-1": "!", "dear": "!", "10001": "!", "NaN": "!"} {
		price, problem := (Words{}).ReadPrice(text)
		if got := (Words{}).Amount(price, 4); got != want && want != "!" || (problem != "") != (want == "!") {
			t.Errorf("%q: %q, %q", text, got, problem)
		}
	}
	price := 0.25
	known := models.Facts{Price: &llm.Price{Input: price, Output: 1}, PriceFrom: llm.FromUser}
	if got := (Words{}).priceFact(known, hosted, Answered).Why; !strings.Contains(got, "Your setting.") {
		t.Errorf("a price of the user's: %q", got)
	}
}

func TestOwnWordsThatAreTooLongAreRefusedWithByHowMuch(t *testing.T) {
	if got, problem := (Words{}).ReadPrompt("  Be brief.\n"); got != "Be brief." || problem != "" {
		t.Errorf("got %q, %q", got, problem)
	}
	if got, problem := (Words{}).ReadPrompt(strings.Repeat("x", config.MostPrompt+12)); got != "" || !strings.Contains(problem, "12") {
		t.Errorf("got %d bytes, %q", len(got), problem)
	}
}

// Row 002-1: a failed test says what is wrong and what to do, for every kind of error.
func TestEveryKindOfErrorHasWordsAndSomethingToDo(t *testing.T) {
	kinds := []llm.ErrorKind{
		llm.KindAuth, llm.KindBilling, llm.KindRateLimit, llm.KindOverloaded, llm.KindServer, llm.KindNotFound, llm.KindBadRequest,
		llm.KindContext, llm.KindNoTools, llm.KindOffline, llm.KindTransport, llm.KindTimeout, llm.KindIncomplete, llm.KindEmpty,
		llm.KindNotSSE, llm.KindBadChunk, llm.KindMalformedCall, llm.KindNamelessCall, llm.KindCancelled, llm.KindAPI,
	}
	for _, kind := range kinds {
		for _, at := range []models.State{here, hosted, own} {
			got := (Words{}).Failure(&llm.Error{Kind: kind, Message: "boom"}, at)
			if got.What == "" || got.Do == "" || strings.Contains(got.String(), "{{") || strings.Contains(got.What, "This did not work") {
				t.Errorf("%s at %s: %+v", kind, at.ID, got)
			}
		}
	}
	if len(failedKinds) != len(kinds) {
		t.Errorf("%d rows for %d kinds", len(failedKinds), len(kinds))
	}
}

func TestAFailureIsSaidByWhatIsBehindIt(t *testing.T) {
	askedForList := hosted
	askedForList.Name = "?"
	for name, tt := range map[string]struct {
		err  error
		at   models.State
		want string
	}{
		"no server here":     {&llm.Error{Kind: llm.KindOffline, Message: "nothing answers at 127.0.0.1"}, here, "Ollama does not answer on this computer. Start Ollama on this computer, then test again."},
		"no network":         {&llm.Error{Kind: llm.KindOffline}, hosted, "openrouter.ai cannot be reached. Check whether this computer is online"},
		"no name server":     {&llm.Error{Kind: llm.KindOffline, Err: &net.DNSError{IsNotFound: true}}, hosted, "openrouter.ai cannot be reached."},
		"no such name":       {&llm.Error{Kind: llm.KindOffline, Err: &net.DNSError{IsNotFound: true}}, own, "No server is called models.example."},
		"a key refused":      {&llm.Error{Kind: llm.KindAuth, Message: "bad key"}, hosted, "OpenRouter did not accept the key. Copy all of it again there, and enter it below. It said: “"},
		"a key wanted":       {&llm.Error{Kind: llm.KindAuth}, own, "The server requires a key. Enter the key that"},
		"an unknown model":   {&llm.Error{Kind: llm.KindNotFound}, here, "Ollama does not know the model " + Isolate("qwen3:8b") + ". Choose one from its list below, or download it there first."},
		"no list":            {&llm.Error{Kind: llm.KindNotFound}, askedForList, "There is no list of models at this address."},
		"a wait":             {&llm.Error{Kind: llm.KindRateLimit, RetryAfterSeconds: 19.2}, hosted, "It was asked too often. It asks to wait 20 seconds."},
		"a short wait":       {&llm.Error{Kind: llm.KindRateLimit, RetryAfterSeconds: 0.4}, hosted, "It asks to wait 1 second."},
		"nobody signed it":   {&llm.Error{Kind: llm.KindTransport, Err: x509.UnknownAuthorityError{}}, own, "models.example could not prove its identity. Its certificate is not signed by anybody this computer trusts"},
		"a cut here":         {&llm.Error{Kind: llm.KindTransport, Cause: llm.CauseCut}, here, "Its own window or log says more."},
		"plain http":         {&llm.Error{Kind: llm.KindTransport, Err: &netsafe.Error{Kind: netsafe.Refused, Err: netsafe.ErrPlainHTTP}}, own, "Enter it with https://."},
		"an address refused": {&llm.Error{Kind: llm.KindTransport, Err: &netsafe.Error{Kind: netsafe.Refused, Err: errors.New("no")}}, own, "never allowed"},
		"text stays here":    {fmt.Errorf("asking: %w", &models.LocalOnlyError{Provider: "OpenRouter", Host: "openrouter.ai"}), hosted, "Nothing was sent. Your settings keep your text on this computer, and this server is elsewhere: openrouter.ai."},
		"something else":     {errors.New("the disk\nis full"), here, "This did not work: the disk is full"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := (Words{}).Failure(tt.err, tt.at).String(); !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q in it", got, tt.want)
			}
		})
	}
}

func TestAServersWordsAreCleanedAndCutShort(t *testing.T) {
	hostile := "\u202eevil\u2066\x00 " + strings.Repeat("long ", 200)
	got := (Words{}).Failure(&llm.Error{Kind: llm.KindAPI, Message: hostile}, hosted)
	if len(got.Said) > 400 || strings.ContainsAny(got.Said, "\u202e\x00\n") {
		t.Errorf("said: %q", got.Said)
	}
	row, _ := (Words{}).ModelRows([]llm.ModelInfo{{ID: hostile}}, "", func(string) bool { return true }, false, 5)
	if len(row) != 1 || len(row[0].Name) > 300 || strings.ContainsAny(row[0].Name, "\u202e\x00") || row[0].ID != hostile {
		t.Errorf("row: %+v", row)
	}
}

func TestEveryWordOfATableIsTranslated(t *testing.T) {
	for _, file := range []string{"en", "de"} {
		known := map[string]any{}
		files, err := filepath.Glob(filepath.Join(testkit.Root(t), "assets", "translations", "*."+file+".json"))
		if err != nil || len(files) == 0 {
			t.Fatal(err)
		}
		for _, f := range files {
			raw, err := os.ReadFile(f)
			if err == nil {
				err = json.Unmarshal(raw, &known)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		rows := []failedRow{nobodyHere, noList, wantsKey}
		for _, r := range failedKinds {
			rows = append(rows, r)
		}
		for _, r := range failedCauses {
			rows = append(rows, r)
		}
		for kind, text := range eventNames {
			if known[text] == nil {
				t.Errorf("%s: %q of kind %d is not translated", file, text, kind)
			}
		}
		for trouble, row := range relayTroubles {
			if known[row.text] == nil {
				t.Errorf("%s: %q of %s is not translated", file, row.text, trouble)
			}
		}
		for _, r := range rows {
			for _, text := range []string{r.what, r.do, r.here} {
				if text != "" && known[text] == nil {
					t.Errorf("%s: %q is not translated", file, text)
				}
			}
		}
	}
}

func TestTheListOfModelsIsSearchedAndSaysWhatItKnows(t *testing.T) {
	models := []llm.ModelInfo{
		{ID: "birds/owl-large", Facts: llm.Facts{Context: 131072, Tools: llm.SaysYes, Price: &llm.Price{Input: 3, Output: 15}}},
		{ID: "birds/wren-3b", Facts: llm.Facts{Context: 8192, Params: 3, Tools: llm.SaysNo, Price: &llm.Price{}}},
		{ID: "fish/owl-trout"},
	}
	for _, tt := range []struct {
		text string
		here bool
		most int
		want string // of each row: name and what is told
		more int
	}{
		{"", false, 5, "birds/owl-large: Reads 131,072 tokens · $3 and $15 per million · Looks things up; birds/wren-3b: Reads 8,192 tokens · 3 billion parameters · Free · Looks things up through the text; fish/owl-trout: ", 0},
		{"OWL trout", true, 5, "fish/owl-trout: On this computer", 0},
		{"owl", false, 1, "birds/owl-large: Reads 131,072 tokens · $3 and $15 per million · Looks things up", 1},
		{"fish/owl-trout ", false, 5, "", 0},
		{"hawk", false, 5, "", 0},
	} {
		rows, more := (Words{}).ModelRows(models, tt.text, func(string) bool { return tt.here }, false, tt.most)
		var got []string
		for _, r := range rows {
			got = append(got, r.ID+": "+r.About)
		}
		if strings.Join(got, "; ") != tt.want || more != tt.more {
			t.Errorf("%q: got %q and %d more, want %q and %d", tt.text, strings.Join(got, "; "), more, tt.want, tt.more)
		}
	}
}

func TestAModelThatItsServerPassesOnIsOffWhileTextStaysHere(t *testing.T) {
	models := []llm.ModelInfo{{ID: "owl"}, {ID: "owl:120b-cloud"}}
	rows, _ := (Words{}).ModelRows(models, "", func(id string) bool { return id == "owl" }, true, 5)
	if len(rows) != 2 || rows[0].Off || !rows[1].Off || rows[1].About != "Off: it runs elsewhere" {
		t.Errorf("got %+v", rows)
	}
}

// Row 002-1: with the switch on, whoever would get text cannot be chosen.
func TestWhileTextStaysHereTheOthersCannotBeChosen(t *testing.T) {
	providers := []models.Provider{{ID: models.Builtin, Name: "Built-in", Local: true}, ollama, openrouter, custom}
	for _, on := range []bool{false, true} {
		lines, why := (Words{}).ProviderLines(providers, on)
		var off []string
		for _, l := range lines {
			if l.Off {
				off = append(off, l.Provider.ID)
			}
		}
		if got := strings.Join(off, " "); got != map[bool]string{true: "openrouter"}[on] || (why != "") != on {
			t.Errorf("on %v: off are %q, since %q", on, got, why)
		}
	}
	blocked := hosted
	blocked.Obstacle = models.LocalOnlyOn
	if _, problem := (Words{}).OnlyHere(true, blocked); !strings.Contains(problem, "openrouter.ai") || !strings.Contains(problem, "owl") {
		t.Errorf("the chosen model is elsewhere: %q", problem)
	}
	if _, problem := (Words{}).OnlyHere(true, here); problem != "" {
		t.Errorf("the chosen model is here: %q", problem)
	}
	if l := (Words{}).Model(blocked); l.Missing == "" || l.Tone != ToneWarn {
		t.Errorf("the line of a model that may not be asked: %+v", l)
	}
}

func TestATestSaysInWhichWayTheModelLooksThingsUp(t *testing.T) {
	for _, tt := range []struct {
		result llm.TestResult
		format string
		want   string
		tone   Tone
	}{
		{llm.TestResult{Tools: true, Length: 1_200_000_000}, config.FormatNative, "It answers in 1.2 s and can read your notes. It looks things up by itself.", ToneGood},
		{llm.TestResult{Tools: true, Length: 1_200_000_000}, "mistral", "It looks things up through the text, in the format of Mistral.", ToneGood},
		{llm.TestResult{Length: 900_000_000}, config.FormatNative, "did not look up", ToneWarn},
		{llm.TestResult{Length: 900_000_000}, config.FormatNone, "It answers in 0.9 s, without your notes, as you chose.", ToneGood},
		{llm.TestResult{Tools: true, Length: 1}, config.FormatNative, "It answers in 0.1 s", ToneGood},
		{llm.TestResult{Tools: true}, "", "It is ready.", ToneGood},
	} {
		if got, tone := (Words{}).Tested(&tt.result, nil, here, tt.format); !strings.Contains(got, tt.want) || tone != tt.tone {
			t.Errorf("got %q, %v, want %q", got, tone, tt.want)
		}
	}
}

func TestWhatNobodyWasAskedIsNotHeldAgainstTheServer(t *testing.T) {
	for asked, want := range map[Asked]string{NotAsked: "Its server has not been asked yet.", Unanswered: "Its server does not answer now.", Answered: "OpenRouter does not report it."} {
		for _, fact := range []string{factPrice, factWindow} {
			if got := factIn((Words{}).Facts(models.Facts{}, hosted, asked), fact); !strings.HasPrefix(got.Why, want) {
				t.Errorf("got %+v, want %q", got, want)
			}
		}
	}
}

func TestAmountsOfMoneyAreSaidWithTheDigitsThatMatter(t *testing.T) {
	de := Words{Tag: language.German, L: func(text string, data ...any) string {
		if text == "${{.N}}" {
			text = "{{.N}} $"
		}
		return german(text, data...)
	}}
	for x, want := range map[float64]string{
		0: "$0", 0.00001: "less than $0.001", 0.001: "$0.001", 0.0042: "$0.0042", 0.0456: "$0.046", 0.1: "$0.10", 1.5: "$1.50", 3: "$3", 1234.5: "$1,234.50",
	} {
		if got := (Words{}).Dollars(x); got != want {
			t.Errorf("%v is %q, want %q", x, got, want)
		}
	}
	if got := de.Dollars(1.5); got != "1,50 $" {
		t.Errorf("in German %q", got)
	}
}
