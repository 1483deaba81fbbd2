package account

import (
	"context"
	"errors"
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
	"bowerbird/netsafe"
)

const aHexKey = "7f0e64b52ef56bec2b588d460fc63125f567db2c014d1ecce806d8d5b4209e2e"

func pub(t *testing.T) nostr.PubKey {
	t.Helper()
	pk, err := nostr.ParsePubKey(aHexKey)
	if err != nil {
		t.Fatal(err)
	}
	return pk
}

func TestAKeyIsReadInEveryForm(t *testing.T) {
	pk := pub(t)
	profile, err := nostr.Code{Prefix: nostr.CodeProfile, PubKey: pk, Relays: []string{"wss://relay.example"}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{aHexKey, strings.ToUpper(aHexKey), pk.Npub(), "nostr:" + pk.Npub(), "  " + pk.Npub() + "\n", profile} {
		k, err := Parse(text)
		if err != nil || k.PubKey != pk {
			t.Errorf("%q: %v, %v", text, k.PubKey, err)
		}
	}
	if k, _ := Parse(profile); len(k.Relays) != 1 || k.Relays[0] != "wss://relay.example" {
		t.Errorf("hints: %v", k.Relays)
	}
}

func TestAWrongKeyIsToldWhatIsWrong(t *testing.T) {
	npub := pub(t).Npub()
	mistyped := strings.Replace(npub, npub[20:21], map[bool]string{true: "p", false: "q"}[npub[20] == 'q'], 1)
	tests := []struct{ name, text, want string }{
		{"nothing", " ", "nothing was given"},
		{"a mistyped npub", mistyped, "checksum"},
		{"too few digits", aHexKey[:60], "60 hex digits"},
		{"no point of the curve", strings.Repeat("f", 64), "mistyped"},
		{"a note", nostr.ID{1}.Note(), "not a person"},
		{"words", "hello there", "not a key"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse(tt.text)
			if !errors.Is(err, ErrNotAKey) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v; want %q in it", err, tt.want)
			}
		})
	}
}

func TestASecretKeyIsRefusedAndNotRepeated(t *testing.T) {
	// The secret key of NIP-19's example.
	const nsec = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
	for _, text := range []string{nsec, strings.ToUpper(nsec), "nostr:" + nsec, nsec[:50]} {
		_, err := Resolve(t.Context(), nil, text)
		if err == nil {
			t.Fatalf("accepted")
		}
		if strings.Contains(strings.ToLower(err.Error()), nsec[5:20]) {
			t.Errorf("repeated: %v", err)
		}
		if !errors.Is(err, nostr.ErrSecretKey) {
			t.Errorf("%v is not ErrSecretKey", err)
		}
	}
}

// web answers one address.
type web map[string]string

func (w web) Fetch(_ context.Context, r netsafe.Request) ([]byte, error) {
	body, ok := w[r.URL]
	if !ok || r.Redirects != 0 {
		return nil, &netsafe.Error{Kind: netsafe.DNS, Op: "get", Host: r.URL}
	}
	return []byte(body), nil
}

func TestANameIsLookedUp(t *testing.T) {
	w := web{
		"https://example.com/.well-known/nostr.json?name=ada": `{"names":{"ada":"` + aHexKey + `"},"relays":{"` + aHexKey + `":["wss://relay.example"]}}`,
		"https://example.com/.well-known/nostr.json?name=_":   `{"names":{"_":"` + aHexKey + `"}}`,
		"https://bad.example/.well-known/nostr.json?name=ada": `{"names":{"ada":"nothex"}}`,
		"https://odd.example/.well-known/nostr.json?name=ada": `<html>`,
	}
	for _, text := range []string{"ada@example.com", "Ada@Example.com", "example.com", "_@example.com"} {
		k, err := Resolve(t.Context(), w, text)
		if err != nil || k.PubKey != pub(t) {
			t.Errorf("%s: %v, %v", text, k, err)
		}
	}
	for text, want := range map[string]string{
		"bob@example.com":     "dns",
		"ada@bad.example":     "no valid key",
		"ada@odd.example":     "not what NIP-05",
		"a b@example.com":     "letters, digits",
		"ada@evil.com/x?y=":   "not a domain",
		"ada@user@evil.com":   "not a domain",
		"ada@nowhere.example": "looking up",
	} {
		if _, err := Resolve(t.Context(), w, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
	}
}
