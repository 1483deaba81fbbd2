package answers

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/app/config"
	"bowerbird/ndb/clean"
	"bowerbird/tools"
	"bowerbird/tools/chartspec"
)

// readChart returns a chart with its parsed specification, which a saved chart does not
// have.
func readChart(c *tools.ChartResult) *tools.ChartResult {
	if c == nil {
		return &tools.ChartResult{Refused: "it was not kept"}
	}
	out := *c
	var plain bytes.Buffer
	if json.Compact(&plain, c.Spec) == nil {
		out.Spec = plain.Bytes()
	}
	if out.Refused != "" {
		return &out
	}
	spec := c.Chart
	if spec == nil {
		var err error
		if spec, err = chartspec.Parse(c.Spec); err != nil {
			out.Refused = err.Error()
			return &out
		}
	}
	titled := *spec
	titled.Title = cmp.Or(clean.Line(c.Title, 300), titled.Title)
	out.Chart = &titled
	return &out
}

// coverage returns how complete the notes are that the answer rests on: by the tool
// coverage if it was called, else by the first query. An answer of the built-in says
// itself that everything is complete, or that nothing was fetched.
func (a *Assembler) coverage() *Coverage {
	best, summary := a.reported()
	if summary == nil {
		return nil
	}
	c := &Coverage{Since: best.since.UTC(), Missing: incomplete(summary), Summary: *summary}
	all := summary.Complete + summary.Partly + summary.Unreachable
	if a.turn.Model == config.DefaultModel && !c.Missing {
		return nil
	}
	if a.turn.Asked.Sub(best.until) > soon {
		c.Until = best.until.UTC()
	}
	switch {
	case summary.Sample:
		c.Words = []Phrase{phrase("This is the sample: its notes are made up, and no relay is asked.")}
	case all == 0:
		c.Missing = true
		c.Words = []Phrase{phrase("Nothing has been fetched yet for the people you follow, so it is not known what is missing.")}
	case !c.Missing:
		c.Words = []Phrase{plural("Up to date for all {{.Count}} people you follow, according to the relays asked.", all)}
	default:
		c.Words = []Phrase{plural("Up to date for {{.Complete}} of the {{.Count}} people you follow, according to the relays asked.", all, "Complete", summary.Complete)}
		if summary.Partly > 0 {
			c.Words = append(c.Words, plural("{{.Count}} are confirmed only in part.", summary.Partly))
		}
		if summary.Unreachable > 0 {
			c.Words = append(c.Words, plural("{{.Count}} could not be reached.", summary.Unreachable))
		}
	}
	if a.turn.Model == config.DefaultModel && best.row.window == judgesIt {
		return c // its answer says the rest
	}
	if summary.OneRelay > 0 {
		c.Words = slices.Insert(c.Words, 1, plural("For {{.Count}} people, only one relay confirms this: another that was asked did not.", summary.OneRelay))
	}
	if at, err := time.Parse(time.RFC3339, summary.KnownUntil); err == nil {
		c.Words = append(c.Words, phrase("Known up to {{.When}}; newer notes have not been requested yet.", "When", at))
	}
	if at, err := time.Parse(time.RFC3339, summary.AsOf); err == nil {
		c.Words = append(c.Words, phrase("Complete as of {{.When}}. A note that reached its relay after that, with an older date, may be missing.", "When", at))
	}
	return c
}

// summary returns the coverage that a tool reported, and the look-up that did; nil if none
// did.
func (a *Assembler) reported() (best *lookup, summary *tools.CoverageSummary) {
	for _, s := range a.steps {
		for _, c := range s.calls {
			if c.result == nil || c.result.Failure != "" {
				continue
			}
			l := a.lookup(c)
			if l.context == "home" && l.coverage != nil && (l.row.window == judgesIt || summary == nil) {
				best, summary = l, l.coverage
			}
		}
	}
	return best, summary
}

// incomplete reports whether something is known to be missing.
func incomplete(c *tools.CoverageSummary) bool { return c.Partly+c.Unreachable > 0 }

// endNotice words an end other than a complete answer; nil for that. waiting is the number
// of approvals that the turn waits for.
func endNotice(s chats.State, trimmed bool, finish string, waiting int) *Notice {
	again := []Action{AskAgain}
	switch {
	case s == chats.Waiting:
		return &Notice{
			Name: "asked", Words: plural("{{.Count}} actions wait for your answer.", max(1, waiting)),
			Actions: []Action{Reply, AskAgain},
		}
	case s == chats.Cancelled:
		return &Notice{Name: "stopped", Words: phrase("Stopped."), Actions: again}
	case s == chats.Interrupted:
		return &Notice{Name: "interrupted", Words: phrase("The window was closed while this was being written."), Actions: []Action{GoOn, AskAgain}}
	case trimmed && finish == agent.FinishRepeated:
		return &Notice{Name: "cut", Words: phrase("The model went in circles, so the answer may be incomplete."), Actions: again}
	case trimmed:
		return &Notice{Name: "cut", Words: phrase("The answer is incomplete: the model did not finish."), Actions: again}
	case finish == "content_filter":
		return &Notice{Name: "cut", Words: phrase("The model's server removed part of the answer under its content policy."), Actions: again}
	}
	return nil
}
