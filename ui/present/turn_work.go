package present

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"bowerbird/app/agent"
	"bowerbird/ndb/clean"
	"bowerbird/tools"
)

// madeWork is a chip, with the calls that it was made of and how far they were.
type madeWork struct {
	calls []callState
	work  *Work
}

type callState struct {
	call                      *turnCall
	waiting, running, started bool
	result                    *agent.Event
}

// work returns the chip of the calls between two texts: the same one as before while
// nothing changed in them.
func (a *Assembler) work(step int, calls []*turnCall) *Work {
	states := make([]callState, len(calls))
	for i, c := range calls {
		states[i] = callState{c, a.waiting[c.event.ID], a.turn.Running(), c.started, c.result}
	}
	made := a.works[step]
	if made.work == nil || !slices.Equal(made.calls, states) {
		made = madeWork{states, a.newWork(step, calls)}
		a.works[step] = made
	}
	return made.work
}

// newWork makes the chip of calls.
func (a *Assembler) newWork(step int, calls []*turnCall) *Work {
	w := &Work{Step: step}
	var lookups []*lookup
	for _, c := range calls {
		l := a.lookup(c)
		if i := slices.IndexFunc(lookups, func(o *lookup) bool { return o.goesOn(l) }); i >= 0 {
			lookups[i].take(l)
			continue
		}
		lookups = append(lookups, l)
	}
	widen(lookups)
	for _, l := range lookups {
		line := l.line(a.turn.Asked)
		w.Lines = append(w.Lines, line)
		w.State = max(w.State, line.State)
	}
	head := headline(lookups)
	if w.State >= WorkRunning {
		for i, l := range lookups {
			if l.state == w.State {
				head = i
			}
		}
	}
	w.Since = lookups[head].since.UTC()
	w.Icon, w.Words, w.Facts = lookups[head].icon(), w.Lines[head].Words, w.Lines[head].Facts
	if w.State == WorkFailed && lookups[head].state != WorkFailed {
		w.State = WorkDone // the opened chip says which call failed
	}
	return w
}

// widen gives what was read the end of the window that was counted or checked from
// the same beginning: the pages of a window may leave out its empty end.
func widen(all []*lookup) {
	for _, l := range all {
		for _, o := range all {
			if l.tool == "query" && o.tool != "query" && o.since.Equal(l.since) && o.until.After(l.until) {
				l.until = o.until
			}
		}
	}
}

// headline returns which of the look-ups stands for all: reading goes before
// counting, counting before the rest. What was before the time that was asked about
// stands for nothing: where nobody wrote in that time, many notes may have been read
// of before.
func headline(all []*lookup) int {
	best, most := 0, -1
	for i, l := range all {
		weight := l.weight()
		if l.looksBack(all) {
			weight = 0
		}
		if weight > most {
			best, most = i, weight
		}
	}
	return best
}

// looksBack reports whether a look-up ends before the time begins that was counted or
// checked beside it, or has no beginning of its own.
func (l *lookup) looksBack(all []*lookup) bool {
	return (l.tool == "query" || l.tool == "aggregate") && slices.ContainsFunc(all, func(o *lookup) bool {
		return (o.tool == "count" || o.tool == "coverage") && !o.since.IsZero() &&
			(l.since.IsZero() || !l.until.IsZero() && l.until.Before(o.since))
	})
}

// lookup is what one call, or the pages of one question, asked and found.
type lookup struct {
	tool    string
	filter  string // what pages of one question have in common
	asked   asked
	state   WorkState
	problem string
	details []Detail

	found     answer
	since     time.Time
	until     time.Time
	notes     int // with words; by kind below
	articles  int
	reposts   int
	reactions int
	authors   map[string]bool

	single, missed int // get_note: read, and not there
}

func (a *Assembler) lookup(c *turnCall) *lookup {
	l := &lookup{tool: c.event.Name, state: WorkRunning, authors: map[string]bool{}}
	l.asked.read(c.event.Arguments)
	l.filter = l.asked.filter()
	detail := Detail{
		Tool:      clean.Line(c.event.Name, 64),
		Arguments: indented(c.event.Arguments), Repaired: c.event.Repaired,
	}
	switch r := c.result; {
	case r == nil && a.waiting[c.event.ID]:
		l.state = WorkWaiting
	case c.unknown(a.turn.Running()):
		l.state = WorkUnknown
	case r == nil && !a.turn.Running():
		l.state = WorkFailed
	case r == nil:
	case r.Failure != "":
		l.missed = 1
		l.state, l.problem = WorkFailed, clean.Line(r.Failure, 300)
		detail.Millis = r.Millis
	default:
		l.single = 1
		l.state = WorkDone
		detail.Millis = r.Millis
		if raw, kept := r.Result.(agent.RawResult); kept {
			detail.Answer = indented(json.RawMessage(raw))
			l.read(json.RawMessage(raw))
		}
	}
	l.details = []Detail{detail}
	return l
}

// unknown reports whether nobody knows if a call took effect: the program ended while
// it ran.
func (c *turnCall) unknown(running bool) bool {
	if c.result == nil {
		return c.started && !running
	}
	return strings.HasPrefix(c.result.Failure, agent.OutcomeUnknown)
}

