package builtin

import (
	"cmp"
	"slices"
	"strings"

	"bowerbird/ndb"
	"bowerbird/tools"
)

// waysToMe are the ways to turn to somebody, in the order in which they are counted.
var waysToMe = [6]concept{cReplied, cMentioned, cQuoted, cZapped, cLiked, cReposted}

// came is one thing that came to the user, and how.
type came struct {
	note *tools.Note
	way  concept
}

// An inflow is what came to the user, the newest first, and whether there is more of it
// than was read.
type inflow struct {
	list []came
	more bool
}

// forMe answers who turned to the user, and how: whoever they are.
func (p *plan) forMe() string {
	if p.me == "" {
		return p.words.nobodyChosen
	}
	args := tools.CountArgs{Context: "any", Mentions: p.me, Kind: kindsOfWays(p.q.kinds), IncludeReplies: true}
	if p.q.person != "" {
		who, stop := p.findPerson(p.q.person)
		if who == nil {
			return stop
		}
		args.Author = who.PubKey
	}
	w := p.q.window
	windows := []window{p.windowOrDefault()}
	if !w.asked {
		windows = []window{{since: p.calendar.dayStart(-7), until: p.calendar.now}, {since: p.calendar.dayStart(-90), until: p.calendar.now}}
	}
	var in inflow
	for _, w = range windows {
		if in = p.cameIn(args, w); len(in.list) > 0 || p.waiting() {
			break
		}
	}
	switch {
	case p.waiting():
		return ""
	case len(in.list) == 0:
		return fill(p.texts.forMeNone, "window", p.words.window(w, p.calendar.now), "what", p.looked()) + "\n"
	case p.q.form == asTable:
		return p.tellTable(in, w)
	}
	return p.tellForMe(in, w)
}

// waysToMe are the ways asked for: who mentions somebody may do it in an answer.
func (q question) waysToMe() concept {
	if q.kinds&cMentioned != 0 {
		return q.kinds | cReplied | cQuoted
	}
	return q.kinds
}

// kindsOfWays returns the kinds of events that the ways asked for have.
func kindsOfWays(ways concept) tools.Kinds {
	var kinds tools.Kinds
	if ways == 0 || ways&(cReplied|cMentioned|cQuoted) != 0 {
		kinds = append(kinds, postKinds...)
	}
	if ways == 0 || ways&cZapped != 0 {
		kinds = append(kinds, kindZap)
	}
	if ways == 0 || ways&cLiked != 0 {
		kinds = append(kinds, kindReaction)
	}
	if ways == 0 || ways&cReposted != 0 {
		kinds = append(kinds, repostKinds...)
	}
	return kinds
}

// cameIn reads what came in a window, the newest first.
func (p *plan) cameIn(args tools.CountArgs, w window) (in inflow) {
	args.Since, args.Until = unix(w.since), unix(w.until)
	notes, _ := p.pages(args, []page{{since: w.since.Unix(), until: w.until.Unix()}})
	if p.waiting() {
		return inflow{}
	}
	in.more = len(notes) >= mostOfAPage
	for i := range notes {
		if n := &notes[i]; n.PubKey != p.me && (n.NoteKind != kindReaction || likesMine(n, p.me)) {
			if way := p.wayOf(n); p.q.kinds == 0 || way&p.q.waysToMe() != 0 {
				in.list = append(in.list, came{n, way})
			}
		}
	}
	return in
}

// wayOf tells how a note turns to the user.
func (p *plan) wayOf(n *tools.Note) concept {
	switch n.NoteKind {
	case kindZap:
		return cZapped
	case kindReaction:
		return cLiked
	case kindRepost, kindGenericRp:
		return cReposted
	}
	if n.ReplyTo != "" && p.isMine(n.ReplyTo) {
		return cReplied
	}
	if n.Event != nil {
		for _, id := range ndb.Quotes(n.Event) {
			if p.isMine(id.String()) {
				return cQuoted
			}
		}
	}
	return cMentioned
}

// isMine reports whether a note is the user's.
func (p *plan) isMine(id string) bool {
	got := ask[tools.NoteResult](p.turn, "get_note", tools.GetNoteArgs{NoteID: id})
	return got.value != nil && got.value.Note.PubKey == p.me
}

