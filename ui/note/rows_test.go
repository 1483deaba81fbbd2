package note

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/present"
	"bowerbird/ui/theme"
)

// uncounted is a note of one line that nobody answered, reposted or liked.
func uncounted() present.Note {
	n := tomasNote()
	n.Replies, n.Reposts, n.Likes, n.Zaps = present.Count{}, present.Count{}, present.Count{}, present.Count{}
	n.Body = []present.Paragraph{{{Text: "One line."}}}
	return n
}

func laidOut(c *Card, width float32) *Card {
	c.Resize(fyne.NewSize(width, c.HeightFor(width)))
	test.WidgetRenderer(c)
	c.Refresh()
	return c
}

func TestANoteWithoutCountsHasNoRowForThem(t *testing.T) {
	start(t, theme.Light)
	opt := options(&calls{})
	liked := uncounted()
	liked.Likes = present.Count{N: 3, Text: "3"}
	with, without := of(opt, liked).HeightFor(420), of(opt, uncounted()).HeightFor(420)
	if with-without < 15 {
		t.Errorf("%v high with counts, %v without", with, without)
	}
	opt.Size = Reply
	if h := of(opt, uncounted()).HeightFor(720); h > 64 {
		t.Errorf("a reply of one line is %v high", h)
	}
	if a, b := of(opt, liked).HeightFor(720), of(opt, uncounted()).HeightFor(720); a != b {
		t.Errorf("a wide reply is %v high with counts, %v without", a, b)
	}
	if a, b := of(opt, liked).HeightFor(300), of(opt, uncounted()).HeightFor(300); a <= b {
		t.Errorf("a narrow reply is %v high with counts, %v without", a, b)
	}
}

func TestTheMenuIsOnTheNameLineAndCountsAreInColumns(t *testing.T) {
	start(t, theme.Light)
	long := tomasNote()
	long.Author = "Somebody with a name that is longer than the line that it has, by some words and some more of them"
	few, many := uncounted(), uncounted()
	few.Likes, many.Likes = present.Count{N: 3, Text: "3"}, present.Count{N: 17, Text: "17"}
	many.Replies, many.When = present.Count{N: 12, Text: "12"}, "12 min"
	for _, size := range []Size{Feed, Focus, Reply} {
		opt := options(&calls{})
		opt.Size = size
		var column float32
		for i, n := range []present.Note{tomasNote(), long, few, many, uncounted()} {
			c := laidOut(of(opt, n), 700)
			name, more := c.parts.head.name, c.parts.head.more
			if d := more.Position().Y + more.Size().Height/2 - name.Position().Y - name.Size().Height/2; d < -2 || d > 2 {
				t.Errorf("form %d, note %d: the menu's button is %v below the middle of the name", size, i, d)
			}
			if end := name.Position().X + name.Size().Width; end > more.Position().X {
				t.Errorf("form %d, note %d: the name ends at %v, the menu's button begins at %v", size, i, end, more.Position().X)
			}
			if !c.counted() || i == 1 && size == Reply { // beside such a name there is no room
				continue
			}
			x := c.parts.counts.Position().X + c.parts.counts.figures[likes].Position().X
			if column != 0 && x != column {
				t.Errorf("form %d, note %d: the likes are at %v, of other notes at %v", size, i, x, column)
			}
			column = x
		}
	}
}

func TestTheTextOfTheNoteThatAThreadIsAboutBeginsBelowItsFace(t *testing.T) {
	start(t, theme.Light)
	opt := options(&calls{})
	opt.Size = Focus
	c := laidOut(of(opt, uncounted()), 720)
	face, body := c.parts.face, c.parts.body
	if body.Position().X != face.Position().X || body.Position().Y < face.Position().Y+face.Size().Height {
		t.Errorf("the face is at %v and %v wide, the text at %v", face.Position(), face.Size().Width, body.Position())
	}
}

func TestAWideListKeepsItsMeasure(t *testing.T) {
	start(t, theme.Light)
	opt := options(&calls{})
	opt.Most = 720
	c := laidOut(of(opt, tomasNote()), 1_200)
	left, right := c.parts.face.Position().X, c.parts.head.Position().X+c.parts.head.Size().Width
	if right-left != 720 || left+right != 1_200 {
		t.Errorf("the card is from %v to %v of 1,200", left, right)
	}
}
