package chat

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"bowerbird/tools"
	"bowerbird/ui/answers"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// showLacking tells whose notes are not all there, as it stands now.
func (s *Screen) showLacking(b *answers.Coverage) {
	s.away(func() func() {
		people, err := s.lacking(b.Since, b.Until)
		return func() {
			if err != nil {
				s.sayFailed(lang.L("That could not be looked up."), err)
				return
			}
			s.lackingDialog(people)
		}
	})
}

// lacking asks the tool that the answer's line came from.
func (s *Screen) lacking(since, until time.Time) ([]tools.PersonCoverage, error) {
	result, err := s.callTool("coverage", between(since, until))
	if err != nil {
		return nil, err
	}
	found, _ := result.(tools.CoverageResult)
	slices.SortStableFunc(found.People, func(a, b tools.PersonCoverage) int {
		return rank(a.State) - rank(b.State)
	})
	return found.People, nil
}

// between are the arguments of a tool that reads a time; zeros leave it open.
func between(since, until time.Time) map[string]any {
	args := map[string]any{}
	if !since.IsZero() {
		args["since"] = strconv.FormatInt(since.Unix(), 10)
	}
	if !until.IsZero() {
		args["until"] = strconv.FormatInt(until.Unix(), 10)
	}
	return args
}

// callTool asks a tool as an answer does, about the people followed.
func (s *Screen) callTool(name string, args map[string]any) (any, error) {
	raw, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	env, err := s.env.App.Env(s.ctx)
	if err != nil {
		return nil, err
	}
	tool, ok := s.env.App.Tools().Get(name)
	if !ok {
		return nil, fmt.Errorf("there is no tool %s", name)
	}
	return tool.Call(s.ctx, env, raw)
}

func rank(state string) int { return slices.Index([]string{"unreachable", "partly"}, state) }

func (s *Screen) lackingDialog(people []tools.PersonCoverage) {
	list := layout.Column(8)
	for _, p := range people {
		list.Add(lackingLine(p))
	}
	if len(people) == 0 {
		list.Add(prose.Plain(lang.L("The relays asked have now confirmed all of that time. Ask again to include it in the answer."), theme.Small, theme.Muted))
	}
	var closeDialog func()
	done := widgets.NewButton(lang.L("Close"), widgets.Outline, func() { closeDialog() })
	relays := widgets.NewButton(lang.L("Show the relays"), widgets.Quiet, func() {
		closeDialog()
		s.env.Go.OpenRelays()
	})
	scroll := container.NewVScroll(list)
	scroll.SetMinSize(fyne.NewSize(320, min(layout.HeightFor(list, 420)+4, 320)))
	closeDialog = widgets.ShowDialog(s.env.Go.Window(), layout.Column(12,
		prose.New(prose.Span{Text: lang.L("People whose notes are incomplete"), Size: theme.Title, Bold: true}),
		scroll, layout.WrapEnd(8, relays, done)))
}

func lackingLine(p tools.PersonCoverage) fyne.CanvasObject {
	why := lang.L("could not be reached")
	if p.State == "partly" {
		why = lang.L("only in part")
	}
	if p.OwnLeftOut {
		why = lang.L("their own relays were not asked for all of it")
	}
	spans := []prose.Span{
		{Text: present.Isolate(p.Name), Bold: true, Size: theme.Small},
		{Text: " · " + why, Size: theme.Small, Color: theme.Muted},
	}
	if n := len(p.Asked); n > 0 {
		spans = append(spans, prose.Span{Text: " · " + lang.N("{{.Count}} relays asked", n, in("Count", n)), Size: theme.Small, Color: theme.Muted})
	}
	return prose.New(spans...)
}
