package builtin

import (
	"slices"
	"strings"
	"time"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/tools"
)

// digest answers what happened, with the people followed, one person, or one topic.
func (p *plan) digest() string {
	w := p.windowOrDefault()
	if w.Since.After(p.calendar.Now) {
		return p.words.Future
	}
	f, who, stop := p.whose()
	atOnce := p.q.Person == "" && p.q.Topic == "" // reading can start in the same step, whatever the answer is
	if stop != "" || p.waiting() && p.q.Person != "" {
		return stop
	}
	if w = p.widened(f, w); p.waiting() && !atOnce {
		return ""
	}
	f.search = p.topicWords()
	m := p.madeBefore()
	if m != nil && m.draft != nil {
		return p.writeDigest(m, f, who)
	}
	if m == nil {
		if m = p.madeOf(p.read(f, w)); p.waiting() {
			return ""
		}
	}
	r := m.read.copied()
	if r.err != "" {
		return p.words.Failed
	}
	if who != nil {
		r.corpus.speaker(who.PubKey)
	}
	if !r.narrow {
		p.fetchTargets(r.corpus)
	}
	p.leaveOut(r)
	mine := p.addressed(r.toMe, r.corpus)
	p.lastHeard(r)
	if p.waiting() {
		p.made.Store(m)
		return ""
	}
	if !r.hasNews() {
		return p.nothing(f, w, r, who)
	}
	m = p.drafted(r, mine)
	if p.ctx.Err() != nil {
		return ""
	}
	return p.writeDigest(m, f, who)
}

// oldest is before any note: Nostr began later.
func oldest(c question.Calendar) time.Time {
	return time.Date(2020, 1, 1, 0, 0, 0, 0, c.Now.Location())
}

// windowOrDefault returns the window asked about; else since the last visit, if known; else
// since yesterday.
func (p *plan) windowOrDefault() question.Window {
	c, w := p.calendar, p.q.Window
	known := !c.LastVisit.IsZero() && c.LastVisit.Before(c.Now)
	switch {
	case w.Asked && (!w.ByVisit || known):
		if oldest := oldest(c); w.Since.Before(oldest) {
			w.Since = oldest
		}
		return w
	case p.q.Person != "" || p.q.Topic != "":
		return question.Window{Since: c.DayStart(-7), Until: c.Now}
	case known:
		return question.Window{Since: c.LastVisit.In(c.Now.Location()), Until: c.Now, ByVisit: true}
	}
	return question.Window{Since: c.DayStart(-1), Until: c.Now}
}

// Without a time, what somebody wrote or what is said of a topic is that of the last days of
// the first of these in which there are a few notes.
var sinceDays = []int{7, 90, 365}

const aFew = 3

// widened settles the words of a topic and returns the window to read: where no time was asked
// about and there is next to nothing in the first days, a longer one that has more.
func (p *plan) widened(f filters, w question.Window) question.Window {
	if p.q.Window.Asked || p.q.Person == "" && p.q.Topic == "" {
		p.settleWords(f, w)
		return w
	}
	windows := make([]question.Window, len(sinceDays))
	for i, days := range sinceDays {
		windows[i] = question.Window{Since: p.calendar.DayStart(-days), Until: p.calendar.Now}
	}
	if p.settleWords(f, windows[len(windows)-1]); p.waiting() {
		return w
	}
	best, most := windows[0], -1
	for _, longer := range windows {
		found := p.having(f, longer, p.topicWords()).value
		if found != nil && found.Count > most && most < aFew {
			best, most = longer, found.Count
		}
	}
	return best
}

// title is the headline of a digest about one person or topic.
func (p *plan) title(w question.Window, who *tools.ProfileResult) string {
	text, name := "", ""
	switch {
	case who != nil && p.q.Topic != "":
		text = p.words.PersonTopicTitle
	case who != nil:
		text = p.words.PersonTitle
	case p.q.Topic != "":
		text = p.words.TopicTitle
	}
	if who != nil {
		name = profileName(who)
	}
	return words.Fill(text, "window", p.words.Window(w, p.calendar.Now), "topic", label(p.q.Topic, 60), "name", name)
}

// followsNobody returns the answer that the user follows nobody, "" if that is not so.
func (p *plan) followsNobody() string {
	if p.me == "" {
		return p.words.NobodyChosen
	}
	me := ask[tools.ProfileResult](p.turn, "get_profile", tools.GetProfileArgs{Person: p.me})
	if me.value != nil && me.value.Follows == 0 {
		return p.words.Nobody
	}
	return ""
}

// speaker makes a person count as followed, since the question is about them.
func (c *corpus) speaker(key string) {
	for _, p := range c.people {
		p.followed = p.followed && (p.key == key || p.followed) || p.key == key
	}
}

// hasNews reports whether anything new by people followed was read.
func (r *reading) hasNews() bool {
	for _, n := range r.corpus.notes {
		if n.fresh && n.author.followed {
			return true
		}
	}
	for _, a := range r.corpus.acts {
		if a.repost && r.corpus.notes[a.target] != nil {
			return true
		}
	}
	return false
}

