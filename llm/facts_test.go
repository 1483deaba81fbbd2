package llm_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

const ollamaShown = `{"license":"…","parameters":"stop  \"<|im_end|>\"\ntemperature 0.6","template":"…",
	"details":{"family":"qwen3","parameter_size":"8.2B","quantization_level":"Q4_K_M"},
	"model_info":{"general.architecture":"qwen3","general.parameter_count":8190735360,"qwen3.context_length":40960,"qwen3.rope.scaling.original_context_length":32768},
	"capabilities":["completion","tools","thinking"]}`

// Issue 5, "context window known or asked"; row 003-15: what servers of each kind tell
// of a model beside its name.
func TestEachKindOfServerIsAskedWhereItDescribesAModel(t *testing.T) {
	for _, tt := range []struct {
		name, provider, model string
		answers               []string // "" is a 404
		asked                 string
		own, listed           llm.Facts
	}{
		{
			"Ollama, of a model that takes more than a small computer gives", "ollama", "qwen3:8b",
			[]string{ollamaShown},
			"POST /api/show",
			llm.Facts{Context: 16384, MostContext: 40960, Tools: llm.SaysYes, Params: 8.19073536},
			llm.Facts{},
		},
		{
			"Ollama, of one that was given a window", "ollama", "owl",
			[]string{`{"parameters":"num_ctx                        24576\nstop x","details":{"parameter_size":"270M"},"model_info":{"gemma.context_length":32768},"capabilities":["completion"]}`},
			"POST /api/show",
			llm.Facts{Context: 24576, MostContext: 32768, Tools: llm.SaysNo, Params: 0.27},
			llm.Facts{},
		},
		{
			"Ollama, of a small one, before it told what a model can", "ollama", "owl",
			[]string{`{"model_info":{"general.architecture":"phi2","phi2.context_length":2048}}`},
			"POST /api/show",
			llm.Facts{Context: 2048, MostContext: 2048},
			llm.Facts{},
		},
		{
			"Ollama, of one that it passes on", "ollama", "gpt-oss:120b-cloud",
			[]string{`{"remote_host":"https://ollama.com:443","remote_model":"gpt-oss:120b","model_info":{"general.architecture":"gptoss","gptoss.context_length":131072},"capabilities":["tools"]}`},
			"POST /api/show",
			llm.Facts{Context: 131072, Tools: llm.SaysYes, Elsewhere: true},
			llm.Facts{},
		},
		{
			"llama.cpp", "llamacpp", "owl",
			[]string{`{"default_generation_settings":{"id":0,"n_ctx":8192,"params":{"n_predict":-1}},"total_slots":4,"model_path":"/models/owl.gguf"}`},
			"GET /props",
			llm.Facts{Context: 8192},
			llm.Facts{},
		},
		{
			"LM Studio, loaded", "lmstudio", "owl",
			[]string{`{"data":[{"id":"wren","state":"loaded","loaded_context_length":2048},{"id":"owl","type":"llm","state":"loaded","max_context_length":131072,"loaded_context_length":4096,"capabilities":["tool_use"]}]}`},
			"GET /api/v0/models",
			llm.Facts{Context: 4096, MostContext: 131072, Tools: llm.SaysYes},
			llm.Facts{},
		},
		{
			"LM Studio, not loaded: its window is not known yet", "lmstudio", "owl",
			[]string{`{"data":[{"id":"owl","type":"llm","state":"not-loaded","max_context_length":131072}]}`},
			"GET /api/v0/models",
			llm.Facts{MostContext: 131072},
			llm.Facts{},
		},
		{
			"Gemini", "gemini", "models/gemini-9",
			[]string{`{"name":"models/gemini-9","inputTokenLimit":1048576,"outputTokenLimit":65536}`},
			"GET /v1beta/models/gemini-9",
			llm.Facts{Context: 1048576},
			llm.Facts{},
		},
		{
			"vLLM, in its list", "vllm", "owl",
			[]string{`{"data":[{"id":"owl","max_model_len":32768}]}`},
			"GET /v1/models",
			llm.Facts{},
			llm.Facts{Context: 32768},
		},
		{
			"OpenRouter, in its list", "openrouter", "a/owl",
			[]string{`{"data":[{"id":"a/owl","context_length":262144,"top_provider":{"context_length":131072},"pricing":{"prompt":"0.000003","completion":"0.000015","input_cache_read":"0.0000003","input_cache_write":"0.00000375","request":"0"},"supported_parameters":["tools","temperature"]},{"id":"a/wren"}]}`},
			"GET /v1/models",
			llm.Facts{},
			llm.Facts{Context: 131072, Tools: llm.SaysYes, Price: &llm.Price{Input: 3, Output: 15, CachedInput: 0.3, CacheWrite: 3.75}},
		},
		{
			"OpenRouter, a model without tools that is free", "openrouter", "a/owl",
			[]string{`{"data":[{"id":"a/owl","context_length":8192,"pricing":{"prompt":"0","completion":"0"},"supported_parameters":["temperature"]}]}`},
			"GET /v1/models",
			llm.Facts{},
			llm.Facts{Context: 8192, Tools: llm.SaysNo, Price: &llm.Price{}},
		},
		{
			"OpenRouter, a price that depends", "openrouter", "auto",
			[]string{`{"data":[{"id":"auto","context_length":2000000,"pricing":{"prompt":"-1","completion":"-1"}}]}`},
			"GET /v1/models",
			llm.Facts{},
			llm.Facts{Context: 2000000},
		},
		{
			"Mistral", "mistral", "owl",
			[]string{`{"data":[{"id":"owl","max_context_length":131072,"capabilities":{"completion_chat":true,"function_calling":false}}]}`},
			"GET /v1/models",
			llm.Facts{},
			llm.Facts{Context: 131072, Tools: llm.SaysNo},
		},
		{
			"Together", "together", "owl",
			[]string{`[{"id":"owl","context_length":8192,"pricing":{"hourly":0,"input":0.88,"output":0.9,"base":0}}]`},
			"GET /v1/models",
			llm.Facts{},
			llm.Facts{Context: 8192, Price: &llm.Price{Input: 0.88, Output: 0.9}},
		},
		{
			"another server, whose list tells", "custom", "owl",
			[]string{`{"data":[{"id":"owl","context_window":9000}]}`},
			"GET /v1/models",
			llm.Facts{},
			llm.Facts{Context: 9000},
		},
		{
			"another server that is llama.cpp", "custom", "owl",
			[]string{`{"data":[{"id":"owl","meta":{"n_ctx_train":40960,"n_params":8190735360}}]}`, `{"default_generation_settings":{"n_ctx":4096}}`},
			"GET /v1/models GET /props",
			llm.Facts{Context: 4096},
			llm.Facts{MostContext: 40960, Params: 8.19073536},
		},
		{
			"another server that tells nothing", "custom", "owl",
			[]string{`{"data":[{"id":"owl"}]}`, "", ""},
			"GET /v1/models GET /props GET /api/v0/models",
			llm.Facts{},
			llm.Facts{},
		},
		{
			"an older Ollama falls back on its list", "ollama", "owl",
			[]string{"", `{"data":[{"id":"owl"}]}`},
			"POST /api/show GET /v1/models",
			llm.Facts{},
			llm.Facts{},
		},
		{
			"what cannot be true is not believed", "llamacpp", "owl",
			[]string{`{"default_generation_settings":{"n_ctx":99999999999}}`, `{"data":[{"id":"owl","context_length":-5,"meta":{"n_params":"1e300","n_ctx_train":3},"pricing":{"prompt":"NaN","completion":"1e30"},"supported_parameters":"tools"}]}`},
			"GET /props GET /v1/models",
			llm.Facts{},
			llm.Facts{},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := testkit.NewModelServer(t)
			for _, body := range tt.answers {
				reply := testkit.Reply{Body: body, Header: http.Header{"Content-Type": {"application/json"}}}
				if body == "" {
					reply = testkit.Reply{Status: 404}
				}
				s.About(reply)
			}
			base := s.URL + "/v1"
			if tt.provider == "gemini" {
				base = s.URL + "/v1beta/openai"
			}
			c := newClient(t, s, row(t, tt.provider), func(o *llm.Options) {
				o.Model, o.BaseURL, o.Clock = tt.model, base, newFakeClock()
				o.Key = llm.NewKey("sk-planted", strings.TrimPrefix(s.URL, "http://"))
			})
			own, list, err := c.Facts(t.Context())
			listed := llm.Listed(list, tt.model)
			if err != nil || shown(own) != shown(tt.own) || shown(listed) != shown(tt.listed) {
				t.Errorf("got %s and %s, %v; want %s and %s", shown(own), shown(listed), err, shown(tt.own), shown(tt.listed))
			}
			var asked []string
			for _, r := range s.Asked() {
				asked = append(asked, r.Method+" "+r.URL.EscapedPath())
				if r.Header.Get("Authorization")+r.Header.Get("X-Goog-Api-Key") == "" {
					t.Errorf("%s without the key", r.URL)
				}
			}
			if got := strings.Join(asked, " "); got != tt.asked {
				t.Errorf("asked %s, want %s", got, tt.asked)
			}
		})
	}
}

