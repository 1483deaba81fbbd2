package builtin

import (
	"cmp"
	"slices"
	"strings"

	"bowerbird/ndb"
	"bowerbird/tools"
)

// kindZapReceipt is kind 9735 (NIP-57): somebody was sent money.
const kindZapReceipt = 9735

// waysToMe are the ways to turn to somebody, in the order in which they are counted.
var waysToMe = [6]concept{cReplied, cMentioned, cQuoted, cZapped, cLiked, cReposted}

// came is one thing that came to the user, and how.
type came struct {
	note *tools.Note
	way  concept
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
	var list []came
	for _, w = range windows {
		if list = p.cameIn(args, w); len(list) > 0 || p.waiting() {
			break
		}
	}
	switch {
	case p.waiting():
		return ""
	case len(list) == 0:
		return fill(p.texts.forMeNone, "window", p.words.window(w, p.calendar.now), "what", p.looked()) + "\n"
	case p.q.form == asTable:
		return p.tellTable(list, w)
	}
	return p.tellForMe(list, w)
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
		kinds = append(kinds, kindZapReceipt)
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
func (p *plan) cameIn(args tools.CountArgs, w window) []came {
	args.Since, args.Until = unix(w.since), unix(w.until)
	notes := p.pages(args, []page{{w.since.Unix(), w.until.Unix()}})
	if p.waiting() {
		return nil
	}
	var list []came
	for i := range notes {
		if n := &notes[i]; n.PubKey != p.me {
			if way := p.wayOf(n); p.q.kinds == 0 || way&p.q.waysToMe() != 0 {
				list = append(list, came{n, way})
			}
		}
	}
	return list
}

// wayOf tells how a note turns to the user.
func (p *plan) wayOf(n *tools.Note) concept {
	switch n.NoteKind {
	case kindZapReceipt:
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
func (p *plan) tellForMe(list []came, w window) string {
	var b strings.Builder
	b.WriteString(p.forMeTitle(list, w) + "\n\n")
	b.WriteString(p.quoteCame(list))
	if p.waiting() {
		return ""
	}
	for i, x := range []noun{p.texts.zap, p.words.reaction, p.words.repost} {
		var names []string
		n := 0
		for _, c := range list {
			if c.way == waysToMe[i+3] {
				if n++; !slices.Contains(names, personName(c.note.Name, c.note.PubKey)) {
					names = append(names, personName(c.note.Name, c.note.PubKey))
				}
			}
		}
		if n > 0 {
			more := ""
			if len(names) > maxSeveral {
				names, more = names[:maxSeveral], " …"
			}
			b.WriteString("- " + fill(p.texts.from, "what", p.words.of(x, n), "names", strings.Join(names, p.words.listJoin)+more) + "\n")
		}
	}
	return b.String() + "\n" + p.words.noModel + "\n"
}

// forMeTitle counts what came and from how many people.
func (p *plan) forMeTitle(list []came, w window) string {
	people := map[string]bool{}
	count := map[concept]int{}
	for _, c := range list {
		people[c.note.PubKey] = true
		count[c.way]++
	}
	var what []string
	for i, x := range []noun{p.texts.answer, p.texts.mention, p.texts.quotation, p.texts.zap, p.words.reaction, p.words.repost} {
		if n := count[waysToMe[i]]; n > 0 {
			what = append(what, p.words.of(x, n))
		}
	}
	return fill(p.texts.forMe, "window", p.words.window(w, p.calendar.now), "what", strings.Join(what, p.words.listJoin), "people", p.words.of(p.words.person, len(people)))
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
func (p *plan) tellTable(list []came, w window) string {
	title := p.forMeTitle(list, w)
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
