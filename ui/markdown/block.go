package markdown

import (
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
)

// The limits of a text. What is beyond is shown as plain text.
const (
	maxBytes  = 200_000
	maxBlocks = 2_000
	maxDepth  = 20 // of nested lists and quotes
	maxRows   = 500
	maxCols   = 40
)

// Kind is the kind of a block.
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

// Block is one block of a text. Kind decides which fields are set.
type Block struct {
	// ID is the block's index and kind. It is stable while the text grows, unless the block
	// turns out to be of another kind.
	ID   string
	Kind Kind
	// Source is the block as written; set at the top level only.
	Source string

	Inline []Inline // paragraph, heading

	Level int // heading: 1 to 6

	Ordered bool // list
	Start   int  // list: the first number
	Items   []Item

	Children []Block // quote

	Code, Lang string // code

	Rows [][]Cell // table: the first row is its head

	at   int           // the byte at which it begins in the text
	rest func() string // returns its source if only its beginning was parsed
}

// Item is an item of a list.
type Item struct {
	Task, Done bool // has a box; the box is ticked
	Blocks     []Block

	goesOn bool // the rest of an item that was split: it has no marker
}

// Cell is a cell of a table.
type Cell struct {
	Inline []Inline
	Align  fyne.TextAlign
}

// Text returns the text of a cell without markup; citations as ^n.
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

// plain reports whether the cell has no markup.
func (c Cell) plain() bool {
	return !slices.ContainsFunc(c.Inline, func(in Inline) bool { return in != Inline{Text: in.Text} })
}

// Inline is a piece of text in one style. A line feed in Text is a line break.
type Inline struct {
	Text                       string
	Bold, Italic, Strike, Code bool
	Doubt                      doubt

	Cite  int    // the number of the citation, from 1; 0 for none
	Link  string // an http, https or nostr: URL
	Image bool   // the link replaces an image
	// Host is shown after the link, if its text does not name the host.
	Host string
}

// doubt is the role of a piece in an answer that was checked.
type doubt uint8

const (
	noDoubt doubt = iota
	doubtful
	doubtWords  // the program's words after a doubtful piece
	doubtStruck // a citation that leads to no note
)

// The characters around pieces of a checked answer. Text from elsewhere must not contain them.
const (
	DoubtBegins  = "\ue0f1"
	WordsBegin   = "\ue0f2"
	StruckBegins = "\ue0f3"
	DoubtEnds    = "\ue0f0"
)

const doubtMarks = DoubtEnds + DoubtBegins + WordsBegin + StruckBegins

func (b *Block) equal(o *Block) bool {
	return b.ID == o.ID && b.Kind == o.Kind && b.Source == o.Source && b.Level == o.Level &&
		b.Ordered == o.Ordered && b.Start == o.Start && b.Code == o.Code && b.Lang == o.Lang &&
		slices.Equal(b.Inline, o.Inline) &&
		slices.EqualFunc(b.Items, o.Items, func(a, b Item) bool {
			return a.Task == b.Task && a.Done == b.Done && a.goesOn == b.goesOn && blocksEqual(a.Blocks, b.Blocks)
		}) &&
		blocksEqual(b.Children, o.Children) &&
		slices.EqualFunc(b.Rows, o.Rows, func(a, b []Cell) bool {
			return slices.EqualFunc(a, b, func(a, b Cell) bool { return a.Align == b.Align && slices.Equal(a.Inline, b.Inline) })
		})
}

func blocksEqual(a, b []Block) bool {
	return slices.EqualFunc(a, b, func(x, y Block) bool { return x.equal(&y) })
}

// number sets the ids of top-level blocks, of which the first has index from.
func number(bs []Block, from int) {
	for i := range bs {
		bs[i].ID = strconv.Itoa(from+i) + ":" + string(bs[i].Kind)
	}
}
