package search

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"bowerbird/ndb/nostr"
)

// Resolver resolves names and times in a search text. A nil function leaves its part
// unresolved. If one returns a *Error, its Problem and Want are kept, and Resolve adds
// the position; any other error is returned as it is.
type Resolver struct {
	// Person returns the person meant by a name in from: or to:.
	Person func(name string) (nostr.PubKey, error)
	// Moment returns the unix time of a value of since: or, with end, of until:, where a
	// day means its last second.
	Moment func(text string, end bool) (int64, error)
}

// Resolve returns the query with keys instead of names, and unix times instead of other
// forms, so that a Filter can hold its text.
func (q Query) Resolve(r Resolver) (Query, error) {
	type change struct {
		at   Part
		text string
	}
	var changes []change
	for n := range q.root.All() {
		for _, who := range n.People {
			if r.Person == nil {
				continue
			}
			key, err := r.Person(who.name)
			if err != nil {
				return q, q.wrong(who.part, n.name, err)
			}
			changes = append(changes, change{who.at, key.String()})
		}
		if isTime := n.Op == OpSince || n.Op == OpUntil; isTime && r.Moment != nil {
			at, err := r.Moment(n.value, n.Op == OpUntil)
			if err != nil {
				return q, q.wrong(n.part, n.name, err)
			}
			changes = append(changes, change{n.at, strconv.FormatInt(at, 10)})
		}
	}
	if len(changes) == 0 {
		return q, nil
	}
	// From the last to the first, so that positions stay valid.
	slices.SortFunc(changes, func(a, b change) int { return b.at.Start - a.at.Start })
	text := q.text
	for _, c := range changes {
		end := c.at.Start + c.at.Len
		if end < len(text) && isQuote([]rune(c.at.In(text) + " ")[0]) && !startsWithSpace(text[end:]) && text[end] != ')' {
			c.text += " " // the quote separated it from what follows
		}
		text = text[:c.at.Start] + c.text + text[end:]
	}
	return parse(text, MaxLength)
}

// wrong adds the position to an error of a resolver.
func (q Query) wrong(part Part, operator string, err error) error {
	wrong, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	placed := newError(q.text, part, wrong.Problem, wrong.Want)
	placed.Operator = operator
	return placed
}

// read fills in keys and times in the forms that the store itself can read: keys in any
// form, times as parseMoment reads them.
func (q Query) read(now int64) error {
	for n := range q.root.All() {
		for i, who := range n.People {
			key, err := parseKey(who.name)
			if err != nil {
				return q.wrong(who.part, n.name, &Error{Problem: NoPerson, Want: "a person's key here (npub1… or 64 hex digits); callers of the store know names"})
			}
			n.People[i].Key = &key
		}
		if n.Op == OpSince || n.Op == OpUntil {
			at, err := parseMoment(n.value, n.Op == OpUntil, now)
			if err != nil {
				return q.wrong(n.part, n.name, &Error{Problem: BadTime, Want: err.Error()})
			}
			n.Time = &at
		}
	}
	return nil
}

func parseKey(s string) (nostr.PubKey, error) {
	if pk, err := nostr.ParsePubKey(s); err == nil {
		return pk, nil
	}
	code, err := nostr.ParseCode(s)
	if err == nil && code.Prefix != nostr.CodePubKey && code.Prefix != nostr.CodeProfile {
		err = errors.New("a code of something else")
	}
	return code.PubKey, err
}

// parseMoment parses a time of a search text. Dates are in UTC; with end a date means its
// last second.
func parseMoment(s string, end bool, now int64) (int64, error) {
	if at, err := strconv.ParseInt(s, 10, 64); err == nil {
		return at, nil
	}
	if at, err := time.Parse(time.RFC3339, strings.ToUpper(s)); err == nil {
		return at.Unix(), nil
	}
	if at, err := time.Parse(time.DateOnly, s); err == nil {
		if end {
			at = at.AddDate(0, 0, 1).Add(-time.Second)
		}
		return at.Unix(), nil
	}
	units := map[byte]int64{'m': 60, 'h': 3600, 'd': 24 * 3600, 'w': 7 * 24 * 3600}
	if unit := units[s[len(s)-1]]; unit > 0 {
		if n, err := strconv.ParseInt(s[:len(s)-1], 10, 32); err == nil && n >= 0 {
			return now - n*unit, nil
		}
	}
	return 0, errors.New("unix seconds, RFC 3339, a date, or a span back from now such as 24h or 7d")
}
