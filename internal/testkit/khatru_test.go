package testkit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"bowerbird/internal/testkit"
)

// A store with a limit gives a quarter of it to who asks for more, or names no
// limit, but as many profiles as there are authors: what one kind of question shows
// of the cap is not true of another.
func TestKhatruCapsEachKindOfQuestionInItsOwnWay(t *testing.T) {
	var events [][]byte
	var authors []string
	for i := range 60 {
		key := testkit.NewKey(fmt.Sprint("khatru ", i))
		authors = append(authors, `"`+key.PubKey+`"`)
		events = append(events, key.Event(t, 0, 1_700_000_000, `{"name":"a"}`), key.Event(t, 1, 1_700_000_000, "a"))
	}
	relay := testkit.StartKhatru(t, "-limit=40")
	relay.Publish(t, events...)
	for filter, want := range map[string]int{
		`{"kinds":[1]}`:             10,
		`{"kinds":[1],"limit":41}`:  10,
		`{"kinds":[1],"limit":40}`:  40,
		`{"kinds":[1],"limit":500}`: 10,
		`{"kinds":[0],"limit":500,"authors":[` + strings.Join(authors, ",") + `]}`: 60,
	} {
		if got, last := ask(t, relay.URL, "REQ", filter); got != want || last != "EOSE" {
			t.Errorf("%.40s: %d events, then %s; want %d, then EOSE", filter, got, last, want)
		}
	}
	if got := toldLimit(t, relay); got != 0 {
		t.Errorf("a limit of %d is told, want none", got)
	}
	relay.Stop()
	relay.Start(t, "-limit=400", "-tell")
	if got, _ := ask(t, relay.URL, "REQ", `{"kinds":[1],"limit":500}`); got != 60 {
		t.Errorf("started again with another limit, it gives %d events of 60", got)
	}
	if got := toldLimit(t, relay); got != 400 {
		t.Errorf("a limit of %d is told, want 400", got)
	}
}

func TestKhatruRefusesAsItsFlagsSay(t *testing.T) {
	ada, bob := testkit.NewKey("ada"), testkit.NewKey("bob")
	both := `{"kinds":[1],"authors":["` + ada.PubKey + `","` + bob.PubKey + `"]}`
	for flags, c := range map[string]struct {
		verb, filter string
		events       int
		last         string
	}{
		"":                         {"REQ", both, 2, "EOSE"},
		"-refuse=" + ada.PubKey:    {"REQ", both, 0, "CLOSED blocked: an author is not served here"},
		"-withhold=" + ada.PubKey:  {"REQ", both, 1, "EOSE"},
		"-max-authors=1":           {"REQ", both, 0, "CLOSED blocked: too many authors"},
		"-per-minute=1 -delay=1ms": {"REQ", both, 0, "CLOSED rate-limited: there is a bug in the client, no one should be making so many requests"},
		"-kinds=0,3":               {"REQ", both, 0, "EOSE"},
		"-auth":                    {"REQ", both, 0, "CLOSED auth-required: all requests must be authenticated"},
		"-sane":                    {"REQ", both, 2, "EOSE"},
		"-max-message=90":          {"REQ", both, 0, "goodbye"},
		"-count":                   {"COUNT", both, 0, `COUNT {"count":2}`},
		"-negentropy":              {"NEG-OPEN", both, 0, "NEG-MSG"},
		"-limit=3":                 {"NEG-OPEN", both, 0, "NOTICE"},
	} {
		t.Run(flags, func(t *testing.T) {
			relay := testkit.StartKhatru(t, strings.Fields(flags)...)
			relay.Publish(t, ada.Event(t, 1, 1_700_000_000, "a"), bob.Event(t, 1, 1_700_000_000, "b"))
			if strings.HasPrefix(flags, "-per-minute") {
				ask(t, relay.URL, "REQ", both)
			}
			if got, last := ask(t, relay.URL, c.verb, c.filter); got != c.events || last != c.last {
				t.Errorf("%d events, then %q; want %d, then %q", got, last, c.events, c.last)
			}
		})
	}
}

// ask sends one question and returns how many events came, and what ended them.
func ask(t *testing.T, url, verb, filter string) (events int, last string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testkit.Patience)
	defer cancel()
	ws, _, err := websocket.Dial(ctx, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.CloseNow()
	question := fmt.Sprintf(`[%q,"q",%s]`, verb, filter)
	if verb == "NEG-OPEN" {
		question = fmt.Sprintf(`[%q,"q",%s,"6100000200"]`, verb, filter) // I have nothing
	}
	if err := ws.Write(ctx, websocket.MessageText, []byte(question)); err != nil {
		t.Fatal(err)
	}
	for {
		_, data, err := ws.Read(ctx)
		if err != nil {
			return events, "goodbye"
		}
		var parts []json.RawMessage
		if err := json.Unmarshal(data, &parts); err != nil || len(parts) < 2 {
			t.Fatalf("the relay said %s", data)
		}
		switch label := strings.Trim(string(parts[0]), `"`); label {
		case "EVENT":
			events++
		case "AUTH":
		case "CLOSED":
			return events, label + " " + strings.Trim(string(parts[2]), `"`)
		case "COUNT":
			return events, label + " " + string(parts[2])
		default:
			return events, label
		}
	}
}

// toldLimit is the relay's max_limit by NIP-11, 0 where it tells none.
func toldLimit(t *testing.T, relay *testkit.Khatru) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http"+strings.TrimPrefix(relay.URL, "ws"), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "application/nostr+json")
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var info struct {
		Limitation struct {
			MaxLimit int `json:"max_limit"`
		}
	}
	if err := json.NewDecoder(answer.Body).Decode(&info); err != nil {
		t.Fatal(err)
	}
	return info.Limitation.MaxLimit
}
