package feed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bowerbird/app"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
	"bowerbird/tools"
	"bowerbird/ui/present"
)

// searched is a query that was read: what to search for, or why it cannot be.
type searched struct {
	text   string
	query  search.Query
	tl     timeline          // empty where there is nothing to look for
	named  []nostr.Profile   // who go by what is looked for, at most mostPeople
	people []present.Profile // the same to be shown, where tab shows them
	found  tally             // atLeast where counting on takes longer
	tab    tab
	trouble
}

// tab is what is shown of all that was found.
type tab int

const (
	notesTab tab = iota
	peopleTab
	articlesTab
)

// of returns what a tab shows of a timeline.
func (t tab) of(tl timeline) timeline {
	if t == peopleTab {
		return timeline{search: tl.search}
	}
	shown := tl.shown
	tl.shown = func(e *nostr.Event) bool {
		return (e.Kind == kindArticle) == (t == articlesTab) && (shown == nil || shown(e))
	}
	if t == articlesTab && slices.Contains(tl.filter.Kinds, kindArticle) {
		tl.filter.Kinds = []uint16{kindArticle}
	}
	return tl
}

// trouble is what is wrong with a query, or missing in it.
type trouble struct {
	kind     troubleKind
	part     search.Part // of the text; empty if it has no place
	operator string      // that it is about; "" for none
	what     string      // the text of the part, as the user typed it
}

type troubleKind string

const (
	noTrouble  troubleKind = ""
	unfinished troubleKind = "unfinished" // an operator without a value yet: the other parts are searched for
	noWords    troubleKind = "words"      // only signs
	timesCross troubleKind = "times"      // since is behind until
	// The others are search.Problem.
)

// readSearch reads a query the way the tools do, so that the assistant and the window find
// the same notes. While the user types, its last word matches as a prefix. The error is
// that of the store.
func readSearch(ctx context.Context, a *app.App, text string, typed bool) (searched, error) {
	text = strings.TrimLeft(text, " \t\n") // a trailing space ends the last word
	s := searched{text: strings.TrimSpace(text)}
	if s.text == "" {
		return s, nil
	}
	env, err := a.Env(ctx)
	if err != nil {
		return s, fmt.Errorf("prepare the search: %w", err)
	}
	q, err := search.Parse(text)
	if err == nil {
		s.findGap(text, q)
		if typed {
			q = q.AsTyped()
		}
		q, err = env.ReadSearch(ctx, q.String())
	}
	if wrong, ok := errors.AsType[*search.Error](err); ok {
		s.trouble = trouble{troubleKind(wrong.Problem), wrong.Part, wrong.Operator, wrong.Text}
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("prepare the search: %w", err)
	}
	if s.query = q; q.IsEmpty() {
		if s.kind == noTrouble {
			s.trouble = trouble{kind: noWords}
		}
		return s, nil
	}
	return s, s.find(ctx, a, env)
}

// findGap notes an operator without a value.
func (s *searched) findGap(text string, q search.Query) {
	if gap, ok := q.Unfinished(); ok && gap.Operator != "" { // a phrase is as good without its quote
		s.trouble = trouble{unfinished, gap.Part, gap.Operator, gap.In(text)}
	}
}

// find selects the notes that match the query.
func (s *searched) find(ctx context.Context, a *app.App, env *tools.Env) error {
	sel, err := env.Select(ctx, tools.SearchArgs(s.query))
	if wrong, ok := errors.AsType[*tools.ArgumentError](err); ok {
		s.trouble = trouble{kind: troubleKind(search.BadValue)}
		if wrong.Path == "since" {
			s.trouble = trouble{kind: timesCross}
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("prepare the search: %w", err)
	}
	s.tl = timeline{store: a.Notes(), filter: sel.Filter, shown: sel.Shown, passed: sel.Shown}
	return nil
}

// tally is how much a search finds.
type tally struct {
	notes, articles found
	atLeast         bool // counting took too long
}

// found is how many there are of a kind, and by how many people.
type found struct{ n, people int }

// How long is counted: before the first notes are shown, and in all.
const (
	quickTally = 30 * time.Millisecond
	longTally  = 2 * time.Second
)

// count counts the results for at most a time, as the tool count does.
func (s *searched) count(ctx context.Context, most time.Duration) (t tally, err error) {
	if s.tl.store == nil {
		return t, nil
	}
	ctx, end := context.WithTimeout(ctx, most)
	defer end()
	people := map[*found]map[nostr.PubKey]bool{&t.notes: {}, &t.articles: {}}
	for e, err := range s.tl.store.Query(ctx, ndb.QueryOptions{Match: s.tl.shown}, s.tl.filter) {
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			t.atLeast = true
		case errors.Is(err, ndb.ErrDamaged):
		case err != nil:
			return t, fmt.Errorf("count what was found: %w", err)
		default:
			of := &t.notes
			if e.Kind == kindArticle {
				of = &t.articles
			}
			of.n++
			people[of][e.PubKey] = true
		}
	}
	for of, keys := range people {
		of.people = len(keys)
	}
	return t, nil
}

// counts returns how much each tab has.
func (s *searched) counts() [3]int {
	return [3]int{notesTab: s.found.notes.n, peopleTab: len(s.named), articlesTab: s.found.articles.n}
}

// choose shows a tab, or if it has nothing the first one that has something.
func (s *searched) choose(wanted tab) {
	counts := s.counts()
	if s.tab = wanted; counts[wanted] > 0 || s.found.atLeast && wanted != peopleTab {
		return
	}
	if i := slices.IndexFunc(counts[:], func(n int) bool { return n > 0 }); i >= 0 {
		s.tab = tab(i)
	}
}

// mostPeople is how many people of a name are shown.
const mostPeople = 50

// findPeople finds people by name, for a query of words only; followed people come first.
func (s *searched) findPeople(ctx context.Context, a *app.App) error {
	name := s.query.Plain()
	if name == "" {
		return nil
	}
	follows, err := followed(ctx, a)
	if err != nil {
		return err
	}
	s.named, err = a.Notes().SearchProfiles(ctx, name, mostPeople, func(pk nostr.PubKey) bool { return follows[pk] })
	if err != nil {
		return fmt.Errorf("look for people: %w", err)
	}
	return nil
}

// showPeople reads what is shown of the people who were found.
func (s *searched) showPeople(ctx context.Context, reader *present.Reader) error {
	for _, p := range s.named {
		person, err := reader.Profile(ctx, p.PubKey)
		if err != nil {
			return fmt.Errorf("look for people: %w", err)
		}
		s.people = append(s.people, person)
	}
	return nil
}
