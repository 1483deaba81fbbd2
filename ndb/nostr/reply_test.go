package nostr

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// testID returns an id that is easy to tell from others.
func testID(n byte) ID { return ID{0: n, 31: n} }

// Row 001-12: a reply is one by the markers of NIP-10, by the old positions, or as a
// comment; mentions and quotes are none.
func TestReplyTo(t *testing.T) {
	a, b, c, d := testID(1), testID(2), testID(3), testID(4)
	e := func(id ID, rest ...string) Tag { return append(Tag{"e", id.String()}, rest...) }
	article := "30023:" + someKey + ":title"
	tests := []struct {
		name string
		kind uint16
		tags Tags
		want Reply
		ok   bool
	}{
		{"no tags", 1, nil, Reply{}, false},
		{"people only", 1, Tags{{"p", someKey}}, Reply{}, false},

		{"root and reply marked", 1, Tags{e(a, "", "root"), e(b, "", "reply")}, Reply{a, b}, true},
		{"reply before root", 1, Tags{e(b, "", "reply"), e(a, "wss://x", "root")}, Reply{a, b}, true},
		{"root alone", 1, Tags{e(a, "", "root")}, Reply{a, a}, true},
		{"reply alone", 1, Tags{e(a, "", "reply")}, Reply{a, a}, true},
		{"marked, with the author behind", 1, Tags{e(a, "", "root", someKey), e(b, "", "reply", someKey)}, Reply{a, b}, true},
		{"tags without marker beside marked ones", 1, Tags{e(c), e(a, "", "root"), e(d), e(b, "", "reply"), e(c)}, Reply{a, b}, true},
		{"mention beside root", 1, Tags{e(a, "", "root"), e(b, "", "mention")}, Reply{a, a}, true},
		{"the first of two replies", 1, Tags{e(a, "", "root"), e(b, "", "reply"), e(c, "", "reply")}, Reply{a, b}, true},

		{"mention alone", 1, Tags{e(a, "", "mention")}, Reply{}, false},
		{"quote alone", 1, Tags{{"q", a.String()}}, Reply{}, false},
		{"quote and mention", 1, Tags{{"q", a.String()}, e(a, "", "mention")}, Reply{}, false},

		{"one without marker", 1, Tags{e(a)}, Reply{a, a}, true},
		{"two without marker", 1, Tags{e(a), e(b)}, Reply{a, b}, true},
		{"four without marker", 1, Tags{e(a), e(b), e(c), {"p", someKey}, e(d)}, Reply{a, d}, true},
		{"empty markers", 1, Tags{e(a, "", ""), e(b, "wss://x", "")}, Reply{a, b}, true},
		{"a marker in the relay's place", 1, Tags{e(a, "root")}, Reply{a, a}, true},
		{"an unknown marker", 1, Tags{e(a, "", "fork")}, Reply{a, a}, true},
		{"positions with a mention between", 1, Tags{e(a), e(c, "", "mention"), e(b)}, Reply{a, b}, true},

		{"a bad id", 1, Tags{{"e", "zz"}}, Reply{}, false},
		{"an id in capitals", 1, Tags{{"e", strings.ToUpper(testID(0xab).String()), "", "root"}}, Reply{}, false},
		{"a bad root and a good reply", 1, Tags{{"e", "", "", "root"}, e(b, "", "reply")}, Reply{b, b}, true},
		{"tags cut short", 1, Tags{{}, {"e"}, {"e", ""}, {""}}, Reply{}, false},

		{"a comment on a comment", 1111, Tags{{"E", a.String()}, {"K", "20"}, e(b), {"k", "1111"}}, Reply{a, b}, true},
		{"a comment on an event", 1111, Tags{{"E", a.String()}, e(a)}, Reply{a, a}, true},
		{"a comment with small letters only", 1111, Tags{e(a)}, Reply{a, a}, true},
		{"a comment with capitals only", 1111, Tags{{"E", a.String()}}, Reply{a, a}, true},
		{"a comment on an address", 1111, Tags{{"A", article}, {"a", article}}, Reply{}, true},
		{"a comment on an address with its event", 1111, Tags{{"A", article}, {"a", article}, e(a)}, Reply{Parent: a}, true},
		{"an answer to a comment on an address", 1111, Tags{{"A", article}, e(b)}, Reply{Parent: b}, true},
		{"a comment on a web page", 1111, Tags{{"I", "https://example.com"}, {"i", "https://example.com"}}, Reply{}, true},
		{"a comment with NIP-10 markers", 1111, Tags{e(a, "", "root"), e(b, "", "reply")}, Reply{a, a}, true},
		{"a comment on nothing", 1111, Tags{{"p", someKey}}, Reply{}, false},
		{"a comment with bad ids", 1111, Tags{{"E", "x"}, {"e", "y"}}, Reply{}, false},
		{"a voice comment", 1244, Tags{{"E", a.String()}, e(b)}, Reply{a, b}, true},
	}
	for _, kind := range []uint16{0, 3, 4, 5, 6, 7, 16, 42, 1984, 9734, 9735, 30023} {
		tests = append(tests, struct {
			name string
			kind uint16
			tags Tags
			want Reply
			ok   bool
		}{fmt.Sprintf("kind %d", kind), kind, Tags{e(a, "", "root"), e(b, "", "reply"), {"E", a.String()}}, Reply{}, false})
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ok := ReplyTo(&Event{Kind: test.kind, Tags: test.tags})
			if got != test.want || ok != test.ok {
				t.Errorf("got %+v, %v\nwant %+v, %v", got, ok, test.want, test.ok)
			}
		})
	}
}

