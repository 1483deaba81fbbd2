package relay

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
)

const someID = "4376c65d2f232afbe9b882a35baa4f6fe8667c4e684749af565f981833ed6a65"

func TestMessagesAreReadAsNIP01HasThem(t *testing.T) {
	tests := []struct {
		frame string
		want  message
	}{
		{`["EVENT","a",{"id":1}]`, message{label: "EVENT", sub: "a", event: []byte(`{"id":1}`)}},
		{" [ \"EVENT\" , \"\\u0061\" , {} ] \n", message{label: "EVENT", sub: "a", event: []byte(`{}`)}},
		{`["EOSE","a"]`, message{label: "EOSE", sub: "a"}},
		{`["EOSE","a","finish"]`, message{label: "EOSE", sub: "a", hint: "finish"}},
		{`["EOSE","a",{"x":1},2]`, message{label: "EOSE", sub: "a"}},
		{`["CLOSED","a","auth-required: x"]`, message{label: "CLOSED", sub: "a", text: "auth-required: x"}},
		{`["CLOSED","a"]`, message{label: "CLOSED", sub: "a"}},
		{`["NOTICE","slow down"]`, message{label: "NOTICE", text: "slow down"}},
		{`["NOTICE"]`, message{label: "NOTICE"}},
		{`["NOTICE",{"a":[1]}]`, message{label: "NOTICE", text: `{"a":[1]}`}},
		{`["AUTH","challenge"]`, message{label: "AUTH"}},
		{`["OK","` + someID + `",false,"blocked: x"]`, message{label: "OK"}},
		{`["OK"]`, message{label: "OK"}},
		{`["COUNT","a",{"count":1}]`, message{label: "COUNT"}},
	}
	for _, test := range tests {
		if got, err := parseMessage([]byte(test.frame)); err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, %v; want %+v", test.frame, got, err, test.want)
		}
	}
}

func TestWhatIsNoMessageIsAnError(t *testing.T) {
	for _, frame := range []string{
		``, `null`, `[]`, `{}`, `"EVENT"`, `[null]`, `[1,"a"]`, `[["EVENT"]]`,
		`["EVENT"]`, `["EVENT","a"]`, `["EVENT",1,{}]`, `["EVENT","a",{},{}]`, `["EVENT","a",{}`, `["EVENT","a",{}] x`,
		`["EOSE"]`, `["EOSE",null]`, `["CLOSED"]`, `["CLOSED",{}]`,
		strings.Repeat("[", 20_000),
	} {
		if got, err := parseMessage([]byte(frame)); err == nil {
			t.Errorf("%.60s: read as %+v, want an error", frame, got)
		}
	}
}

func TestARequestIsWrittenAsNIP01HasIt(t *testing.T) {
	limit, since := 10, int64(5)
	got, err := reqMessage("ab", []nostr.Filter{{Kinds: []uint16{1}, Since: &since, Limit: &limit}, {Tags: map[byte][]string{'t': {"a<b"}}}})
	if err != nil {
		t.Fatal(err)
	}
	var f [2]nostr.Filter
	parts := bytes.SplitN(got, []byte(","), 3)
	if !bytes.HasPrefix(got, []byte(`["REQ","ab",{`)) || len(parts) != 3 {
		t.Fatalf("%s", got)
	}
	for i, part := range strings.SplitAfterN(strings.TrimSuffix(string(parts[2]), "]"), "},", 2) {
		if f[i], err = nostr.ParseFilter([]byte(strings.TrimSuffix(part, ","))); err != nil {
			t.Fatalf("filter %d of %s: %v", i, got, err)
		}
	}
	if *f[0].Limit != 10 || *f[0].Since != 5 || f[1].Tags['t'][0] != "a<b" {
		t.Errorf("%s", got)
	}
	if got := string(closeMessage("ab")); got != `["CLOSE","ab"]` {
		t.Errorf("%s", got)
	}
}

func TestStrangersWordsAreMadeFitForOneLine(t *testing.T) {
	tests := []struct{ in, want string }{
		{"plain words", "plain words"},
		{"two\r\nlines\tand\u2028more", "two  lines and more"},
		{"\x1b[31mred\x07\x00\u0085", "[31mred"},
		{"a\u202eb\u200bc\u2066d\ufeffe\U000e0041f", "abcdef"},
		{"broken \xff\xfe utf8", "broken \ufffd\ufffd utf8"},
		{"ありがとう", "ありが"},
		{"12345678901234", "1234567890"},
	}
	for _, test := range tests {
		limit := 300
		if test.want == "ありが" || test.want == "1234567890" {
			limit = 10
		}
		if got := clean(test.in, limit); got != test.want {
			t.Errorf("%q: %q, want %q", test.in, got, test.want)
		}
	}
}

func FuzzParseMessage(f *testing.F) {
	ada := testkit.NewKey("ada")
	f.Add(append(append([]byte(`["EVENT","a",`), ada.Event(f, 1, 1_700_000_000, "hello\n\u0000", []string{"t", "x"})...), ']'))
	f.Add([]byte(`["EOSE","a","finish"]`))
	f.Add([]byte(`["CLOSED","a","rate-limited: \ud800"]`))
	f.Add([]byte(`["OK","` + someID + `",true,"x"]`))
	f.Add([]byte(`["NOTICE",{"\u202e":[1e999]}]`))
	f.Fuzz(func(t *testing.T, frame []byte) {
		m, err := parseMessage(frame)
		if err != nil {
			return
		}
		if text := clean(m.text, maxNoticeText); len(text) > maxNoticeText || !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
			t.Errorf("text %q", text)
		}
		if m.label != labelEvent {
			return
		}
		event, reason := checkEvent(m.event, []nostr.Filter{{}})
		if (event == nil) == (reason == "") {
			t.Fatalf("event %v with reason %q", event, reason)
		}
		if event != nil && event.ComputeID() != event.ID {
			t.Errorf("an event with a wrong id came through: %s", m.event)
		}
	})
}

func TestOnlyRightEventsThatWereAskedForPass(t *testing.T) {
	ada := testkit.NewKey("ada")
	good := string(ada.Event(t, 1, 1_700_000_000, "hello", []string{"t", "x"}))
	kinds := []nostr.Filter{{Kinds: []uint16{7}}, {Kinds: []uint16{1}}}
	tests := []struct {
		raw    string
		filter []nostr.Filter
		reason string
	}{
		{good, kinds, ""},
		{good, kinds[:1], dropFilter},
		{strings.Replace(good, "hello", "hellO", 1), kinds, "id"},
		{strings.Replace(good, `"kind":1`, `"kind":7`, 1), kinds, "id"},
		{strings.Replace(good, `"kind":1`, `"kind":70000`, 1), kinds, "kind"},
		{strings.Replace(good, `"created_at":1`, `"created_at":-1`, 1), kinds, "time"},
		{strings.Replace(good, `"hello"`, `null`, 1), kinds, "shape"},
		{`[]`, kinds, "shape"},
	}
	for _, test := range tests {
		event, reason := checkEvent([]byte(test.raw), test.filter)
		if reason != test.reason && !(test.reason == "shape" && reason == "json") || (event == nil) != (test.reason != "") {
			t.Errorf("%s: %v for %q, want %q", test.raw, event, reason, test.reason)
		}
	}
}

func TestMachineReadablePrefixesAreFound(t *testing.T) {
	for text, want := range map[string]string{
		"auth-required: log in": "auth-required", "rate-limited:": "rate-limited", "error": "", ": x": "", "": "",
		"See http://x": "", "two words: x": "",
	} {
		if got := prefixOf(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
