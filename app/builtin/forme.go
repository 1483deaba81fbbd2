package builtin

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// waysToMe are the ways to turn to somebody, in the order in which they are listed.
var waysToMe = [6]question.Concept{question.Replied, question.Mentioned, question.Quoted, question.Zapped, question.Liked, question.Reposted}

// An arrival is something that reached the user, and in what way.
type arrival struct {
	note *tools.Note
	way  question.Concept
}

// An arrivalList is what reached the user, newest first, and whether there is more than was
// read.
type arrivalList struct {
	list []arrival
	more bool
}

// forMe answers who turned to the user, and how, whoever they are.
func (p *plan) forMe() string {
	if p.me == "" {
		return p.words.NobodyChosen
	}
	args := tools.CountArgs{Context: "any", Mentions: p.me, Kind: kindsOfWays(p.q.Kinds), IncludeReplies: true}
	if p.q.Person != "" {
		who, stop := p.findPerson(p.q.Person)
		if who == nil {
			return stop
		}
		args.Author = who.PubKey
	}
	on := p.ownNote()
	if p.waiting() {
		return ""
	}
	w := p.q.Window
	windows := []question.Window{p.windowOrDefault()}
	switch {
	case w.Asked:
	case on != nil:
		windows = []question.Window{{Since: time.Unix(on.CreatedAtUnix, 0).In(p.calendar.Now.Location()), Until: p.calendar.Now}}
	default:
		windows = []question.Window{{Since: p.calendar.DayStart(-rankedDays), Until: p.calendar.Now}, {Since: p.calendar.DayStart(-90), Until: p.calendar.Now}}
	}
	var in arrivalList
	for _, w = range windows {
		if in = p.arrivals(args, w, on); len(in.list) >= aFew || p.waiting() {
			break
		}
	}
	switch {
	case p.waiting():
		return ""
	case len(in.list) == 0:
		return words.Fill(p.texts.ForMeNone, "window", p.words.Window(w, p.calendar.Now), "what", p.waysLookedFor()) + "\n"
	case p.q.Form == question.AsTable:
		return p.tableForMe(in, w)
	}
	return p.listForMe(in, w)
}

// waysAsked returns the ways asked for: a mention may be in an answer.
func (p *plan) waysAsked() question.Concept {
	if p.q.Kinds&question.Mentioned != 0 {
		return p.q.Kinds | question.Replied | question.Quoted
	}
	return p.q.Kinds
}

// kindsOfWays returns the kinds of events that the ways asked for have.
func kindsOfWays(ways question.Concept) tools.Kinds {
	var kinds tools.Kinds
	for _, k := range []struct {
		way   question.Concept
		kinds tools.Kinds
	}{
		{question.Replied | question.Mentioned | question.Quoted, postKinds},
		{question.Zapped, tools.Kinds{kindZap}},
		{question.Liked, tools.Kinds{kindReaction}},
		{question.Reposted, repostKinds},
	} {
		if ways == 0 || ways&k.way != 0 {
			kinds = append(kinds, k.kinds...)
		}
	}
	return kinds
}

// ownNote is the one note of the user's that a question is about: their newest, or the newest
// with the words of its topic; nil for none.
func (p *plan) ownNote() *tools.Note {
	if !p.q.OnNewest && p.q.Topic == "" {
		return nil
	}
	got := ask[tools.QueryResult](p.turn, "query", tools.QueryArgs{
		Context: "profile", Author: p.me, Search: stems(p.q.Topic), Kind: postKinds, IncludeReplies: p.q.Topic != "", Limit: 1,
	})
	if got.value != nil && len(got.value.Notes) > 0 {
		return &got.value.Notes[0]
	}
	if p.q.Topic != "" {
		p.q.Passed = append(p.q.Passed, p.q.Topic)
	}
	return nil
}

// arrivals reads what reached the user in a window, newest first; on is the note that it must
// be about, nil for any.
func (p *plan) arrivals(args tools.CountArgs, w question.Window, on *tools.Note) (in arrivalList) {
	args.Since, args.Until = unix(w.Since), unix(w.Until)
	notes, _ := p.pages(args, []page{{since: w.Since.Unix(), until: w.Until.Unix()}})
	if p.waiting() {
		return arrivalList{}
	}
	in.more = len(notes) >= mostOfAPage
	for i := range notes {
		if on != nil && !tagged(&notes[i], on.NoteID) {
			continue
		}
		if n := &notes[i]; n.PubKey != p.me && (slices.Contains(postKinds, n.NoteKind) || p.doneToMine(n)) {
			if way := p.wayOf(n); p.q.Kinds == 0 || way&p.waysAsked() != 0 {
				in.list = append(in.list, arrival{n, way})
			}
		}
	}
	return in
}

// tagged reports whether a note names another in its tags.
func tagged(n *tools.Note, id string) bool {
	return n.Event != nil && slices.ContainsFunc(n.Event.Tags, func(t nostr.Tag) bool { return len(t) > 1 && t[1] == id })
}

