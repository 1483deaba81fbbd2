// Package markdown draws the Markdown that models write. It does not use Fyne's own widget,
// which fetches images while it lays out.
//
// goldmark parses a text (with tables, strikethrough, task lists and bare links) into plain
// [Block] values ([Parse], [Stream]). A [BlockView] draws one block, a [View] a whole answer.
//
// It guarantees that
//   - nothing is fetched or opened: an image is a link, HTML is text, and a link opens only on a
//     click, through a callback, if its scheme is https, http or nostr;
//   - a link shows the host that it leads to, unless its text does;
//   - ^1 becomes a chip where there is such a note and stays text elsewhere, and note ids that a
//     model wrote become short links;
//   - while an answer streams, finished blocks are neither parsed nor laid out again, and the
//     result equals that of the whole text parsed at once;
//   - a text is cut at 200 kB and 2,000 blocks, nesting at 20; what is beyond, or makes the
//     parser panic, is shown as plain text.
//
// What a citation or a link does is up to [Options].
package markdown

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Parse returns the blocks of a complete text in which ^1 to ^cites are citations.
func Parse(text string, cites int) []Block {
	var s Stream
	return s.Set(text, cites, true)
}

// parse returns the top-level blocks of src, which begins at a byte of the text.
func parse(p parser.Parser, src string, at, cites int) (bs []Block) {
	if strings.TrimSpace(src) == "" {
		return nil
	}
	defer func() {
		if recover() != nil {
			bs = plain(src, at)
		}
	}()
	raw := []byte(src)
	c := converter{src: raw, cites: cites}
	doc := p.Parse(text.NewReader(raw))
	bs = c.blocks(doc, 0)
	for i := range bs {
		start := lineStart(src, bs[i].at)
		end := len(src)
		if i+1 < len(bs) {
			end = lineStart(src, bs[i+1].at)
		}
		bs[i].at = at + start
		bs[i].Source = strings.TrimRight(src[start:max(start, end)], "\n\r\t ")
	}
	return bs
}

func lineStart(s string, at int) int {
	at = min(max(at, 0), len(s))
	return strings.LastIndexByte(s[:at], '\n') + 1
}

// plain returns a text as paragraphs without markup.
func plain(src string, at int) []Block {
	var bs []Block
	for _, part := range strings.SplitAfter(src, "\n\n") {
		if shown := strings.Trim(part, "\n\r"); strings.TrimSpace(shown) != "" && len(bs) < maxBlocks {
			bs = append(bs, plainBlock(shown, at))
		}
		at += len(part)
	}
	return bs
}

func plainBlock(s string, at int) Block {
	return Block{Kind: Paragraph, Source: s, Inline: []Inline{{Text: s}}, at: at}
}

// converter converts goldmark's tree into blocks.
type converter struct {
	doubt doubt // of what follows
	src   []byte
	cites int
}

func (c *converter) blocks(parent ast.Node, depth int) []Block {
	var bs []Block
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if b, ok := c.block(n, depth); ok {
			b.at = c.pos(n)
			bs = append(bs, b)
		}
	}
	return bs
}

// pos returns the byte at which a block begins.
func (c *converter) pos(n ast.Node) int {
	if t, ok := n.(*extast.Table); ok && t.HasChildren() { // its own position is that of the paragraph that it was
		n = t.FirstChild()
	}
	if at := n.Pos(); at >= 0 {
		return at
	}
	if n.Lines() != nil && n.Lines().Len() > 0 {
		return n.Lines().At(0).Start
	}
	return 0
}

func (c *converter) block(n ast.Node, depth int) (Block, bool) {
	if depth > maxDepth {
		return plainBlock(c.allText(n), 0), true
	}
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		in := c.inlines(n)
		return Block{Kind: Paragraph, Inline: in}, len(in) > 0
	case *ast.Heading:
		return Block{Kind: Heading, Level: n.Level, Inline: c.inlines(n)}, true
	case *ast.List:
		b := Block{Kind: List, Ordered: n.IsOrdered(), Start: n.Start}
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			b.Items = append(b.Items, c.item(item, depth+1))
		}
		return b, true
	case *ast.Blockquote:
		return Block{Kind: Quote, Children: c.blocks(n, depth+1)}, true
	case *ast.FencedCodeBlock:
		return Block{Kind: Code, Code: c.lines(n), Lang: string(n.Language(c.src))}, true
	case *ast.CodeBlock:
		return Block{Kind: Code, Code: c.lines(n)}, true
	case *ast.ThematicBreak:
		return Block{Kind: Rule}, true
	case *ast.HTMLBlock:
		s := c.lines(n)
		if n.HasClosure() {
			s += strings.TrimRight(string(n.ClosureLine.Value(c.src)), "\n")
		}
		s = strings.TrimRight(s, "\n")
		return Block{Kind: Paragraph, Inline: []Inline{{Text: s}}}, s != ""
	case *extast.Table:
		return Block{Kind: Table, Rows: c.table(n)}, true
	}
	return Block{}, false // a definition of a reference link
}

func (c *converter) item(n ast.Node, depth int) Item {
	it := Item{}
	if first := n.FirstChild(); first != nil {
		if box, ok := first.FirstChild().(*extast.TaskCheckBox); ok {
			it.Task, it.Done = true, box.IsChecked
		}
	}
	it.Blocks = c.blocks(n, depth)
	return it
}

func (c *converter) table(n *extast.Table) [][]Cell {
	var rows [][]Cell
	for row := n.FirstChild(); row != nil && len(rows) < maxRows; row = row.NextSibling() {
		var cells []Cell
		for cell := row.FirstChild(); cell != nil && len(cells) < maxCols; cell = cell.NextSibling() {
			out := Cell{Inline: c.inlines(cell)}
			if tc, ok := cell.(*extast.TableCell); ok {
				switch tc.Alignment {
				case extast.AlignRight:
					out.Align = fyne.TextAlignTrailing
				case extast.AlignCenter:
					out.Align = fyne.TextAlignCenter
				}
			}
			cells = append(cells, out)
		}
		rows = append(rows, cells)
	}
	if len(rows) == maxRows && n.ChildCount() > maxRows {
		rows = append(rows, []Cell{{Inline: []Inline{{Text: "…"}}}})
	}
	return rows
}

// lines returns the raw lines of a block.
func (c *converter) lines(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		b.Write(seg.Value(c.src))
	}
	return validText(b.String())
}

// allText returns the lines of a block and of all blocks in it.
func (c *converter) allText(n ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && n.Type() == ast.TypeBlock && n.Lines() != nil {
			b.WriteString(c.lines(n))
			if n.Lines().Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
				b.WriteByte('\n')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimRight(b.String(), "\n")
}

func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\ufffd")
}
