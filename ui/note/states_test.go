package note

import (
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"strings"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
	"bowerbird/ui/dispatch"
	"bowerbird/ui/present"
	"bowerbird/ui/screen"
)

// state is one look of a card, with the name of its golden.
type state struct {
	name string
	opt  func(*Options)
	note func() present.Note
	do   func(*Card)
	// system: drawn with fonts of the system, and so not the same everywhere
	system bool
}

// states are all looks that a card can have.
func states() []state {
	return []state{
		{name: "plain", note: adaNote},
		{name: "hashtag", note: tomasNote},
		{name: "article", note: benNote},
		{name: "article focus", note: benNote, opt: focus},
		{name: "chinese and japanese", note: yukiNote, system: true},
		{name: "picture not loaded", note: walk, opt: loader(noLoader{})},
		{name: "picture without a loader", note: strangersPicture},
		{name: "picture of a stranger", note: strangersPicture, opt: loader(noLoader{})},
		{name: "picture shown", note: walk, opt: loader(painted{}), do: func(c *Card) { c.parts.pics[0].Tapped(nil) }},
		{name: "picture failed", note: walk, opt: loader(broken{}), do: func(c *Card) { c.parts.pics[0].Tapped(nil) }},
		{name: "picture loading", note: walk, opt: func(o *Options) { o.Loader, o.Do = noLoader{}, never{o.Do} }, do: func(c *Card) { c.parts.pics[0].Tapped(nil) }},
		{name: "many pictures", note: manyPictures, opt: loader(noLoader{})},
		{name: "warning closed", note: claraNote},
		{name: "warning open", note: claraNote, do: func(c *Card) { c.parts.warn.Tapped(nil) }},
		{name: "quote", note: quoting},
		{name: "quote of an article", note: quotingArticle},
		{name: "quote of an article focus", note: quotingArticle, opt: focus},
		{name: "quote missing", note: quotingMissing},
		{name: "answer", note: answering},
		{name: "reply", note: answering, opt: func(o *Options) { o.Size = Reply }, do: func(c *Card) { c.SetIndent(40) }},
		{name: "focus", note: tomasNote, opt: focus},
		{name: "compact", note: adaNote, opt: func(o *Options) { o.Compact = true }},
		{name: "missing", note: missing},
		{name: "repost of a missing note", note: func() present.Note { n := missing(); n.RepostedBy, n.RepostedWhen = "Tomás", "1 h"; return n }},
		{name: "search", note: found},
		{name: "long", note: long},
		{name: "long opened", note: long, do: func(c *Card) { c.opt.Memory.set(c.note.ID, openWhole); c.changed() }},
		{name: "poll", note: poll},
		{name: "stranger with a known name", note: impostor},
		{name: "long name", note: longName},
		{name: "right to left", note: rtl, system: true},
		{name: "hover", note: adaNote, do: func(c *Card) { c.MouseIn(nil) }},
		{name: "thread beside", note: adaNote, do: func(c *Card) { c.SetOpened(true) }},
		{name: "keyboard", note: adaNote, do: func(c *Card) { c.FocusGained() }},
		{name: "hostile", note: hostile},
	}
}

func focus(o *Options) { o.Size = Focus }

func loader(l screen.Pictures) func(*Options) { return func(o *Options) { o.Loader = l } }

// painted loads a picture of one colour, 3 by 2.
type painted struct{}

func (painted) Load(context.Context, string) (image.Image, error) {
	img := image.NewNRGBA(image.Rect(0, 0, 300, 200))
	draw.Draw(img, img.Bounds(), image.NewUniform(color.NRGBA{0x66, 0x99, 0xcc, 0xff}), image.Point{}, draw.Src)
	return img, nil
}

type broken struct{}

func (broken) Load(context.Context, string) (image.Image, error) {
	return nil, errors.New("no picture")
}

func strangersPicture() present.Note {
	n := walk()
	n.Followed, n.Pictures[0].Alt = false, "A path through snow, with a dog"
	return n
}

func manyPictures() present.Note {
	n := walk()
	for range 5 {
		n.Pictures = append(n.Pictures, n.Pictures[0])
	}
	return n
}

func quoting() present.Note {
	q := adaNote()
	n := counted(says(by("Tomás", "@tomas", "2 h", 2), plain("This is what I mean.")), 1, 0, 4, 0)
	n.Quote = &q
	return n
}

