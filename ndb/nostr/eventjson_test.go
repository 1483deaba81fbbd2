package nostr

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
)

const (
	someID  = "00000000000000000000000000000000000000000000000000000000000000aa"
	someKey = "00000000000000000000000000000000000000000000000000000000000000bb"
	someSig = someID + someKey
)

// eventLine returns an event's JSON with one field's raw value replaced; an empty
// value leaves the field out.
func eventLine(field, value string) string {
	fields := []struct{ name, value string }{
		{"id", `"` + someID + `"`},
		{"pubkey", `"` + someKey + `"`},
		{"created_at", "1700000000"},
		{"kind", "1"},
		{"tags", `[["t","cats"],["e"]]`},
		{"content", `"hello"`},
		{"sig", `"` + someSig + `"`},
	}
	var parts []string
	known := false
	for _, f := range fields {
		if f.name == field {
			known = true
			f.value = value
		}
		if f.value != "" {
			parts = append(parts, fmt.Sprintf("%q:%s", f.name, f.value))
		}
	}
	if !known && field != "" {
		parts = append(parts, fmt.Sprintf("%q:%s", field, value))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func TestParseEventReadsWhatNIP01Allows(t *testing.T) {
	tests := []struct {
		name string
		line string
		want func(*Event)
	}{
		{"plain", eventLine("", ""), func(*Event) {}},
		{"white space everywhere", " \t\r\n" + strings.NewReplacer(":", " : ", ",", "\n,\t", "[", "[ ", "]", " ]").Replace(eventLine("", "")) + "\n", func(*Event) {}},
		{"keys with escapes", strings.Replace(eventLine("", ""), `"kind"`, `"\u006bind"`, 1), func(*Event) {}},
		{"unknown fields of every type", strings.Replace(eventLine("", ""), "{", `{"a":null,"b":[{"c":true}],"d":-1.5e+3,"":"","e":{"e":1,"e":2},`, 1), func(*Event) {}},
		{"the names of fields in other case", eventLine("Kind", "2"), func(*Event) {}},
		{"created_at 0", eventLine("created_at", "0"), func(e *Event) { e.CreatedAt = 0 }},
		{"created_at 2^53", eventLine("created_at", "9007199254740992"), func(e *Event) { e.CreatedAt = 1 << 53 }},
		{"kind 65535", eventLine("kind", "65535"), func(e *Event) { e.Kind = 65535 }},
		{"no tags", eventLine("tags", "[]"), func(e *Event) { e.Tags = Tags{} }},
		{"a tag without items", eventLine("tags", "[[]]"), func(e *Event) { e.Tags = Tags{{}} }},
		{"empty content", eventLine("content", `""`), func(e *Event) { e.Content = "" }},
		{"all escapes", eventLine("content", `"\"\\\/\b\f\n\r\t\u00e9\u20AC\ud83d\uDE00"`), func(e *Event) { e.Content = "\"\\/\b\f\n\r\té€😀" }},
		{"NUL and DEL", eventLine("content", `"\u0000`+"\x7f"+`"`), func(e *Event) { e.Content = "\x00\x7f" }},
		{"line separators raw", eventLine("content", "\"\u2028\u2029\ufeff\""), func(e *Event) { e.Content = "\u2028\u2029\ufeff" }},
		{"a lone high surrogate", eventLine("content", `"a\ud83d"`), func(e *Event) { e.Content = "a\ufffd" }},
		{"a lone low surrogate", eventLine("content", `"\ude00b"`), func(e *Event) { e.Content = "\ufffdb" }},
		{"surrogates in the wrong order", eventLine("content", `"\ude00\ud83d"`), func(e *Event) { e.Content = "\ufffd\ufffd" }},
		{"a lone high surrogate before a pair", eventLine("content", `"\ud83d\ud83d\ude00"`), func(e *Event) { e.Content = "\ufffd😀" }},
		{"a high surrogate before another escape", eventLine("content", `"\ud83d\n\ud83d\u0041"`), func(e *Event) { e.Content = "\ufffd\n\ufffdA" }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := &Event{CreatedAt: 1700000000, Kind: 1, Tags: Tags{{"t", "cats"}, {"e"}}, Content: "hello"}
			want.ID[31], want.PubKey[31], want.Sig[31], want.Sig[63] = 0xaa, 0xbb, 0xaa, 0xbb
			test.want(want)
			got, err := ParseEvent([]byte(test.line))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

func TestParseEventRefusesAndSaysWhy(t *testing.T) {
	tests := []struct {
		name   string
		line   string
		reason Reason
		detail string // a part of it
	}{
		{"nothing", "", ReasonJSON, "text ends, want an object at byte 0"},
		{"an array", "[]", ReasonJSON, "want an object"},
		{"null", "null", ReasonJSON, "want an object"},
		{"cut short", eventLine("", "")[:80], ReasonJSON, "string without end"},
		{"text behind it", eventLine("", "") + "x", ReasonJSON, "'x', want the end"},
		{"two events", eventLine("", "") + eventLine("", ""), ReasonJSON, "want the end"},
		{"a byte order mark", "\ufeff" + eventLine("", ""), ReasonJSON, "want an object at byte 0"},
		{"a trailing comma", strings.Replace(eventLine("", ""), "}", ",}", 1), ReasonJSON, "want a string"},
		{"a known field twice", strings.Replace(eventLine("", ""), "{", `{"kind":1,`, 1), ReasonJSON, `"kind" stands there twice`},
		{"a known field twice, once escaped", strings.Replace(eventLine("", ""), "{", `{"k\u0069nd":1,`, 1), ReasonJSON, `"kind" stands there twice`},
		{"an unknown field twice", strings.Replace(eventLine("x", "1"), "{", `{"x":1,`, 1), ReasonJSON, `"x" stands there twice`},
		{"a raw newline in a string", eventLine("content", "\"a\nb\""), ReasonJSON, "raw control character"},
		{"an unknown escape", eventLine("content", `"\x41"`), ReasonJSON, "unknown escape"},
		{"half a unicode escape", eventLine("content", `"\u12"`), ReasonJSON, "four hex digits"},
		{"half a pair", eventLine("content", `"\ud83d\u12"`), ReasonJSON, "four hex digits"},
		{"an unknown field that is no JSON", eventLine("x", "trueish"), ReasonJSON, "',' or '}'"},
		{"an unknown number with a leading zero", eventLine("x", "01"), ReasonJSON, "',' or '}'"},

		{"raw bytes that are no UTF-8", eventLine("content", "\"a\xff\""), ReasonUTF8, "is no UTF-8"},
		{"a surrogate in UTF-8", eventLine("content", "\"\xed\xa0\x80\""), ReasonUTF8, "is no UTF-8"},
		{"an overlong form", eventLine("content", "\"\xc0\xaf\""), ReasonUTF8, "is no UTF-8"},
		{"bad UTF-8 in an unknown field", eventLine("x", "\"\xff\""), ReasonUTF8, "is no UTF-8"},

		{"id missing", eventLine("id", ""), ReasonShape, `no field "id"`},
		{"pubkey missing", eventLine("pubkey", ""), ReasonShape, `no field "pubkey"`},
		{"created_at missing", eventLine("created_at", ""), ReasonShape, `no field "created_at"`},
		{"kind missing", eventLine("kind", ""), ReasonShape, `no field "kind"`},
		{"tags missing", eventLine("tags", ""), ReasonShape, `no field "tags"`},
		{"content missing", eventLine("content", ""), ReasonShape, `no field "content"`},
		{"sig missing", eventLine("sig", ""), ReasonShape, `no field "sig"`},
		{"content null", eventLine("content", "null"), ReasonShape, `"content" is "null", want a string`},
		{"content a number", eventLine("content", "1"), ReasonShape, `"content" is "1", want a string`},
		{"id a number", eventLine("id", "1"), ReasonShape, `"id" is "1", want a string`},
		{"id short", eventLine("id", `"00"`), ReasonShape, `"id": 2 characters, want 64 hex digits`},
		{"id in capitals", eventLine("id", strings.ToUpper(`"`+someID+`"`)), ReasonShape, "character 63 is no lower-case hex digit"},
		{"sig of an id's length", eventLine("sig", `"`+someID+`"`), ReasonShape, "want 128 hex digits"},
		{"created_at a string", eventLine("created_at", `"1"`), ReasonShape, "want a number"},
		{"kind a string", eventLine("kind", `"1"`), ReasonShape, "want a number"},
		{"deep JSON", eventLine("x", strings.Repeat("[", 4)+strings.Repeat("]", 4)), ReasonShape, "more than 4 levels deep"},
		{"very deep JSON", eventLine("x", strings.Repeat("[", 100_000)), ReasonShape, "more than 4 levels deep"},

		{"created_at before 1970", eventLine("created_at", "-1"), ReasonTime, "is -1, want an integer"},
		{"created_at minus zero", eventLine("created_at", "-0"), ReasonTime, "is -0, want an integer"},
		{"created_at over 2^53", eventLine("created_at", "9007199254740993"), ReasonTime, "want an integer"},
		{"created_at over 2^64", eventLine("created_at", "99999999999999999999"), ReasonTime, "want an integer"},
		{"created_at with a fraction", eventLine("created_at", "1700000000.0"), ReasonTime, "is 1700000000.0, want an integer"},
		{"created_at with an exponent", eventLine("created_at", "17e8"), ReasonTime, "is 17e8, want an integer"},
		{"kind 65536", eventLine("kind", "65536"), ReasonKind, "is 65536, want an integer from 0 to 65535"},
		{"kind -1", eventLine("kind", "-1"), ReasonKind, "want an integer"},
		{"kind 2^31", eventLine("kind", "2147483648"), ReasonKind, "want an integer"},
		{"kind 1.5", eventLine("kind", "1.5"), ReasonKind, "want an integer"},

		{"tags null", eventLine("tags", "null"), ReasonTags, "want an array of arrays"},
		{"tags an object", eventLine("tags", "{}"), ReasonTags, "want an array of arrays"},
		{"a tag that is a string", eventLine("tags", `[["a"],"b"]`), ReasonTags, "tag 2"},
		{"a number in a tag", eventLine("tags", `[["a",1]]`), ReasonTags, `an item of tag 1`},
		{"null in a tag", eventLine("tags", `[["a",null]]`), ReasonTags, `want a string`},
		{"an array in a tag", eventLine("tags", `[["a",["b"]]]`), ReasonTags, `want a string`},
		{"a deep tag", eventLine("tags", `[["a",[["b"]]]]`), ReasonShape, "levels deep"},
		{"broken JSON in a tag", eventLine("tags", `[["a",tru]]`), ReasonJSON, "unknown word"},
		{"2,501 tags", eventLine("tags", tagsJSON(2501)), ReasonTags, "2501 tags, at most 2500 are taken of kind 1"},
		{"10,001 tags", eventLine("tags", tagsJSON(10_001)), ReasonTags, "more than 10000 tags"},

		{"over 256 KiB", eventLine("content", `"`+strings.Repeat("a", maxEventBytes)+`"`), ReasonSize, "at most 262144 are taken of kind 1"},
		{"over 900 KiB", eventLine("content", `"`+strings.Repeat("a", maxListBytes)+`"`), ReasonSize, "at most 921600 are taken of any event"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := ParseEvent([]byte(test.line))
			inv, ok := errors.AsType[*InvalidError](err)
			if !ok {
				t.Fatalf("got error %v, want an InvalidError", err)
			}
			if inv.Reason != test.reason || !strings.Contains(inv.Detail, test.detail) {
				t.Errorf("got %s: %s\nwant %s: ...%s...", inv.Reason, inv.Detail, test.reason, test.detail)
			}
		})
	}
}

func tagsJSON(n int) string {
	return "[" + strings.Repeat(`["t"],`, n-1) + `["t"]]`
}

func TestListsMayBeLonger(t *testing.T) {
	for _, kind := range []string{"3", "10000", "19999", "30000", "39999"} {
		line := strings.Replace(eventLine("tags", tagsJSON(10_000)), `"kind":1`, `"kind":`+kind, 1)
		line = strings.Replace(line, "hello", strings.Repeat("a", maxEventBytes), 1)
		if _, err := ParseEvent([]byte(line)); err != nil {
			t.Errorf("kind %s: %v", kind, err)
		}
	}
}

func TestParseEventReadsEveryRealEvent(t *testing.T) {
	for i, line := range testkit.RealNotes(t) {
		e, err := ParseEvent(line)
		if err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		if err := e.Verify(); err != nil {
			t.Errorf("line %d: %v", i+1, err)
		}
		written := e.AppendJSON(nil)
		again, err := ParseEvent(written)
		if err != nil {
			t.Fatalf("line %d, written again: %v", i+1, err)
		}
		if !reflect.DeepEqual(e, again) {
			t.Errorf("line %d: %+v became %+v", i+1, e, again)
		}
	}
}

func TestWhatIsSignedIsEscapedAsNIP01Says(t *testing.T) {
	e := Event{
		CreatedAt: 5, Kind: 1, Tags: Tags{{"t", "a\nb"}, {}},
		Content: "\x00\x01\b\t\n\v\f\r\x1f \"\\/<>&\x7f\u2028\ufffdé😀",
	}
	key := strings.Repeat("0", 64)
	wantSigned := `[0,"` + key + `",5,1,[["t","a\nb"],[]],"` + "\x00\x01" + `\b\t\n` + "\v" + `\f\r` + "\x1f" + ` \"\\/<>&` + "\x7f\u2028\ufffdé😀" + `"]`
	if got := string(e.appendSigned(nil)); got != wantSigned {
		t.Errorf("signed text\n got %q\nwant %q", got, wantSigned)
	}
	wantContent := `"content":"\u0000\u0001\b\t\n\u000b\f\r\u001f \"\\/<>&` + "\x7f\u2028\ufffdé😀" + `"`
	if got := string(e.AppendJSON(nil)); !strings.Contains(got, wantContent) {
		t.Errorf("JSON\n got %q\nwant %q in it", got, wantContent)
	}
	if !json.Valid(e.AppendJSON(nil)) {
		t.Errorf("no JSON: %q", e.AppendJSON(nil))
	}
}

func TestAnEventGoesThroughEncodingJSON(t *testing.T) {
	e := signed(t, 1, Event{CreatedAt: 1700000000, Kind: 1, Tags: Tags{{"t", "<&>"}}, Content: "a <b> & \u2028 \x00"})
	type wrapped struct{ E Event }
	raw, err := json.Marshal(wrapped{*e})
	if err != nil {
		t.Fatal(err)
	}
	var back wrapped
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	if err := back.E.Verify(); err != nil || !reflect.DeepEqual(&back.E, e) {
		t.Errorf("%+v came back as %+v: %v", e, back.E, err)
	}
}

// Each file of the suite is put where a value may stand. What must parse, must
// as an unknown field; what must not, must not there nor as the content.
func TestJSONTestSuite(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testkit.Shared(t, "data", "hostile", "json", "test_parsing"), "*.json"))
	if err != nil || len(files) < 300 {
		t.Fatalf("found %d files: %v", len(files), err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, unknownErr := ParseEvent([]byte(eventLine("x", string(raw)+" ")))
		_, contentErr := ParseEvent([]byte(eventLine("content", string(raw)+" ")))
		switch name[0] {
		case 'y':
			if unknownErr != nil {
				t.Errorf("%s as an unknown field: %v", name, unknownErr)
			}
			checkArrayOfStrings(t, name, raw)
		case 'n':
			if unknownErr == nil || contentErr == nil {
				t.Errorf("%s was taken", name)
			}
		}
	}
}

// checkArrayOfStrings puts the suite's arrays of strings into a tag, where they
// must read as encoding/json reads them.
func checkArrayOfStrings(t *testing.T, name string, raw []byte) {
	t.Helper()
	var want []string
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) || json.Unmarshal(raw, &want) != nil {
		return
	}
	for _, item := range want {
		if bytes.Contains(raw, []byte("null")) && item == "" {
			return
		}
	}
	e, err := ParseEvent([]byte(eventLine("tags", "["+string(raw)+"]")))
	if err != nil {
		t.Errorf("%s as a tag: %v", name, err)
		return
	}
	if got := []string(e.Tags[0]); !reflect.DeepEqual(got, want) {
		t.Errorf("%s as a tag: got %q, want %q", name, got, want)
	}
}

func TestHostileTextGoesThroughUnchanged(t *testing.T) {
	if testing.Short() {
		t.Skip("long texts: not beside the race detector")
	}
	raw, err := os.ReadFile(testkit.Shared(t, "data", "hostile", "text", "blns.json"))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	if err := json.Unmarshal(raw, &texts); err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		e := signed(t, 1, Event{Kind: 1, Tags: Tags{{text, text}}, Content: text})
		back, err := ParseEvent(e.AppendJSON(nil))
		if err != nil || !reflect.DeepEqual(back, e) || back.Verify() != nil {
			t.Errorf("%q came back as %+v: %v", text, back, err)
		}
	}
}

func FuzzParseEvent(f *testing.F) {
	for _, line := range []string{
		eventLine("", ""), eventLine("content", `"\ud83d\ude00\ud83d\u0000\/"`), eventLine("x", `[{"a":[1e5,null]}]`),
		eventLine("tags", `[["e","",""],[]]`), eventLine("kind", "-0"), "{}", `{"id":"\`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, err := ParseEvent(raw)
		if err != nil {
			if _, ok := errors.AsType[*InvalidError](err); !ok {
				t.Fatalf("error %T: %v", err, err)
			}
			return
		}
		if id, ok := PeekID(raw); !ok || id != e.ID {
			t.Fatalf("id %s, %v at a first look, parsed %s", id, ok, e.ID)
		}
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(raw, &fields); err != nil {
			t.Fatalf("taken, but encoding/json says: %v", err)
		}
		var content string
		var tags Tags
		if json.Unmarshal(fields["content"], &content) != nil || content != e.Content {
			t.Fatalf("content %q, encoding/json reads %q", e.Content, content)
		}
		if json.Unmarshal(fields["tags"], &tags) != nil || !reflect.DeepEqual(tags, e.Tags) {
			t.Fatalf("tags %q, encoding/json reads %q", e.Tags, tags)
		}
		line := e.AppendJSON(nil)
		back, err := ParseEvent(line)
		if err != nil || !reflect.DeepEqual(back, e) {
			t.Fatalf("%q came back as %+v: %v", line, back, err)
		}
	})
}

func BenchmarkParseEvent(b *testing.B) {
	lines := testkit.RealNotes(b)
	bytes := 0
	for _, line := range lines {
		bytes += len(line)
	}
	b.SetBytes(int64(bytes / len(lines)))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := ParseEvent(lines[i%len(lines)]); err != nil {
			b.Fatal(err)
		}
	}
}
