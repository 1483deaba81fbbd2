package question_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"bowerbird/app/builtin/language"
	"bowerbird/app/builtin/question"
	"bowerbird/tools"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Skipf("no zone data for %s", name)
	}
	return z
}

// at reads "2026-11-19 15:10" in a zone.
func at(t testing.TB, z *time.Location, s string) time.Time {
	t.Helper()
	parsed, err := time.ParseInLocation("2006-01-02 15:04:05", s, z)
	if err != nil {
		if parsed, err = time.ParseInLocation("2006-01-02 15:04", s, z); err != nil {
			t.Fatal(err)
		}
	}
	return parsed
}

func TestEachWayToAskIsUnderstood(t *testing.T) {
	z := zone(t, "Europe/Berlin")
	c := question.Calendar{Now: at(t, z, "2026-11-19 15:10")} // a Thursday
	p := question.New(language.Lexicons(language.All()))
	const id = "note1qqqsyrhqy2a0yy8gwh7p8ep9f5h9s7tkfe7zkl5cl0l5s9q6c5vqkx9lqu"
	for _, tt := range []struct {
		text                  string
		intent                question.Intent
		lang                  string
		person, topic, window string
	}{
		{"What did I miss?", question.Digest, "en", "", "", ""},
		{"what did i miss since yesterday", question.Digest, "en", "", "", "2026-11-18 00:00 .. now"},
		{"Please tell me what I missed", question.Digest, "en", "", "", ""},
		{"What have I missed since Monday, please?", question.Digest, "en", "", "", "2026-11-16 00:00 .. now"},
		{"catch me up", question.Digest, "en", "", "", ""},
		{"What happened yesterday?", question.Digest, "en", "", "", "2026-11-18 00:00 .. 2026-11-18 23:59:59"},
		{"What happened on Monday?", question.Digest, "en", "", "", "2026-11-16 00:00 .. 2026-11-16 23:59:59"},
		{"what's new about relays since 8 am?", question.Digest, "en", "", "relays", "2026-11-19 08:00 .. now"},
		{"What is Ada saying about relays?", question.Digest, "en", "ada", "relays", ""},
		{"What did Ada Lindqvist post since yesterday evening?", question.Digest, "en", "ada lindqvist", "", "2026-11-18 18:00 .. now"},
		{"what did the people I follow talk about since 2023?", question.Digest, "en", "", "", "2023-01-01 00:00 .. now"},
		{"What are people saying about the flood?", question.Digest, "en", "", "flood", ""},
		{"Top hashtags this week", question.TopHashtags, "en", "", "", "2026-11-16 00:00 .. now"},
		{"Top hashtags, as a chart", question.TopHashtags, "en", "", "", ""},
		{"Top hashtags as a bar chart, this week, please", question.TopHashtags, "en", "", "", "2026-11-16 00:00 .. now"},
		{"Summarise the longest thread", question.LongestThread, "en", "", "", ""},
		{"Fasse den längsten Thread dieser Woche zusammen", question.LongestThread, "de", "", "", "2026-11-16 00:00 .. now"},
		{"Die beliebtesten Hashtags als Diagramm", question.TopHashtags, "de", "", "", ""},
		{"search chart", question.Search, "en", "", "chart", ""},
		{"Who posted most last week?", question.TopPosters, "en", "", "", "2026-11-09 00:00 .. 2026-11-15 23:59:59"},
		{"how many notes did Ada post last month", question.Count, "en", "ada", "", "2026-10-01 00:00 .. 2026-10-31 23:59:59"},
		{"How many notes are there?", question.Count, "en", "", "", ""},
		{"How many notes about relays?", question.Count, "en", "", "relays", ""},
		{"what's the latest from Ada?", question.Digest, "en", "ada", "", ""},
		{"find notes by Ada about relays", question.Digest, "en", "ada", "relays", ""},
		{"search lmdb", question.Search, "en", "", "lmdb", ""},
		{"search may", question.Search, "en", "", "may", ""},
		{"search today", question.Search, "en", "", "today", ""},
		{"find notes about LMDB since yesterday", question.Search, "en", "", "lmdb", "2026-11-18 00:00 .. now"},
		{"summarise this thread " + id, question.Thread, "en", "", "", ""},
		{"nostr:" + id, question.Thread, "en", "", "", ""},
		{"Summarize this thread: " + strings.Repeat("ab", 32), question.Thread, "en", "", "", ""},
		{"who is Ada?", question.WhoIs, "en", "ada", "", ""},
		{"help", question.Help, "en", "", "", ""},
		{"What can you do?", question.Help, "en", "", "", ""},
		{"since yesterday", question.Digest, "en", "", "", "2026-11-18 00:00 .. now"},
		{"last week?", question.Digest, "en", "", "", "2026-11-09 00:00 .. 2026-11-15 23:59:59"},
		{"Delete my notes since yesterday", question.Cannot, "en", "", "", "2026-11-18 00:00 .. now"},
		{"write a poem about autumn", question.Cannot, "en", "", "autumn", ""},
		{"What is the capital of France?", question.Cannot, "en", "", "", ""},
		{"Was habe ich seit gestern verpasst?", question.Digest, "de", "", "", "2026-11-18 00:00 .. now"},
		{"Worüber haben die Leute letzte Woche geredet?", question.Digest, "de", "", "", "2026-11-09 00:00 .. 2026-11-15 23:59:59"},
		{"Was sagt Ada über Relays?", question.Digest, "de", "ada", "relays", ""},
		{"Wer hat am meisten geschrieben in den letzten 3 Tagen?", question.TopPosters, "de", "", "", "2026-11-16 15:10 .. now"},
		{"Suche nach lmdb", question.Search, "de", "", "lmdb", ""},
		{"Die beliebtesten Hashtags dieser Woche", question.TopHashtags, "de", "", "", "2026-11-16 00:00 .. now"},
		{"Was gibt es Neues seit 8 Uhr?", question.Digest, "de", "", "", "2026-11-19 08:00 .. now"},
		{"Qu'est-ce que j'ai raté depuis hier ?", question.Digest, "fr", "", "", "2026-11-18 00:00 .. now"},
		{"Quoi de neuf depuis lundi ?", question.Digest, "fr", "", "", "2026-11-16 00:00 .. now"},
		{"cherche lmdb", question.Search, "fr", "", "lmdb", ""},
		{"¿Qué me perdí desde ayer?", question.Digest, "es", "", "", "2026-11-18 00:00 .. now"},
		{"¿Qué pasó la semana pasada?", question.Digest, "es", "", "", "2026-11-09 00:00 .. 2026-11-15 23:59:59"},
		{"¿Qué ha dicho Ada sobre los relays?", question.Digest, "es", "ada", "relays", ""},
		{"O que perdi desde ontem?", question.Digest, "pt", "", "", "2026-11-18 00:00 .. now"},
		{"O que aconteceu esta semana?", question.Digest, "pt", "", "", "2026-11-16 00:00 .. now"},
		{"昨日から何を見逃した？", question.Digest, "ja", "", "", "2026-11-18 00:00 .. now"},
		{"今週の人気のハッシュタグ", question.TopHashtags, "ja", "", "", "2026-11-16 00:00 .. now"},
		{"先週何があった？", question.Digest, "ja", "", "", "2026-11-09 00:00 .. 2026-11-15 23:59:59"},
		{"lmdbを検索", question.Search, "ja", "", "lmdb", ""},
	} {
		t.Run(tt.text, func(t *testing.T) {
			q := p.Read(tt.text, c, &question.Talk{})
			if q.Intent != tt.intent || q.Lang != tt.lang || q.Person != tt.person || q.Topic != tt.topic {
				t.Errorf("got %v in %s by %q about %q, want %v in %s by %q about %q",
					q.Intent, q.Lang, q.Person, q.Topic, tt.intent, tt.lang, tt.person, tt.topic)
			}
			if got := show(q.Window, c); got != tt.window {
				t.Errorf("window %q, want %q", got, tt.window)
			}
		})
	}
}

