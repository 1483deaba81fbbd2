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
			env := &Env{Zone: zoneNamed(t, tt.zone), Now: func() time.Time { return now }}
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
	for _, text := range []string{"soon", "-5", "1700000000000", "2026-13-01", "99999999999999999999", "7x", "d", "2026-02-30", "9999999d"} {
		if got, err := env.moment("since", When(text), false); err == nil {
			t.Errorf("%q was read as %s", text, env.stamp(*got))
		}
	}
	if _, _, err := env.times("today", "yesterday"); err == nil {
		t.Error("since after until was taken")
	}
}