func quotingArticle() present.Note {
	q := benNote()
	n := counted(says(by("Ben Okafor", "@ben", "3 h", 11), plain("Here is what I learned running a community of 4,000 people on open protocols for two years.")), 31, 19, 204, 88_400)
	q.PubKey = n.PubKey
	n.Quote = &q
	return n
}

func quotingMissing() present.Note {
	n := quoting()
	n.Quote = &present.Note{ID: id(99), Row: id(99), Missing: true}
	return n
}

func answering() present.Note {
	n := says(by("Clara M.", "@clara", "1 h", 1), plain("Please do. We are 60 people and already need it."))
	n.IsReply, n.ReplyTo, n.ReplyToKey = true, "Ben Okafor", nostr.PubKey{10}
	return counted(n, 0, 0, 3, 0)
}

func missing() present.Note {
	return present.Note{ID: id(98), Row: id(98), Missing: true, PubKey: nostr.PubKey{7}, Author: "Sam", Link: "nostr:nevent1x"}
}

func found() present.Note {
	n := adaNote()
	q, err := search.Parse("lmdb")
	if err != nil {
		panic(err)
	}
	return n.Marked(q)
}

func long() present.Note {
	n := adaNote()
	n.Body = []present.Paragraph{{plain(strings.Repeat("A long text goes on. ", 12) + "…")}}
	n.Whole = []present.Paragraph{{plain(strings.Repeat("A long text goes on. ", 30))}, {plain("The end.")}}
	return n
}

func poll() present.Note {
	n := by("Ada Lindqvist", "@ada", "1 d", 5)
	n.Kind, n.What, n.Summary = 1068, "A poll", "Which store do you run your relay on?"
	return n
}

func impostor() present.Note {
	n := says(by("Ada Lindqvist", "@ada", "1 d", 77), plain("Send me sats and I send back twice as many."))
	n.Followed, n.Mark, n.Bot = false, "…k3f2x", true
	return n
}

func longName() present.Note {
	n := adaNote()
	n.Author, n.Handle = "Ada Augusta King, Countess of Lovelace, the Enchantress", "@enchantressofnumbers"
	return n
}

func rtl() present.Note {
	n := says(by("عادة ليندكفيست", "@ada", "12 min", 5), plain("قضيت الصباح في نقل relay إلى LMDB، والآن يبدأ في أقل من ثانية 1."))
	n.RepostedBy, n.RepostedWhen = "דוד", "1 h"
	return counted(n, 8, 4, 61, 0)
}

// hostile has what breaks widgets in every field.
func hostile() present.Note {
	word := strings.Repeat("W", 3_000)
	zalgo := strings.Repeat("Z\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307", 60)
	n := present.Note{
		ID: id(66), Row: id(66), Kind: 1, PubKey: nostr.PubKey{66}, Author: word[:64], Handle: "@" + zalgo, When: strings.Repeat("9", 40), At: clock,
		Title: word[:160], RepostedBy: zalgo, RepostedWhen: "1 h", IsReply: true, ReplyTo: word[:64], Followed: false, Mark: "…\u202eabc",
		Body:     []present.Paragraph{{plain(word), {Kind: present.SpanLink, Text: word[:200], URL: "https://x.example"}}, {plain(zalgo)}},
		Pictures: []present.Picture{{URL: "https://x.example/1.png", Host: strings.Repeat("h", 253), Alt: zalgo}},
	}
	q := n
	n.Quote = &q
	return counted(n, 1<<40, 1<<50, 1<<60, 1<<62)
}

// card returns a card in a state.
func (s state) card() *Card {
	opt := options(&calls{})
	if s.opt != nil {
		s.opt(&opt)
	}
	c := of(opt, s.note())
	if s.do != nil {
		c.HeightFor(420)
		s.do(c)
	}
	return c
}

// never is a dispatcher whose work does not end.
type never struct{ dispatch.Dispatcher }

func (never) Go(func() func()) {}

// walk is a note with a picture, in Latin letters.
func walk() present.Note {
	n := yukiNote()
	n.Author = "Yuki"
	n.Body = []present.Paragraph{{plain("A walk before breakfast.")}}
	return n
}