// writeDigest writes the sections of a digest; see [Digest].
func (p *plan) writeDigest(m *made, f filters, who *tools.ProfileResult) string {
	r, d := m.read, *m.draft
	d.mine = m.mine
	d.rare = p.rarelyHeard(r, &d)
	asked := p.answered(d, r.corpus)
	if p.waiting() {
		p.made.Store(m)
		return ""
	}
	ids := d.ids(asked, r.narrow)
	if len(ids) == 0 {
		if r.seen == 0 {
			d.bare = r.corpus.bare()
		}
		ids = d.bare.ids
	}
	further := p.further(f, r, ids)
	if p.waiting() {
		p.made.Store(m)
		return ""
	}
	for _, n := range further {
		ids = append(ids, n.id)
	}
	index := p.present(ids)
	p.drawTimes(r, who)
	if p.waiting() {
		p.made.Store(m)
		return ""
	}
	r.allSeen = r.seen > 0 && len(index) == 0
	out := Digest{Headline: p.headline(r, d, who), Closing: p.closing(r, d)}
	out.Time, out.Status = p.status(r)
	add := func(kind SectionKind, items []Item) {
		if len(items) > 0 {
			out.Sections = append(out.Sections, Section{kind, titles(p.words)[kind], items})
		}
	}
	add(ForYou, p.forYou(d.mine, index))
	named(d.main, p.q.Topic)
	main := p.items(d.main, index, r, asked)
	untitled := r.narrow
	if len(d.bare.ids) > 0 || len(index) == 0 {
		main, untitled = p.unquoted(d, index), true
	}
	if r.allSeen {
		out.Headline, main = p.words.NothingUnseen, []Item{{Lines: []Line{{Text: p.leftOut(r)}}}}
	}
	if add(Stories, main); untitled && len(main) > 0 {
		out.Sections[len(out.Sections)-1].Title = ""
	}
	add(Rarely, p.rareItems(d.rare, index))
	add(ToRead, p.toRead(d.articles, index, r.window.Since.Unix()))
	add(Brief, slices.Concat(p.items(d.also, index, r, asked), p.furtherItems(further, index)))
	return out.markdown()
}

// headline states how many people wrote how many notes, or what was asked about.
func (p *plan) headline(r *reading, d draft, who *tools.ProfileResult) string {
	if r.narrow {
		return strings.TrimRight(p.title(r.window, who), ": ")
	}
	text, w := p.words.Wrote, p.words
	if d.mine.ofCounted > 0 {
		text = w.WroteSomeToYou
	}
	people, notes, least := r.wrote()
	return firstRune(words.Fill(text, "people", w.AtLeastIf(least, w.Of(w.Person, people)), "notes", w.AtLeastIf(least, w.Of(w.Note, notes)), "mine", w.AtLeastIf(d.mine.moreByFriends, w.Number(d.mine.ofCounted))))
}

func (p *plan) draft(r *reading) draft {
	sorted := r.corpus.sorted()
	r.corpus.markRepeated(sorted)
	lexis := r.corpus.weigh(p.ctx, sorted, p.grammar)
	fresh := 0
	for _, n := range sorted {
		if n.fresh && !n.repeated {
			fresh++
		}
	}
	dr := p.newDrafter(lexis)
	dr.one = p.q.Person != ""
	if !r.narrow {
		dr.me = p.me
	}
	d := dr.draft(p.ctx, r.corpus.topics(p.ctx, sorted, lexis), fresh)
	dr.moreArticles(&d, sorted)
	d.hashtags = hashtagUse(sorted)
	if n := min(minMain-len(d.main), len(d.also)); n > 0 { // little was taken up by several
		d.main, d.also = append(d.main, d.also[:n]...), d.also[n:]
	}
	return d
}

// ids returns the notes that a draft cites, each once, in order.
func (d *draft) ids(asked map[*note]*parent, narrow bool) []string {
	var ids []string
	add := func(n *note) {
		if !slices.Contains(ids, n.id) {
			ids = append(ids, n.id)
		}
	}
	list := func(items []item) {
		for _, it := range items {
			if to := asked[it.cites[0].note]; to != nil && to.quote != "" && !narrow { // else only who or what is asked about is cited
				add(to.note)
			}
			for _, c := range it.cites {
				add(c.note)
			}
		}
	}
	for _, l := range d.mine.letters {
		add(l.note)
	}
	if d.mine.best != nil {
		add(d.mine.best)
	}
	list(d.main)
	for _, one := range d.rare.quoted {
		add(one.note)
	}
	list(d.articles)
	list(d.also)
	return ids
}

// present shows notes to the user and returns their numbers. A note that could not be shown
// has none.
func (p *plan) present(ids []string) map[string]int {
	index := map[string]int{}
	if len(ids) == 0 {
		return index
	}
	got := ask[tools.PresentResult](p.turn, "present_notes", tools.PresentArgs{NoteIDs: ids})
	if got.value == nil {
		return index
	}
	for _, n := range got.value.Presented {
		index[n.NoteID] = n.Index
	}
	return index
}
