package markdown

import (
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
)

// The limits of a text.
const (
	maxBytes  = 200_000
	maxBlocks = 2_000
	maxDepth  = 20 // of lists and quotes within one another
	maxRows   = 500
	maxCols   = 40
)

// Kind is what a block is.
type Kind string

// The kinds of blocks.
const (
	Paragraph Kind = "paragraph"
	Heading   Kind = "heading"
	List      Kind = "list"
	Quote     Kind = "quote"
	Code      Kind = "code"
	Table     Kind = "table"
	Rule      Kind = "rule"
)

// Block is one block of a text. Which fields are set depends on Kind.
type Block struct {
	// ID is stable while the text grows, unless the block turns out to be of
	// another kind: its place and its kind.
	ID   string
	Kind Kind
	// Source is the block as it was written; only at the top level.
	Source string

	Inline []Inline // paragraph, heading

	Level int // heading: 1 to 6

	Ordered bool // list
	Start   int  // list: the first number
	Items   []Item

	Children []Block // quote

	Code, Lang string // code

	Rows [][]Cell // table: the first one is its head

	at   int           // where it begins in the text
	rest func() string // its source, where only its beginning was parsed
}

// Item is an item of a list.
type Item struct {
	Task, Done bool // with a box, ticked or not
	Blocks     []Block

	goesOn bool // the rest of an item that was split: without a mark
}

// Cell is a cell of a table.
type Cell struct {
	Inline []Inline
	Align  fyne.TextAlign
}

// Text returns what is written in the cell, without its looks; a citation as ^n.
func (c Cell) Text() string {
	var b strings.Builder
	for _, in := range c.Inline {
		if in.Cite > 0 {
			b.WriteString("^" + strconv.Itoa(in.Cite))
			continue
		}
		b.WriteString(in.Text)
	}
	return strings.TrimSpace(b.String())
}

// plain reports whether the cell is nothing but its text.
func (c Cell) plain() bool {
	return !slices.ContainsFunc(c.Inline, func(in Inline) bool { return in != Inline{Text: in.Text} })
}

// Inline is a piece of text of one look. A line feed in Text is a line break.
type Inline struct {
	Text                       string
	Bold, Italic, Strike, Code bool
	Doubt                      Doubt // what is shown of what was checked

	Cite  int    // ^n: the note that it stands for, from 1
	Link  string // where it leads: an http, https or nostr: address
	Image bool   // the link stands for an image
	// Host is shown behind the link: where it leads, if the text does not say it.
	Host string
}

// Doubt says what a piece is in what was checked.
type Doubt uint8

// The doubts.
const (
	NoDoubt Doubt = iota
	Doubtful
	DoubtWords  // by the program, behind what is in doubt
	DoubtStruck // a citation of nothing
)

// The marks that stand around pieces in a text whose doubts are to be shown. No text of
// others may hold them.
const (
	DoubtBegins  = "\ue0f1"
	WordsBegin   = "\ue0f2"
	StruckBegins = "\ue0f3"
	DoubtEnds    = "\ue0f0"
)

const doubtMarks = DoubtEnds + DoubtBegins + WordsBegin + StruckBegins

// doubtOf returns what a mark begins.
func doubtOf(mark rune) Doubt { return Doubt(mark - 0xe0f0) }

func (b *Block) equal(o *Block) bool {
	return b.ID == o.ID && b.Kind == o.Kind && b.Source == o.Source && b.Level == o.Level &&
		b.Ordered == o.Ordered && b.Start == o.Start && b.Code == o.Code && b.Lang == o.Lang &&
		slices.Equal(b.Inline, o.Inline) &&
		slices.EqualFunc(b.Items, o.Items, itemsEqual) &&
		blocksEqual(b.Children, o.Children) &&
		slices.EqualFunc(b.Rows, o.Rows, func(a, b []Cell) bool { return slices.EqualFunc(a, b, cellsEqual) })
}

func blocksEqual(a, b []Block) bool {
	return slices.EqualFunc(a, b, func(x, y Block) bool { return x.equal(&y) })
}

func itemsEqual(a, b Item) bool {
	return a.Task == b.Task && a.Done == b.Done && a.goesOn == b.goesOn && blocksEqual(a.Blocks, b.Blocks)
}

func cellsEqual(a, b Cell) bool {
	return a.Align == b.Align && slices.Equal(a.Inline, b.Inline)
}

// number gives top-level blocks their ids, from a place on.
func number(bs []Block, from int) {
	for i := range bs {
		bs[i].ID = strconv.Itoa(from+i) + ":" + string(bs[i].Kind)
	}
}
