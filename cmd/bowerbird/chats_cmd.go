package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"bowerbird/app"
	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/ndb/clean"
	"bowerbird/ui/answers"
	"bowerbird/ui/present"
)

func (p *program) chatsCmd() *cobra.Command {
	command := func(use, short string, access app.Access, args cobra.PositionalArgs, do func(ctx context.Context, s *chats.Store, id string) error) *cobra.Command {
		return p.appCmd(use, short, access, args, func(ctx context.Context, a *app.App, args []string) error {
			s, err := a.Chats()
			if err != nil {
				return err
			}
			return do(ctx, s, strings.Join(args, ""))
		})
	}
	cmd := p.appCmd("chats", "List, export or delete saved chats", app.Read, nil,
		func(ctx context.Context, a *app.App, _ []string) error { return p.listChats(ctx, a) })
	cmd.Example = `  bowerbird chats                                    # list all, with their IDs
  bowerbird chats export ID > chat.md
  bowerbird chats delete ID                          # undelete restores it
  bowerbird ask --chat ID "And last week?"           # continue a chat`
	cmd.AddCommand(
		p.appCmd("export ID", "Print a chat as Markdown, with nostr: links", app.Read, cobra.ExactArgs(1), p.exportChat),
		command("delete ID", "Delete a chat; undelete restores it", app.Write, cobra.ExactArgs(1),
			func(ctx context.Context, s *chats.Store, id string) error {
				return p.done(id, "deleted", s.Delete(ctx, id))
			}),
		command("undelete ID", "Restore a deleted chat", app.Write, cobra.ExactArgs(1),
			func(ctx context.Context, s *chats.Store, id string) error {
				return p.done(id, "restored", s.Undelete(ctx, id))
			}),
	)
	return cmd
}

func (p *program) done(id, what string, err error) error {
	if err == nil && p.json {
		return p.printJSON(map[string]any{"id": id, what: true})
	}
	if err == nil {
		p.say("%s", what)
	}
	return err
}

func (p *program) exportChat(ctx context.Context, a *app.App, args []string) error {
	s, err := a.Chats()
	if err != nil {
		return err
	}
	var markdown strings.Builder
	if err := answers.Export(ctx, s, args[0], answers.StoreNotes{Store: a.Notes()}, answers.English, &markdown); err != nil {
		return err
	}
	if p.json {
		return p.printJSON(map[string]string{"id": args[0], "markdown": markdown.String()})
	}
	_, err = io.WriteString(p.out, markdown.String())
	return err
}

// chatRow is a chat as chats --json prints it.
type chatRow struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Updated int64  `json:"updated"` // unix seconds
	Turns   int    `json:"turns"`
	// State is how far the last answer got, Usage what all answers cost.
	State chats.State `json:"state,omitempty"`
	Usage chats.Usage `json:"usage,omitzero"`
}

func (p *program) listChats(ctx context.Context, a *app.App) error {
	s, err := a.Chats()
	if err != nil {
		return err
	}
	list, skipped, err := s.Families(ctx) // without the branches of edited questions, as in the window
	if err != nil {
		return err
	}
	for _, why := range skipped {
		p.say("skipped: %v", why)
	}
	rows := make([]chatRow, 0, len(list))
	for _, c := range list {
		rows = append(rows, chatRow{c.ID, clean.Line(c.Title, 200), c.Updated.Unix(), c.Turns, c.State, c.Usage})
	}
	if p.json {
		return p.printJSON(map[string]any{"chats": rows})
	}
	for _, r := range rows {
		how := numberWords(r.Turns, "turn")
		switch {
		case a.Answering(r.ID): // in the window that lists them
			how += "; being answered"
		case r.State == chats.Waiting:
			how += "; waiting for approval: ask --chat " + r.ID + " --resume"
		case r.State == chats.Interrupted, r.State == chats.Running: // no other program has the store open
			how += "; cut off: ask --chat " + r.ID + " --resume"
		}
		if spent := spentWords(r.Usage); spent != "" {
			how += "; " + spent
		}
		say(p.out, "%s  %s  %s (%s)", r.ID, localTime(r.Updated), r.Title, how)
	}
	return nil
}

// spentWords returns what model calls cost, in words; "" if nothing was counted.
func spentWords(u chats.Usage) string {
	if u.Input+u.Output == 0 {
		return ""
	}
	var w present.Words
	text := w.Number(u.Input) + " tokens read"
	if u.Cached > 0 {
		text += " (" + w.Number(u.Cached) + " of them from the provider's cache)"
	}
	text += ", " + w.Number(u.Output) + " written"
	switch {
	case !u.Unpriced && u.Cost == 0:
		return text + ", free of charge"
	case !u.Unpriced:
		return text + ", for " + w.Dollars(u.Cost)
	case u.Cost > 0:
		return text + ", for " + w.Dollars(u.Cost) + " plus an unknown amount"
	}
	return text
}

// spentIn returns what the turn of a finish event cost.
func spentIn(e agent.Event) chats.Usage {
	var spent agent.Spent
	spent.Add(e.Usage, e.Cost)
	return chats.UsageOf(spent)
}