func TestOllamaIsAskedAboutTheModelByName(t *testing.T) {
	s := testkit.NewModelServer(t)
	s.About(testkit.Reply{Body: ollamaShown})
	if _, _, err := newClient(t, s, row(t, "ollama"), func(o *llm.Options) { o.Model = `q"8b` }).Facts(t.Context()); err != nil {
		t.Fatal(err)
	}
	var asked struct{ Model string }
	if err := json.Unmarshal(s.Asked()[0].Body, &asked); err != nil || asked.Model != `q"8b` {
		t.Errorf("asked %s, %v", s.Asked()[0].Body, err)
	}
}

func TestAnAnswerAboutAModelThatNeverEndsIsGivenUp(t *testing.T) {
	s := testkit.NewModelServer(t)
	s.About(testkit.Reply{Body: `{"model_info":{`, Hang: true}, testkit.Reply{Body: `{"data":[`, Hang: true})
	clock := newFakeClock()
	clock.skip = time.Minute
	_, _, err := newClient(t, s, row(t, "ollama"), func(o *llm.Options) { o.Clock = clock }).Facts(t.Context())
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind != llm.KindTimeout {
		t.Errorf("got %v, want %s", err, llm.KindTimeout)
	}
}

// What a server says is a stranger's word: whatever it is, nothing is believed that
// cannot be, and nothing panics.
func FuzzFacts(f *testing.F) {
	f.Add("ollama", ollamaShown)
	f.Add("llamacpp", `{"default_generation_settings":{"n_ctx":4096}}`)
	f.Add("lmstudio", `{"data":[{"id":"m","loaded_context_length":4096}]}`)
	f.Add("openrouter", `{"data":[{"id":"m","context_length":"8e3","pricing":{"prompt":"1","completion":[]},"capabilities":[],"meta":7}]}`)
	f.Fuzz(func(t *testing.T, provider, body string) {
		p, ok := llm.FindProvider(provider)
		if !ok {
			return
		}
		web := &http.Client{Transport: player{fixture{body: body}, []int{1 << 20}}}
		c, err := llm.New(llm.Options{Provider: p, Model: "m", BaseURL: "http://127.0.0.1:1", HTTP: web, Tries: -1})
		if err != nil {
			t.Fatal(err)
		}
		own, list, _ := c.Facts(t.Context())
		for _, facts := range []llm.Facts{own, llm.Listed(list, "m")} {
			if w := facts.Context; w != 0 && (w < 1024 || w > 16<<20) || !(facts.Params >= 0 && facts.Params <= 20_000) {
				t.Errorf("believed %+v", facts)
			}
			if p := facts.Price; p != nil && !(p.Input >= 0 && p.Input <= 1e5) {
				t.Errorf("believed the price %+v", p)
			}
		}
	})
}
