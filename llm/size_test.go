package llm_test

import (
	"strings"
	"testing"

	"bowerbird/llm"
)

// Row 003-15: what a model is comes from its name where nobody says it.
func TestASizeIsReadFromANameAndAVersionNever(t *testing.T) {
	for name, want := range map[string]llm.Size{
		"qwen3:8b":                                 {Params: 8},
		"qwen2.5:0.5b":                             {Params: 0.5},
		"mixtral-8x7b-instruct-v0.1":               {Params: 56},
		"mixtral:8x22b":                            {Params: 176},
		"Qwen3-30B-A3B-Instruct-2507":              {Params: 30, Active: 3},
		"qwen3:30b-a3b-q4_K_M":                     {Params: 30, Active: 3},
		"Qwen/Qwen3-235B-A22B":                     {Params: 235, Active: 22},
		"granite-3.1-1b-a400m-instruct":            {Params: 1, Active: 0.4},
		"gemma-3n-e4b-it":                          {Params: 4},
		"gemma3n:e2b":                              {Params: 2},
		"gemma3:270m":                              {Params: 0.27},
		"smollm2:135m":                             {Params: 0.135},
		"llama-3.2-1B-Instruct-Q4_K_M":             {Params: 1},
		"Meta-Llama-3.1-405B-Instruct":             {Params: 405},
		"qwen2.5-math:1.5B":                        {Params: 1.5},
		"gpt-oss:20b":                              {Params: 20},
		"gpt-oss:120b-cloud":                       {Params: 120},
		"kimi-k2:1t-cloud":                         {Params: 1000},
		"phi4-mini":                                {Params: 3.8},
		"phi4-mini:latest":                         {Params: 3.8},
		"phi-4-mini-instruct":                      {Params: 3.8},
		"phi4":                                     {Params: 14},
		"phi4-mini-flash":                          {},
		"mistral-nemo:latest":                      {Params: 12},
		"command-r7b":                              {Params: 7},
		"yi34b-chat":                               {Params: 34},
		"llama-4-scout-17b-16e-instruct":           {Active: 17},
		"hunyuan-a13b-instruct":                    {Active: 13},
		"OLMoE-1B-7B-0924":                         {Params: 7},
		"deepseek-r1-distill-qwen-14b":             {Params: 14},
		"hf.co/unsloth/Qwen3-4B-GGUF:Q4_K_M":       {Params: 4},
		"the-70b-people/small-model":               {},
		"qwen2.5-7b-instruct-1m":                   {Params: 7},
		"llama-3-gradient-1m":                      {},
		"llama3.1":                                 {},
		"llama3.3:latest":                          {},
		"qwen2.5":                                  {},
		"gpt-4.1":                                  {},
		"gpt-3.5-turbo-16k":                        {},
		"claude-sonnet-4-5":                        {},
		"o3":                                       {},
		"model-4bit":                               {},
		"model-fp8-w4a16-q8_0":                     {},
		"gemini-2.5-flash":                         {},
		"minimax-m2":                               {},
		"":                                         {},
		"99999999999999999999999999999b":           {},
		"999999x999999b":                           {},
		"0b":                                       {},
		strings.Repeat("7b-", 100_000):             {Params: 7},
		strings.Repeat("x", 100_000) + ":8b":       {},
		"b:7B\x00\xff":                             {},
		"qwen3 (8B, quantized)":                    {Params: 8},
		"llama-3.1-8b-instant@deepinfra/turbo":     {},
		"@cf/meta/llama-3.1-8b-instruct-fp8":       {Params: 8},
		"accounts/fireworks/models/qwen3-8b":       {Params: 8},
		"meta-llama/Llama-3.3-70B-Instruct:novita": {Params: 70},
	} {
		if got := llm.SizeOf(name); got != want {
			t.Errorf("%.60q: got %+v, want %+v", name, got, want)
		}
	}
}

func FuzzSizeOf(f *testing.F) {
	for _, name := range []string{"qwen3:8b", "8x7b", "30b-a3b", "e4b", "270m", "1t", "17b-16e"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		s := llm.SizeOf(name)
		if !(s.Params >= 0 && s.Params <= 20_000) || !(s.Active >= 0 && s.Active <= 20_000) || s.Params > 0 && s.Active >= s.Params {
			t.Errorf("%q: %+v", name, s)
		}
	})
}
