package answers

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"bowerbird/app/agent"
	"bowerbird/ndb/clean"
	"bowerbird/tools"
	"bowerbird/ui/present"
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
	progress                  *tools.Progress
}

// work returns the block of the calls between two texts: the same one as before while
// nothing changed in them.
func (a *Assembler) work(step int, calls []*turnCall) *Work {
	states := make([]callState, len(calls))
	for i, c := range calls {
		states[i] = callState{c, a.waiting[c.event.ID], a.turn.Running(), c.started, c.result, c.progress}
	}
	made := a.works[step]
	if made.work == nil || !slices.Equal(made.calls, states) {
		made = madeWork{states, a.newWork(step, calls)}
		a.works[step] = made
	}
	return made.work
}

// newWork makes the block of calls.
func (a *Assembler) newWork(step int, calls []*turnCall) *Work {
	w := &Work{Step: step}
	var lookups []*lookup
	for _, c := range calls {
		l := a.lookup(c)
		if i := slices.IndexFunc(lookups, func(o *lookup) bool { return o.goesOn(l) }); i >= 0 {
			lookups[i].row.take(lookups[i], l)
			lookups[i].details = append(lookups[i].details, l.details...)
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

// widen extends the window of a query to the end of that which was counted or checked from
// the same beginning: the pages of a window may leave out its empty end.
func widen(all []*lookup) {
	for _, l := range all {
		for _, o := range all {
			if l.row.window == listsIt && o.row.window != listsIt && o.since.Equal(l.since) && o.until.After(l.until) {
				l.until = o.until
			}
		}
	}
}

// headline returns the index of the look-up that is shown for all: queries before counts,
// counts before others. A look-up before the window in question never is: if nobody wrote
// in that window, many earlier notes may have been read.
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

// looksBack reports whether a look-up ends before the window that was counted or checked
// beside it, or has no beginning.
func (l *lookup) looksBack(all []*lookup) bool {
	return (l.row.window == listsIt || l.row.window == groupsIt) && slices.ContainsFunc(all, func(o *lookup) bool {
		return (o.row.window == countsIt || o.row.window == judgesIt) && !o.since.IsZero() &&
			(l.since.IsZero() || !l.until.IsZero() && l.until.Before(o.since))
	})
}

// lookup is what one call, or the pages of one query, asked and found.
type lookup struct {
	row     toolRow
	tool    string
	filter  string // what pages of one question have in common
	asked   asked
	state   WorkState
	problem string
	details []Detail
	// progress is how far a running call is; nil if nothing is known.
	progress *tools.Progress

	context   string // whose notes it was about, as tools.Scope has it
	since     time.Time
	until     time.Time
	count     int  // what was found or counted, whatever it is
	more      bool // than count
	returned  int  // of these, how many were read
	name      string
	coverage  *tools.CoverageSummary
	notes     int // with words; by kind below
	articles  int
	reposts   int
	reactions int
	authors   map[string]bool
	people    int  // who wrote what was counted
	own       bool // the user is one of these, or of authors

	single, missed int // get_note: read, and not there
}

func (a *Assembler) lookup(c *turnCall) *lookup {
	l := &lookup{row: rowOfTool(c.event.Name), tool: c.event.Name, state: WorkRunning, authors: map[string]bool{}, progress: c.progress}
	l.asked.read(c.event.Arguments)
	l.filter = l.asked.filter()
	detail := Detail{Tool: clean.Line(c.event.Name, 64), Arguments: indented(c.event.Arguments)}
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
	default:
		l.single = 1
		l.state = WorkDone
		if raw, kept := r.Result.(agent.RawResult); kept {
			detail.Answer = indented(json.RawMessage(raw))
			if l.row.read != nil {
				l.row.read(l, json.RawMessage(raw))
			}
		}
	}
	l.details = []Detail{detail}
	return l
}

// unknown reports whether it is not known if a call took effect: the program ended while
// it ran.
func (c *turnCall) unknown(running bool) bool {
	if c.result == nil {
		return c.started && !running
	}
	return strings.HasPrefix(c.result.Failure, agent.OutcomeUnknown)
}

// goesOn reports whether another call belongs to the same line.
func (l *lookup) goesOn(o *lookup) bool {
	return l.tool == o.tool && l.row.goesOn != nil && l.row.goesOn(l, o)
}

// nextNote reports whether o reads one more note.
func (l *lookup) nextNote(o *lookup) bool { return max(l.state, o.state) <= WorkFailed }

// takeNote adds one more note.
func (l *lookup) takeNote(o *lookup) {
	l.single += o.single
	l.missed += o.missed
	if l.state == WorkFailed && o.state == WorkDone {
		l.state, l.problem = WorkDone, ""
	}
}

// nextPage reports whether o is another page or another window of the same query.
func (l *lookup) nextPage(o *lookup) bool {
	if l.filter != o.filter || l.state != WorkDone || o.state != WorkDone {
		return false
	}
	return o.asked.Cursor != "" || o.until.Before(l.since) || l.until.Before(o.since)
}

// takePage adds another page.
func (l *lookup) takePage(o *lookup) {
	if o.asked.Cursor == "" {
		l.count += o.count
	}
	l.returned += o.returned
	l.more = l.more || o.more
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
	l.own = l.own || o.own
	for key := range o.authors {
		l.authors[key] = true
	}
	if l.name != o.name {
		l.name = ""
	}
}

// asked are the arguments of a call, as far as they are shown. Arguments of the wrong
// type, as in a call that failed, are left out.
type asked struct {
	Context, Search, Author, Hashtag, Mentions, By, Name, Cursor string
	Replies                                                      bool
	kinds                                                        string
	kindList                                                     tools.Kinds
}

func (a *asked) read(raw json.RawMessage) {
	var all map[string]json.RawMessage
	if json.Unmarshal(raw, &all) != nil {
		return
	}
	for name, into := range map[string]*string{
		"context": &a.Context, "search": &a.Search, "author": &a.Author, "hashtag": &a.Hashtag, "mentions": &a.Mentions, "by": &a.By,
		"name": &a.Name, "cursor": &a.Cursor,
	} {
		if err := json.Unmarshal(all[name], into); err == nil {
			*into = clean.Line(*into, 80)
		}
	}
	_ = json.Unmarshal(all["include_replies"], &a.Replies)
	a.kinds = string(bytes.TrimSpace(all["kind"]))
	_ = json.Unmarshal(all["kind"], &a.kindList)
}

// filter identifies the pages of one query.
func (a asked) filter() string {
	replies := ""
	if a.Replies {
		replies = "replies"
	}
	return strings.Join([]string{a.Context, a.Search, a.Author, a.Hashtag, a.Mentions, a.kinds, replies}, "\x00")
}

// maxDetail is how much of a call is shown in its details, in runes.
const maxDetail = 4000

// indented writes JSON over several lines, with invisible characters made visible.
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
	text, _ = present.Clamp(agent.Visible(b.String()), 200, maxDetail)
	return text
}