// looked names the ways that were looked for.
func (p *plan) looked() string {
	var out []string
	ways := p.q.waysToMe()
	for i, way := range waysToMe {
		if ways == 0 || ways&way != 0 {
			out = append(out, p.texts.sorts[i])
		}
	}
	return strings.Join(out, p.words.listJoin)
}

// tellForMe says how much came from how many people, and quotes what was written.
func (p *plan) tellForMe(in inflow, w window) string {
	out := p.forMeTitle(in, w) + "\n\n" + p.quoteCame(in.list)
	var done []addressed
	var ids []string
	for _, way := range waysToMe[3:] {
		a := p.withoutWords(in, way)
		if done = append(done, a); a.best != nil {
			ids = append(ids, a.best.id)
		}
	}
	index := p.present(ids)
	if p.waiting() {
		return ""
	}
	for _, a := range done {
		for _, it := range p.doneItems(a, index) {
			out += it.markdown() + "\n"
		}
	}
	return out + "\n" + p.words.noModel + "\n"
}

// withoutWords counts what came in one way that takes no words.
func (p *plan) withoutWords(in inflow, way concept) addressed {
	a, t := addressed{inbox: inbox{moreReactions: in.more, moreActs: in.more}}, doneTo{}
	c := newCorpus(p.me)
	for _, it := range in.list {
		if it.way == way {
			a.done(it.note, c.person(it.note), &t)
		}
	}
	p.settleDone(&a, t, nil, c)
	return a
}

// forMeTitle counts what came and from how many people.
func (p *plan) forMeTitle(in inflow, w window) string {
	people := map[string]bool{}
	count := map[concept]int{}
	for _, c := range in.list {
		people[c.note.PubKey] = true
		count[c.way]++
	}
	var what []string
	for i, x := range []noun{p.texts.answer, p.texts.mention, p.texts.quotation, p.texts.zap, p.words.reaction, p.words.repost} {
		if n := count[waysToMe[i]]; n > 0 {
			what = append(what, p.words.atLeastIf(in.more, p.words.of(x, n)))
		}
	}
	return fill(p.texts.forMe, "window", p.words.window(w, p.calendar.now), "what", strings.Join(what, p.words.listJoin), "people", p.words.atLeastIf(in.more, p.words.of(p.words.person, len(people))))
}

// quoteCame quotes the newest of what was written to the user, each with how it turns
// to him.
func (p *plan) quoteCame(list []came) string {
	c := newCorpus(p.me)
	var lines []func(index map[string]int) string
	var ids []string
	left := 0
	for _, it := range list {
		if it.way&(cReplied|cMentioned|cQuoted) == 0 {
			continue
		}
		if len(ids) == maxListed {
			left++
			continue
		}
		n := newNote(it.note, c.person(it.note))
		text := map[concept]string{cReplied: p.texts.answered, cMentioned: p.texts.mentioned, cQuoted: p.texts.quoted}[it.way]
		quote := p.letterText(n)
		ids = append(ids, n.id)
		lines = append(lines, func(index map[string]int) string {
			return fill(text, "name", n.author.name, "when", p.words.when(p.timeOf(n), p.calendar.now), "quote", strings.TrimSpace(quote+" "+ref(index[n.id])))
		})
	}
	index := p.present(ids)
	var b strings.Builder
	for i, line := range lines {
		if index[ids[i]] > 0 {
			b.WriteString("- " + line(index) + "\n")
		}
	}
	if left > 0 {
		b.WriteString("- … " + fill(p.words.showing, "n", p.words.number(len(ids))) + "\n")
	}
	return b.String()
}

// tellTable shows what came as a table.
func (p *plan) tellTable(in inflow, w window) string {
	title, list := p.forMeTitle(in, w), in.list
	slices.SortStableFunc(list, func(a, b came) int { return cmp.Compare(b.note.CreatedAtUnix, a.note.CreatedAtUnix) })
	var rows [][]any
	for _, c := range list[:min(len(list), maxTable)] {
		way := p.texts.sorts[slices.Index(waysToMe[:], c.way)]
		rows = append(rows, []any{p.words.when(timeOfNote(c.note, p), p.calendar.now), personName(c.note.Name, c.note.PubKey), way, p.cell(c.note)})
	}
	p.showTable(title, []string{p.words.colTime, p.words.colName, p.texts.colWay, p.texts.colNote}, rows)
	if p.waiting() {
		return ""
	}
	return title + " " + p.words.noModel + "\n"
}
