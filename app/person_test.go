package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/live"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/netsafe"
)

// domains answers look-ups of names, and remembers what was asked.
type domains struct {
	names map[string]string // name@domain to hex
	err   error
	asked []string
}

func (d *domains) Fetch(_ context.Context, r netsafe.Request) ([]byte, error) {
	d.asked = append(d.asked, r.URL)
	if d.err != nil {
		return nil, d.err
	}
	names := map[string]string{}
	for full, hex := range d.names {
		name, domain, _ := strings.Cut(full, "@")
		if strings.Contains(r.URL, "//"+domain+"/") {
			names[name] = hex
		}
	}
	return json.Marshal(map[string]any{"names": names})
}

// ada is somebody with a profile and a list, as a relay would give them.
func ada(t *testing.T) (key testkit.Key, events []*nostr.Event) {
	t.Helper()
	key = testkit.NewKey("ada")
	now := time.Now().Unix()
	for _, raw := range [][]byte{
		key.Event(t, 0, now-100, `{"display_name":"Ada Lindqvist","name":"ada","nip05":"ada@lindqvist.example","picture":"https://lindqvist.example/a.png"}`),
		key.Event(t, 3, now-100, "", []string{"p", testkit.NewKey("ben").PubKey}, []string{"p", testkit.NewKey("clara").PubKey}),
	} {
		e, err := nostr.ParseEvent(raw)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return key, events
}

// TestWhomATextNames looks people up as they are typed and pasted.
func TestWhomATextNames(t *testing.T) {
	key, events := ada(t)
	web := &domains{names: map[string]string{"ada@lindqvist.example": key.PubKey, "_@lindqvist.example": key.PubKey}}
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), web: web})
	if _, err := a.Notes().Put(t.Context(), ndb.Batch{Events: events}); err != nil {
		t.Fatal(err)
	}
	pk := events[0].PubKey
	profile, err := nostr.Code{Prefix: nostr.CodeProfile, PubKey: pk, Relays: []string{"wss://relay.example"}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		pk.Npub(), "  " + pk.Npub() + "\n", strings.ToUpper(pk.Npub()), "@" + pk.Npub(), profile, pk.String(), strings.ToUpper(pk.String()),
		"nostr:" + pk.Npub(), "nostr:" + profile, "web+nostr:" + pk.Npub(), "nostr://" + pk.Npub(),
		"ada@lindqvist.example", "Ada@Lindqvist.Example", "@ada@lindqvist.example", "lindqvist.example", "https://lindqvist.example/",
		"https://njump.me/" + pk.Npub(), "njump.me/" + profile, "https://primal.net/p/" + pk.Npub() + "?x=1", "https://snort.social/p/" + pk.Npub() + "/",
		"https://nostrudel.ninja/#/u/" + pk.Npub(), "https://coracle.social/people/" + profile, "https://iris.to/" + pk.Npub() + "/replies",
		"https://satellite.earth/@" + pk.Npub(), "https://njump.me/ada@lindqvist.example", "https://any.example/?who=" + pk.Npub(),
		"https://yakihonne.com/profile/" + profile, "\u200b" + pk.Npub() + "\u200b",
		"“" + pk.Npub() + "”", "<" + pk.Npub() + ">", pk.Npub() + ".", "Ada (" + pk.Npub() + ")", "see " + profile + ", please", "mailto:ada@lindqvist.example",
	} {
		p, err := a.LookUp(t.Context(), text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if p.PubKey != pk || !p.Found || p.Name != "Ada Lindqvist" || p.Follows != 2 || p.Picture == "" || p.Asked {
			t.Errorf("%q: %+v", text, p)
		}
	}
}

func TestWhatNamesNobodyIsSaidInPlainWords(t *testing.T) {
	key, _ := ada(t)
	pk, err := nostr.ParsePubKey(key.PubKey)
	if err != nil {
		t.Fatal(err)
	}
	web := &domains{names: map[string]string{"ada@lindqvist.example": key.PubKey}}
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), web: web})
	npub := pk.Npub()
	tests := []struct {
		text string
		want LookUpTrouble
	}{
		{"", LookUpEmpty},
		{" \t\u200b", LookUpEmpty},
		{"ada", LookUpNoName},
		{"what is this?", LookUpNoName},
		{npub[:len(npub)-1] + "q", LookUpMistyped},
		{npub[:40], LookUpMistyped},
		{pk.String()[:60], LookUpMistyped},
		{strings.Repeat("f", 64), LookUpMistyped},
		{nostr.ID{1}.Note(), LookUpNote},
		{"https://njump.me/" + nostr.ID{1}.Note(), LookUpNote},
		{"https://primal.net/jack", LookUpNoName},
		{"eve@lindqvist.example", LookUpUnknown},
		{"a b@lindqvist.example", LookUpNoName},
		{"http://[::1", LookUpNoName},
		{"ada@", LookUpNoName},
		{"Ada " + npub[:40], LookUpMistyped},
		{npub + " or " + npub, LookUpMistyped},
		{strings.Repeat("x", 100_000), LookUpNoName},
	}
	for _, tt := range tests {
		_, err := a.LookUp(t.Context(), tt.text)
		var said *LookUpError
		if !errors.As(err, &said) || said.Trouble != tt.want {
			t.Errorf("%.60q: %v, want %q", tt.text, err, tt.want)
		}
	}
}

