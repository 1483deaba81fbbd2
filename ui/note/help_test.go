package note

import (
	"context"
	"image"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/test"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/screen/screentest"
	"bowerbird/ui/theme"
)

// calls is a navigator that notes where it was led.
type calls struct{ log []string }

func (c *calls) add(s string)                          { c.log = append(c.log, s) }
func (c *calls) OpenThread(id nostr.ID)                { c.add("thread " + id.String()[:8]) }
func (c *calls) OpenProfile(pk nostr.PubKey)           { c.add("profile " + pk.String()[:8]) }
func (c *calls) OpenArticle(id nostr.ID)               { c.add("article " + id.String()[:8]) }
func (c *calls) Search(q string)                       { c.add("search " + q) }
func (c *calls) Ask(q string)                          { c.add("ask " + q) }
func (c *calls) AskAbout(pk nostr.PubKey, _, q string) { c.add("ask about " + pk.String() + ": " + q) }
func (c *calls) Summarise(id nostr.ID)                 { c.add("summarise") }
func (c *calls) OpenSettings(page string)              { c.add("settings " + page) }
func (c *calls) OpenRelays()                           { c.add("relays") }
func (c *calls) OpenURL(url string)                    { c.add("url " + url) }
func (c *calls) Copy(text string)                      { c.add("copy " + text) }
func (c *calls) Toast(text, _ string, _ func()) {
	c.add("toast " + text)
}
func (c *calls) Back()               { c.add("back") }
func (c *calls) Window() fyne.Window { return nil }

// last returns the last call, "" for none.
func (c *calls) last() string {
	if len(c.log) == 0 {
		return ""
	}
	return c.log[len(c.log)-1]
}

// start begins a test with the window's theme.
func start(t testing.TB, mode theme.Mode) {
	t.Helper()
	th, err := theme.New(theme.Options{Mode: mode})
	if err != nil {
		t.Fatal(err)
	}
	a := test.NewTempApp(t)
	a.Settings().SetTheme(th)
}

func options(nav *calls) Options {
	return Options{Go: nav, Do: screentest.Synchronous(), Line: true}
}

// of returns a card that shows a note.
func of(opt Options, n present.Note) *Card {
	c := NewCard(opt)
	c.SetNote(n)
	return c
}

// drawn draws cards below one another on the theme's surface.
func drawn(width float32, cards ...*Card) image.Image {
	return capture(window(width, cards...))
}

func window(width float32, cards ...*Card) fyne.Canvas {
	column := layout.Column(0)
	for _, c := range cards {
		column.Add(c)
	}
	c := software.NewCanvas()
	c.SetPadded(false)
	c.SetContent(layout.Stack(canvas.NewRectangle(theme.Color(theme.Surface)), column))
	c.Resize(fyne.NewSize(width, layout.HeightFor(column, width)))
	return c
}

func capture(c fyne.Canvas) image.Image { return c.(interface{ Capture() image.Image }).Capture() }

var clock = time.Date(2026, 3, 12, 14, 0, 0, 0, time.UTC)

func clockNow() time.Time { return clock }

func id(b byte) nostr.ID { return nostr.ID{b} }

// person returns a note by somebody.
func by(name, handle, when string, key byte) present.Note {
	return present.Note{
		ID: id(key), Row: id(key), Kind: 1, PubKey: nostr.PubKey{key}, Author: name, Handle: handle, When: when, At: clock,
		NIP05: handle[1:] + "@example.org", Followed: true, Link: "nostr:nevent1" + string(rune('a'+key)),
	}
}

func says(n present.Note, spans ...present.Span) present.Note {
	n.Body = []present.Paragraph{spans}
	return n
}

func plain(text string) present.Span { return present.Span{Text: text} }

func counted(n present.Note, replies, reposts, likes, zaps int64) present.Note {
	for i, v := range []int64{replies, reposts, likes, zaps} {
		c := present.Count{}
		if v > 0 {
			c = present.Count{N: v, Text: present.Words{}.Short(v)}
		}
		*[]*present.Count{&n.Replies, &n.Reposts, &n.Likes, &n.Zaps}[i] = c
	}
	return n
}

// The notes of the design's pictures.
func adaNote() present.Note {
	return counted(says(by("Ada Lindqvist", "@ada", "12 min", 5), plain("Spent the morning moving our relay to LMDB. Startup went from 40 s to under one.")), 8, 4, 61, 0)
}

func tomasNote() present.Note {
	n := says(by("Tomás", "@tomas", "38 min", 2), plain("The winter farmers market opens on Saturday at 9. Bring a bag, bring a neighbour. "),
		present.Span{Kind: present.SpanTag, Text: "#localfood", Tag: "localfood"})
	return counted(n, 2, 0, 17, 2_100)
}

func benNote() present.Note {
	n := by("Ben Okafor", "@ben", "3 h", 10)
	n.Kind, n.Title, n.Minutes, n.Summary = 30023, "Two years, four thousand people", 11, "What I learned running a community on open protocols."
	return counted(n, 31, 19, 204, 88_400)
}

func yukiNote() present.Note {
	n := says(by("Yuki 雪", "@yuki", "4 h", 4), plain("今日はいい天気。散歩しながら新しいクライアントを試しています。"))
	n.Pictures = []present.Picture{{URL: "https://pics.example/1.jpg", Host: "pics.example", Bytes: 1_200_000}}
	return counted(n, 5, 2, 40, 0)
}

func claraNote() present.Note {
	n := says(by("Clara M.", "@clara", "5 h", 1), plain("What the doctor said."))
	n.Warned, n.Warning, n.RepostedBy, n.RepostedByKey = true, "medical talk", "Tomás", nostr.PubKey{2}
	n.RepostedWhen = "1 h"
	return counted(n, 1, 0, 3, 0)
}

// noLoader stands where a picture could be loaded and must not be.
type noLoader struct{}

func (noLoader) Load(context.Context, string) (image.Image, error) {
	panic("a picture was loaded without a click")
}