// show writes a window in the zone of c; "" for none.
func show(w question.Window, c question.Calendar) string {
	if !w.Asked {
		return ""
	}
	short := func(t time.Time) string {
		if t.Equal(c.Now) {
			return "now"
		}
		return strings.TrimSuffix(t.In(c.Now.Location()).Format("2006-01-02 15:04:05"), ":00")
	}
	return short(w.Since) + " .. " + short(w.Until)
}

func TestTimesAreThoseOfThePersonsZone(t *testing.T) {
	p := question.New(language.Lexicons(language.All()))
	for _, tt := range []struct {
		zone, now, text, want string
	}{
		{"Europe/Berlin", "2026-11-19 15:10", "since yesterday", "2026-11-18 00:00 .. now"},
		{"Asia/Tokyo", "2026-11-19 00:30", "since yesterday", "2026-11-18 00:00 .. now"},
		{"America/Los_Angeles", "2026-11-19 23:59", "since yesterday", "2026-11-18 00:00 .. now"},
		{"Asia/Kathmandu", "2026-11-19 08:00", "yesterday", "2026-11-18 00:00 .. 2026-11-18 23:59:59"},
		{"Europe/Berlin", "2026-11-19 02:30", "what did I miss since this morning", "2026-11-18 06:00 .. now"},
		{"Europe/Berlin", "2026-11-19 02:30", "what was said this evening?", "2026-11-18 18:00 .. 2026-11-18 23:59:59"},
		{"Europe/Berlin", "2026-11-19 02:30", "what was said today?", "2026-11-19 00:00 .. now"},
		// The clocks went back on 25 October, forward on 29 March.
		{"Europe/Berlin", "2026-10-26 09:00", "since yesterday", "2026-10-25 00:00 .. now"},
		{"Europe/Berlin", "2026-10-25 09:00", "yesterday", "2026-10-24 00:00 .. 2026-10-24 23:59:59"},
		{"Europe/Berlin", "2026-03-30 09:00", "yesterday", "2026-03-29 00:00 .. 2026-03-29 23:59:59"},
		{"Europe/Berlin", "2026-03-29 12:00", "since 8 am", "2026-03-29 08:00 .. now"},
		{"Europe/Berlin", "2026-10-25 12:00", "in the last 24 hours", "2026-10-24 13:00 .. now"},
		{"America/New_York", "2026-11-02 09:00", "last weekend", "2026-10-31 00:00 .. 2026-11-01 23:59:59"},
		// In Beirut the clock jumps from 0:00 to 1:00; the day begins at 1:00.
		{"Asia/Beirut", "2026-03-30 09:00", "yesterday", "2026-03-29 01:00 .. 2026-03-29 23:59:59"},
		// In Havana 0:00 to 1:00 comes twice; the day begins with the first.
		{"America/Havana", "2025-11-03 09:00", "yesterday", "2025-11-02 00:00 .. 2025-11-02 23:59:59"},
	} {
		t.Run(tt.zone+" "+tt.now+" "+tt.text, func(t *testing.T) {
			z := zone(t, tt.zone)
			c := question.Calendar{Now: at(t, z, tt.now)}
			if got := show(p.Read(tt.text, c, &question.Talk{}).Window, c); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	z := zone(t, "America/Havana")
	if got := tools.StartOfDay(2025, 11, 2, z); got.Add(25*time.Hour) != tools.StartOfDay(2025, 11, 3, z) {
		t.Errorf("the day on which the clocks go back at 1:00 begins %v, not 25 hours before the next", got)
	}
	z = zone(t, "Europe/Berlin")
	c := question.Calendar{Now: at(t, z, "2026-10-26 09:00")}
	w := p.Read("yesterday", c, &question.Talk{}).Window
	if d := w.Until.Sub(w.Since); d != 25*time.Hour-time.Second {
		t.Errorf("the day on which the clocks went back lasts %v", d)
	}
}

func TestTimesInManyWords(t *testing.T) {
	z := zone(t, "Europe/Berlin")
	c := question.Calendar{Now: at(t, z, "2026-11-19 15:10"), LastVisit: at(t, z, "2026-11-17 21:04")}
	p := question.New(language.Lexicons(language.All()))
	for text, want := range map[string]string{
		"in the last 3 hours":                  "2026-11-19 12:10 .. now",
		"past 2 days":                          "2026-11-17 15:10 .. now",
		"the last few hours":                   "2026-11-19 12:10 .. now",
		"the past week":                        "2026-11-12 15:10 .. now",
		"in the last week":                     "2026-11-12 15:10 .. now",
		"since last week":                      "2026-11-09 00:00 .. now",
		"ces quelques derniers jours":          "2026-11-16 15:10 .. now",
		"estos últimos días":                   "2026-11-16 15:10 .. now",
		"nesses últimos dias":                  "2026-11-16 15:10 .. now",
		"until 3 hours ago":                    "1970-01-01 01:00 .. 2026-11-19 12:09:59",
		"the week":                             "2026-11-16 00:00 .. now",
		"this week":                            "2026-11-16 00:00 .. now",
		"this month":                           "2026-11-01 00:00 .. now",
		"last year":                            "2025-01-01 00:00 .. 2025-12-31 23:59:59",
		"today":                                "2026-11-19 00:00 .. now",
		"this morning":                         "2026-11-19 06:00 .. 2026-11-19 11:59:59",
		"last night":                           "2026-11-18 18:00 .. 2026-11-19 05:59:59",
		"since 20:30":                          "2026-11-18 20:30 .. now",
		"since 8pm":                            "2026-11-18 20:00 .. now",
		"since 2026-11-17":                     "2026-11-17 00:00 .. now",
		"on 2026-11-17":                        "2026-11-17 00:00 .. 2026-11-17 23:59:59",
		"since May 3":                          "2026-05-03 00:00 .. now",
		"since the 3rd of May 2025":            "2025-05-03 00:00 .. now",
		"since December 24":                    "2025-12-24 00:00 .. now",
		"in May":                               "2026-05-01 00:00 .. 2026-05-31 23:59:59",
		"in 2023":                              "2023-01-01 00:00 .. 2023-12-31 23:59:59",
		"since Thursday":                       "2026-11-12 00:00 .. now",
		"two days ago":                         "2026-11-17 00:00 .. 2026-11-17 23:59:59",
		"since two days ago":                   "2026-11-17 00:00 .. now",
		"between Monday and Wednesday":         "2026-11-16 00:00 .. 2026-11-18 23:59:59",
		"from 2026-11-10 to 2026-11-12":        "2026-11-10 00:00 .. 2026-11-12 23:59:59",
		"between 8:00 and 12:00":               "2026-11-19 08:00 .. 2026-11-19 11:59:59",
		"since I was last here":                "2026-11-17 21:04 .. now",
		"since my last visit":                  "2026-11-17 21:04 .. now",
		"since 2026-11-18T20:00":               "2026-11-18 20:00 .. now",
		"while I was away":                     "2026-11-17 21:04 .. now",
		"since yesterday at 18:00":             "2026-11-18 18:00 .. now",
		"seit vorgestern":                      "2026-11-17 00:00 .. now",
		"seit 3 Stunden":                       "2026-11-19 12:10 .. now",
		"am Montag":                            "2026-11-16 00:00 .. 2026-11-16 23:59:59",
		"seit dem 3. Mai":                      "2026-05-03 00:00 .. now",
		"seit 20.11.2025":                      "2025-11-20 00:00 .. now",
		"zwischen Montag und Mittwoch":         "2026-11-16 00:00 .. 2026-11-18 23:59:59",
		"seit meinem letzten Besuch":           "2026-11-17 21:04 .. now",
		"depuis 3 heures":                      "2026-11-19 12:10 .. now",
		"la semaine dernière":                  "2026-11-09 00:00 .. 2026-11-15 23:59:59",
		"desde hace 2 días":                    "2026-11-17 15:10 .. now",
		"nas últimas 3 horas":                  "2026-11-19 12:10 .. now",
		"過去3時間":                                "2026-11-19 12:10 .. now",
		"3日前から":                                "2026-11-16 00:00 .. now",
		"on Monday in the evening":             "2026-11-16 18:00 .. 2026-11-16 23:59:59",
		"on Friday last week":                  "2026-11-13 00:00 .. 2026-11-13 23:59:59",
		"in the first week of October":         "2026-10-01 00:00 .. 2026-10-07 23:59:59",
		"at the end of October":                "2026-10-21 00:00 .. 2026-10-31 23:59:59",
		"on Tuesday and Wednesday":             "2026-11-17 00:00 .. 2026-11-18 23:59:59",
		"between Tuesday and Wednesday":        "2026-11-17 00:00 .. 2026-11-18 23:59:59",
		"a manhã de ontem":                     "2026-11-18 06:00 .. 2026-11-18 11:59:59",
		"since the 16th":                       "2026-11-16 00:00 .. now",
		"between the 10th and the 12th":        "2026-11-10 00:00 .. 2026-11-12 23:59:59",
		"was war am 30. los":                   "2026-10-30 00:00 .. 2026-10-30 23:59:59",
		"el día 3":                             "2026-11-03 00:00 .. 2026-11-03 23:59:59",
		"16日に":                                 "2026-11-16 00:00 .. 2026-11-16 23:59:59",
		"Freitag letzter Woche":                "2026-11-13 00:00 .. 2026-11-13 23:59:59",
		"in der zweiten Oktoberwoche":          "2026-10-08 00:00 .. 2026-10-14 23:59:59",
		"Anfang Oktober":                       "2026-10-01 00:00 .. 2026-10-10 23:59:59",
		"avant-hier dans la soirée":            "2026-11-17 18:00 .. 2026-11-17 23:59:59",
		"hier dans la nuit":                    "2026-11-18 18:00 .. 2026-11-19 05:59:59",
		"la journée d'hier":                    "2026-11-18 00:00 .. 2026-11-18 23:59:59",
		"à la mi octobre":                      "2026-10-11 00:00 .. 2026-10-20 23:59:59",
		"anteayer por la noche":                "2026-11-17 18:00 .. 2026-11-18 05:59:59",
		"o dia de ontem":                       "2026-11-18 00:00 .. 2026-11-18 23:59:59",
		"おとといの夜":                               "2026-11-17 18:00 .. 2026-11-18 05:59:59",
		"先週の金曜日":                               "2026-11-13 00:00 .. 2026-11-13 23:59:59",
		"10月の第1週":                              "2026-10-01 00:00 .. 2026-10-07 23:59:59",
		"上周五":                                  "2026-11-13 00:00 .. 2026-11-13 23:59:59",
		"since February 30":                    "",
		"since 99999999999999999999 hours ago": "",
	} {
		t.Run(text, func(t *testing.T) {
			if got := show(p.Read(text, c, &question.Talk{}).Window, c); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestATopicIsReadWithoutItsArticle(t *testing.T) {
	c := question.Calendar{Now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	p := question.New(language.Lexicons(language.All()))
	for text, want := range map[string]string{
		"Was schreibt Heike über den Radweg?":              "radweg",
		"O que a Inês disse sobre o Rissol?":               "rissol",
		"O que disse a Inês sobre o Rissol?":               "rissol",
		"¿Qué ha dicho Nadia sobre las gallinas?":          "gallinas",
		"Que dit Maud sur la grève?":                       "grève",
		"Que dit Maud sur l'eau?":                          "eau",
		`search "the comet"`:                               `"the comet"`,
		"What did Ada say about relays in the last 9 days": "relays",
	} {
		if q := p.Read(text, c, &question.Talk{}); q.Topic != want {
			t.Errorf("%s: topic %q, want %q", text, q.Topic, want)
		}
	}
	if q := p.Read("O que disse a Inês sobre o Rissol?", c, &question.Talk{}); q.Person != "inês" {
		t.Errorf("the person is %q", q.Person)
	}
}

func FuzzQuestion(f *testing.F) {
	for _, s := range []string{
		"what did i miss since yesterday", "between 8:00 and 12:00", "seit dem 3. Mai 2025 um 20:30 uhr", "昨日から何を見逃した",
		"summarise note1" + strings.Repeat("q", 58), "how many notes did @ada post", "since \xff\x00 the last 9999999 years", strings.Repeat("since ", 900),
	} {
		f.Add(s)
	}
	p := question.New(language.Lexicons(language.All()))
	c := question.Calendar{Now: time.Date(2026, 11, 19, 15, 10, 0, 0, time.UTC), LastVisit: time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC)}
	f.Fuzz(func(t *testing.T, s string) {
		q := p.Read(s, c, &question.Talk{})
		if q.Window.Asked && q.Window.Until.After(c.Now) {
			t.Errorf("%q: the window ends in the future: %v", s, q.Window.Until)
		}
		for _, part := range []string{q.Person, q.Topic, q.Note} {
			if !utf8.ValidString(part) || len(part) > 4*question.MaxQuestion {
				t.Errorf("%q: a part is no short text: %q", s, part)
			}
		}
		if q.Note != "" && q.Intent != question.Thread && q.Intent != question.Unknown {
			t.Errorf("%q: a question about a note became %v", s, q.Intent)
		}
	})
}

// Reading a long text must not take long: it is anew with each step of a turn. What is
// counted here is work, not time: no sentence over the bound is read at all.
func TestAQuestionInEitherOfTwoLanguagesIsReadByItsLettersOrElseTheWindow(t *testing.T) {
	p := question.New(language.Lexicons(language.All()))
	known := func(name string) bool { return name == "ada" }
	for _, tt := range []struct{ text, window, want string }{
		{"a Ada acabou o livro?", "", "pt"},
		{"a Ada acabou o livro?", "en", "pt"},
		{"¿a Ada te puede o no?", "", "es"},
		{"a Ada vende o barco grande?", "pt", "pt"},
		{"a Ada vende o barco grande?", "es", "es"},
	} {
		if got := p.Read(tt.text, question.Calendar{Now: time.Now()}, &question.Talk{Lang: tt.window, Known: known}).Lang; got != tt.want {
			t.Errorf("%q in a window in %q: got %s, want %s", tt.text, tt.window, got, tt.want)
		}
	}
}

func TestALongSentenceIsNotRead(t *testing.T) {
	p := question.New(language.Lexicons(language.All()))
	c := question.Calendar{Now: time.Date(2026, 11, 19, 15, 10, 0, 0, time.UTC)}
	for text, want := range map[string]question.Intent{
		"What did I miss " + strings.Repeat("please ", question.MaxWords): question.Unknown,
		"What did I miss " + strings.Repeat("please ", 20):                question.Digest,
		strings.Repeat("waht, ", 300) + "what did I miss":                 question.Unknown,
	} {
		if q := p.Read(text, c, &question.Talk{}); q.Intent != want {
			t.Errorf("%.40q: got %v, want %v", text, q.Intent, want)
		}
	}
}
