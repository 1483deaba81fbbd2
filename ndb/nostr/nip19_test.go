package nostr

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bowerbird/ndb/bech32"
)

// The examples of NIP-19.
const (
	nip19Key     = "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d"
	nip19Npub    = "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6"
	nip19Profile = "nprofile1qqsrhuxx8l9ex335q7he0f09aej04zpazpl0ne2cgukyawd24mayt8gpp4mhxue69uhhytnc9e3k7mgpz4mhxue69uhkg6nzv9ejuumpv34kytnrdaksjlyr9p"
	nip19Secret  = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
)

func TestParseCodeReadsTheExamplesOfNIP19(t *testing.T) {
	key, err := ParsePubKey(nip19Key)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		text string
		want Code
	}{
		{nip19Npub, Code{Prefix: CodePubKey, PubKey: key}},
		{"nostr:" + nip19Npub, Code{Prefix: CodePubKey, PubKey: key}},
		{strings.ToUpper(nip19Npub), Code{Prefix: CodePubKey, PubKey: key}},
		{nip19Profile, Code{Prefix: CodeProfile, PubKey: key, Relays: []string{"wss://r.x.com", "wss://djbas.sadkb.com"}}},
	}
	for _, test := range tests {
		if got, err := ParseCode(test.text); err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("ParseCode(%q) = %+v, %v", test.text, got, err)
		}
	}
	for _, text := range []string{nip19Npub, nip19Profile} {
		code, _ := ParseCode(text)
		if got, err := code.Encode(); err != nil || got != text {
			t.Errorf("%s was written again as %s, %v", text, got, err)
		}
	}
}

func TestEveryCodeGoesThroughEncodeAndParse(t *testing.T) {
	id, key := testID(7), PubKey(testID(8))
	tests := []Code{
		{Prefix: CodePubKey, PubKey: key},
		{Prefix: CodeNote, Event: id},
		{Prefix: CodeProfile, PubKey: key},
		{Prefix: CodeProfile, PubKey: key, Relays: []string{"wss://a", "", strings.Repeat("r", 255)}},
		{Prefix: CodeEvent, Event: id},
		{Prefix: CodeEvent, Event: id, PubKey: key, Kind: 0, HasKind: true, Relays: []string{"wss://a"}},
		{Prefix: CodeAddress, PubKey: key, Kind: 30023, HasKind: true, D: "été"},
		{Prefix: CodeAddress, PubKey: key, Kind: 10002, HasKind: true},
	}
	for _, want := range tests {
		text, err := want.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ParseCode(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v came back as %+v, %v", want, got, err)
		}
	}
}

func TestEncodeRefusesWhatDoesNotFit(t *testing.T) {
	for _, c := range []Code{
		{},
		{Prefix: "nsec"},
		{Prefix: CodeAddress, D: strings.Repeat("d", 256)},
		{Prefix: CodeProfile, Relays: []string{strings.Repeat("r", 256)}},
	} {
		if text, err := c.Encode(); err == nil {
			t.Errorf("%+v was written as %q", c, text)
		}
	}
}

func TestParseCodeSaysWhatIsWrongAndNeverEchoes(t *testing.T) {
	tlv := func(prefix string, data ...byte) string { return bech32.EncodeBytes(prefix, data) }
	special := append([]byte{0, 32}, make([]byte, 32)...)
	tests := []struct{ name, text, want string }{
		{"nothing", "", "not a code"},
		{"hex", nip19Key, "not a code"},
		{"a wrong character", strings.Replace(nip19Npub, "180cvv", "180cvw", 1), "checksum"},
		{"a missing character", nip19Npub[:40] + nip19Npub[41:], "checksum"},
		{"mixed case", "Npub" + nip19Npub[4:], "capitals"},
		{"a letter that the code has not", strings.Replace(nip19Npub, "180", "1b0", 1), "not a code"},
		{"too short for a checksum", "npub1qqqqq", "not a code"},
		{"no prefix", "1" + nip19Npub[5:], "not a code"},
		{"another kind", tlv("nrelay", 0, 1, 'x'), "kind is not known"},
		{"a key too short", tlv("npub", make([]byte, 31)...), "31 bytes, want 32"},
		{"a key too long", tlv("note", make([]byte, 33)...), "33 bytes, want 32"},
		{"a list cut in its value", tlv("nevent", 0, 32, 1, 2), "cut off"},
		{"a list cut before its length", tlv("nevent", append(slices.Clone(special), 1)...), "cut off"},
		{"an empty list", tlv("nevent"), "does not say what"},
		{"relays only", tlv("nprofile", 1, 1, 'x'), "does not say what"},
		{"an id too short", tlv("nevent", 0, 2, 1, 2), "2 bytes, want 32"},
		{"an address without a kind", tlv("naddr", append([]byte{0, 1, 'd', 2, 32}, make([]byte, 32)...)...), "does not say what"},
		{"a kind too large", tlv("nevent", append(slices.Clone(special), 3, 4, 0, 1, 0, 0)...), "outside 0..65535"},
		{"a kind of two bytes", tlv("nevent", append(slices.Clone(special), 3, 2, 0, 1)...), "outside 0..65535"},
		{"a d tag that is no UTF-8", tlv("naddr", 0, 1, 0xff), "no UTF-8"},
		{"5,001 characters", tlv("nevent", make([]byte, 3200)...), "at most 5000"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := ParseCode(test.text)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %v, want ...%s...", err, test.want)
			}
			if len(test.text) > 12 && strings.Contains(err.Error(), test.text[:12]) {
				t.Errorf("%v holds the text", err)
			}
		})
	}
}

