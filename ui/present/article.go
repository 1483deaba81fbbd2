package present

import (
	"context"
	"fmt"
	"strings"

	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// Article is a long text (NIP-23).
type Article struct {
	Note
	// Markdown is the text, cleaned. Names of people and notes in it are Markdown
	// links to nostr: addresses.
	Markdown string
}

// maxArticle is the most of an article that is shown, in bytes.
const maxArticle = 220 << 10

// Article reads an article. Missing is set for one that is not stored.
func (r *Reader) Article(ctx context.Context, id nostr.ID) (Article, error) {
	n, err := r.Note(ctx, id)
	if err != nil || n.Missing {
		return Article{Note: n}, err
	}
	e, err := r.Store.Event(ctx, n.ID)
	if err != nil {
		return Article{}, fmt.Errorf("read article %s: %w", id, err)
	}
	b := builder{r: r, ctx: ctx, now: r.Now()}
	a := Article{Note: n}
	a.Markdown = b.markdown(clean.Text(bounded(e.Content, maxArticle)))
	if b.err != nil {
		return Article{}, fmt.Errorf("present article %s: %w", id, b.err)
	}
	return a, nil
}

// markdown writes the nostr: links of a text as Markdown links with names.
func (b *builder) markdown(text string) string {
	var out strings.Builder
	at, links := 0, 0
	for link := range nostr.Links(text) {
		if links++; links > maxSpans {
			break
		}
		if strings.HasSuffix(text[:link.Start], "](") || strings.HasSuffix(text[:link.Start], "<") {
			continue // the author made it one
		}
		out.WriteString(text[at:link.Start])
		fmt.Fprintf(&out, "[%s](%s)", tools.PlainMarkdown(b.label(link.Code)), text[link.Start:link.End])
		at = link.End
	}
	out.WriteString(text[at:])
	return out.String()
}

// label names what a code leads to.
func (b *builder) label(c nostr.Code) string {
	t := &reading{b: b, n: &Note{}, e: &nostr.Event{}, depth: 1}
	encoded, err := c.Encode()
	if err != nil {
		return c.Prefix
	}
	t.text = "nostr:" + encoded
	t.scan()
	if len(t.spans) == 0 {
		return c.Prefix
	}
	return t.spans[0].Text
}