// goesOn reports whether another call is a further page or another window of the
// same question, or reads one more note.
func (l *lookup) goesOn(o *lookup) bool {
	if l.tool == "get_note" && o.tool == "get_note" {
		return max(l.state, o.state) <= WorkFailed
	}
	if l.tool != "query" || o.tool != "query" || l.filter != o.filter || l.state != WorkDone || o.state != WorkDone {
		return false
	}
	return o.asked.Cursor != "" || o.until.Before(l.since) || l.until.Before(o.since)
}

// take adds what a further page found.
func (l *lookup) take(o *lookup) {
	if l.tool == "get_note" {
		l.single += o.single
		l.missed += o.missed
		if l.state == WorkFailed && o.state == WorkDone {
			l.state, l.problem = WorkDone, ""
		}
		l.details = append(l.details, o.details...)
		return
	}
	if o.asked.Cursor == "" {
		l.found.Total += o.found.Total
	}
	l.found.Returned += o.found.Returned
	l.found.TotalAtLeast = l.found.TotalAtLeast || o.found.TotalAtLeast
	if o.since.Before(l.since) {
		l.since = o.since
	}
	if o.until.After(l.until) {
		l.until = o.until
	}
	l.notes += o.notes
	l.articles += o.articles
	l.reposts += o.reposts
	l.reactions += o.reactions
	for key := range o.authors {
		l.authors[key] = true
	}
	if l.found.Name != o.found.Name {
		l.found.Name = ""
	}
	l.details = append(l.details, o.details...)
}

// asked are the arguments of a call, as far as they are said. Those of another
// type than expected are left out: a call that failed has such.
type asked struct {
	Context, Search, Author, Hashtag, Mentions, By, Name, Person, Cursor, Since, Until string
	Replies                                                                            bool
	kinds                                                                              string
	kindList                                                                           tools.Kinds
}

func (a *asked) read(raw json.RawMessage) {
	var all map[string]json.RawMessage
	if json.Unmarshal(raw, &all) != nil {
		return
	}
	for name, into := range map[string]*string{
		"context": &a.Context, "search": &a.Search, "author": &a.Author, "hashtag": &a.Hashtag, "mentions": &a.Mentions, "by": &a.By,
		"name": &a.Name, "person": &a.Person, "cursor": &a.Cursor, "since": &a.Since, "until": &a.Until,
	} {
		if err := json.Unmarshal(all[name], into); err == nil {
			*into = clean.Line(*into, 80)
		}
	}
	_ = json.Unmarshal(all["include_replies"], &a.Replies)
	a.kinds = string(bytes.TrimSpace(all["kind"]))
	_ = json.Unmarshal(all["kind"], &a.kindList)
}

// filter is what is the same in all pages of a question.
func (a asked) filter() string {
	replies := ""
	if a.Replies {
		replies = "replies"
	}
	return strings.Join([]string{a.Context, a.Search, a.Author, a.Hashtag, a.Mentions, a.kinds, replies}, "\x00")
}

// answer are the members of the tools' answers that are said.
type answer struct {
	Scope struct {
		Context      string
		Authors      int
		Since, Until string
	}
	Total        int
	TotalAtLeast bool `json:"total_at_least"`
	Returned     int
	Truncated    bool
	Count        int
	Authors      json.RawMessage // a number, or the first digits of keys
	Kinds        map[uint16]int
	Name         string
	DisplayName  string `json:"display_name"`
	Notes        []struct {
		PubKey, Name string
		Kind         uint16 `json:"note_kind"`
	}
	Note     struct{ Name string }
	People   []json.RawMessage
	Found    int
	Coverage *figures
	Summary  *figures
	// Presented and Missing are present_notes'.
	Presented []json.RawMessage
}

// figures are how complete the notes of people are.
type figures struct {
	Complete, Partly, Unreachable int
	OneRelay                      int       `json:"one_relay"`
	AsOf                          time.Time `json:"as_of"`
	KnownUntil                    time.Time `json:"known_until"`
	Note                          string
}

// read takes in what a call found. What cannot be read is not said.
func (l *lookup) read(raw json.RawMessage) {
	if json.Unmarshal(raw, &l.found) != nil {
		return
	}
	f := &l.found
	l.since, _ = time.Parse(time.RFC3339, f.Scope.Since)
	l.until, _ = time.Parse(time.RFC3339, f.Scope.Until)
	if f.Kinds == nil {
		f.Kinds = map[uint16]int{}
	}
	for _, n := range f.Notes {
		f.Kinds[n.Kind]++
		if !tools.WithoutWords(n.Kind) && len(n.PubKey) >= 8 {
			l.authors[n.PubKey[:8]] = true
			f.Name = n.Name
		}
	}
	if len(f.Notes) > 0 && len(l.authors) != 1 {
		f.Name = ""
	}
	var keys []string
	if json.Unmarshal(f.Authors, &keys) == nil {
		for _, key := range keys {
			l.authors[key] = true
		}
	}
	for kind, n := range f.Kinds {
		switch kind {
		case 6, 16:
			l.reposts += n
		case 7:
			l.reactions += n
		case 30023:
			l.articles += n
		default:
			l.notes += n
		}
	}
	f.Name = clean.Line(f.Name, 40)
	f.Notes, f.Kinds = nil, nil
}

// maxDetail is how much of a call is shown to those who open it, in runes.
const maxDetail = 4000

// indented writes JSON over several lines, with what cannot be seen made visible.
func indented(raw json.RawMessage) string {
	var text string // of arguments that could not be read
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		b.Reset()
		b.Write(raw)
	}
	text, _ = Clamp(agent.Visible(b.String()), 200, maxDetail)
	return text
}
