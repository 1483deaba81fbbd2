package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/spf13/cobra"

	"bowerbird/app"
	"bowerbird/app/agent"
	"bowerbird/app/models"
	"bowerbird/ndb/clean"
	"bowerbird/tools"
	"bowerbird/ui/present"
)

type askFlags struct {
	as, model, baseURL, chat, approve, charts string
	showRequest, resume, plain                bool
}

func (p *program) askCmd() *cobra.Command {
	var f askFlags
	cmd := &cobra.Command{
		Use:   "ask TEXT",
		Short: "Ask the assistant",
		Long: `Asks the assistant and prints its answer with the notes that it cites.

Without a language model (the default, builtin:digest) it understands questions
such as
  What did I miss since yesterday?      What is Ada saying about relays?
  Top hashtags this week                Who posted most last week?
  Search lighthouse                     Summarise this thread nevent1...
  Who answered me this week?            Notes per day of me as a chart
  What did Ada and Bruno talk about?    Ada's notes as a table
and suggests the closest match for any other. In a saved chat (--chat) a
question may refer to the one before: "and last week?", "more about the second".

A model's answer is checked: [?] marks a sentence that cites no note, quotes
words that no cited note contains, or gives a number that no tool returned. The
lines that begin with a bar, below the answer, say what was checked. With --json
this is the event "checked".

While the window is open, it answers for the terminal, with the keys that it
has; the chat is in both.

--model chooses a language model, for example
  --model ollama:qwen3:8b            a model on this computer
  --model openrouter:openai/gpt-5    sends text to openrouter.ai; needs a key`,
		Args: func(_ *cobra.Command, args []string) error {
			switch question := strings.TrimSpace(strings.Join(args, "")); {
			case question == "" && !f.resume:
				return usagef("ask needs a question, for example: bowerbird ask \"What did I miss since yesterday?\"")
			case len(args) > 0 && f.resume:
				return usagef("--resume takes no question: it continues the last answer")
			case f.plain && f.resume:
				return usagef("--plain belongs to a question: a resumed answer goes on as it was asked for")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.ask(cmd.Context(), strings.Join(args, " "), f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.as, "as", "", "`KEY` of the person to read as, for this question only")
	flags.StringVar(&f.model, "model", "", "model to ask, as `PROVIDER:NAME` (default: the model in the settings, or builtin:digest)")
	flags.StringVar(&f.baseURL, "base-url", "", "`URL` of the model's server (default: the one in the settings, or the provider's own)")
	flags.StringVar(&f.chat, "chat", "", "`ID` of the saved chat to continue")
	flags.BoolVar(&f.resume, "resume", false, "with --chat: continue the last answer of the chat if it was cut off")
	flags.StringVar(&f.approve, "approve", "never", "whether a tool may do more than read: never, or ask each time")
	flags.StringVar(&f.charts, "charts", "", "folder `DIR` to save charts in as SVG, instead of drawing them as text")
	flags.BoolVar(&f.plain, "plain", false, "answer without tables and charts")
	flags.BoolVar(&f.showRequest, "show-request", false, "print on stderr exactly what was sent to the model's server")
	return cmd
}

func (p *program) ask(ctx context.Context, text string, f askFlags) error {
	approver, err := p.approver(f.approve)
	if err != nil {
		return err
	}
	if f.resume && f.chat == "" {
		return usagef("--resume needs --chat: it continues the last answer of a saved chat")
	}
	choice := models.Choice{ID: f.model, BaseURL: f.baseURL}
	if f.model != "" || !f.resume { // a resumed answer continues with its own model
		settings, err := p.loadSettings()
		if err != nil {
			return err
		}
		if err := choice.SettledBy(settings).Check(); err != nil {
			return err // before a store is opened, or even created, to no purpose
		}
	}
	return p.withApp(ctx, app.WriteOrRead, f.as, func(a *app.App) error {
		if why := a.CannotWrite(); why != nil {
			p.say("the answer will not be saved: %v", why)
		}
		var answer *app.Answer
		if f.resume {
			answer, err = a.Resume(ctx, f.chat, choice, approver)
		} else {
			answer, err = a.Ask(ctx, app.Question{Text: text, Model: choice, Chat: f.chat, Plain: f.plain, Approver: approver})
		}
		if ctx.Err() != nil && errors.Is(err, context.Canceled) {
			return errStopped
		}
		if err != nil {
			return err
		}
		if p.json {
			err = p.printTurn(answer.Events)
		} else {
			err = p.drawTurn(ctx, a, answer, f.charts)
		}
		if f.showRequest {
			p.printSent(a.Models().Sent(answer.Chat.Info().ID, ""))
		}
		if saveErr := answer.Chat.Err(); saveErr != nil {
			p.say("the answer could not be saved: %v", saveErr)
		}
		return err
	})
}

func (p *program) printTurn(events iter.Seq[agent.Event]) error {
	var failed error
	for e := range events {
		if err := p.printJSON(e); err != nil {
			return err
		}
		switch {
		case e.Type == agent.EventError:
			failed = errors.Join(failed, errors.New(present.ErrorWords(e.Err)))
		case e.Type == agent.EventFinish && e.Finish == agent.FinishCancelled:
			failed = errStopped
		}
	}
	if failed != nil {
		return errors.Join(failed, errSaid) // it is among the events
	}
	return nil
}

func (p *program) drawTurn(ctx context.Context, a *app.App, answer *app.Answer, charts string) error {
	t := newTerminal(p, a.Notes(), a.Now(), charts)
	t.free, t.tongue = answer.Model.Provider == models.Builtin, answer.Tongue()
	if host := answer.Model.Host; host != "" {
		t.progress("text is sent to %s", host)
	}
	if answer.Toolless {
		t.progress("tools are turned off for this model in the settings: it answers without your notes")
	}
	drawing := context.WithoutCancel(ctx) // a turn that is stopped still shows the notes that it cites
	for _, e := range answer.Before() {
		t.draw(drawing, e)
	}
	for e := range answer.Events {
		t.draw(drawing, e)
	}
	if t.failed == nil && !t.said {
		t.failed = errors.New("the model gave no answer; ask again, or choose another model")
	}
	if a.Settings().Assistant.ForgetChats {
		return t.failed
	}
	t.progress("\nContinue this chat with: --chat %s", answer.Chat.Info().ID)
	return t.failed
}

func (p *program) approver(how string) (agent.Approver, error) {
	switch how {
	case "never":
		return nil, nil
	case "ask":
		return &askingApprover{in: bufio.NewReader(p.in), err: p.err}, nil
	}
	return nil, usagef("--approve %q: must be never or ask", how)
}

// askingApprover asks the user at the terminal.
type askingApprover struct {
	in  *bufio.Reader
	err io.Writer
}

// Approve shows exactly what would be done. Only a typed "yes" grants it.
func (a *askingApprover) Approve(ctx context.Context, p agent.Preview) (agent.Approval, error) {
	say(a.err, "\nThe assistant wants to do this:\n  %s", p)
	if p.Tainted {
		say(a.err, "This chat contains text by other people, which may have prompted this.")
	}
	_, _ = fmt.Fprint(a.err, "Type \"yes\" to allow it once: ")
	text, err := a.line(ctx)
	switch {
	case err != nil:
		return agent.Approval{}, err
	case text == "yes":
		return agent.Approval{Granted: true, Hash: p.Hash()}, nil
	}
	return agent.Approval{Reason: "the user said no"}, nil
}

// line reads what the user types; "" at the end of the input.
func (a *askingApprover) line(ctx context.Context) (string, error) {
	got := make(chan string, 1)
	go func() { // a read from a terminal cannot be cancelled
		text, _ := a.in.ReadString('\n')
		got <- strings.TrimSpace(text)
	}()
	select {
	case text := <-got:
		return text, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// Ask implements [agent.Asker]: a line for each value, then "yes" sends them.
func (a *askingApprover) Ask(ctx context.Context, q tools.Question) (tools.Reply, error) {
	say(a.err, "\nThe MCP server %q asks you something:\n  %s", q.Server, agent.Visible(q.Message))
	say(a.err, "It is not part of Bowerbird, and what you write goes to it. Never enter a password or a secret key.")
	filled := make(map[string][]string)
	for _, f := range q.Fields {
		_, _ = fmt.Fprint(a.err, fieldPrompt(f))
		text, err := a.line(ctx)
		if err != nil {
			return tools.Reply{}, err
		}
		filled[f.Name] = typed(f, text)
	}
	_, _ = fmt.Fprint(a.err, "Type \"yes\" to send this: ")
	if text, err := a.line(ctx); err != nil || text != "yes" {
		return tools.Reply{}, err
	}
	reply, err := q.Accept(filled)
	if err != nil {
		say(a.err, "Not sent: %s.", agent.Visible(err.Error()))
	}
	return reply, err
}

// fieldPrompt asks for one value.
func fieldPrompt(f tools.Field) string {
	var hints []string
	for _, o := range f.Options {
		hints = append(hints, o.Label)
	}
	switch f.Kind {
	case tools.YesNoField:
		hints = []string{"yes", "no"}
	case tools.SomeOfField:
		hints = append(hints, "several with commas")
	}
	if f.Limits != "" {
		hints = append(hints, f.Limits)
	}
	if len(f.Default) > 0 {
		hints = append(hints, "Enter for "+strings.Join(f.Default, ", "))
	} else if !f.Required {
		hints = append(hints, "may be empty")
	}
	prompt := "  " + f.Label
	if f.Help != "" {
		prompt += ", " + f.Help
	}
	if len(hints) > 0 {
		prompt += " (" + strings.Join(hints, "; ") + ")"
	}
	return agent.Visible(prompt) + ": "
}

// typed is what a typed line means in a field.
func typed(f tools.Field, text string) []string {
	if text == "" {
		return f.Default
	}
	texts := []string{text}
	if f.Kind == tools.SomeOfField {
		texts = strings.Split(text, ",")
	}
	for i, t := range texts {
		texts[i] = strings.TrimSpace(t)
		for _, o := range f.Options {
			if strings.EqualFold(o.Label, texts[i]) {
				texts[i] = o.Value
			}
		}
		switch {
		case f.Kind == tools.YesNoField && strings.EqualFold(t, "yes"):
			texts[i] = "true"
		case f.Kind == tools.YesNoField && strings.EqualFold(t, "no"):
			texts[i] = "false"
		}
	}
	return texts
}

// printSent prints to stderr what was sent to the model's server for a turn; stdout is for
// the answer.
func (p *program) printSent(sent []models.SentRequest) {
	if len(sent) == 0 {
		p.say("\nNothing was sent.")
		return
	}
	for i, s := range sent {
		p.say("\nrequest %d of %d: POST %s", i+1, len(sent), s.URL)
		for _, name := range slices.Sorted(maps.Keys(s.Header)) {
			for _, value := range s.Header[name] {
				p.say("%s: %s", name, value)
			}
		}
		switch {
		case s.Failed != "":
			p.say("result: %d %s", s.Status, clean.Line(s.Failed, 300))
		case s.Status != 0:
			p.say("result: %d", s.Status)
		}
		if s.Dropped {
			p.say("(the %s of its body are no longer in memory)", sizeWords(int64(s.Size)))
			continue
		}
		body := string(s.Body)
		if _, ok := terminalOf(p.err); ok {
			body = escapeControls(body)
		}
		p.say("\n%s", body)
	}
}

// escapeControls writes what a terminal obeys or does not show as JSON escapes: requests
// contain strangers' text. Files and pipes get the original bytes.
func escapeControls(body string) string {
	var b strings.Builder
	for _, r := range body {
		if r != '\n' && !unicode.IsPrint(r) {
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, "\\u%04x", unit)
			}
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
