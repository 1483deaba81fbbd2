package markdown

import (
	"bytes"
	"html"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"bowerbird/app/check"
)

// inlines returns the pieces of a paragraph, a heading or a cell. Neighbours in the same
// style are one piece.
func (c *converter) inlines(n ast.Node) []Inline {
	var out pieces
	c.children(&out, n, Inline{}, 0)
	return out.end()
}

// pieces collects inlines.
type pieces struct {
	list []Inline
	text []byte // of the last one, while it grows
}

// add appends text, to the last piece if that has the same style.
func (p *pieces) add(look Inline, s string) {
	if s == "" {
		return
	}
	look.Text, look.Host = "", ""
	if n := len(p.list); n == 0 || p.list[n-1] != look || len(p.text) == 0 {
		p.put(look)
	}
	p.text = append(p.text, s...)
}

// put begins a piece.
func (p *pieces) put(piece Inline) {
	p.flush()
	p.list = append(p.list, piece)
}

func (p *pieces) flush() {
	if n := len(p.list); n > 0 && len(p.text) > 0 {
		p.list[n-1].Text = string(p.text)
	}
	p.text = p.text[:0]
}

// end returns the pieces without trailing spaces and line breaks.
func (p *pieces) end() []Inline {
	p.flush()
	in := unbracket(p.list)
	for len(in) > 0 {
		last := &in[len(in)-1]
		if last.Cite > 0 || last.Code || last.Link != "" {
			break
		}
		if last.Text = strings.TrimRight(last.Text, " \n"); last.Text != "" {
			break
		}
		in = in[:len(in)-1]
	}
	return in
}

// unbracket removes the brackets that some models write around citations, as in [^1].
func unbracket(in []Inline) []Inline {
	for i := 1; i+1 < len(in); i++ {
		if in[i].Cite == 0 || !strings.HasSuffix(in[i-1].Text, "[") || in[i-1].Cite > 0 {
			continue
		}
		end := i
		for end < len(in) && in[end].Cite > 0 {
			end++
		}
		if end < len(in) && strings.HasPrefix(in[end].Text, "]") {
			in[i-1].Text = strings.TrimSuffix(in[i-1].Text, "[")
			in[end].Text = strings.TrimPrefix(in[end].Text, "]")
		}
	}
	return slices.DeleteFunc(in, func(x Inline) bool { return x.Text == "" && x.Link == "" })
}

// children appends the content of a node, in the style of what surrounds it.
func (c *converter) children(out *pieces, n ast.Node, look Inline, depth int) {
	for k := n.FirstChild(); k != nil; k = k.NextSibling() {
		if depth > maxDepth {
			out.add(look, c.rawText(k))
			continue
		}
		c.inline(out, k, look, depth)
	}
}

func (c *converter) inline(out *pieces, n ast.Node, look Inline, depth int) {
	look.Doubt = c.doubt
	switch n := n.(type) {
	case *ast.Text:
		c.text(out, look, validText(string(n.Segment.Value(c.src))), n.IsRaw())
		switch {
		case n.HardLineBreak():
			out.add(look, "\n")
		case n.SoftLineBreak() && !c.unspaced(n.Segment.Stop):
			out.add(look, " ")
		}
	case *ast.String:
		out.add(look, validText(string(n.Value)))
	case *ast.Emphasis:
		if n.Level == 1 {
			look.Italic = true
		} else {
			look.Bold = true
		}
		c.children(out, n, look, depth+1)
	case *extast.Strikethrough:
		look.Strike = true
		c.children(out, n, look, depth+1)
	case *ast.CodeSpan:
		c.code(out, n, look)
	case *ast.Link:
		c.link(out, n, string(n.Destination), look, depth, false)
	case *ast.Image:
		c.link(out, n, string(n.Destination), look, depth, true)
	case *ast.AutoLink:
		url := string(n.URL(c.src))
		shown := validText(string(n.Label(c.src)))
		if n.AutoLinkType != ast.AutoLinkURL || !setLink(&look, url, shown) {
			out.add(look, shown)
			return
		}
		out.add(look, shown)
		closeLink(out, look)
	case *ast.RawHTML:
		var b strings.Builder
		for i := range n.Segments.Len() {
			seg := n.Segments.At(i)
			b.Write(seg.Value(c.src))
		}
		out.add(look, validText(b.String()))
	case *extast.TaskCheckBox: // Item.Task
	default:
		c.children(out, n, look, depth+1)
	}
}

