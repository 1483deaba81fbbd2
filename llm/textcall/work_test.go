package textcall

import (
	"strings"
	"testing"
)

// hostile are texts that grow, made to be looked at again and again.
func hostile() map[string]string {
	return map[string]string{
		"openers that go nowhere":       "<tool_call>",
		"half openers":                  "<tool_cal<|channel<|tool_calls_section_begi[TOOL_CALL",
		"brackets":                      "[",
		"braces":                        "{",
		"objects in objects":            `{"arguments":`,
		"lists that begin as calls":     `[{"name":"query","arguments":[`,
		"calls in calls":                "[query(a=[",
		"unclosed strings":              `<tool_call>{"name":"query","arguments":{"a":"`,
		"strings in either quotes":      `<tool_call>{"a":'b"</tool_call>`,
		"calls in Python, unclosed":     `[query(a="`,
		"parameters, unclosed":          "<function=query><parameter=a></parameter> ",
		"closers with white space":      "<function=query><parameter=a>x</parameter>" + strings.Repeat(" ", 500),
		"arguments of GLM":              "<tool_call>query<arg_key>a</arg_key><arg_value>b</arg_value>x",
		"invokes":                       `<invoke name="query"><parameter name="a">b</parameter>`,
		"fences":                        "```\n",
		"fences with calls, then prose": "```json\n{\"name\":\"query\",\"arguments\":{}}\n```\nas an example\n",
		"ticks":                         "`",
		"white space":                   " \n",
		"thinking":                      "<think>",
		"thinking, closed":              "<think> </think>",
		"messages of harmony":           "<|channel|>final<|message|>a",
		"headers of harmony":            "<|channel|>final<|start|>",
		"functionary":                   ">>>query\n{",
		"quotes":                        `"`,
		"backslashes":                   `{"name":"\`,
		"sections":                      "<|tool_calls_section_begin|><|tool_call_begin|>functions.query:0",
		"deepseek":                      "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>query",
		"good calls":                    `<tool_call>{"name":"query","arguments":{}}</tool_call>`,
		"calls that are unknown":        `<tool_call>{"name":"other","arguments":{}}</tool_call>`,
		"leftovers":                     `[TOOL_CALLS]query{}` + strings.Repeat("<|im_end|>\n", 40),
		"commas":                        "[query(),",
		"semicolons":                    `{"name":"query"};{"id":1}`,
		"objects that are no calls":     `{"name":"other","arguments":{"a":1,"a":2}}`,
		"tags around JSON":              `<tool>{"name":`,
		"code in the line":              "`a``b",
		"fences of tildes":              "~~~\n{",
		"fences of calls, then another": "```json\n{\"name\":\"query\"}\n```\n~~~\nx\n~~~\n",
		"quoted lines":                  "> <tool_call>\n",
		"quotation marks":               `"[query()]`,
		"lines in Python":               "<function_calls>query()\n",
		"short sections":                "<｜tool▁calls｜>function<",
	}
}

// looksAt returns how many bytes are looked at to read a text in pieces.
func looksAt(text string, piece int, o Options) int {
	s := New(o)
	defer s.Close()
	for text != "" {
		n := min(piece, len(text))
		s.Add(text[:n])
		text = text[n:]
	}
	s.End(true)
	return s.in.looks
}

func TestTheWorkGrowsWithTheTextAndNotFaster(t *testing.T) {
	const small, perByte = 20_000, 60
	for name, unit := range hostile() {
		t.Run(name, func(t *testing.T) {
			for _, known := range []bool{false, true} {
				for _, piece := range []int{1 << 30, 999, 7} {
					o := Options{Tools: []Tool{{Name: "query"}}, KnownOnly: known}
					few := looksAt(strings.Repeat(unit, small/len(unit)), piece, o)
					many := looksAt(strings.Repeat(unit, 10*small/len(unit)), piece, o)
					if many > 15*few+1000 || few > perByte*small {
						t.Errorf("pieces of %d, known only %v: %d looks for %d bytes, %d for ten times as many", piece, known, few, small, many)
					}
				}
			}
		})
	}
}

// BenchmarkHostileText reads what takes most time.
func BenchmarkHostileText(b *testing.B) {
	for name, unit := range hostile() {
		text := strings.Repeat(unit, (1<<20)/len(unit))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				looksAt(text, 1000, Options{Tools: []Tool{{Name: "query"}}})
			}
		})
	}
}
