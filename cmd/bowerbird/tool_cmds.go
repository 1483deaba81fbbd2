package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bowerbird/app"
	"bowerbird/tools"
)

func (p *program) queryCmd() *cobra.Command {
	var as string
	cmd := &cobra.Command{
		Use:   "query ARGS",
		Short: "Call the query tool with JSON arguments; prints JSON",
		Example: `  bowerbird query '{"since": "24h"}'
  bowerbird query '{"author": "Ada", "limit": 5}'
  bowerbird query '{"search": "kayak OR canoe", "include_replies": true}'`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.callTool(cmd.Context(), as, "query", args[0])
		},
	}
	asFlag(cmd, &as)
	return cmd
}

// asFlag lets a command read as another account, this once.
func asFlag(cmd *cobra.Command, as *string) {
	cmd.Flags().StringVar(as, "as", "", "`KEY` of the person to read as, this time only")
}

func (p *program) toolCmd() *cobra.Command {
	var (
		listAll bool
		as      string
	)
	cmd := &cobra.Command{
		Use:   "tool NAME ARGS",
		Short: "Call one of the assistant's read-only tools with JSON arguments",
		Example: `  bowerbird tool --list                              # all tools, with their arguments
  bowerbird tool count '{"since": "7d"}'
  bowerbird tool find_profile '{"name": "Ada"}'`,
		Args: usageArgs(func(cmd *cobra.Command, args []string) error {
			if listAll {
				return noArgs(cmd, args)
			}
			return cobra.RangeArgs(1, 2)(cmd, args)
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			if listAll {
				return p.toolsSchema(builtinSpecs())
			}
			return p.callTool(cmd.Context(), as, args[0], strings.Join(args[1:], ""))
		},
	}
	cmd.Flags().BoolVar(&listAll, "list", false, "print all tools with their schemas")
	asFlag(cmd, &as)
	return cmd
}

func builtinSpecs() []tools.Spec {
	var specs []tools.Spec
	for _, t := range tools.Builtin().All() { // sorted
		specs = append(specs, t.Spec())
	}
	return specs
}

func (p *program) callTool(ctx context.Context, as, name, args string) error {
	tool, ok := tools.Builtin().Get(name)
	if !ok {
		var names []string
		for _, s := range builtinSpecs() {
			names = append(names, s.Name)
		}
		return usagef("no tool %q; the tools are: %s", name, strings.Join(names, ", "))
	}
	if effect := tool.Spec().Effect; effect != tools.None {
		return usagef("tool %q can do more than read (%s): only the assistant can call it, after asking you", name, effect)
	}
	return p.withApp(ctx, app.Read, as, func(a *app.App) error {
		result, err := a.ToolJSON(ctx, name, json.RawMessage(cmp.Or(args, "{}")), 0)
		if err == nil {
			say(p.out, "%s", result)
		}
		return toolError(name, err)
	})
}

// toolError makes wrong arguments wrong usage.
func toolError(name string, err error) error {
	if wrong, ok := errors.AsType[*tools.ArgumentError](err); ok {
		return usageError{wrong}
	}
	if errors.Is(err, tools.ErrNoContacts) { // its text is written for a model
		return fmt.Errorf("%s: no contact list is stored, so it is not known whom you follow; fetch yours with bowerbird sync --as you@example.com", name)
	}
	return err // which names the tool
}

// runTool calls an existing tool.
func runTool(ctx context.Context, a *app.App, name, args string) (tools.Result, error) {
	tool, _ := a.Tools().Get(name)
	env, err := a.Env(ctx)
	if err != nil {
		return nil, err
	}
	result, err := tool.Call(ctx, env, json.RawMessage(args))
	return result, toolError(name, err)
}

func (p *program) coverageCmd() *cobra.Command {
	var (
		args tools.CoverageArgs
		as   string
	)
	cmd := &cobra.Command{
		Use:   "coverage",
		Short: "Show how complete the notes of the people you follow are",
		Example: `  bowerbird coverage                                 # for the last 3 days
  bowerbird coverage --since 24h
  bowerbird --json coverage --since 7d               # lists everybody who is not complete`,
		Args: usageArgs(noArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			raw, err := json.Marshal(args)
			if err != nil {
				return err
			}
			return p.coverage(cmd.Context(), as, raw)
		},
	}
	cmd.Flags().StringVar((*string)(&args.Since), "since", "3d", "start of the period")
	cmd.Flags().StringVar((*string)(&args.Until), "until", "", "end of the period (default: now)")
	asFlag(cmd, &as)
	return cmd
}

func (p *program) coverage(ctx context.Context, as string, args json.RawMessage) error {
	if p.json {
		return p.callTool(ctx, as, "coverage", string(args))
	}
	return p.withApp(ctx, app.Read, as, func(a *app.App) error {
		result, err := runTool(ctx, a, "coverage", string(args))
		if err != nil {
			return err
		}
		return p.printCoverage(result)
	})
}

// coverageWords returns how complete notes are, as lines of text.
func coverageWords(c tools.CoverageSummary) (lines []string) {
	if c.Sample {
		return []string{peopleWords(c.Complete) + " complete. " + c.Note}
	}
	if people := c.Complete + c.Partly + c.Unreachable; people > 0 { // otherwise nothing was synced, and the note says so
		lines = append(lines, reachWords(people, c.Complete, c.Partly, c.Unreachable, c.RelaysAsked))
	}
	if c.OneRelay > 0 {
		lines = append(lines, fmt.Sprintf("Of the complete, %d confirmed by only one relay; another that was asked did not confirm it", c.OneRelay))
	}
	if asOf, err := time.Parse(time.RFC3339, c.AsOf); err == nil {
		lines = append(lines, fmt.Sprintf("Complete as of %s. A note that reached its relay", localTime(asOf.Unix())), "after that, with an older date, may be missing.")
	}
	if c.Note != "" {
		lines = append(lines, c.Note)
	}
	if len(c.Unseen) > 0 && c.Complete > 0 {
		lines = append(lines, fmt.Sprintf("\"Complete\" does not cover these kinds of events, which the relays have never sent: %s.", strings.Trim(fmt.Sprint(c.Unseen), "[]")))
	}
	return lines
}

// peopleShown is how many people coverage names.
const peopleShown = 15

func (p *program) printCoverage(result tools.Result) error {
	c, ok := result.(tools.CoverageResult)
	if !ok {
		return fmt.Errorf("coverage returned %T", result)
	}
	lines := coverageWords(c.Summary)
	for _, line := range lines {
		say(p.out, "%s", line)
	}
	for i, person := range c.People {
		if i == peopleShown {
			say(p.out, "  and %d more; --json lists them", len(c.People)-i)
			break
		}
		where := "nothing was fetched for this period"
		if len(person.Relays) > 0 {
			where = strings.Join(person.Relays, ", ")
		}
		if person.OwnLeftOut {
			where += "; none of their own relays was asked for the whole period"
		}
		say(p.out, "  %-24s %s: %s", person.Name, person.State, where)
	}
	return nil
}
