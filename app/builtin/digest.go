package builtin

import (
	"slices"
	"strings"
	"time"

	"bowerbird/tools"
)

// digest answers what happened: to all people followed, or to one person, or
// about one topic.
func (p *plan) digest() string {
	w := p.windowOrDefault()
	if w.since.After(p.calendar.now) {
		return p.words.future
	}
	f, who, stop := p.whose()
	if stop != "" || p.waiting() {
		return stop
	}
	if p.settleTopic(f, w); p.waiting() {
		return ""
	}
	f.search = p.topicWords()
	r := p.read(f, w)
	if p.waiting() {
		return ""
	}
	if r.err != "" {
		return p.words.failed
	}
	if who != nil {
		r.corpus.speaker(who.PubKey)
	}
	if !r.narrow {
		p.fetchTargets(r.corpus)
	}
	if p.waiting() {
		return ""
	}
	if !r.hasNews() {
		return p.nothing(f, w, r, who)
	}
	return p.tell(r, who)
}

// windowOrDefault is the time asked about; else since the last visit, where one
// is known; else since yesterday.
func (p *plan) windowOrDefault() window {
	c, w := p.calendar, p.q.window
	known := !c.lastVisit.IsZero() && c.lastVisit.Before(c.now)
	switch {
	case w.asked && (!w.byVisit || known):
		// Nothing on Nostr is older than the protocol.
		if oldest := time.Date(2020, 1, 1, 0, 0, 0, 0, c.now.Location()); w.since.Before(oldest) && w.until.After(oldest) {
			w.since = oldest
		}
		return w
	case p.q.person != "" || p.q.topic != "":
		return window{since: c.dayStart(-7), until: c.now}
	case known:
		return window{since: c.lastVisit.In(c.now.Location()), until: c.now, byVisit: true}
	}
	return window{since: c.dayStart(-1), until: c.now}
}

// title is the first line of a digest.
func (p *plan) title(w window, who *tools.ProfileResult) string {
	text := p.words.digestTitle
	name := ""
	switch {
	case who != nil && p.q.topic != "":
		text = p.words.personTopicTitle
	case who != nil:
		text = p.words.personTitle
	case p.q.topic != "":
		text = p.words.topicTitle
	}
	if who != nil {
		name = profileName(who)
	}
	return fill(text, "window", p.words.window(w, p.calendar.now), "topic", label(p.q.topic, 60), "name", name)
}

// followsNobody says so, where that is why there is nothing to tell.
func (p *plan) followsNobody() string {
	if p.me == "" {
		return p.words.nobodyChosen
	}
	me := ask[tools.ProfileResult](p.turn, "get_profile", tools.GetProfileArgs{Person: p.me})
	if me.value != nil && me.value.Follows == 0 {
		return p.words.nobody
	}
	return ""
}

// speaker makes a person count as one followed: the question is about him.
func (c *corpus) speaker(key string) {
	for _, p := range c.people {
		p.followed = p.followed && (p.key == key || p.followed) || p.key == key
	}
}

// hasNews reports whether anything fresh by a person followed was read.
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

// tell writes the digest of what was read: first what most took part in and what one
// has to know of it, then all the rest; see ReadDigest.
func (p *plan) tell(r *reading, who *tools.ProfileResult) string {
	d := p.drafted(r)
	ids := d.ids()
	if len(ids) == 0 {
		d.bare = r.corpus.bare()
		ids = d.bare.ids
	}
	index := p.present(ids)
	p.drawTimes(r, who)
	if p.waiting() {
		return ""
	}
	parts := []string{p.title(r.window, who)}
	if r.unread > 0 {
		parts = append(parts, fill(p.words.readPart, "unread", p.words.number(r.unread)))
	}
	main := p.items(d.main, index, r)
	if main == "" {
		main = p.unquoted(d, index)
	}
	parts = append(parts, main, p.beside(r, d))
	for _, rest := range []struct {
		title string
		items []item
	}{{p.words.also, d.also}, {p.words.articles, d.articles}} {
		if list := p.items(rest.items, index, r); list != "" {
			parts = append(parts, rest.title, list)
		}
	}
	return strings.Join(append(parts, p.closing(r, d)), "\n\n") + "\n"
}

// Digest are the parts of an answer that tells what happened.
type Digest struct {
	Title  string
	Main   string // a list in Markdown
	Beside string // hashtags, how complete the notes are, and who says all this
	More   string // the other topics, and what was read; Markdown
	Topics int    // how many are in More
}

// ReadDigest parts an answer of this model; ok is false for other answers.
func ReadDigest(answer string) (d Digest, ok bool) {
	parts := strings.Split(strings.TrimSpace(answer), "\n\n")
	if len(parts) < 4 { // a title, the topics, what stands beside them, what was read
		return Digest{}, false
	}
	end := slices.IndexFunc(parts[2:len(parts)-1], func(part string) bool {
		for _, w := range allWords() {
			if strings.HasSuffix(part, w.noModel) {
				return true
			}
		}
		return false
	})
	if end < 0 {
		return Digest{}, false
	}
	end += 2
	d = Digest{
		Title: parts[0], Main: strings.Join(parts[1:end], "\n\n"), Beside: parts[end],
		More: strings.Join(parts[end+1:], "\n\n"),
	}
	d.Topics = strings.Count("\n"+d.More, "\n- ")
	return d, true
}

func (p *plan) draft(r *reading) draft {
	sorted := r.corpus.sorted()
	r.corpus.markRepeated(sorted)
	lexis := r.corpus.weigh(sorted, p.grammar)
	fresh := 0
	for _, n := range sorted {
		if n.fresh && !n.repeated {
			fresh++
		}
	}
	dr := p.newDrafter(lexis)
	dr.one = p.q.person != ""
	d := dr.draft(r.corpus.topics(sorted, lexis), fresh)
	dr.moreArticles(&d, sorted)
	d.hashtags = hashtagUse(sorted)
	if n := min(minMain-len(d.main), len(d.also)); n > 0 { // little was taken up by several
		d.main, d.also = append(d.main, d.also[:n]...), d.also[n:]
	}
	if len(d.main) == 0 {
		d.main, d.articles = d.articles, nil
	}
	return d
}

// ids are the notes that a draft cites, in its order.
func (d draft) ids() []string {
	var ids []string
	for _, list := range [][]item{d.main, d.also, d.articles} {
		for _, it := range list {
			for _, c := range it.cites {
				ids = append(ids, c.note.id)
			}
		}
	}
	return ids
}

// present shows notes and returns under which numbers.
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