func TestQuotes(t *testing.T) {
	a, b, c := testID(1), testID(2), testID(3)
	nevent, err := Code{Prefix: CodeEvent, Event: b, Relays: []string{"wss://x"}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	note := "nostr:" + a.Note()
	tests := []struct {
		name    string
		kind    uint16
		tags    Tags
		content string
		want    []ID
	}{
		{"nothing", 1, nil, "hello nostr:", nil},
		{"q tags", 1, Tags{{"q", a.String()}, {"q"}, {"q", "30023:x:y"}, {"q", b.String(), "wss://x"}}, "", []ID{a, b}},
		{"links", 1, nil, "see " + note + ", (nostr:" + nevent + ").", []ID{a, b}},
		{"each once", 1, Tags{{"q", a.String()}}, note + " " + note, []ID{a}},
		{"tags before links", 1, Tags{{"q", c.String()}}, note, []ID{c, a}},
		{"a comment's links", 1111, nil, note, []ID{a}},
		{"links in other kinds", 30023, Tags{{"q", b.String()}}, note, []ID{b}},
		{"a code without scheme", 1, nil, a.Note(), nil},
		{"a person", 1, nil, "nostr:" + PubKey(a).Npub(), nil},
		{"a broken checksum", 1, nil, note[:len(note)-1] + "q", nil},
		{"a link behind a broken one", 1, nil, "nostr:note1xyz nostr:" + note, []ID{a}},
		{"e tags", 1, Tags{{"e", a.String(), "", "mention"}}, "", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := Quotes(&Event{Kind: test.kind, Tags: test.tags, Content: test.content})
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func FuzzReplyTo(f *testing.F) {
	f.Add(uint16(1), "e,"+someID+",,root\ne,"+someID+",,reply", "")
	f.Add(uint16(1111), "E,"+someID+"\ne", "nostr:"+testID(1).Note())
	f.Fuzz(func(t *testing.T, kind uint16, rows, content string) {
		e := &Event{Kind: kind, Content: content}
		for row := range strings.SplitSeq(rows, "\n") {
			e.Tags = append(e.Tags, strings.Split(row, ","))
		}
		if r, ok := ReplyTo(e); !ok && r != (Reply{}) {
			t.Errorf("no reply, yet to %+v", r)
		}
		Quotes(e)
	})
}