func TestASecretKeyIsRefusedBeforeAnythingIsDoneWithIt(t *testing.T) {
	const secret = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
	var log bytes.Buffer
	web := &domains{}
	dir := t.TempDir()
	a := open(t, Options{Places: config.Locate(dir, ""), web: web, Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	for _, text := range []string{
		secret, " " + secret, strings.ToUpper(secret), "nostr:" + secret, "https://njump.me/" + secret, secret + "@example.com",
		"my key: " + secret, secret[:30], "ncryptsec1qgg9947rlpvqu76pj5ecreduf9jxhselq2nae2kghhvd5g7dgjtcxfqtd67p9m0w57lspw8gsq6yphnm8623nsl8xn9j4jdzz84zm3frztj3z7s35vpzmqf6ksu8r89qk5z2zxfmu5gv8th8wclt0h4p",
	} {
		_, err := a.LookUp(t.Context(), text)
		var said *LookUpError
		if !errors.As(err, &said) || said.Trouble != LookUpSecret {
			t.Errorf("%.20q: %v", text, err)
		}
		if err != nil && strings.Contains(strings.ToLower(fmt.Sprintf("%+v %v", err, errors.Unwrap(err))), secret[5:25]) {
			t.Errorf("the error repeats it: %v", err)
		}
	}
	if len(web.asked) > 0 {
		t.Errorf("asked of the network: %q", web.asked)
	}
	if strings.Contains(strings.ToLower(log.String()), secret[5:25]) {
		t.Errorf("logged: %s", log.String())
	}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if bytes.Contains(bytes.ToLower(raw), []byte(secret[5:25])) {
			t.Errorf("kept in %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAStrangerIsLookedUpAtTheRelays(t *testing.T) {
	key, events := ada(t)
	var lists [][]byte
	for _, e := range events {
		lists = append(lists, e.AppendJSON(nil))
	}
	empty, full := testkit.StartGoRelay(t, testkit.GoRelayOptions{}), testkit.StartGoRelay(t, testkit.GoRelayOptions{}, lists...)
	a := open(t, Options{
		Places: config.Locate(t.TempDir(), ""), AllowPrivate: true,
		Settings: config.Settings{Sync: config.Sync{Indexers: []string{empty.URL, full.URL}}},
	})
	p, err := a.LookUp(t.Context(), key.PubKey)
	if err != nil || !p.Found || p.Name != "Ada Lindqvist" || p.Follows != 2 || !p.Asked {
		t.Errorf("%+v, %v", p, err)
	}
	empty.Stop()
	full.Stop()
	if p, err := a.LookUp(t.Context(), key.PubKey); err != nil || p.Name != "Ada Lindqvist" || p.Asked {
		t.Errorf("the second time it comes from the store: %+v, %v", p, err)
	}
	if p, err := a.LookUp(t.Context(), testkit.NewKey("ben").PubKey); err != nil || p.Found || p.Follows != -1 {
		t.Errorf("somebody nobody knows, with no relay there: %+v, %v", p, err)
	}
}

func TestOfflineANameIsFoundAmongThePeopleOfTheStore(t *testing.T) {
	_, events := ada(t)
	web := &domains{err: &netsafe.Error{Kind: netsafe.Offline, Op: "get"}}
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), web: web})
	_, err := a.LookUp(t.Context(), "ada@lindqvist.example")
	if said := (*LookUpError)(nil); !errors.As(err, &said) || said.Trouble != LookUpOffline {
		t.Errorf("with an empty store: %v", err)
	}
	if _, err := a.Notes().Put(t.Context(), ndb.Batch{Events: events}); err != nil {
		t.Fatal(err)
	}
	if p, err := a.LookUp(t.Context(), "ada@lindqvist.example"); err != nil || p.PubKey != events[0].PubKey {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestTheSampleKnowsItsOwnPeopleAndAsksNobody(t *testing.T) {
	web := &domains{}
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Sample: true, web: web})
	me, err := a.Notes().Profile(t.Context(), a.Me())
	if err != nil {
		t.Fatal(err)
	}
	if me.NIP05 == "" {
		t.Fatal("the sample's reader has no name to look up")
	}
	for _, text := range []string{me.NIP05, a.Me().Npub(), "https://njump.me/" + a.Me().Npub()} {
		if p, err := a.LookUp(t.Context(), text); err != nil || p.PubKey != a.Me() || p.Follows <= 0 {
			t.Errorf("%q: %+v, %v", text, p, err)
		}
	}
	if _, err := a.LookUp(t.Context(), "nobody@here.example"); err == nil {
		t.Error("somebody was found who is not in the sample")
	}
	if len(web.asked) > 0 {
		t.Errorf("asked: %q", web.asked)
	}
	if err := a.ReadAs(t.Context(), nostr.PubKey{1}); !errors.Is(err, live.ErrSample) {
		t.Errorf("reading as somebody: %v", err)
	}
	if _, err := a.Live().FetchNotes(t.Context(), []nostr.ID{{1}}, nil); !errors.Is(err, live.ErrSample) {
		t.Errorf("looking further: %v", err)
	}
}
