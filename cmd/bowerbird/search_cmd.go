package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"bowerbird/app"
	"bowerbird/app/agent"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/search"
	"bowerbird/tools"
	"bowerbird/ui/present"
)

const searchHelp = `Finds notes, pictures, comments and articles in the store.

  words                  all must be in the note; bow* matches bower and bowl
  "words in this order"  -word  -"not this"  this OR that  (brackets)
  #tag                   from:NAME  to:NAME  since:7d  until:2026-03-01
  kind:article           is:reply  has:image|video|audio|link|article|quote
  lang:de                site:github.com

docs/search.md describes the full syntax. Put -- before text that begins with -.`

func (p *program) searchCmd() *cobra.Command {
	var (
		as   string
		args tools.QueryArgs
	)
	cmd := &cobra.Command{
		Use:   "search TEXT",
		Short: "Find notes, as the window does",
		Long:  searchHelp,
		Args:  usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, words []string) error {
			switch {
			case args.Limit < 1:
				return usagef("--limit %d: must be 1 to 200", args.Limit)
			case args.Order != "newest" && args.Order != "best":
				return usagef("--order %q: must be newest or best", args.Order)
			}
			return p.withApp(cmd.Context(), app.Read, as, func(a *app.App) error {
				return p.search(cmd.Context(), a, strings.Join(words, " "), args)
			})
		},
	}
	cmd.Flags().IntVar(&args.Limit, "limit", 20, "how many notes to show, at most 200")
	cmd.Flags().StringVar(&args.Order, "order", "newest", "newest first, or best match first: newest, best")
	cmd.Flags().StringVar(&args.Cursor, "cursor", "", "continue after these results: the cursor that they ended with")
	asFlag(cmd, &as)
	return cmd
}

// foundNote is a note in the results, with what the search found in its content.
type foundNote struct {
	tools.Note
	Highlights [][2]int `json:"highlights"` // bytes of content: from, to
}

// searchAnswer is what search --json prints.
type searchAnswer struct {
	Search       string      `json:"search"`
	Total        int         `json:"total"`
	TotalAtLeast bool        `json:"total_at_least,omitempty"`
	Returned     int         `json:"returned"`
	Truncated    bool        `json:"truncated"`
	Cursor       string      `json:"cursor"`
	Notes        []foundNote `json:"notes"`
}

func (p *program) search(ctx context.Context, a *app.App, text string, args tools.QueryArgs) error {
	q, err := resolvedSearch(ctx, a, text)
	if err != nil {
		return err
	}
	if q.IsEmpty() {
		return usagef("%q contains nothing to search for: give some words", text)
	}
	// Names and days as they were written, so that a cursor is still valid tomorrow.
	written, err := search.Parse(text)
	if err != nil {
		return searchUsage(text, err)
	}
	whole := tools.SearchArgs(written)
	args.Context, args.Search, args.Kind, args.IncludeReplies = whole.Context, whole.Search, whole.Kind, whole.IncludeReplies
	raw, err := json.Marshal(args)
	if err != nil {
		return err
	}
	result, err := runTool(ctx, a, "query", string(raw))
	if err != nil {
		return err
	}
	found, ok := result.(tools.QueryResult)
	if !ok {
		return fmt.Errorf("query returned %T", result)
	}
	if err := p.printFound(text, q, found); err != nil || found.Total > 0 || p.json {
		return err
	}
	if n, _, err := a.Notes().Size(ctx); err != nil || n > 0 {
		return err
	}
	p.say("There are no notes yet. Fetch some with \"bowerbird sync --as KEY\", or add --sample to search sample notes.")
	return nil
}

// resolvedSearch parses a search text; an invalid one is wrong usage.
func resolvedSearch(ctx context.Context, a *app.App, text string) (search.Query, error) {
	env, err := a.Env(ctx)
	if err != nil {
		return search.Query{}, err
	}
	q, err := env.ReadSearch(ctx, text)
	if err != nil {
		return q, searchUsage(text, err)
	}
	return q, nil
}

// searchUsage shows which part of a search text an error is about.
func searchUsage(text string, err error) error {
	wrong, ok := errors.AsType[*search.Error](err)
	if !ok {
		return err
	}
	if len(text) > 200 || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' }) {
		return usageError{err}
	}
	space := strings.Repeat(" ", present.Width(text[:wrong.Start]))
	mark := strings.Repeat("^", max(present.Width(wrong.In(text)), 1))
	return usagef("search: write %s\n  %s\n  %s%s", wrong.Want, text, space, mark)
}

func (p *program) printFound(text string, q search.Query, found tools.QueryResult) error {
	answer := searchAnswer{
		Search: text, Total: found.Total, TotalAtLeast: found.TotalAtLeast, Returned: found.Returned,
		Truncated: found.Truncated, Cursor: found.Cursor, Notes: []foundNote{},
	}
	secrets := agent.NewRedactor()
	for _, n := range found.Notes {
		n.Content = secrets.Text(n.Content) // results are copied and passed on
		marks := q.Highlights(n.Content)
		if marks == nil {
			marks = [][2]int{}
		}
		answer.Notes = append(answer.Notes, foundNote{n, marks})
	}
	if p.json {
		return p.printJSON(answer)
	}
	width := p.width()
	for _, n := range answer.Notes {
		when, who := localTime(n.CreatedAtUnix), present.ClipWidth(clean.Line(n.Name, 40), 20)
		if width == 0 {
			say(p.out, "%s  %-20s  %s", when, who, excerpt(n, 100))
			continue
		}
		say(p.out, "%s  %s\n  %s", when, who, excerpt(n, min(width-2, 100)))
	}
	more := ""
	if answer.Truncated {
		more = "; --limit shows more, up to 200"
	}
	if answer.Total == 0 {
		p.say("No notes were found.")
		return nil
	}
	p.say("%d of %d notes%s", answer.Returned, answer.Total, more)
	return nil
}

// excerpt returns a line of a note around what was found in it.
func excerpt(n foundNote, width int) string {
	before := min(30, width/3)
	text := n.Content
	if len(n.Highlights) > 0 {
		if from := n.Highlights[0][0]; from > before {
			cut := from - before
			for cut < from && text[cut]&0xc0 == 0x80 { // between two characters
				cut++
			}
			text = "…" + text[cut:]
		}
	}
	return present.ClipWidth(clean.Line(strings.ReplaceAll(text, "\n", " "), 4*width), width)
}
