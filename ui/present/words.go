package present

import (
	"fmt"
	"strings"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"bowerbird/app"
)

// Words writes texts, numbers and times in the user's language. The zero value writes
// English. L is Fyne's lang.L, which keeps this package free of a window: its key is the
// English text.
type Words struct {
	// Tag is the user's language, for numbers; the zero value is English.
	Tag language.Tag
	// L translates a text. data is a map[string]any with the values for its places,
	// written {{.Name}}.
	L func(text string, data ...any) string
}

// say translates a text with pairs of a name and a value.
func (w Words) say(text string, pairs ...any) string {
	if w.L != nil {
		if len(pairs) == 0 {
			return w.L(text)
		}
		data := make(map[string]any, len(pairs)/2)
		for i := 0; i+1 < len(pairs); i += 2 {
			data[fmt.Sprint(pairs[i])] = pairs[i+1]
		}
		return w.L(text, data)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		text = strings.Replace(text, fmt.Sprintf("{{.%v}}", pairs[i]), fmt.Sprint(pairs[i+1]), 1)
	}
	return text
}

// decimal writes a number with at most so many digits after the point.
func (w Words) decimal(n any, fraction int) string {
	return w.printer().Sprint(number.Decimal(n, number.MaxFractionDigits(fraction)))
}

// fixed writes a number with exactly so many digits after the point.
func (w Words) fixed(n float64, fraction int) string {
	return w.printer().Sprint(number.Decimal(n, number.Scale(fraction)))
}

func (w Words) printer() *message.Printer {
	if w.Tag == (language.Tag{}) {
		return message.NewPrinter(language.English)
	}
	return message.NewPrinter(w.Tag)
}

// Number writes a number whole: "1,204".
func (w Words) Number(n int) string { return w.decimal(n, 0) }

// Short writes a number briefly, rounded down: "8", "2.1k", "88k", "1.2M".
func (w Words) Short(n int64) string {
	switch {
	case n < 0:
		return "-" + w.Short(max(-n, 0))
	case n < 1_000:
		return w.decimal(n, 0)
	case n < 1_000_000:
		return w.say("{{.N}}k", "N", w.rounded(n, 1_000))
	case n < 1_000_000_000:
		return w.say("{{.N}}M", "N", w.rounded(n, 1_000_000))
	}
	return w.say("{{.N}}B", "N", w.rounded(n, 1_000_000_000))
}

// rounded divides with one digit behind the sign for results below ten.
func (w Words) rounded(n, unit int64) string {
	if n >= 10*unit {
		return w.decimal(n/unit, 0)
	}
	return w.decimal(float64(n/(unit/10))/10, 1)
}

// Bytes writes a size: "12 kB", "1.2 MB", "412 MB".
func (w Words) Bytes(n int64) string {
	n = max(n, 0)
	switch {
	case n < 1_000:
		return w.decimal(n, 0) + " B"
	case n < 1_000_000:
		return w.decimal(n/1_000, 0) + " kB"
	case n < 1_000_000_000:
		return w.rounded(n, 1_000_000) + " MB"
	}
	return w.rounded(n, 1_000_000_000) + " GB"
}

// dayNumber counts calendar days in t's zone, so that clock changes do not.
func dayNumber(t time.Time) int {
	y, m, d := t.Date()
	return int(time.Date(y, m, d, 12, 0, 0, 0, time.UTC).Unix() / (24 * 60 * 60))
}

// Ago writes briefly how long before now t was: "now", "12 min", "3 h", "2 d"; from a week
// on the date, in now's zone: "12 Mar", "12 Mar 2025". A time up to a quarter of an hour
// ahead is "now" (clocks differ), a later one a date.
func (w Words) Ago(t, now time.Time) string {
	t = t.In(now.Location())
	switch d := now.Sub(t); {
	case d < -15*time.Minute:
		return w.Date(t, now)
	case d < time.Minute:
		return w.say("now")
	case d < time.Hour:
		return w.say("{{.N}} min", "N", int(d/time.Minute))
	case d < 24*time.Hour:
		return w.say("{{.N}} h", "N", int(d/time.Hour))
	case d < 7*24*time.Hour:
		return w.say("{{.N}} d", "N", int(d/(24*time.Hour)))
	}
	return w.Date(t, now)
}

// exact says a time in full, in its zone: "Thursday, 12 March 2026, 14:03".
func (w Words) exact(t time.Time) string {
	return w.say("{{.Weekday}}, {{.Day}} {{.Month}} {{.Year}}, {{.Clock}}",
		"Weekday", w.say(t.Weekday().String()), "Day", t.Day(), "Month", w.say(t.Month().String()), "Year", t.Year(), "Clock", t.Format("15:04"))
}

