package present

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/text/language"
)

// german stands for a window's translations.
func german(text string, data ...any) string {
	words := map[string]string{
		"{{.N}} min": "{{.N}} Min.", "{{.N}}k": "{{.N}} Tsd.", "{{.Day}} {{.Month}}": "{{.Day}}. {{.Month}}",
		"Mar": "März", "Today": "Heute",
	}
	if w, ok := words[text]; ok {
		text = w
	}
	if len(data) > 0 {
		for k, v := range data[0].(map[string]any) {
			text = strings.ReplaceAll(text, "{{."+k+"}}", Words{}.say("{{.X}}", "X", v))
		}
	}
	return text
}

func TestNumbersAreShortInLittleRoom(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 8: "8", 999: "999", 1_000: "1k", 1_204: "1.2k", 2_100: "2.1k", 9_999: "9.9k", 10_000: "10k", 88_400: "88k", 999_999: "999k",
		1_000_000: "1M", 1_250_000: "1.2M", 88_000_000: "88M", 3_000_000_000: "3B", -5: "-5",
	} {
		if got := (Words{}).Short(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
	de := Words{Tag: language.German, L: german}
	if got := de.Short(2_100); got != "2,1 Tsd." {
		t.Errorf("in German %q", got)
	}
	if got := de.Number(184_302); got != "184.302" {
		t.Errorf("in German %q", got)
	}
	if got := (Words{}).Number(184_302); got != "184,302" {
		t.Errorf("%q", got)
	}
}

func TestSizesAreSaidInTheUnitThatFits(t *testing.T) {
	for n, want := range map[int64]string{-1: "0 B", 512: "512 B", 12_400: "12 kB", 1_200_000: "1.2 MB", 412_000_000: "412 MB", 2_500_000_000: "2.5 GB"} {
		if got := (Words{}).Bytes(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

func TestAgeIsSaidInLittleRoom(t *testing.T) {
	now := time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)
	de := Words{Tag: language.German, L: german}
	for _, tt := range []struct {
		ago    time.Duration
		en, de string
	}{
		{-time.Hour, "20 Mar", "20. März"},
		{-time.Minute, "now", "now"},
		{30 * time.Second, "now", "now"},
		{12 * time.Minute, "12 min", "12 Min."},
		{3*time.Hour + 59*time.Minute, "3 h", "3 h"},
		{50 * time.Hour, "2 d", "2 d"},
		{8 * 24 * time.Hour, "12 Mar", "12. März"},
		{365 * 24 * time.Hour, "20 Mar 2025", "20 März 2025"},
	} {
		if got := (Words{}).Ago(now.Add(-tt.ago), now); got != tt.en {
			t.Errorf("%v ago is %q, want %q", tt.ago, got, tt.en)
		}
		if got := de.Ago(now.Add(-tt.ago), now); got != tt.de {
			t.Errorf("%v ago is %q in German, want %q", tt.ago, got, tt.de)
		}
	}
	if got := (Words{}).exact(now); got != "Friday, 20 March 2026, 12:00" {
		t.Errorf("%q", got)
	}
	if got := (Words{}).Day(now.Add(-20*time.Hour), now); got != "Yesterday" {
		t.Errorf("%q", got)
	}
	if got := de.Day(now, now); got != "Heute" {
		t.Errorf("%q", got)
	}
}
