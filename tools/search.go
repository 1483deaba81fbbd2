package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// ReadSearch parses a search text (see search.Query for the language) and resolves its
// names and times like those of all other arguments: names among the people known here,
// friends before strangers, days in the user's zone. A filter can hold the text of the
// result. A wrong text gives a *search.Error that says where.
func (env *Env) ReadSearch(ctx context.Context, text string) (search.Query, error) {
	q, err := search.Parse(text)
	if err != nil {
		return q, err
	}
	return q.Resolve(search.Resolver{
		Person: func(name string) (nostr.PubKey, error) {
			pk, err := env.person(ctx, "search", name)
			return pk, asSearchError(err, search.NoPerson)
		},
		Moment: func(text string, end bool) (int64, error) {
			at, err := env.moment("search", When(text), end)
			if err != nil {
				return 0, asSearchError(err, search.BadTime)
			}
			return *at, nil
		},
	})
}

const onePerson = "one person"

// asSearchError turns the error of a wrong value into that of a part of the search.
func asSearchError(err error, problem search.Problem) error {
	wrong, ok := errors.AsType[*ArgumentError](err)
	if !ok {
		return err
	}
	if wrong.Expected == onePerson {
		return &search.Error{Problem: search.Ambiguous, Want: wrong.Expected + ", got " + wrong.Got}
	}
	return &search.Error{Problem: problem, Want: wrong.Expected}
}

// readSearch reads the argument search: what to look for, and the frame that the result's
// scope and coverage refer to.
func (env *Env) readSearch(ctx context.Context, text string) (q search.Query, frame search.Frame, err error) {
	if strings.TrimSpace(text) == "" {
		return q, frame, nil
	}
	q, err = env.ReadSearch(ctx, text)
	wrong, ok := errors.AsType[*search.Error](err)
	switch {
	case ok:
		return q, frame, &ArgumentError{
			Path: "search", Expected: fmt.Sprintf("at byte %d: %s", wrong.Start, wrong.Want), Got: describe(wrong.Text),
		}
	case err != nil:
		return q, frame, err
	case q.IsEmpty():
		return q, frame, wrongValue("search", `words, "phrases", -not, OR, #tag, from:, to:, kind:, is:, has:, lang:, site:, since: or until:`, text)
	}
	frame, err = q.Frame()
	return q, frame, err
}

// SearchArgs are the arguments of a search through everything stored here: notes,
// pictures, comments and articles by anybody, replies too, unless the text says
// otherwise. The window and the terminal search with them, so that the same text finds
// the same notes in both, and in a tool that is called with them.
func SearchArgs(q search.Query) CountArgs {
	a := CountArgs{Context: ScopeAny, Search: q.String(), IncludeReplies: true}
	if q.Kinds() == nil {
		a.Kind = Kinds{1, 20, 1111, 1244, 30023}
	}
	return a
}