// Day names the day of t as seen from now: "Today", "Yesterday", the weekday
// within six days, else the date.
func (w Words) Day(t, now time.Time) string {
	t = t.In(now.Location())
	switch days := dayNumber(now) - dayNumber(t); {
	case days == 0:
		return w.say("Today")
	case days == 1:
		return w.say("Yesterday")
	case days > 1 && days < 7:
		return w.say(t.Weekday().String())
	}
	return w.date(t, now, t.Month().String())
}

// Date writes the day of t briefly, in its zone: "12 Mar", "12 Mar 2025".
func (w Words) Date(t, now time.Time) string {
	return w.date(t, now, t.Format("Jan"))
}

func (w Words) date(t, now time.Time, month string) string {
	if t.Year() == now.Year() {
		return w.say("{{.Day}} {{.Month}}", "Day", t.Day(), "Month", w.say(month))
	}
	return w.say("{{.Day}} {{.Month}} {{.Year}}", "Day", t.Day(), "Month", w.say(month), "Year", t.Year())
}

// Moment writes a time briefly, in now's zone: "18:00" today, "Thu 18:00" within six days,
// else "12 Mar, 18:00", or "12 Mar 2025".
func (w Words) Moment(t, now time.Time) string {
	t = t.In(now.Location())
	clock, days := t.Format("15:04"), dayNumber(now)-dayNumber(t)
	switch {
	case days == 0:
		return clock
	case days > 0 && days <= 6:
		return w.say("{{.Weekday}} {{.Clock}}", "Weekday", w.say(t.Format("Mon")), "Clock", clock)
	case t.Year() == now.Year():
		return w.say("{{.Day}} {{.Month}}, {{.Clock}}", "Day", t.Day(), "Month", w.say(t.Format("Jan")), "Clock", clock)
	}
	return w.Date(t, now)
}

// Suggested returns the question of a suggestion. A hashtag or a name in it is the words
// of strangers, which Foreign says.
func (w Words) Suggested(s app.Suggestion) app.Question {
	switch s.Kind {
	case app.SuggestThread:
		return app.Question{Text: w.say("Summarise the longest thread"), Scope: app.Scope{Thread: s.Thread}}
	case app.SuggestHashtag:
		return app.Question{Text: w.say("What's new about {{.Topic}} this week?", "Topic", s.Hashtag), Foreign: true}
	}
	return app.Question{Text: w.say("What did {{.Name}} write this week?", "Name", s.Name), Foreign: true}
}

// eventNames are what events of other kinds than texts, articles and pictures are called.
var eventNames = map[uint16]string{
	0: "A profile",
	3: "A list of people followed",
	5: "A request to delete notes",
	7: "A reaction",
	8: "A badge", 30008: "A badge", 30009: "A badge",
	11: "A thread",
	21: "A video", 22: "A video", 34235: "A video", 34236: "A video",
	40: "A message in a public chat", 41: "A message in a public chat", 42: "A message in a public chat",
	1063: "A file",
	1068: "A poll", 6969: "A poll",
	1018: "A vote in a poll",
	1222: "A voice message", kindVoiceComment: "A voice message",
	1311: "A message in a live chat",
	1617: "Work on source code", 1618: "Work on source code", 1621: "Work on source code",
	1984: "A report",
	1985: "A label",
	4:    "A private message", 13: "A private message", 14: "A private message", 15: "A private message", 1059: "A private message",
	9041: "A fundraiser",
	9734: "A zap", 9735: "A zap", 9321: "A zap",
	9802:  "A highlighted passage",
	30017: "An offer", 30018: "An offer", 30402: "An offer", 30403: "An offer",
	30024: "A draft of an article",
	30311: "A live stream", 30312: "A live stream", 30313: "A live stream",
	30315: "A status",
	30617: "Source code", 30618: "Source code",
	30818: "A page of a wiki", 30819: "A page of a wiki",
	31922: "A calendar event", 31923: "A calendar event", 31924: "A calendar event", 31925: "A calendar event",
	31989: "An app", 31990: "An app",
	34550: "A community", 4550: "A community",
	10002: "A list of relays",
}

// EventName returns what events of a kind are called in English; "" for kinds without a name
// here.
func EventName(kind uint16) string {
	switch kind {
	case kindText:
		return "A note"
	case kindComment:
		return "A comment"
	case kindPicture:
		return "A picture"
	case kindArticle:
		return "An article"
	case 6, 16:
		return "A repost"
	}
	return eventNames[kind]
}

// kind returns what an event is called; "" for a kind that shows what it is.
func (w Words) kind(kind uint16) string {
	switch kind {
	case kindText, kindComment, kindPicture, kindArticle:
		return ""
	}
	if text := eventNames[kind]; text != "" {
		return w.say(text)
	}
	if kind >= 10000 && kind < 20000 || kind >= 30000 && kind < 30010 {
		return w.say("A list")
	}
	return w.say("Something that Bowerbird does not support yet")
}
