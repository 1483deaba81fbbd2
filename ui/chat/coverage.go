package chat

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/ui/answers"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// fetch is the state of a "Try again" in a line of coverage.
type fetch struct {
	running bool
	fresh   int // notes that arrived
	missing int // people whose notes are still incomplete
}

// fetcher is what a fetch needs of the sync; [*live.Live] implements it.
type fetcher interface {
	Retry()
	RetryPeople(ctx context.Context, people ...nostr.PubKey)
	OnChange(changed func()) (cancel func())
}

// completeness is how complete the notes are that an answer rests on.
type completeness struct {
	notes  int
	people []nostr.PubKey // whose notes are incomplete
}

// How long a fetch is waited for at most, and how long nothing must change for it to
// be over.
const (
	fetchTime  = 25 * time.Second
	fetchQuiet = 4 * time.Second
)

// fetchAgain asks the relays for what an answer lacked, and shows the result in the line
// of coverage.
func (s *Screen) fetchAgain(rowID string, b *answers.Coverage) {
	if f := s.fetches[rowID]; f.running {
		return
	}
	s.fetches[rowID] = fetch{running: true}
	s.list.RefreshRow(rowID)
	s.away(func() func() {
		before, err := s.completeness(b)
		after := before
		if err == nil {
			after, err = s.fetchPeople(b, before)
		}
		return func() {
			s.fetches[rowID] = fetch{fresh: max(0, after.notes-before.notes), missing: len(after.people)}
			if err != nil && s.ctx.Err() == nil {
				delete(s.fetches, rowID)
				s.sayFailed(lang.L("That could not be looked up."), err)
			}
			s.list.RefreshRow(rowID)
		}
	})
}

// fetchPeople fetches what is missing until nothing is missing or nothing more arrives. It
// blocks, so it is called off the window's thread.
func (s *Screen) fetchPeople(b *answers.Coverage, now completeness) (completeness, error) {
	changed := make(chan struct{}, 1)
	cancel := s.fetcher.OnChange(func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	defer cancel()
	s.fetcher.Retry()
	s.fetcher.RetryPeople(s.ctx, now.people...)
	end, quiet := time.NewTimer(fetchTime), time.NewTimer(s.fetchQuiet)
	defer end.Stop()
	defer quiet.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return now, s.ctx.Err()
		case <-end.C:
			return s.completeness(b)
		case <-quiet.C:
			return s.completeness(b)
		case <-changed:
			quiet.Reset(s.fetchQuiet)
			var err error
			if now, err = s.completeness(b); err != nil || len(now.people) == 0 {
				return now, err
			}
		}
	}
}

// readCompleteness calls the tools that produced the line of coverage.
func (s *Screen) readCompleteness(b *answers.Coverage) (completeness, error) {
	people, err := s.missing(b.Since, b.Until)
	if err != nil {
		return completeness{}, err
	}
	counted, err := callTool[tools.CountResult](s, "count", tools.CountArgs{
		Context: tools.ScopeHome, IncludeReplies: true, Since: whenOf(b.Since), Until: whenOf(b.Until),
	})
	if err != nil {
		return completeness{}, err
	}
	now := completeness{notes: counted.Count}
	for _, p := range people {
		if pk, err := nostr.ParsePubKey(p.PubKey); err == nil {
			now.people = append(now.people, pk)
		}
	}
	return now, nil
}

// fetched returns the result of a fetch, with links to what can be done next.
func (s *Screen) fetched(r row, b *answers.Coverage) []prose.Span {
	f, asked := s.fetches[r.id]
	words := func(text string) prose.Span {
		return prose.Span{Text: " " + text, Size: theme.Small, Color: theme.Muted}
	}
	link := func(id, text string, tap func()) []prose.Span {
		return []prose.Span{{Text: "  "}, {Text: text, Size: theme.Small, ID: id, Tap: tap}}
	}
	var spans []prose.Span
	switch {
	case f.running:
		return []prose.Span{words(lang.L("Asking again") + " …")}
	case f.fresh > 0:
		spans = append(spans, words(lang.N("{{.Count}} new notes have arrived.", f.fresh, in("Count", inWords().Number(f.fresh)))))
	case asked:
		spans = append(spans, words(lang.L("Nothing new has arrived.")))
	}
	if asked && f.missing > 0 {
		spans = append(spans, words(lang.N("{{.Count}} people are still missing.", f.missing, in("Count", inWords().Number(f.missing)))))
	} else if asked {
		spans = append(spans, words(lang.L("Nobody is missing any more.")))
	}
	if f.fresh > 0 || asked && f.missing == 0 {
		spans = append(spans, link("chat.fetch.ask", lang.L("Ask again"), func() { s.act(r.turn, answers.AskAgain) })...)
	}
	if !asked || f.missing > 0 {
		spans = append(spans, link("chat.who", lang.L("Who is missing"), func() { s.showMissing(b) })...)
		spans = append(spans, link("chat.fetch", lang.L("Try again"), func() { s.fetchAgain(r.id, b) })...)
	}
	return spans
}

// showMissing lists the people whose notes are incomplete now.
func (s *Screen) showMissing(b *answers.Coverage) {
	s.away(func() func() {
		people, err := s.missing(b.Since, b.Until)
		return func() {
			if err != nil {
				s.sayFailed(lang.L("That could not be looked up."), err)
				return
			}
			s.missingDialog(people)
		}
	})
}

// missing calls the tool that produced the line of coverage.
func (s *Screen) missing(since, until time.Time) ([]tools.PersonCoverage, error) {
	found, err := callTool[tools.CoverageResult](s, "coverage", tools.CoverageArgs{Since: whenOf(since), Until: whenOf(until)})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(found.People, func(a, b tools.PersonCoverage) int {
		return rank(a.State) - rank(b.State)
	})
	return found.People, nil
}

// whenOf returns a time as tools take it; the zero time leaves a window open.
func whenOf(t time.Time) tools.When {
	if t.IsZero() {
		return ""
	}
	return tools.When(strconv.FormatInt(t.Unix(), 10))
}

// callTool calls a tool like an answer does.
func callTool[R any](s *Screen, name string, args any) (result R, err error) {
	raw, err := json.Marshal(args)
	if err != nil {
		return result, err
	}
	env, err := s.env.App.Env(s.ctx)
	if err != nil {
		return result, err
	}
	tool, ok := s.env.App.Tools().Get(name)
	if !ok {
		return result, fmt.Errorf("there is no tool %s", name)
	}
	got, err := tool.Call(s.ctx, env, raw)
	if err != nil {
		return result, err
	}
	result, ok = got.(R)
	if !ok {
		return result, fmt.Errorf("%s returned %T", name, got)
	}
	return result, nil
}

func rank(state string) int { return slices.Index([]string{"unreachable", "partly"}, state) }

func (s *Screen) missingDialog(people []tools.PersonCoverage) {
	list := layout.Column(8)
	for _, p := range people {
		list.Add(missingLine(p))
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
	scroll := widgets.NewScroll(list)
	scroll.Least = fyne.NewSize(320, min(layout.HeightFor(list, 420)+4, 320))
	closeDialog = widgets.ShowDialog(s.env.Go.Window(), layout.Column(12,
		prose.New(prose.Span{Text: lang.L("People whose notes are incomplete"), Size: theme.Title, Bold: true}),
		scroll, layout.WrapEnd(8, relays, done)))
}

func missingLine(p tools.PersonCoverage) fyne.CanvasObject {
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