// unspaced reports whether the letters before and after a line break belong to scripts that
// are written without spaces.
func (c *converter) unspaced(at int) bool {
	before, _ := utf8.DecodeLastRune(bytes.TrimRight(c.src[:at], " \r\n"))
	behind, _ := utf8.DecodeRune(bytes.TrimLeft(c.src[at:], " \t\r\n"))
	return isWide(before) && isWide(behind)
}

func isWide(r rune) bool {
	return r >= 0x2e80 && r < 0xa4d0 || r >= 0xf900 && r < 0xfb00 || r >= 0xff00 && r < 0xff61
}

// code appends a code span; one that consists of a note's id becomes a link.
func (c *converter) code(out *pieces, n *ast.CodeSpan, look Inline) {
	s := strings.ReplaceAll(c.rawText(n), "\n", " ")
	if look.Link == "" {
		if refs := findIDs(s); len(refs) == 1 && refs[0].from == 0 && refs[0].to == len(s) {
			look.Link = refs[0].link
			out.add(look, refs[0].short)
			return
		}
	}
	look.Code = true
	out.add(look, s)
}

// rawText returns the text in a node as it was written.
func (c *converter) rawText(n ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(n, func(k ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			switch k := k.(type) {
			case *ast.Text:
				b.Write(k.Segment.Value(c.src))
				if k.SoftLineBreak() {
					b.WriteByte('\n')
				}
			case *ast.String:
				b.Write(k.Value)
			}
		}
		return ast.WalkContinue, nil
	})
	return validText(b.String())
}

// text appends plain text, in which citations become chips and ids links.
func (c *converter) text(out *pieces, look Inline, s string, raw bool) {
	if i := strings.IndexAny(s, doubtMarks); i >= 0 {
		c.text(out, look, s[:i], raw)
		mark, size := utf8.DecodeRuneInString(s[i:])
		c.doubt = doubt(mark - 0xe0f0) // see doubtMarks
		look.Doubt = c.doubt
		c.text(out, look, s[i+size:], raw)
		return
	}
	if look.Doubt >= doubtWords || look.Link != "" || look.Image {
		out.add(look, unescape(s, raw))
		return
	}
	at := 0
	for _, ref := range check.References(s) {
		if ref.Index < 1 || ref.Index > c.cites || ref.Start > 0 && s[ref.Start-1] == '\\' {
			continue
		}
		c.ids(out, look, s[at:ref.Start], raw)
		cite := look
		cite.Cite = ref.Index
		cite.Text = s[ref.Start+1 : ref.End]
		out.put(cite)
		at = ref.End
	}
	c.ids(out, look, s[at:], raw)
}

func (c *converter) ids(out *pieces, look Inline, s string, raw bool) {
	at := 0
	for _, id := range findIDs(s) {
		out.add(look, unescape(s[at:id.from], raw))
		link := look
		link.Link = id.link
		link.Text = id.short
		out.put(link)
		at = id.to
	}
	out.add(look, unescape(s[at:], raw))
}

// unescape resolves HTML entities and Markdown's backslashes.
func unescape(s string, raw bool) string {
	if raw || !strings.ContainsAny(s, `\&`) {
		return s
	}
	if strings.Contains(s, "&") {
		s = html.UnescapeString(s)
	}
	return validText(string(util.UnescapePunctuations([]byte(s))))
}
