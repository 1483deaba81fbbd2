package tools

import (
	"testing"
	"time"
	_ "time/tzdata"
)

func zoneNamed(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func TestTimesAreReadInTheUsersZone(t *testing.T) {
	for _, tt := range []struct {
		name, zone, now, text string
		end                   bool
		want                  string
	}{
		{"unix seconds", "UTC", "2026-05-03T12:00:00Z", "1700000000", false, "2023-11-14T22:13:20Z"},
		{"RFC 3339", "UTC", "2026-05-03T12:00:00Z", "2026-05-01T08:00:00+02:00", false, "2026-05-01T06:00:00Z"},
		{"a clock time without a zone", "Europe/Berlin", "2026-05-03T12:00:00Z", "2026-05-01 08:00", false, "2026-05-01T08:00:00+02:00"},
		{"hours back", "UTC", "2026-05-03T12:00:00Z", "24h", false, "2026-05-02T12:00:00Z"},
		{"weeks back, as people write it", "UTC", "2026-05-03T12:00:00Z", "2w ago", false, "2026-04-19T12:00:00Z"},
		{"days back keep the clock over a change", "Europe/Berlin", "2026-03-30T10:00:00Z", "2d", false, "2026-03-28T12:00:00+01:00"},
		{"days in words", "Europe/Berlin", "2026-03-30T10:00:00Z", "2 days ago", false, "2026-03-28T12:00:00+01:00"},
		{"an hour", "UTC", "2026-05-03T12:00:00Z", "an hour ago", false, "2026-05-03T11:00:00Z"},
		{"minutes", "UTC", "2026-05-03T12:00:00Z", "90 minutes", false, "2026-05-03T10:30:00Z"},
		{"months back", "UTC", "2026-05-03T12:00:00Z", "2 months ago", false, "2026-03-03T12:00:00Z"},
		{"years back", "UTC", "2026-05-03T12:00:00Z", "1 year ago", false, "2025-05-03T12:00:00Z"},
		{"the last days", "UTC", "2026-05-03T12:00:00Z", "Last 7 days", false, "2026-04-26T12:00:00Z"},
		{"the past hours", "UTC", "2026-05-03T12:00:00Z", "past 24 hours", false, "2026-05-02T12:00:00Z"},
		{"the past week", "UTC", "2026-05-03T12:00:00Z", "past week", false, "2026-04-26T12:00:00Z"},
		{"this week begins on Monday", "Europe/Berlin", "2026-05-03T12:00:00Z", "this week", false, "2026-04-27T00:00:00+02:00"},
		{"this week ends on Sunday", "Europe/Berlin", "2026-04-27T12:00:00Z", "this week", true, "2026-05-03T23:59:59+02:00"},
		{"last week, over a change of the clocks", "Europe/Berlin", "2026-03-30T10:00:00Z", "last week", false, "2026-03-23T00:00:00+01:00"},
		{"its end", "Europe/Berlin", "2026-03-30T10:00:00Z", "last_week", true, "2026-03-29T23:59:59+02:00"},
		{"last month", "UTC", "2026-03-31T10:00:00Z", "last month", false, "2026-02-01T00:00:00Z"},
		{"its end", "UTC", "2026-03-31T10:00:00Z", "last month", true, "2026-02-28T23:59:59Z"},
		{"last year", "UTC", "2026-03-31T10:00:00Z", "last year", true, "2025-12-31T23:59:59Z"},
		{"a weekday", "UTC", "2026-05-03T12:00:00Z", "on Tuesday", false, "2026-04-28T00:00:00Z"},
		{"the same weekday is a week ago", "UTC", "2026-05-03T12:00:00Z", "sunday", true, "2026-04-26T23:59:59Z"},
		{"the day before yesterday", "UTC", "2026-05-03T12:00:00Z", "the day before yesterday", false, "2026-05-01T00:00:00Z"},
		{"tomorrow", "UTC", "2026-05-03T12:00:00Z", "tomorrow", true, "2026-05-04T23:59:59Z"},
		{"a month", "UTC", "2026-05-03T12:00:00Z", "2026-02", true, "2026-02-28T23:59:59Z"},
		{"a year is no second of 1970", "UTC", "2026-05-03T12:00:00Z", "2025", false, "2025-01-01T00:00:00Z"},
		{"the last visit", "UTC", "2026-05-03T12:00:00Z", "last visit", false, "2026-05-02T07:00:00Z"},
		{"yesterday begins at local midnight", "Asia/Tokyo", "2026-05-03T16:00:00Z", "yesterday", false, "2026-05-03T00:00:00+09:00"},
		{"yesterday as an end is its last second", "Asia/Tokyo", "2026-05-03T16:00:00Z", "yesterday", true, "2026-05-03T23:59:59+09:00"},
		{"yesterday west of Greenwich", "America/Los_Angeles", "2026-05-03T06:00:00Z", "Yesterday", false, "2026-05-01T00:00:00-07:00"},
		{"a date", "Europe/Berlin", "2026-05-03T12:00:00Z", "2026-05-01", false, "2026-05-01T00:00:00+02:00"},
		{"a date as an end", "Europe/Berlin", "2026-05-03T12:00:00Z", "2026-05-01", true, "2026-05-01T23:59:59+02:00"},
		{"a day of 23 hours", "Europe/Berlin", "2026-03-29T20:00:00Z", "today", true, "2026-03-29T23:59:59+02:00"},
		{"a day of 25 hours", "Europe/Berlin", "2026-10-25T20:00:00Z", "today", false, "2026-10-25T00:00:00+02:00"},
		{"a day that begins at one", "America/Asuncion", "2023-10-01T15:00:00Z", "today", false, "2023-10-01T01:00:00-03:00"},
		{"a day that has midnight twice", "America/Havana", "2025-11-02T15:00:00Z", "today", false, "2025-11-02T00:00:00-04:00"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			now, err := time.Parse(time.RFC3339, tt.now)
			if err != nil {
				t.Fatal(err)
			}
			env := &Env{Zone: zoneNamed(t, tt.zone), Now: func() time.Time { return now }, LastVisit: time.Date(2026, 5, 2, 7, 0, 0, 0, time.UTC)}
			got, err := env.moment("since", When(tt.text), tt.end)
			if err != nil {
				t.Fatal(err)
			}
			if env.stamp(*got) != tt.want {
				t.Errorf("got %s, want %s", env.stamp(*got), tt.want)
			}
		})
	}
}

func TestTimesThatMeanNothingAreRefused(t *testing.T) {
	env := &Env{Now: func() time.Time { return time.Unix(1_800_000_000, 0) }}
	for _, text := range []string{"soon", "-5", "1700000000000", "2026-13-01", "99999999999999999999", "7x", "d", "2026-02-30", "9999999d", "last visit", "3 blue days ago", "ago", "week", "-3 days ago ago", "last", "99999999 years ago"} {
		if got, err := env.moment("since", When(text), false); err == nil {
			t.Errorf("%q was read as %s", text, env.stamp(*got))
		}
	}
	if _, _, err := env.times("today", "yesterday"); err == nil {
		t.Error("since after until was taken")
	}
}