func TestASecretKeyIsRefusedByItsName(t *testing.T) {
	for _, text := range []string{nip19Secret, "nostr:" + nip19Secret, strings.ToUpper(nip19Secret), nip19Secret[:30], "ncryptsec1qqq"} {
		_, err := ParseCode(text)
		if !errors.Is(err, ErrSecretKey) {
			t.Errorf("got %v, want ErrSecretKey", err)
		}
		if strings.Contains(strings.ToLower(err.Error()), "vl029mgp") {
			t.Errorf("the error holds the key: %v", err)
		}
	}
}

func TestUnknownListTypesAreSkippedAndTheFirstSpecialCounts(t *testing.T) {
	first, second := testID(1), testID(2)
	data := []byte{9, 3, 'x', 'y', 'z', 200, 0}
	data = append(append(data, 0, 32), first[:]...)
	data = append(append(data, 0, 32), second[:]...)
	data = append(data, 1, 2, 0xff, 0xfe) // a relay that is no UTF-8 is dropped
	got, err := ParseCode(bech32.EncodeBytes("nevent", data))
	if want := (Code{Prefix: CodeEvent, Event: first}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

func TestLinksAreFoundWithTheirPlaces(t *testing.T) {
	npub := "nostr:" + nip19Npub
	text := "é " + npub + ",nostr:nostr:" + nip19Profile + " " + nip19Npub + " nostr:" + nip19Secret + " nostr:"
	var got []string
	for link := range Links(text) {
		got = append(got, text[link.Start:link.End])
	}
	if want := []string{npub, "nostr:" + nip19Profile}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for range Links(text) {
		break // a caller may stop
	}
}

func FuzzParseCode(f *testing.F) {
	f.Add(nip19Npub)
	f.Add("nostr:" + nip19Profile)
	f.Add("naddr1qqqqqqqqqqqqqq")
	f.Fuzz(func(t *testing.T, text string) {
		code, err := ParseCode(text)
		if err != nil {
			return
		}
		again, err := code.Encode()
		if err != nil {
			t.Fatalf("%q was read as %+v, but: %v", text, code, err)
		}
		if back, err := ParseCode(again); err != nil && len(again) <= maxCode || err == nil && !reflect.DeepEqual(back, code) {
			t.Fatalf("%+v came back as %+v, %v", code, back, err)
		}
	})
}

// The fuzzer seldom hits a checksum, so here it makes the bytes below it.
func FuzzParseCodeData(f *testing.F) {
	f.Add(uint8(3), append([]byte{0, 32}, make([]byte, 32)...))
	f.Add(uint8(4), []byte{0, 0, 2, 0, 3, 4, 0, 0, 1, 1})
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		prefixes := []string{CodePubKey, CodeNote, CodeProfile, CodeEvent, CodeAddress}
		code, err := ParseCode(bech32.EncodeBytes(prefixes[int(which)%len(prefixes)], data))
		if err != nil {
			return
		}
		again, err := code.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if back, err := ParseCode(again); err == nil && !reflect.DeepEqual(back, code) {
			t.Fatalf("%+v came back as %+v", code, back)
		}
	})
}

func TestAKeyHasOneShortForm(t *testing.T) {
	pk := PubKey{1, 2, 3}
	npub := pk.Npub()
	if got, want := pk.Short(), npub[:12]+"…"+npub[len(npub)-6:]; got != want || ShortCode(npub) != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := ShortCode("short"); got != "short" {
		t.Errorf("%q of a short code", got)
	}
}

func TestALinkIsReadAsBrowsersHandItOver(t *testing.T) {
	code := PubKey{7}.Npub()
	for _, s := range []string{"nostr:" + code, "web+nostr:" + code, "NOSTR:" + code, "web+nostr://" + code + "/", "nostr://" + code} {
		if c, err := ParseLink(s); err != nil || c.PubKey != (PubKey{7}) {
			t.Errorf("%s: %+v, %v", s, c, err)
		}
	}
	for _, s := range []string{"", code, "nostr:", "https://" + code, "nostr:" + code + "?x", "nostr:nostr:nostr:" + code, "nostr: " + code} {
		if c, err := ParseLink(s); err == nil {
			t.Errorf("%q is read as %+v", s, c)
		}
	}
	for _, s := range []string{"nostr:nsec1qqqq", "web+nostr://NSEC1qqqq", "nostr:nostr:nsec1qqqq", "nostr:ncryptsec1qqqq"} {
		if _, err := ParseLink(s); !errors.Is(err, ErrSecretKey) {
			t.Errorf("%q: %v", s, err)
		}
	}
}
