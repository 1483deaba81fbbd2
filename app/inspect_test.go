package app

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"bowerbird/app/agent/agenttest"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/internal/testkit"
)

// canaries returns 200 secrets: of every shape that is known, and API keys without a
// shape, which the program was told of.
func canaries(know func(string)) []string {
	var out []string
	for i := range 20 {
		plain := fmt.Sprintf("Zq8rT2mVx0bLk7NcWd4H%02d", i)
		know(plain)
		out = append(out, plain)
		low := "x3f7y" + "qpzry9x8gf2tvdw0s3jn"[i:i+1] + "q9w2"
		for _, shape := range []string{
			"nsec1%sacdefghjklm023456789acdefghj", "ncryptsec1%sacdefghjklm023456789", "bunker://%s?relay=wss://r.example", "nostr+walletconnect://%s?secret=1",
			"sk-%sAAAABBBBCCCC1", "gsk_%sAAAABBBBCCCC1", "AIzaSy%sAAAABBBBCCCC1", "hf_%sAAAABBBBCCCC1", "xoxb-%sAAAABBBB",
		} {
			out = append(out, fmt.Sprintf(shape, low))
		}
	}
	return out
}

func TestTheInspectorShowsTheBytesThatWereSentAndNoSecret(t *testing.T) {
	keyring.MockInit()
	const key = "Kd83hs92Lq01mZxc7Vbn"
	server := testkit.NewModelServer(
		t,
		testkit.Reply{Status: http.StatusBadRequest, Body: `{"error":{"message":"Unrecognized request argument supplied: stream_options"}}`},
		testkit.Reply{Body: answered("Ninety.")},
	)
	data := t.TempDir()
	a := open(t, Options{Places: config.Locate(data, ""), Getenv: noEnv})
	if _, err := a.Models().SetKey(t.Context(), "custom", server.URL, key); err != nil {
		t.Fatal(err)
	}
	secrets := canaries(a.redactor.Know)
	if len(secrets) != 200 {
		t.Fatalf("%d canaries", len(secrets))
	}
	answer, err := a.Ask(t.Context(), Question{
		Text:  "What of these do you know? " + strings.Join(append(secrets, key), " , "),
		Model: models.Choice{ID: "custom:owl", BaseURL: server.URL},
	})
	if err != nil {
		t.Fatal(err)
	}
	turn := ""
	for e := range answer.Events {
		turn = e.Turn
	}
	chat := answer.Chat.Info().ID
	sent, got := a.Models().Sent(chat, turn), server.Received()
	if len(sent) != 2 || len(got) != 2 {
		t.Fatalf("%d requests shown, %d received; want 2", len(sent), len(got))
	}
	for i, s := range sent {
		if !bytes.Equal(s.Body, got[i].Body) || s.Size != len(got[i].Body) || s.URL != server.URL+got[i].URL.Path {
			t.Errorf("request %d: shown %s\n%s\nreceived %s\n%s", i, s.URL, s.Body, got[i].URL, got[i].Body)
		}
		if s.Try != i+1 || s.Provider != "custom" || s.Model != "owl" || s.Turn != turn {
			t.Errorf("request %d: %+v", i, s)
		}
		if shown := s.Header.Get("Authorization"); shown != "Bearer …" || got[i].Header.Get("Authorization") != "Bearer "+key {
			t.Errorf("request %d: the header is shown as %q", i, shown)
		}
		whole := fmt.Sprintf("%s %s %v", s.Body, s.URL, s.Header)
		for _, secret := range append(secrets, key) {
			if strings.Contains(whole, secret) {
				t.Errorf("request %d holds the canary %s", i, secret)
			}
		}
	}
	if sent[0].Status != 400 || !strings.Contains(sent[0].Failed, "stream_options") || sent[1].Status != 200 || sent[1].Failed != "" {
		t.Errorf("the outcomes are %+v and %+v", sent[0].Outcome, sent[1].Outcome)
	}
	if len(a.Models().Sent(chat, "")) != 2 || len(a.Models().Sent("another", "")) != 0 || len(a.Models().Sent(chat, "another")) != 0 {
		t.Error("requests are not told by their chat and turn")
	}
	wrote(t, data, "include_usage", false) // the inspector is in memory alone
}

// wrote fails the test unless some file under a folder holds a text, or none does.
func wrote(t *testing.T, dir, text string, want bool) {
	t.Helper()
	var in []string
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		if bytes.Contains(raw, []byte(text)) {
			in = append(in, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if found := len(in) > 0; found != want {
		t.Errorf("%q stands in %v; want %v", text, in, want)
	}
}

func TestTheBuiltInModelSendsNothing(t *testing.T) {
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Sample: true})
	answer, err := a.Ask(t.Context(), Question{Text: "Top hashtags this week"})
	if err != nil {
		t.Fatal(err)
	}
	agenttest.Collect(answer.Events)
	if sent := a.Models().Sent(answer.Chat.Info().ID, ""); len(sent) != 0 {
		t.Errorf("shown as sent: %+v", sent)
	}
}