// wayOf returns how a note turns to the user.
func (p *plan) wayOf(n *tools.Note) question.Concept {
	switch n.NoteKind {
	case kindZap:
		return question.Zapped
	case kindReaction:
		return question.Liked
	case kindRepost, kindGenericRp:
		return question.Reposted
	}
	if n.ReplyTo != "" && p.isMine(n.ReplyTo) {
		return question.Replied
	}
	if n.Event != nil {
		for _, id := range nostr.Quotes(n.Event) {
			if p.isMine(id.String()) {
				return question.Quoted
			}
		}
	}
	return question.Mentioned
}

// isMine reports whether a note is the user's.
func (p *plan) isMine(id string) bool {
	got := ask[tools.NoteResult](p.turn, "get_note", tools.GetNoteArgs{NoteID: id})
	return got.value != nil && got.value.Note.PubKey == p.me
}

// waysLookedFor names the ways that were looked for.
func (p *plan) waysLookedFor() string {
	var out []string
	ways := p.waysAsked()
	for i, way := range waysToMe {
		if ways == 0 || ways&way != 0 {
			out = append(out, p.texts.Sorts[i])
		}
	}
	return strings.Join(out, p.words.ListJoin)
}

// listForMe counts what came from how many people, and quotes what was written.
func (p *plan) listForMe(in arrivalList, w question.Window) string {
	out := p.forMeTitle(in, w) + "\n\n" + p.quoteArrivals(in.list)
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
	return out + "\n" + p.words.NoModel + "\n"
}

// withoutWords counts what came in one way that has no words.
func (p *plan) withoutWords(in arrivalList, way question.Concept) addressed {
	a := addressed{inbox: inbox{moreReactions: in.more, moreActs: in.more}, times: map[string]int{}}
	c := newCorpus(p.me)
	for _, it := range in.list {
		if it.way == way {
			a.done(it.note, c.person(it.note))
		}
	}
	p.settleDone(&a, c)
	return a
}

// forMeTitle counts what came, and from how many people.
func (p *plan) forMeTitle(in arrivalList, w question.Window) string {
	people := map[string]bool{}
	count := map[question.Concept]int{}
	for _, c := range in.list {
		people[c.note.PubKey] = true
		count[c.way]++
	}
	var what []string
	for i, x := range []words.Noun{p.texts.Answer, p.texts.Mention, p.texts.Quotation, p.texts.Zap, p.words.Reaction, p.words.Repost} {
		if n := count[waysToMe[i]]; n > 0 {
			what = append(what, p.words.AtLeastIf(in.more, p.words.Of(x, n)))
		}
	}
	return words.Fill(p.texts.ForMe, "window", p.words.Window(w, p.calendar.Now), "what", strings.Join(what, p.words.ListJoin), "people", p.words.AtLeastIf(in.more, p.words.Of(p.words.Person, len(people))))
}

// quoteArrivals quotes the newest notes to the user, each with how it turns to them.
func (p *plan) quoteArrivals(list []arrival) string {
	c := newCorpus(p.me)
	var lines []func(index map[string]int) string
	var ids []string
	left := 0
	for _, it := range list {
		if it.way&(question.Replied|question.Mentioned|question.Quoted) == 0 {
			continue
		}
		if len(ids) == maxListed {
			left++
			continue
		}
		n := newNote(it.note, c.person(it.note))
		text := map[question.Concept]string{question.Replied: p.texts.Answered, question.Mentioned: p.texts.Mentioned, question.Quoted: p.texts.Quoted}[it.way]
		quote := p.letterText(n)
		ids = append(ids, n.id)
		lines = append(lines, func(index map[string]int) string {
			return words.Fill(text, "name", n.author.name, "when", p.when(n.at), "quote", strings.TrimSpace(quote+" "+ref(index[n.id])))
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
		b.WriteString("- … " + words.Fill(p.words.Showing, "n", p.words.Number(len(ids))) + "\n")
	}
	return b.String()
}

// tableForMe shows what came as a table.
func (p *plan) tableForMe(in arrivalList, w question.Window) string {
	title, list := p.forMeTitle(in, w), in.list
	slices.SortStableFunc(list, func(a, b arrival) int { return cmp.Compare(b.note.CreatedAtUnix, a.note.CreatedAtUnix) })
	var rows [][]any
	for _, c := range list[:min(len(list), maxTable)] {
		way := p.texts.Sorts[slices.Index(waysToMe[:], c.way)]
		rows = append(rows, []any{p.when(c.note.CreatedAtUnix), personName(c.note.Name, c.note.PubKey), way, p.cell(c.note)})
	}
	p.showTable(title, []string{p.words.ColTime, p.words.ColName, p.texts.ColWay, p.texts.ColNote}, rows)
	if p.waiting() {
		return ""
	}
	return title + " " + p.words.NoModel + "\n"
}
