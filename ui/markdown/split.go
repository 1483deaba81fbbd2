package markdown

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// The costs of layout, in Latin letters. No usual answer comes near the first three, which
// keep a text of any length from blocking the window.
const (
	pieceCost = 4_000  // of what is drawn as one block
	firstCost = 12_000 // of what a View shows before "Show more": some 20 screens
	partCost  = 12_000 // of what each "Show more" adds
	blockCost = 40     // of a block or an item besides its letters
	cellCost  = 12     // of a cell of a table
	spanCost  = 4      // of a piece in one style
)

// Split cuts blocks that take long to lay out into several of their kind: long paragraphs
// between words, long lists between items. Code and tables have limits of their own.
func Split(bs []Block) []Block {
	var out []Block
	for _, b := range bs {
		if b.cost() <= pieceCost {
			out = append(out, b)
			continue
		}
		parts := b.split()
		for i := range parts {
			parts[i].Source, parts[i].at, parts[i].rest = b.Source, b.at, b.rest
			if parts[i].ID = b.ID; i > 0 && b.ID != "" {
				parts[i].ID = b.ID + "." + strconv.Itoa(i)
			}
		}
		out = append(out, parts...)
	}
	return out
}

// cost returns the cost of laying out a block.
func (b *Block) cost() int {
	n := blockCost
	for _, in := range b.Inline {
		n += letters(in.Text) + spanCost
	}
	for i := range b.Children {
		n += b.Children[i].cost()
	}
	for i := range b.Items {
		n += b.Items[i].cost()
	}
	for _, row := range b.Rows {
		n += rowCost(row)
	}
	return n
}

// letters returns the cost of measuring a text. Scripts whose letters join or stack cost
// more.
func letters(s string) int {
	n := len(s)
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 0xd6 && c <= 0xdf { // U+0580 to U+07FF: Hebrew, Arabic …
			n += 2
		} else if c == 0xe0 || c == 0xe1 { // U+0800 to U+1FFF: Devanagari, Thai …
			n++
		}
	}
	return n
}

func rowCost(row []Cell) int {
	n := 0
	for _, cell := range row {
		n += cellCost
		for _, in := range cell.Inline {
			n += letters(in.Text) + spanCost
		}
	}
	return n
}

func (it *Item) cost() int {
	n := 0
	for i := range it.Blocks {
		n += it.Blocks[i].cost()
	}
	return n
}

func (b *Block) split() []Block {
	var parts []Block
	switch b.Kind {
	case Paragraph, Heading:
		for _, in := range splitInlines(b.Inline) {
			parts = append(parts, Block{Kind: b.Kind, Level: b.Level, Inline: in})
		}
	case Quote:
		for _, group := range groups(Split(b.Children)) {
			parts = append(parts, Block{Kind: Quote, Children: group})
		}
	case List:
		return b.splitList()
	default:
		parts = []Block{*b}
	}
	return parts
}

// splitList returns lists of a few items each. An item that is too long goes on in the next
// list, without a marker.
func (b *Block) splitList() []Block {
	var parts []Block
	sum := pieceCost + 1
	number := b.Start
	for _, it := range b.Items {
		for i, group := range groups(Split(it.Blocks)) {
			piece := Item{Task: it.Task, Done: it.Done, Blocks: group, goesOn: i > 0}
			cost := piece.cost()
			if sum+cost > pieceCost {
				parts = append(parts, Block{Kind: List, Ordered: b.Ordered, Start: number})
				sum = 0
			}
			last := &parts[len(parts)-1]
			last.Items = append(last.Items, piece)
			sum += cost
		}
		number++
	}
	return parts
}

// groups collects blocks into groups that may be drawn as one; at least one group.
func groups(bs []Block) [][]Block {
	out := [][]Block{nil}
	sum := 0
	for _, b := range bs {
		cost := b.cost()
		if sum > 0 && sum+cost > pieceCost {
			out, sum = append(out, nil), 0
		}
		out[len(out)-1] = append(out[len(out)-1], b)
		sum += cost
	}
	return out
}

// splitInlines cuts a paragraph into pieces.
func splitInlines(in []Inline) [][]Inline {
	out := [][]Inline{nil}
	left := pieceCost - blockCost
	put := func(x Inline) {
		out[len(out)-1] = append(out[len(out)-1], x)
		left -= letters(x.Text) + spanCost
	}
	for _, x := range in {
		whole := true
		for cost := letters(x.Text); cost > left && x.Text != ""; cost = letters(x.Text) {
			whole = false
			if end := cutAt(x.Text, left*len(x.Text)/cost); end > 0 {
				part := x
				part.Text, part.Host = strings.TrimRight(x.Text[:end], " "), ""
				put(part)
				x.Text = x.Text[end:]
			}
			out, left = append(out, nil), pieceCost-blockCost
		}
		if whole || x.Text != "" {
			put(x)
		}
	}
	return out
}

// cutAt returns where to cut a text to at most most bytes: after a line or a word if one
// ends in the second half, else between characters.
func cutAt(s string, most int) int {
	if most <= 0 {
		return 0
	}
	for _, sep := range []string{"\n", " "} {
		if at := strings.LastIndex(s[:most], sep); at > most/2 {
			return at + 1
		}
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return most
}

// first returns the blocks that cost no more than a limit, but at least one, and the first
// rows of a long table. left reports whether there are more.
func first(bs []Block, limit int) (shown []Block, left bool) {
	sum := 0
	for i := range bs {
		cost := bs[i].cost()
		if sum+cost <= limit {
			sum += cost
			continue
		}
		if bs[i].Kind == Table {
			if b, ok := bs[i].top(limit - sum); ok {
				return append(bs[:i:i], b), true
			}
		}
		n := max(i, 1)
		return bs[:n], n < len(bs)
	}
	return bs, false
}

// top returns the first rows of a table, if at least ten cost no more than a limit.
func (b *Block) top(limit int) (Block, bool) {
	out := *b
	sum := blockCost
	for i, row := range b.Rows {
		if sum += rowCost(row); sum > limit {
			out.Rows = b.Rows[:i]
			return out, i >= 10
		}
	}
	return out, true
}

// beginning cuts a text after a line or a word at about a length; cut reports whether it
// did. A text that may define reference links behind the cut is not cut, since they apply
// to what is before.
func beginning(text string, most int) (head string, cut bool) {
	if len(text) <= most+most/2 {
		return text, false
	}
	end := cutAt(text, most)
	if defines(text[lineStart(text, end):]) {
		return text, false
	}
	return text[:end], true
}

// endsInCode reports whether the last block, or the last block within it, is code.
func endsInCode(bs []Block) bool {
	if len(bs) == 0 {
		return false
	}
	last := &bs[len(bs)-1]
	if n := len(last.Items); n > 0 {
		return endsInCode(last.Items[n-1].Blocks)
	}
	return last.Kind == Code || endsInCode(last.Children)
}

// restOf returns a function that finds the whole source of the block that begins at a byte.
func restOf(text string, cites, at int) func() string {
	return func() string {
		for _, b := range Parse(text, cites) {
			if b.at == at {
				return b.Source
			}
		}
		return text[at:]
	}
}
