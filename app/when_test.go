package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/agent/agenttest"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/tools"
)

// moments are questions about days in zones whose clocks change there.
var moments = []struct {
	zone, now string
	question  string
	since     string
	until     string // "" for now
}{
	// The clocks went forward on Sunday the 29th.
	{"Europe/Berlin", "2026-03-30T09:00:00+02:00", "What happened yesterday?", "2026-03-29T00:00:00+01:00", "2026-03-29T23:59:59+02:00"},
	{"Europe/Berlin", "2026-03-30T09:00:00+02:00", "What happened last week?", "2026-03-23T00:00:00+01:00", "2026-03-29T23:59:59+02:00"},
	{"Europe/Berlin", "2026-04-01T09:00:00+02:00", "What happened on Monday?", "2026-03-30T00:00:00+02:00", "2026-03-30T23:59:59+02:00"},
	{"Europe/Berlin", "2026-03-30T09:00:00+02:00", "What did I miss since yesterday?", "2026-03-29T00:00:00+01:00", ""},
	// And back on Sunday the 1st, when it is Monday in Europe already.
	{"America/New_York", "2026-11-02T20:00:00-05:00", "What happened yesterday?", "2026-11-01T00:00:00-04:00", "2026-11-01T23:59:59-05:00"},
	{"America/New_York", "2026-11-02T20:00:00-05:00", "What happened last week?", "2026-10-26T00:00:00-04:00", "2026-11-01T23:59:59-05:00"},
	{"America/New_York", "2026-11-03T20:00:00-05:00", "What happened on Monday?", "2026-11-02T00:00:00-05:00", "2026-11-02T23:59:59-05:00"},
	// No change, and another day than in Greenwich.
	{"Asia/Tokyo", "2026-05-05T07:00:00+09:00", "What happened yesterday?", "2026-05-04T00:00:00+09:00", "2026-05-04T23:59:59+09:00"},
	{"Asia/Tokyo", "2026-05-05T07:00:00+09:00", "What happened last week?", "2026-04-27T00:00:00+09:00", "2026-05-03T23:59:59+09:00"},
	{"Asia/Tokyo", "2026-05-05T07:00:00+09:00", "What happened on Monday?", "2026-05-04T00:00:00+09:00", "2026-05-04T23:59:59+09:00"},
	// A midnight that does not exist.
	{"America/Asuncion", "2023-10-02T10:00:00-03:00", "What happened yesterday?", "2023-10-01T01:00:00-03:00", "2023-10-01T23:59:59-03:00"},
}

// Row 001-9: a digest asks with both ends, which are right in every zone and across a
// change of the clocks.
func TestYesterdayLastWeekAndMondayAreTheUsersOwn(t *testing.T) {
	me, ann := testkit.NewKey("me"), testkit.NewKey("ann")
	for _, tt := range moments {
		t.Run(tt.zone+" "+tt.question, func(t *testing.T) {
			zone, now := zoneOf(t, tt.zone), timeOf(t, tt.now)
			a := open(t, Options{Places: config.Locate(t.TempDir(), ""), As: me.PubKey, Zone: zone, Now: func() time.Time { return now }})
			notes := bytes.Join([][]byte{
				me.Event(t, 3, now.Unix()-90*86400, "", []string{"p", ann.PubKey}),
				ann.Event(t, 1, timeOf(t, tt.since).Unix()+3600, "The ferry runs again from Tuesday on, with the old captain."),
			}, []byte("\n"))
			if _, err := a.Import(t.Context(), bytes.NewReader(notes), ndb.ImportOptions{}); err != nil {
				t.Fatal(err)
			}
			answer, err := a.Ask(t.Context(), Question{Text: tt.question})
			if err != nil {
				t.Fatal(err)
			}
			asked := false
			for e := range answer.Events {
				var args tools.CountArgs
				if asked || e.Type != agent.EventToolCall || e.Name != "count" || json.Unmarshal(e.Arguments, &args) != nil || args.Since == "" {
					continue
				}
				asked = true // what follows reads it part by part
				from, fromErr := strconv.ParseInt(string(args.Since), 10, 64)
				to, toErr := strconv.ParseInt(string(args.Until), 10, 64)
				since, until := timeOf(t, tt.since).Unix(), now.Unix()
				if tt.until != "" {
					until = timeOf(t, tt.until).Unix()
				}
				if errors.Join(fromErr, toErr) != nil || from != since || to < until-1 || to > until {
					t.Errorf("asked from %s to %s, want %d to %d", args.Since, args.Until, since, until)
				}
			}
			if !asked {
				t.Error("the notes were not counted")
			}
		})
	}
}

// Rows 001-9 and 001-11: what a model is told of the time is enough to find these
// days: the weekday, the time with its zone, and when yesterday began.
func TestAModelIsToldWhatYesterdayIs(t *testing.T) {
	for _, tt := range moments {
		if !strings.Contains(tt.question, "happened yesterday") {
			continue
		}
		t.Run(tt.zone, func(t *testing.T) {
			zone, now, since := zoneOf(t, tt.zone), timeOf(t, tt.now), timeOf(t, tt.since)
			server := testkit.NewModelServer(t, testkit.SSE(`{"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}`))
			a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Zone: zone, Now: func() time.Time { return now }})
			answer, err := a.Ask(t.Context(), Question{Text: tt.question, Model: models.Choice{ID: "custom:owl", BaseURL: server.URL}})
			if err != nil {
				t.Fatal(err)
			}
			agenttest.Collect(answer.Events)
			want := fmt.Sprintf("now: %s, %s (unix %d)\nyesterday began: %s (unix %d)\n",
				now.In(zone).Weekday(), tt.now, now.Unix(), tt.since, since.Unix())
			var sent struct {
				Messages []struct{ Content string }
			}
			if err := json.Unmarshal(server.Received()[0].Body, &sent); err != nil {
				t.Fatal(err)
			}
			if got := sent.Messages[len(sent.Messages)-1].Content; !strings.Contains(got, want) || !strings.Contains(got, "\nzone: "+tt.zone+"\n") {
				t.Errorf("told\n%s\nwant in it\n%s\nand the zone %s", got, want, tt.zone)
			}
		})
	}
}

// This computer's zone has the name that models know, where that can be found out, and is
// the same zone in any case.
func TestTheZoneOfThisComputerHasItsName(t *testing.T) {
	_, offset := time.Now().Zone()
	for _, tz := range []string{"", "Europe/Berlin", ":Asia/Tokyo", "/usr/share/zoneinfo/America/New_York", "nonsense", "../../etc/passwd"} {
		zone := localZone(func(string) string { return tz })
		if _, got := time.Now().In(zone).Zone(); got != offset {
			t.Errorf("TZ=%q: %s is %d s from this computer's", tz, zone, got-offset)
		}
	}
	same := time.Now().Location().String()
	for _, name := range []string{"Africa/Abidjan", "Europe/Berlin", "Asia/Kolkata", "America/New_York"} {
		if _, got := time.Now().In(zoneOf(t, name)).Zone(); got == offset {
			same = name
		}
	}
	if got := localZone(func(string) string { return same }); same != "Local" && got.String() != same {
		t.Errorf("TZ=%s: the zone is called %s", same, got)
	}
}

func zoneOf(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Skipf("no zone data for %s", name)
	}
	return zone
}

func timeOf(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
